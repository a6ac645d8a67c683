"""What a request may ask beside its sheet and scan: fields of a form, or parameters of a query."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from api.problems import Failure
from homolog.errors import Problem

Item = Literal["board", "goal", "ball", "figure", "goalkeeper", "set", "match"]
Unit = Literal["mm", "cm", "m", "in"]
Source = Literal["structured_light", "photogrammetry", "laser", "ct", "cad"]
Purpose = Literal["type_approval", "match", "self_test", "recheck"]
Language = Literal["en", "uk", "it"]

FILES = ("sheet", "scan", "adopted", "reference")
REPEATED = ("attribute", "reference_diameter", "reference_U")
"""Fields of a form that may come several times; all of them speak of a scan alone."""
STATED = ("temperature", "temperature_U", "material")
"""Fields of a form that say what a scan alone was scanned in."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Asked(BaseModel):
    """What is asked by name and value; a value that is left empty counts as left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def read(cls, pairs: Iterable[tuple[str, str]], *, kind: Literal["field", "parameter"]) -> Self:
        """Read the fields from names and values as they came.

        Args:
            pairs: Names and values; a name may come once.
            kind: What the pairs are called in messages.

        Raises:
            Failure: A name is not known or comes twice, or a value is none that it takes.
        """
        found: dict[str, str] = {}
        problems = []
        for name, value in pairs:
            if name in found:
                problems.append(Problem(_where(kind, name), "it is given twice", "give it once", "usage"))
            found[name] = value
        given = {name: value.strip() for name, value in found.items()}
        known = (*cls.model_fields, *REPEATED, *STATED, *FILES) if kind == "field" else tuple(cls.model_fields)
        try:
            fields = cls.model_validate({name: value for name, value in given.items() if value or name not in cls.model_fields})
        except ValidationError as error:
            problems += [_problem(fault, kind, known) for fault in error.errors(include_url=False)]
        if problems:
            raise Failure("usage", f"The request has a {kind} that cannot be taken.", problems=problems)
        return fields


class RulesChoice(Asked):
    """Under which rules an empty sheet is written."""

    body: str = Field("fistf", max_length=40, description="Whose rules.")
    edition: str | None = Field(None, max_length=40, description="Edition of the rules: 4.0 if left out.")


class Fields(Asked):
    """The fields; one that is left empty counts as left out."""

    item: Item | None = Field(None, description="What the article is, where the sheet does not say it; needed for a scan alone.")
    unit: Unit | None = Field(None, description="Unit of the scan's file; decided with reasons if left out.")
    source: Source | None = Field(None, description="How the scan was made; structured_light if left out.")
    purpose: Purpose = Field("self_test", description="Who asks: it decides who carries the doubt.")
    body: str = Field("fistf", max_length=40, description="Whose rules.")
    edition: str | None = Field(
        None, max_length=40, description="Edition of the rules: 4.0, or with a day the one in force that day, if left out."
    )
    on: date | None = Field(None, description="The day that counts, as 2026-11-30; today (UTC) if left out.")
    lang: Language = Field("en", description="Language of a report as a page or a document.")

    @field_validator("on", mode="before")
    @classmethod
    def _plain_day(cls, value: Any) -> Any:
        if isinstance(value, str) and _DAY.fullmatch(value) is None:
            raise ValueError("is no date; write as 2026-11-30")
        return value


def _where(kind: str, name: str) -> str:
    return f"{kind} {name[:40]}"


def _problem(fault: Any, kind: str, known: Iterable[str]) -> Problem:
    name = str(fault["loc"][0])
    if fault["type"] == "extra_forbidden":
        return Problem(_where(kind, name), "it is not known", f"use one of {', '.join(known)}", "usage")
    if fault["type"] == "literal_error":
        return Problem(_where(kind, name), f"{str(fault['input'])[:40]!r} is not known", f"use one of {_listed(fault)}", "usage")
    what, _, todo = fault["msg"].removeprefix("Value error, ").partition("; ")
    return Problem(_where(kind, name), f"{str(fault['input'])[:40]!r} {what}" if todo else what, todo, "usage")


def _listed(fault: Any) -> str:
    return str(fault["ctx"]["expected"]).replace("'", "").replace(" or ", ", ")
