"""The form of a finding in the record, as types that validate it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

_MOST_TEXT = 20_000


class Part(BaseModel):
    """Base of every part: nothing is converted, and unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Text = Annotated[str, Field(max_length=_MOST_TEXT)]
Number = Annotated[str, Field(pattern=r"^-?[0-9]{1,40}(\.[0-9]{1,60})?$", description="A number in plain notation.")]
Positive = Annotated[str, Field(pattern=r"^[0-9]{1,40}(\.[0-9]{1,60})?$", description="A number that is not negative.")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256.")]
Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
DayOrUnknown = Annotated[str, Field(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}|unknown)$")]
Code = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,99}$")]
VerdictName = Literal["conform", "inconclusive", "needs_judgement", "not_measured", "error", "nonconform", "not_applicable"]
OutcomeName = Literal[
    "approve", "refuse", "play", "play_noted", "change", "ask", "pass", "fail", "borderline", "keep", "grace", "withdraw", "open"
]
PurposeName = Literal["type_approval", "match", "self_test", "recheck"]
ItemName = Literal["board", "goal", "ball", "figure", "goalkeeper", "set", "match"]
UnitName = Literal["mm", "cm", "m", "in", "g", "mm3", "cm3", "ml", "s", "min", "deg", "count"]


class Statement(Part):
    """A sentence as code and parameters; `text` is the English one."""

    code: Code
    params: dict[Code, Text]
    text: Text


class ReadingPart(Part):
    """What every form of reading has."""

    quantity: Text
    unit: UnitName
    method: Text | None
    place: Text | None
    instrument: Text | None
    evidence: Text | None
    marks: list[Text]


class ValueReading(ReadingPart):
    """A value with its expanded uncertainty U (k = 2)."""

    value: Number
    U: Positive | None


class BoundsReading(ReadingPart):
    """Bounds between which the value lies; null is an open end."""

    lo: Number | None
    hi: Number | None

    @model_validator(mode="after")
    def _one_end(self) -> BoundsReading:
        if self.lo is None and self.hi is None:
            raise ValueError("one of lo and hi is a number")
        return self


class GaugeReading(ReadingPart):
    """A gauge of a size, with its own U, whether it went, and the bound that this proves; null before it was judged."""

    lo: Number | None
    hi: Number | None
    gauge: Number
    U: Positive | None
    result: Literal["go", "no_go"]


def _form_of(reading: Any) -> str:
    """Return which form a reading has, so that a fault is named in that form alone."""
    keys = reading if isinstance(reading, dict) else {}
    return "ValueReading" if "value" in keys else "GaugeReading" if "gauge" in keys else "BoundsReading"


Reading = Annotated[
    Annotated[ValueReading, Tag("ValueReading")]
    | Annotated[BoundsReading, Tag("BoundsReading")]
    | Annotated[GaugeReading, Tag("GaugeReading")],
    Discriminator(_form_of),
]


class Limit(Part):
    """The limit that was used; a strict side, which excludes the limit itself, is marked, an inclusive one is not."""

    min: Number | None
    max: Number | None
    unit: UnitName
    min_is_strict: Literal[True] | None = None
    max_is_strict: Literal[True] | None = None


class Margin(Part):
    """How far the value, without U, lies inside the nearer side; negative outside."""

    value: Number
    side: Literal["min", "max"]


class Adoption(Part):
    """The decision that made one reading the rule."""

    reading: Text
    by: Text
    on: Text
    decision: Text


class _Held(Part):
    """One reading held against one limit."""

    verdict: VerdictName
    reading: Reading | None
    limit: Limit | None
    margin: Margin | None
    probability: Annotated[str, Field(pattern=r"^(0(\.[0-9]+)?|1(\.0+)?)$")] | None
    guarded: VerdictName | None
    simple: VerdictName | None
    marks: list[Text]
    why: Statement | None
    next: Statement | None


class Place(_Held):
    """The result at one of several like places."""

    place: Text | None


class InterpretationReading(_Held):
    """How the article stands under one reading of an interpretation."""

    id: Text
    says: Text
    ask: Text
    source: Text
    places: list[Place]


class Interpretation(Part):
    """The interpretation that a requirement turns on, with every reading's outcome."""

    id: Text
    status: Literal["proposed", "adopted", "withdrawn"]
    adoption: Adoption | None
    question: Text
    readings: list[InterpretationReading]


class Decision(Part):
    """How uncertainty entered."""

    rule: Literal["guarded", "simple"]
    interpretation: Text | None
    adoption: Adoption | None


class GeneralDecision(Decision):
    """The rule in general, and the requirements that the other rule decided."""

    besides: list[Text] = Field(alias="except")


class Answer(Part):
    """One person's answer that was counted."""

    asks: Text
    yes: bool
    role: Literal["board", "laboratory", "referee", "maker"]
    by: Text | None
    reading: Text | None
    place: Text | None
    stated: bool | None = Field(
        None, description="Whether who answered stands as the sheet states it, unproven; left out by records from before."
    )


class Finding(_Held):
    """One requirement's verdict; `reading` and `limit` are the adopted reading's, else the first listed, at the worst place."""

    requirement: Text
    clause: Text
    kind: Literal["limit", "count", "uniform", "differs", "one_of", "inspect", "judge", "approved", "any_of"]
    basis: Literal["stated", "implied", "interpreted"]
    says: Text
    ask: Text
    criteria: list[Text]
    note: Text
    interpretation: Interpretation | None
    decision: Decision | None
    places: list[Place]
    answers: list[Answer]
    alternative_of: Text | None
    details: dict[Text, Text]
