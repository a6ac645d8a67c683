"""Values that rooms hand to each other: units, readings, answers, articles, adoptions."""

from homolog.quantity.adoption import Adoption
from homolog.quantity.article import ITEMS, Answer, Article, Role
from homolog.quantity.lot import LotSize
from homolog.quantity.names import same_name
from homolog.quantity.reading import GaugeResult, Reading, Unmeasured
from homolog.quantity.scanner import Conditions, ReferenceLengths, ScannerRecord
from homolog.quantity.units import SCANNING_UNITS, UNITS, Measure, NumberError, Unit, parse_measure, parse_number, round_up

__all__ = [
    "ITEMS",
    "SCANNING_UNITS",
    "UNITS",
    "Adoption",
    "Answer",
    "Article",
    "Conditions",
    "GaugeResult",
    "LotSize",
    "Measure",
    "NumberError",
    "Reading",
    "ReferenceLengths",
    "Role",
    "ScannerRecord",
    "Unit",
    "Unmeasured",
    "parse_measure",
    "parse_number",
    "round_up",
    "same_name",
]
