"""Field types of a spec file: text in, exact values out, and their JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, PlainValidator, WithJsonSchema

from homolog.errors import HomologError
from homolog.quantity import UNITS, Measure, parse_measure

_WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_T = TypeVar("_T")


class Strict(BaseModel):
    """Base of every part of a spec: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, str_strip_whitespace=True)


def _from_text(convert: Callable[[str], _T]) -> Callable[[Any], Any]:
    def validate(value: Any) -> Any:
        return convert(value) if isinstance(value, str) else value

    return validate


def _measure(value: Any) -> Measure:
    # Only text is read: a mapping would bring a unit of its own making, with a size of its own.
    if isinstance(value, Measure):
        return value
    if not isinstance(value, str):
        raise ValueError("not a number with a unit; write as 39 mm")  # noqa: TRY004 -- the validator reports ValueErrors
    try:
        return parse_measure(value)
    except HomologError as error:
        raise ValueError(str(error).rstrip(".")) from None


def _unit(name: str) -> str:
    if name not in UNITS:
        raise ValueError(f"unit {name[:20]!r} is not known; write one of {', '.join(UNITS)}")
    return name


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is not a whole number; write digits only, as 10")
    return int(text)


def _day(text: str) -> date:
    if not _DATE.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is not a date; write as 2014-05-08")
    return date.fromisoformat(text)


def _day_or_unknown(text: str) -> date | Literal["unknown"]:
    return "unknown" if text == "unknown" else _day(text)


MeasureText = Annotated[
    Measure,
    PlainValidator(_measure),
    PlainSerializer(str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": rf"^\s*[+-]?[0-9]{{1,15}}(\.[0-9]{{1,15}})?\s+({'|'.join(UNITS)})\s*$",
            "examples": ["39 mm", "1.5 g"],
        }
    ),
]
UnitName = Annotated[str, AfterValidator(_unit), WithJsonSchema({"type": "string", "enum": list(UNITS)})]
Text = Annotated[str, Field(min_length=1)]
"""A text that is not empty."""
Whole = Annotated[
    int,
    BeforeValidator(_from_text(_whole)),
    WithJsonSchema({"type": ["string", "integer"], "pattern": "^[0-9]{1,6}$", "minimum": 0}),
]
Day = Annotated[date, BeforeValidator(_from_text(_day)), WithJsonSchema({"type": "string", "format": "date"})]
DayOrUnknown = Annotated[
    date | Literal["unknown"],
    BeforeValidator(_from_text(_day_or_unknown)),
    WithJsonSchema({"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|unknown)$"}),
]


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Texts = Annotated[
    tuple[Text, ...],
    BeforeValidator(_one_or_many),
    Field(min_length=1),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
            ]
        }
    ),
]
"""One text or a list of texts."""
