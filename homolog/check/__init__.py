"""The way of a submission: from a sheet or a scan, under an edition, to a report."""

from homolog.check.extract import read_extract
from homolog.check.measuring import Measured, measure, measure_of, measure_several
from homolog.check.pairing import ScanFile, Told, conditions_of, reference_of, scan_alone, scan_of_samples
from homolog.check.pieces import Scans, scans_of
from homolog.check.pipeline import check, check_samples, check_several, judge, measured_for
from homolog.check.question import PieceScan, Question, Scan
from homolog.check.setup import default_edition, empty_sheet, vocabulary_of, with_adoptions, with_register

__all__ = [
    "Measured",
    "PieceScan",
    "Question",
    "Scan",
    "ScanFile",
    "Scans",
    "Told",
    "check",
    "check_samples",
    "check_several",
    "conditions_of",
    "default_edition",
    "empty_sheet",
    "judge",
    "measure",
    "measure_of",
    "measure_several",
    "measured_for",
    "read_extract",
    "reference_of",
    "scan_alone",
    "scan_of_samples",
    "scans_of",
    "vocabulary_of",
    "with_adoptions",
    "with_register",
]
