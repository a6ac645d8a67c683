"""Values that rooms hand to each other: units, readings, answers, articles, adoptions."""

from homolog.quantity.adoption import Adoption
from homolog.quantity.article import ITEMS, Answer, Article, Role
from homolog.quantity.reading import GaugeResult, Reading, Unmeasured
from homolog.quantity.units import UNITS, Measure, NumberError, Unit, parse_measure, parse_number, round_up

__all__ = [
    "ITEMS",
    "UNITS",
    "Adoption",
    "Answer",
    "Article",
    "GaugeResult",
    "Measure",
    "NumberError",
    "Reading",
    "Role",
    "Unit",
    "Unmeasured",
    "parse_measure",
    "parse_number",
    "round_up",
]
