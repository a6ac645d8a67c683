"""The form of a lot's record as types, and the JSON Schema that is published."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, Literal

from pydantic import Field

from homolog.quantity.lot import MOST_ARTICLES
from homolog.report.schema import AdoptionGiven, Counts, Engine, HeadSpec
from homolog.report.schema_findings import Day, Digest, ItemName, Number, Part, Positive, PurposeName, Text, UnitName, VerdictName

SCHEMA_ID = "homolog-lot/1"
Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
Share = Annotated[str, Field(pattern=r"^(0(\.[0-9]{1,6})?|1)$", description="A share between 0 and 1.")]
Size = Annotated[int, Field(ge=1, le=MOST_ARTICLES)]


class SampleName(Part):
    """Which sample: its file, its row or number in it, and what the sheet calls it."""

    file: Text
    row: Count | None
    article: Text | None


class LotStated(Part):
    """What was stated of the lot."""

    size: Size | None
    wanted: Count | None = Field(description="How many articles may be nonconforming at most, if somebody asked.")


class LotStatement(Part):
    """What the samples prove of their lot, if none of them failed and none is undecided."""

    proven: bool
    good: Count = Field(description="Samples that conform, and those to which the requirement does not apply.")
    found: Count = Field(description="Samples that are shown not to conform.")
    undecided: Count = Field(description="Samples that are neither; one is enough to prove nothing.")
    at_most: Count | None = Field(description="Articles of the lot that are nonconforming at most, with the confidence.")
    share: Share | None = Field(description="The same as a share of a lot whose size is not stated.")


class PlanStep(Part):
    """How many good samples, and none that fails, show that at most so many are nonconforming."""

    at_most: Count | None
    share: Share | None
    samples: Count


class Samples(Part):
    """How many samples there were, and how each was judged."""

    total: Count
    refused: Count = Field(description="Samples without a report: their file was refused, or measuring failed.")
    counts: Counts


class RequirementOfLot(Part):
    """One requirement over all samples."""

    requirement: Text
    clause: Text
    says: Text
    ask: Text
    alternative_of: Text | None
    counts: Counts
    statement: LotStatement


class Extreme(Part):
    """The smallest or largest value, and whose it is."""

    value: Number
    sample: SampleName


class RangeOfU(Part):
    """Expanded uncertainty of the single readings."""

    smallest: Positive
    largest: Positive


class Common(Part):
    """What the readings may have in common, so that it does not average out (k = 1)."""

    standard_uncertainty: Positive
    source: Literal["U", "budget", "both"] = Field(
        alias="from", description="`U`: all of each reading's U. `budget`: the scan's budget without its noise."
    )


class QuantityOfLot(Part):
    """One quantity at one place over all samples."""

    quantity: Text
    place: Text | None
    unit: UnitName
    n: Count = Field(description="Readings with a value.")
    bounded: Count = Field(description="Readings that are bounds or a gauge's result only.")
    without_U: Count  # noqa: N815 -- U is the quantity's own sign
    mean: Number | None
    standard_deviation: Positive | None = Field(description="Of the readings (n - 1): articles and measuring together.")
    smallest: Extreme | None
    largest: Extreme | None
    U: RangeOfU | None
    mean_U: Positive | None = Field(description="Expanded uncertainty of the mean (95.45 %).")  # noqa: N815
    coverage_factor: Positive | None
    common: Common | None


class SampleListed(Part):
    """One sample with its verdict and the digest of its record."""

    sample: SampleName
    verdict: VerdictName | None
    sha256: Digest | None


class Records(Part):
    """The samples' records: a digest over all of them in their order, and the first ones by name."""

    sha256: Digest
    listed: Annotated[list[SampleListed], Field(max_length=200)]
    left_out: Count


class LotForm(Part):
    """A lot's summary as a record."""

    format: Literal["homolog-lot/1"]
    item: ItemName
    purpose: PurposeName
    on: Day
    spec: HeadSpec
    adoptions: list[AdoptionGiven]
    engine: Engine
    attributes: dict[Text, Text]
    lot: LotStated
    confidence: Literal["0.95"]
    outcome: Literal["no_fault_found", "fault_found", "open"]
    statement: LotStatement
    samples: Samples
    plan: list[PlanStep]
    requirements: list[RequirementOfLot]
    quantities: list[QuantityOfLot]
    records: Records


def json_schema() -> dict[str, Any]:
    """Return the published JSON Schema of the record."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **LotForm.model_json_schema(by_alias=True),
        "title": "Homolog lot summary, homolog-lot/1",
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n")
