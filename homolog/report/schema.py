"""The form of the whole record as types, and the JSON Schema that is published."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from homolog.report.schema_findings import (
    Code,
    Day,
    DayOrUnknown,
    Digest,
    Finding,
    GeneralDecision,
    ItemName,
    Number,
    OutcomeName,
    Part,
    Positive,
    PurposeName,
    Reading,
    Statement,
    Text,
    UnitName,
    VerdictName,
)

SCHEMA_ID = "homolog-report/1"
_MOST_DRAWING = 20_000_000


class Effective(Part):
    """From when to when an edition applies."""

    since: DayOrUnknown = Field(alias="from")
    to: DayOrUnknown | None
    basis: Literal["stated", "inferred"]


class Transition(Part):
    """What happens to types of the edition before."""

    policy: Literal["unknown", "immediate", "grace", "keep"]
    until: DayOrUnknown | None
    note: Text


class SpecUsed(Part):
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


class Counts(Part):
    """How many findings have each verdict; those that count only through an `any_of` are left out."""

    conform: Annotated[int, Field(ge=0)]
    inconclusive: Annotated[int, Field(ge=0)]
    needs_judgement: Annotated[int, Field(ge=0)]
    not_measured: Annotated[int, Field(ge=0)]
    error: Annotated[int, Field(ge=0)]
    nonconform: Annotated[int, Field(ge=0)]
    not_applicable: Annotated[int, Field(ge=0)]


class ClauseLeft(Part):
    """A clause that was not checked, or checked in part."""

    clause: Text
    row: Text | None
    status: Literal["checked", "judged", "partly", "not_checkable", "informative"]
    note: Text


class Unused(Part):
    """A reading, or a failed attempt, that no requirement of the edition uses."""

    quantity: Text
    place: Text | None
    reading: Reading | None
    unmeasured: Text | None


class AdoptionGiven(Part):
    """An adoption that was handed in."""

    interpretation: Text
    reading: Text
    by: Text
    on: Text
    decision: Text
    requirements: list[Text] = Field(
        default=[],
        description="The only ones that it holds for; empty: all. With body and edition left out by records from before.",
    )
    body: Text | None = Field(None, description="The only body that it holds for; null: all.")
    edition: Text | None = Field(None, description="The only edition that it holds for; null: all.")
    in_force: bool
    sha256: Digest


class RegisterGiven(Part):
    """The extract of the register of types that was handed in."""

    sha256: Digest = Field(description="Of the extract's RFC 8785 canonical form.")


class Submission(Part):
    """What was sent in."""

    name: Text
    sha256: Digest
    format: Text
    row: Annotated[int, Field(ge=0, le=2**53 - 1)] | None
    article: Text | None = Field(description="What the sheet calls the article.")
    attributes: dict[Text, Text]


class Repair(Part):
    """One kind of repair of a scan."""

    kind: Text
    count: Annotated[int, Field(ge=0, le=2**53 - 1)]
    volume_effect_mm3: Number
    says: Text


class Contribution(Part):
    """One line of an uncertainty budget."""

    name: Text
    says: Text
    standard_uncertainty: Positive


class Budget(Part):
    """Where the U of one quantity comes from."""

    quantity: Text
    contributions: list[Contribution]
    expanded: Positive


Origin = Literal["class", "stated", "raised", "reference"]


class KnownLength(Part):
    """One length of a reference in mm: what is known of it, and what the scan reads."""

    what: Text
    true: Number
    true_U: Positive  # noqa: N815 -- U is the field's own symbol
    read: Number
    read_U: Positive  # noqa: N815


class ReferenceUsed(Part):
    """A reference that was scanned beside the article."""

    file: Text
    sha256: Digest
    unit: UnitName
    lengths: list[KnownLength]


class Instrument(Part):
    """What was taken of the scanner; U are expanded uncertainties (k = 2)."""

    name: Text | None
    source: Text
    calibrated: Day | None
    certificate: Text | None
    offset_U: Positive = Field(description="Of where the surface lies, mm.")  # noqa: N815
    offset_from: Origin
    scale_U: Positive = Field(description="Of the share by which lengths are too long.")  # noqa: N815
    scale_from: Origin
    temperature: Number | None = Field(description="Of the article, degrees Celsius; null if it was not stated.")
    temperature_U: Positive | None = Field(description="In kelvin; about 20 degrees Celsius if nothing was stated.")  # noqa: N815
    material: Text | None
    offset_correction: Number = Field(description="By how much the surface was moved inward, mm.")
    scale_correction: Number = Field(description="The share by which lengths were made shorter.")
    references: list[ReferenceUsed]


class Scan(Part):
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
    instrument: Instrument | None


class Engine(Part):
    """The program that judged."""

    name: Text
    version: Text
    build: Digest | None = Field(None, description="Over the sources that judge; left out by records from before.")


Place = Annotated[list[Annotated[str, Field(pattern=r"^-?[0-9]{1,5}(\.[0-9]{1,2})?$")]], Field(min_length=2, max_length=2)]


class Mark(Part):
    """Where a quantity is taken in a drawing, or a place that a reader should know of; points are x, y of the view box."""

    form: Literal["beside", "within", "spot"]
    side: Literal["left", "right", "above", "below"]
    a: Place
    b: Place
    quantity: Text | None
    place: Text | None
    spot: Code | None
    number: Text | None
    reading: Reading | None

    @model_validator(mode="after")
    def _of_something(self) -> Mark:
        if (self.quantity is None) == (self.spot is None):
            raise ValueError("one of quantity and spot is named")
        return self


class Picture(Part):
    """A drawing without words, and what the views mark in it; records from before have words in it and no marks."""

    name: Text
    title: Text
    alt: Text
    svg: Annotated[str, Field(max_length=_MOST_DRAWING)]
    marks: Annotated[list[Mark], Field(max_length=200)] = Field(default=[])
    repaired: Annotated[int, Field(ge=0, le=10_000)] = 0
    params: dict[Code, Text] = Field(default={})


class Piece(Part):
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
    unused: list[Unused]
    scan: Scan | None = Field(None, description="What was measured of the piece's own scan; left out by records from before.")
    pictures: list[Picture] = Field(default=[], description="Of the piece's scan; left out by records from before.")


class EditionKnown(Part):
    """One edition of the body that was known."""

    edition: Text
    sha256: Digest | None = Field(description="Of its rules for the item; null where it does not regulate it.")


class Asked(Part):
    """Which rules were asked for."""

    body: Text
    edition: Text | None = Field(description="The label; null asked for the edition in force on the day, for each item.")
    by_default: bool = Field(description="Whether nobody named an edition or a day.")
    editions: list[EditionKnown] = Field(
        description="All of the body that were known: `elsewhere` and `in_force` were found among these."
    )


class Elsewhere(Part):
    """The same submission under another edition."""

    edition: Text
    verdict: VerdictName
    differs: list[Text]


class RecordForm(Part):
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
    asked: Asked | None = Field(None, description="Left out by records from before.")
    of_register: RegisterGiven | None = Field(
        None, alias="register", description="The extract of the register; left out if none was handed in."
    )


def json_schema() -> dict[str, Any]:
    """Return the published JSON Schema of the record."""
    schema = RecordForm.model_json_schema(by_alias=True)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **schema,
        "title": "Homolog conformity report, homolog-report/1",
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n")
