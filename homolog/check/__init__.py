"""The way of a submission: from a sheet or a scan, under an edition, to a report."""

from homolog.check.pairing import ScanFile, Told, reference_of, scan_alone, scan_of
from homolog.check.pipeline import check, measure_of
from homolog.check.question import Question, Scan
from homolog.check.setup import default_edition, empty_sheet, vocabulary_of, with_adoptions

__all__ = [
    "Question",
    "Scan",
    "ScanFile",
    "Told",
    "check",
    "default_edition",
    "empty_sheet",
    "measure_of",
    "reference_of",
    "scan_alone",
    "scan_of",
    "vocabulary_of",
    "with_adoptions",
]
