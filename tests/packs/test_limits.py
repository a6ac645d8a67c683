"""Every number of an edition's clause table stands in its specs, and decides at the limit, inside and outside."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from homolog.evaluate.assess import assess
from homolog.quantity import Article, Reading
from homolog.spec.interpretation import Bounds
from homolog.spec.library import LoadedEdition
from homolog.spec.load import LoadedSpec
from homolog.spec.requirement import Count, Limit, Requirement
from homolog.spec.rows import own_row, rows_of
from tests.packs.conftest import LIBRARY, OWN_SPECS, spec_of, table_of

_STEP = Decimal("0.01")


def numeric_rows() -> list[tuple[LoadedEdition, dict[str, str]]]:
    return [
        (edition, row)
        for edition in LIBRARY.editions.values()
        for row in table_of(edition)
        if row["min"] or row["max"] or row["nominal"]
    ]


def requirement_of(edition: LoadedEdition, row: dict[str, str]) -> tuple[LoadedSpec, Requirement] | None:
    """Return the requirement that carries a row's number: the one of its name, else the first that covers it."""
    found = []
    for item in edition.file.files:
        if not edition.owns(item):
            continue
        loaded = spec_of(edition, item)
        found += [(loaded, one) for one in loaded.spec.requirements if one.clause == row["clause"] and row["row"] in rows_of(one)]
    named = [(loaded, one) for loaded, one in found if own_row(one) == row["row"]]
    return next(iter(named or found), None)


def low(bounds: Bounds) -> Decimal | None:
    side = bounds.min or bounds.above
    return None if side is None else side.number


def high(bounds: Bounds) -> Decimal | None:
    side = bounds.max or bounds.below
    return None if side is None else side.number


def label(case: tuple[LoadedEdition, dict[str, str]]) -> str:
    edition, row = case
    return f"{edition.file.body}-{edition.file.label}-{row['clause']}-{row['row']}"


NUMERIC = numeric_rows()


@pytest.mark.parametrize("case", NUMERIC, ids=label)
def test_a_number_of_the_table_is_the_requirements_number(case: tuple[LoadedEdition, dict[str, str]]) -> None:
    edition, row = case
    found = requirement_of(edition, row)
    if found is None:
        reasons = {
            clause.status
            for item in edition.file.files
            if edition.owns(item)
            for clause in spec_of(edition, item).spec.clauses
            if (clause.id, clause.row) == (row["clause"], row["row"]) and clause.note
        }
        assert reasons <= {"informative", "not_checkable"}
        assert reasons
        return
    loaded, requirement = found
    if row["nominal"]:
        assert_nominal(loaded, requirement, Decimal(row["nominal"]))
        return
    lower, upper = (Decimal(row[side]) if row[side] else None for side in ("min", "max"))
    if isinstance(requirement, Limit):
        assert (low(requirement), high(requirement)) == (lower, upper)
    elif isinstance(requirement, Count):
        assert (requirement.min, requirement.max) == (lower, upper)
    else:
        assert requirement.kind == "inspect"


def assert_nominal(loaded: LoadedSpec, requirement: Requirement, nominal: Decimal) -> None:
    if isinstance(requirement, Count):
        assert nominal == requirement.min == requirement.max
        return
    if not isinstance(requirement, Limit):
        assert requirement.kind == "inspect"
        return
    assert not requirement.is_bounded
    question = next(one for one in loaded.spec.interpretations if one.id == requirement.interpretation)
    bounded = [reading for reading in question.readings if reading.is_bounded]
    assert len(bounded) >= 2
    for reading in bounded:
        lower, upper = low(reading), high(reading)
        assert lower is not None
        assert upper is not None
        assert lower <= nominal <= upper
        assert lower < upper
        assert reading.source


def plain_limits() -> list[tuple[LoadedSpec, Limit, str, Decimal]]:
    """Return every side of every limit that one plain reading decides."""
    return [
        (loaded, requirement, side, bound)
        for loaded in (spec_of(edition, item) for edition, item in OWN_SPECS)
        for requirement in loaded.spec.requirements
        if isinstance(requirement, Limit) and requirement.interpretation is None
        for side, bound in (("min", low(requirement)), ("max", high(requirement)))
        if bound is not None
    ]


