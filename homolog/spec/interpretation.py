"""Holes in the rule text, and the readings that a reasonable person could adopt."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from homolog.spec.fields import Day, MeasureText, Strict, Text


class Bounds(Strict):
    """A limit: `min`/`max` inclusive, `above`/`below` strict, `within` symmetric about 0."""

    min: MeasureText | None = None
    max: MeasureText | None = None
    above: MeasureText | None = None
    below: MeasureText | None = None
    within: MeasureText | None = None

    @property
    def is_bounded(self) -> bool:
        """Whether any side is given."""
        return any(side is not None for side in (self.min, self.max, self.above, self.below, self.within))

    @model_validator(mode="after")
    def _sides_agree(self) -> Bounds:
        given = [side for side in (self.min, self.max, self.above, self.below, self.within) if side is not None]
        if len({side.unit.dimension for side in given}) > 1:
            raise ValueError(f"{given[0]} and {given[1]} are of different dimensions; write both sides in units of one")
        if self.within is not None and len(given) > 1:
            raise ValueError("within stands alone; write either within or min and max")
        if self.within is not None and self.within.number < 0:
            raise ValueError(f"within {self.within} is negative; write the largest distance from 0 on either side")
        if (self.min and self.above) or (self.max and self.below):
            raise ValueError("one side has two limits; keep min or above, max or below")
        self._leave_room()
        return self

    def _leave_room(self) -> None:
        lower, upper = self.min or self.above, self.max or self.below
        if lower is None or upper is None:
            return
        base = lower.unit.name
        if lower.to(base) > upper.to(base):
            raise ValueError(f"the lower limit {lower} is above the upper limit {upper}; swap them")
        if lower.to(base) == upper.to(base) and (self.above or self.below):
            raise ValueError(f"nothing lies between {lower} and {upper}, as a strict side excludes the limit itself; mend one")


class InterpretationReading(Bounds):
    """One way to read the clause: another quantity, a limit of its own, a person's answer, or no demand at all."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+(-[a-z0-9_]+)*$")]
    says: Text
    source: str = Field("", description="Where the reading comes from: the words as written, a standard, a comparable rule.")
    uses: Text | None = None
    ask: Text | None = Field(None, description="The reading is answered by an inspecting person, not by a number.")
    demands: Literal["nothing"] | None = Field(None, description="Under this reading the clause asks nothing of the article.")
    decision: Literal["guarded", "simple"] | None = Field(None, description="Only in INT-decision: how U enters the verdict.")


class Adoption(Strict):
    """A board's dated decision for one reading."""

    reading: Text
    by: Text
    on: Day
    decision: Text


class Interpretation(Strict):
    """A hole in a clause with two or more readings."""

    id: str = Field(pattern=r"^INT-[a-z0-9-]+$")
    clause: Text
    question: Text
    status: Literal["proposed", "adopted", "withdrawn"]
    readings: tuple[InterpretationReading, ...] = Field(min_length=2)
    adoption: Adoption | None = None
    note: str = ""

    @property
    def is_decision_rule(self) -> bool:
        """Whether the readings say how the uncertainty of measurement enters a verdict."""
        return any(reading.decision is not None for reading in self.readings)

    @model_validator(mode="after")
    def _readings_agree(self) -> Interpretation:
        ids = [reading.id for reading in self.readings]
        if len(set(ids)) != len(ids):
            raise ValueError(f"{self.id} has two readings with one id; rename one")
        if (self.status == "adopted") != (self.adoption is not None):
            raise ValueError(f"{self.id}: status adopted and an adoption (reading, by, on, decision) go together")
        if self.adoption is not None and self.adoption.reading not in ids:
            raise ValueError(f"{self.id}: the adopted reading {self.adoption.reading!r} is none of {', '.join(ids)}")
        if self.is_decision_rule and not all(reading.decision for reading in self.readings):
            raise ValueError(f"{self.id}: every reading of a decision rule has a decision")
        return self
