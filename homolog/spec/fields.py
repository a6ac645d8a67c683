"""Field types of a spec file: text in, exact values out, and their JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, WithJsonSchema

from homolog.errors import HomologError
from homolog.quantity import Measure, parse_measure

_WHOLE = re.compile(r"[0-9]{1,6}", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_T = TypeVar("_T")


class Strict(BaseModel):
    """Base of every part of a spec: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, str_strip_whitespace=True)


def _from_text(convert: Callable[[str], _T]) -> Callable[[Any], Any]:
    def validate(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return convert(value)
        except HomologError as error:
            raise ValueError(str(error).rstrip(".")) from None

    return validate


def _measure(text: str) -> Measure:
    return parse_measure(text)


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
    BeforeValidator(_from_text(_measure)),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": r"^[+-]?[0-9]+(\.[0-9]+)? \S+$", "examples": ["39 mm", "1.5 g"]}),
]
Whole = Annotated[int, BeforeValidator(_from_text(_whole)), WithJsonSchema({"type": ["string", "integer"], "pattern": "^[0-9]+$"})]
Day = Annotated[date, BeforeValidator(_from_text(_day)), WithJsonSchema({"type": "string", "format": "date"})]
DayOrUnknown = Annotated[
    date | Literal["unknown"],
    BeforeValidator(_from_text(_day_or_unknown)),
    WithJsonSchema({"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|unknown)$"}),
]


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_one_or_many)]
"""One text or a list of texts."""