def verdict(loaded: LoadedSpec, requirement: Limit, value: Decimal, uncertainty: Decimal = Decimal(0)) -> str:
    spec = loaded.spec
    declared = spec.quantities.get(requirement.of)
    unit = declared.unit if declared else spec.derived[requirement.of].unit
    names = [entry if isinstance(entry, str) else entry.method for entry in declared.methods] if declared else list(spec.methods)
    method = next(name for name in names if spec.methods[name].form == "value")
    reading = Reading(quantity=requirement.of, unit=unit, method=method, value=value, expanded_uncertainty=uncertainty)
    family = requirement.when.get("family", ("none",))[0]
    # What an article declares, so that no limit waits for an attribute.
    attributes = {"family": family, "pose": "upright", "base_form": "disc"}
    article = Article(
        item=spec.item,
        name="",
        attributes=attributes,
        readings=(reading,),
        answers=(),
        pieces=(),
    )
    purpose = requirement.purposes[0] if requirement.purposes else "self_test"
    findings = assess(loaded, article, purpose=purpose, on=date(2012, 1, 1)).findings
    return next(finding.verdict.value for finding in findings if finding.requirement == requirement.id)


@pytest.mark.parametrize(
    ("loaded", "requirement", "side", "bound"),
    plain_limits(),
    ids=lambda part: part.spec.id if isinstance(part, LoadedSpec) else getattr(part, "id", str(part)),
)
def test_a_limit_decides_at_inside_outside_and_across(loaded: LoadedSpec, requirement: Limit, side: str, bound: Decimal) -> None:
    outward = _STEP if side == "max" else -_STEP
    is_strict = requirement.above is not None if side == "min" else requirement.below is not None
    assert verdict(loaded, requirement, bound) == ("nonconform" if is_strict else "conform")
    assert verdict(loaded, requirement, bound - outward) == "conform"
    assert verdict(loaded, requirement, bound + outward) == "nonconform"
    assert verdict(loaded, requirement, bound, uncertainty=_STEP) == "inconclusive"


def test_what_the_table_calls_a_dimension_waits_for_no_interpretation_and_no_attribute() -> None:
    edition = LIBRARY.edition("fistf", "4.0")
    for row in table_of(edition):
        if row["kind"] != "dimension" or row["row"] == "goalkeeper.volume":
            continue
        found = requirement_of(edition, row)
        assert found is not None
        requirement = found[1]
        assert isinstance(requirement, Limit)
        assert requirement.of == row["row"]
        assert requirement.interpretation is None
        assert not requirement.when
        assert not requirement.purposes


def test_the_two_distances_that_must_be_passed_are_strict() -> None:
    strict = {
        requirement.id
        for edition, item in OWN_SPECS
        if edition.file.body == "fistf"
        for requirement in spec_of(edition, item).spec.requirements
        if isinstance(requirement, Limit) and (requirement.above or requirement.below)
    }
    assert strict == {"ball.diameter_exceeds_forcing_distance", "board.surface_limit_beyond_forcing"}


@pytest.mark.parametrize(
    ("family", "base", "height"),
    [
        ("flat", (17, 18), (35, 39)),
        ("00_scale", (18, 21), (28, 31)),
        ("sports", None, (35, 37)),
        ("toccer", None, (34, 36)),
    ],
)
def test_a_family_has_its_own_narrower_limits_after_the_general_ones(
    family: str, base: tuple[int, int] | None, height: tuple[int, int]
) -> None:
    requirements = spec_of(LIBRARY.edition("fistf", "4.0"), "figure").requirements
    order = list(requirements)
    tall, wide = requirements[f"fig.type_{family}_height"], requirements[f"fig.type_{family}_base_diameter"]
    assert isinstance(tall, Limit)
    assert isinstance(wide, Limit)
    assert (low(tall), high(tall)) == height
    assert wide.when == tall.when == {"family": (family,)}
    assert order.index("fig.height") < order.index(tall.id)
    if base is None:
        assert wide.interpretation == "INT-base-21"
    else:
        assert (low(wide), high(wide)) == base


def test_no_reading_of_a_21_mm_base_passes_the_general_maximum() -> None:
    spec = spec_of(LIBRARY.edition("fistf", "4.0"), "figure").spec
    question = next(one for one in spec.interpretations if one.id == "INT-base-21")
    assert [(low(one), high(one)) for one in question.readings] == [
        (Decimal("20.5"), 21),
        (Decimal("20.8"), 21),
        (Decimal("20.9"), 21),
    ]
