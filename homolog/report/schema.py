"""The form of the record as types: what a record may hold, and the JSON Schema that is published."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

SCHEMA_ID = "homolog-report/1"
_MOST_TEXT = 20_000
_MOST_DRAWING = 20_000_000


class _Part(BaseModel):
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


class Statement(_Part):
    """A sentence as code and parameters; `text` is the English one."""

    code: Code
    params: dict[Code, Text]
    text: Text


class ReadingPart(_Part):
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
    """A gauge of a size, with its own U, and whether it went."""

    gauge: Number
    U: Positive | None
    result: Literal["go", "no_go"]


Reading = ValueReading | BoundsReading | GaugeReading


class Limit(_Part):
    """The limit that was used; a strict side excludes the limit itself."""

    min: Number | None
    max: Number | None
    unit: UnitName
    min_is_strict: bool
    max_is_strict: bool


class Margin(_Part):
    """How far the value, without U, lies inside the nearer side; negative outside."""

    value: Number
    side: Literal["min", "max"]


class Adoption(_Part):
    """The decision that made one reading the rule."""

    reading: Text
    by: Text
    on: Text
    decision: Text


class _Held(_Part):
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
    source: Text
    places: list[Place]


class Interpretation(_Part):
    """The interpretation that a requirement turns on, with every reading's outcome."""

    id: Text
    status: Literal["proposed", "adopted", "withdrawn"]
    adoption: Adoption | None
    question: Text
    readings: list[InterpretationReading]


class Decision(_Part):
    """How uncertainty entered."""

    rule: Literal["guarded", "simple"]
    interpretation: Text | None
    adoption: Adoption | None


class GeneralDecision(Decision):
    """The rule in general, and the requirements that the other rule decided."""

    besides: list[Text] = Field(alias="except")


class Answer(_Part):
    """One person's answer that was counted."""

    asks: Text
    yes: bool
    role: Literal["board", "laboratory", "referee", "maker"]
    by: Text | None
    reading: Text | None
    place: Text | None


class Finding(_Held):
    """One requirement's verdict; `reading` and `limit` are the adopted reading's, else the first listed, at the worst place."""

    requirement: Text
    clause: Text
    kind: Literal["limit", "count", "uniform", "differs", "one_of", "inspect", "judge", "approved", "any_of"]
    basis: Literal["stated", "implied", "interpreted"]
    says: Text
    ask: Text
    criteria: list[Text]
    interpretation: Interpretation | None
    decision: Decision | None
    places: list[Place]
    answers: list[Answer]
    alternative_of: Text | None
    details: dict[Text, Text]


class Effective(_Part):
    """From when to when an edition applies."""

    since: DayOrUnknown = Field(alias="from")
    to: DayOrUnknown | None
    basis: Literal["stated", "inferred"]


class Transition(_Part):
    """What happens to types of the edition before."""

    policy: Literal["unknown", "immediate", "grace", "keep"]
    until: DayOrUnknown | None
    note: Text


class SpecUsed(_Part):
    """Which rules were used; ids are null where the edition does not regulate the item."""

    id: Text | None
    edition: Text
    sha256: Digest | None
    body: Text
    issuer: Text
    file: Text | None
    title: Text
    source: Text | None
    label: Text | None = Field(description="The file's own edition, where an edition names another one's file.")
    status: Literal["draft", "published"] | None
    effective: Effective | None
    supersedes: Text | None
    transition: Transition | None
    incomplete: Text | None
    unregulated: Text | None = Field(description="Why the edition does not regulate the item.")


class HeadSpec(SpecUsed):
    """The article's own rules."""

    in_force: Text | None = Field(description="The edition in force on the day, if that is another one.")


class Counts(_Part):
    """How many findings have each verdict; those that count only through an `any_of` are left out."""

    conform: Annotated[int, Field(ge=0)]
    inconclusive: Annotated[int, Field(ge=0)]
    needs_judgement: Annotated[int, Field(ge=0)]
    not_measured: Annotated[int, Field(ge=0)]
    error: Annotated[int, Field(ge=0)]
    nonconform: Annotated[int, Field(ge=0)]
    not_applicable: Annotated[int, Field(ge=0)]


class ClauseLeft(_Part):
    """A clause that was not checked, or checked in part."""

    clause: Text
    row: Text | None
    status: Literal["checked", "judged", "partly", "not_checkable", "informative"]
    note: Text


class Piece(_Part):
    """One piece of a set or match."""

    name: Text
    item: ItemName
    role: Text | None
    attributes: dict[Text, Text]
    spec: SpecUsed
    verdict: VerdictName
    counts: Counts
    findings: list[Finding]
    not_judged: Text | None
    not_checked: list[ClauseLeft]


class AdoptionGiven(_Part):
    """An adoption that was handed in."""

    interpretation: Text
    reading: Text
    by: Text
    on: Text
    decision: Text
    in_force: bool
    sha256: Digest


class Submission(_Part):
    """What was sent in."""

    name: Text
    sha256: Digest
    format: Text
    row: Annotated[int, Field(ge=0, le=2**53 - 1)] | None
    attributes: dict[Text, Text]


class Repair(_Part):
    """One kind of repair of a scan."""

    kind: Text
    count: Annotated[int, Field(ge=0, le=2**53 - 1)]
    volume_effect_mm3: Number
    says: Text


class Contribution(_Part):
    """One line of an uncertainty budget."""

    name: Text
    says: Text
    standard_uncertainty: Positive


class Budget(_Part):
    """Where the U of one quantity comes from."""

    quantity: Text
    contributions: list[Contribution]
    expanded: Positive


class Scan(_Part):
    """The scan that was measured."""

    sha256: Digest
    format: Text
    triangles: Annotated[int, Field(ge=0, le=2**53 - 1)]
    unit: UnitName
    unit_reason: Text
    closed: bool
    source: Text
    repairs: list[Repair]
    budgets: list[Budget]
    facts: dict[Text, Text]
    engine: dict[Text, Text]


class Engine(_Part):
    """The program that judged."""

    name: Text
    version: Text


class Unused(_Part):
    """A reading, or a failed attempt, that no requirement of the edition uses."""

    quantity: Text
    place: Text | None
    reading: Reading | None
    unmeasured: Text | None


class Picture(_Part):
    """A drawing that stands alone."""

    name: Text
    title: Text
    alt: Text
    svg: Annotated[str, Field(max_length=_MOST_DRAWING)]


class Elsewhere(_Part):
    """The same submission under another edition."""

    edition: Text
    verdict: VerdictName
    differs: list[Text]


class RecordForm(_Part):
    """A conformity report as a record."""

    format: Literal["homolog-report/1"]
    verdict: VerdictName
    outcome: OutcomeName
    purpose: PurposeName
    on: Day
    item: ItemName
    counts: Counts
    spec: HeadSpec
    adoptions: list[AdoptionGiven]
    submission: Submission
    scan: Scan | None
    engine: Engine
    findings: list[Finding]
    pieces: list[Piece]
    not_checked: list[ClauseLeft]
    unused: list[Unused]
    pictures: list[Picture]
    elsewhere: list[Elsewhere]
    decision_rule: GeneralDecision | None
    notes: list[Statement]


def json_schema() -> dict[str, Any]:
    """Return the published JSON Schema of the record."""
    schema = RecordForm.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **schema,
        "title": "Homolog conformity report, homolog-report/1",
    }
