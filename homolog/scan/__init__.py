"""Measuring an article from a scan.

Importing this package loads no mesh library: they live in the measuring process only.
"""

from homolog.scan.door import get_ready, look_at_scan, measure_scan
from homolog.scan.look import ScanLook
from homolog.scan.marks import Mark, Picture
from homolog.scan.measurement import Budget, Contribution, Repair, ScanMeasurement
from homolog.scan.sandbox.client import abandoned
from homolog.scan.session import ReferenceFile
from homolog.scan.several import measure_scan_set
from homolog.scan.sources import DEFAULT_SOURCE, SOURCES

__all__ = [
    "DEFAULT_SOURCE",
    "SOURCES",
    "Budget",
    "Contribution",
    "Mark",
    "Picture",
    "ReferenceFile",
    "Repair",
    "ScanLook",
    "ScanMeasurement",
    "abandoned",
    "get_ready",
    "look_at_scan",
    "measure_scan",
    "measure_scan_set",
]
