"""Reports that show every form the record can take, made from hand-written findings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from homolog.evaluate.finding import (
    Decided,
    DecisionRule,
    Finding,
    InterpretationUsed,
    LimitUsed,
    Margin,
    ReadingOutcome,
    Statement,
)
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Answer, Reading, Unmeasured
from homolog.report import (
    AdoptionGiven,
    Asked,
    EditionNotes,
    Elsewhere,
    Engine,
    PieceFindings,
    Report,
    SubmissionFacts,
    build_report,
)
from homolog.scan.marks import Mark, Picture
from homolog.scan.measurement import (
    Budget,
    Contribution,
    InstrumentUsed,
    KnownLength,
    ReferenceUsed,
    Repair,
    ScanMeasurement,
)
from homolog.spec.edition import EditionFile
from homolog.spec.load import load_spec

SPEC = """
format: homolog-spec/1
id: sample.goalkeeper
item: goalkeeper
title: Sample rules
edition:
  label: "1"
  status: draft
  effective: {from: unknown, to: 2030-12-31, basis: inferred}
  supersedes: "0"
  transition: {policy: unknown}
  incomplete: "The copy breaks off."
language: en
source: {document: Sample rules, issuer: Nobody}
clauses:
  - {id: "1", status: checked}
  - {id: "2", status: partly, row: goalkeeper.rod_length, note: "What the length counts is not said."}
  - {id: "9", status: informative, note: "A rule of play."}
quantities:
  goalkeeper.height: {unit: mm, what: height, methods: [caliper]}
interpretations:
  - id: INT-contents
    clause: "3"
    question: What does the volume count?
    status: proposed
    readings:
      - {id: outer, says: all that the surface encloses, source: the words as written, uses: goalkeeper.height}
      - {id: material, says: the material only, source: a standard, uses: goalkeeper.height}
requirements:
  - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1", says: At most 39 mm high.}
  - id: gk.volume
    kind: limit
    of: goalkeeper.height
    max: 2700 mm
    clause: "3"
    says: At most 2700 mm3.
    basis: interpreted
    interpretation: INT-contents
  - id: gk.human_body
    kind: judge
    clause: "4"
    ask: "Is it a human body?"
    criteria: [a head can be told]
    panel: {votes: 3}
    note: The point is ours.
"""

EDITION = EditionFile.model_validate(
    {"format": "homolog-edition/1", "body": "sample", "label": "1", "title": "Sample rules", "issuer": "Nobody"}
)
LOADED = load_spec(SPEC.encode(), "sample/1/goalkeeper.yaml")
ON = date(2026, 3, 1)
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100">'
    '<rect width="200" height="100" fill="#eee"/><circle cx="60" cy="50" r="30"/><text x="100" y="50">38.95 mm</text></svg>'
)
MINUTES = Adoption(interpretation="INT-contents", reading="material", by="The board", on=date(2026, 1, 2), decision="Minutes 7")
SHARED = replace(MINUTES, interpretation="INT-decision", reading="simple")
GUARDED = DecisionRule(rule="guarded", interpretation="INT-decision")


def make_reading(value: str | None = "38.95", u: str | None = "0.03", **changes: Any) -> Reading:
    number = None if value is None else Decimal(value)
    spread = None if u is None else Decimal(u)
    base: dict[str, Any] = {"quantity": "goalkeeper.height", "unit": "mm", "method": "caliper"}
    return Reading(**base | {"value": number, "expanded_uncertainty": spread} | changes)


def make_decided(verdict: Verdict = Verdict.CONFORM, reading: Reading | None = None, **changes: Any) -> Decided:
    base: dict[str, Any] = {
        "verdict": verdict,
        "reading": reading or make_reading(),
        "limit": LimitUsed(unit="mm", max=Decimal(39)),
        "margin": Margin(value=Decimal("0.05"), side="max"),
        "probability": Decimal("0.9995"),
        "guarded": verdict,
        "simple": verdict,
        "why": Statement(code="inside_by", params={"margin": "0.05 mm", "side": "max"}),
    }
    return Decided(**base | changes)


def make_finding(requirement: str = "gk.height", verdict: Verdict = Verdict.CONFORM, **changes: Any) -> Finding:
    base: dict[str, Any] = {"clause": "1", "kind": "limit", "decided": (make_decided(verdict),), "decision": GUARDED}
    return Finding(requirement=requirement, verdict=verdict, **base | changes)


def bare_finding(requirement: str, kind: str, verdict: Verdict, code: str, **changes: Any) -> Finding:
    base: dict[str, Any] = {"clause": "5", "kind": kind, "why": Statement(code=code)}
    return Finding(requirement=requirement, verdict=verdict, **base | changes)


def place(name: str, verdict: Verdict, value: str) -> Decided:
    margin = Margin(value=Decimal(39) - Decimal(value), side="max")
    return make_decided(verdict, make_reading(value, place=name, marks=("default_U",)), place=name, margin=margin)


def met_at_both_ends() -> Finding:
    ends = (place("end_a", Verdict.CONFORM, "38.5"), place("end_b", Verdict.CONFORM, "38.4"))
    return make_finding("gk.ends", decided=ends)


def failing_at_one_end() -> Finding:
    missing = Decided(
        verdict=Verdict.NOT_MEASURED,
        place="side_a",
        limit=LimitUsed(unit="mm", max=Decimal(39)),
        why=Statement(code="no_reading", params={"quantity": "goalkeeper.height", "place": "side_a"}),
    )
    ends = (place("end_a", Verdict.NONCONFORM, "39.5"), missing, place("end_b", Verdict.CONFORM, "38.4"))
    return make_finding("gk.one_end", Verdict.NONCONFORM, decided=ends)


def open_interpretation() -> Finding:
    """A finding that turns on an interpretation: met under one reading, not met under the other."""
    under = (
        ReadingOutcome(
            id="outer", verdict=Verdict.NONCONFORM, decided=(make_decided(Verdict.NONCONFORM, make_reading("2750", "20")),)
        ),
        ReadingOutcome(
            id="material",
            verdict=Verdict.INCONCLUSIVE,
            decided=(
                make_decided(
                    Verdict.INCONCLUSIVE,
                    make_reading(None, None, hi=Decimal(2770)),
                    margin=None,
                    probability=None,
                    why=Statement(code="bounds_undecided"),
                ),
            ),
        ),
    )
    params = {"interpretation": "INT-contents", "readings": "outer: nonconform; material: inconclusive"}
    return make_finding(
        "gk.volume",
        Verdict.NEEDS_JUDGEMENT,
        clause="3",
        basis="interpreted",
        decided=under[0].decided,
        interpretation=InterpretationUsed(id="INT-contents", status="proposed", adoption=None, readings=under),
        why=Statement(code="turns_on_interpretation", params=params),
        next=Statement(code="adopt_interpretation", params=params),
    )


def adopted_interpretation() -> Finding:
    finding = open_interpretation()
    used = finding.interpretation
    assert used is not None
    return replace(
        finding,
        requirement="gk.volume_adopted",
        verdict=Verdict.INCONCLUSIVE,
        decided=used.readings[1].decided,
        interpretation=replace(used, status="adopted", adoption=MINUTES),
        decision=DecisionRule(rule="simple", interpretation="INT-decision", adoption=SHARED),
        why=None,
        next=Statement(code="measure_value"),
    )


def every_form() -> tuple[Finding, ...]:
    """Findings of every verdict and kind, with every form of reading and limit."""
    two_sided = LimitUsed(unit="mm", min=Decimal(35), max=Decimal(39), min_is_strict=True)
    return (
        make_finding(),
        make_finding(
            "gk.range",
            Verdict.INCONCLUSIVE,
            decided=(
                make_decided(
                    Verdict.INCONCLUSIVE,
                    make_reading("35.0", "0.1234"),
                    limit=two_sided,
                    margin=Margin(value=Decimal("0.0"), side="min"),
                    probability=Decimal("0.5"),
                    simple=Verdict.NONCONFORM,
                    why=Statement(code="within_uncertainty", params={"margin": "0.0 mm", "U": "0.13 mm", "side": "min"}),
                    next=Statement(code="accept_shared_risk"),
                ),
            ),
        ),
        make_finding(
            "gk.strict",
            Verdict.NONCONFORM,
            decided=(
                make_decided(
                    Verdict.NONCONFORM,
                    make_reading("40", "0"),
                    limit=LimitUsed(unit="mm", max=Decimal(40), max_is_strict=True),
                    margin=Margin(value=Decimal(0), side="max"),
                    probability=Decimal(0),
                    why=Statement(code="outside_by", params={"margin": "0 mm", "side": "max"}),
                ),
            ),
        ),
        make_finding(
            "gk.places",
            Verdict.NOT_MEASURED,
            decided=(
                Decided(
                    verdict=Verdict.NOT_MEASURED,
                    place="end_b",
                    limit=LimitUsed(unit="mm", max=Decimal(39)),
                    why=Statement(code="no_reading", params={"quantity": "goalkeeper.height", "place": "end_b"}),
                    next=Statement(code="measure", params={"quantity": "goalkeeper.height", "places": "end_b"}),
                ),
                place("end_a", Verdict.CONFORM, "38.5"),
            ),
        ),
        make_finding(
            "gk.gauged",
            decided=(
                make_decided(
                    reading=make_reading(
                        None, "0.02", gauge_size=Decimal("38.95"), gauge_result="go", hi=Decimal("38.97"), method="gauge"
                    ),
                    margin=None,
                    probability=None,
                    why=Statement(code="bounds_inside"),
                ),
            ),
        ),
        make_finding(
            "gk.raw_gauge",
            Verdict.ERROR,
            decided=(
                Decided(
                    verdict=Verdict.ERROR,
                    reading=make_reading(None, None, gauge_size=Decimal(39), gauge_result="no_go", method=None),
                    why=Statement(code="method_missing", params={"quantity": "goalkeeper.height"}),
                    next=Statement(code="state_method"),
                ),
            ),
        ),
        open_interpretation(),
        adopted_interpretation(),
        bare_finding(
            "gk.human_body",
            "judge",
            Verdict.NEEDS_JUDGEMENT,
            "votes_missing",
            clause="4",
            why=Statement(code="votes_missing", params={"yes": "1", "no": "0", "needed": "3"}),
            next=Statement(code="ask_board", params={"needed": "3"}),
            answers=(Answer(asks="gk.human_body", yes=True, role="board", by="A. Person"),),
        ),
        bare_finding("gk.one", "one_of", Verdict.CONFORM, "in_list", alternative_of="gk.any"),
        bare_finding("gk.any", "any_of", Verdict.CONFORM, "one_holds"),
        bare_finding("gk.idle", "inspect", Verdict.NOT_APPLICABLE, "not_for_purpose", basis="implied"),
        bare_finding("gk.odd", "count", Verdict.ERROR, "no_such_code", why=Statement(code="no_such_code", params={"a": "b"})),
    )


def make_instrument(**changes: Any) -> InstrumentUsed:
    ball = KnownLength(
        what="ball_1", true=Decimal("25.000"), true_u=Decimal("0.002"), read=Decimal("25.021"), read_u=Decimal("0.0006")
    )
    base: dict[str, Any] = {
        "name": "SC-1",
        "source": "structured_light",
        "calibrated": "2026-05-01",
        "certificate": "K-77",
        "offset_u": Decimal("0.017"),
        "offset_from": "reference",
        "scale_u": Decimal("0.0004"),
        "scale_from": "stated",
        "temperature": Decimal("22.5"),
        "temperature_u": Decimal(2),
        "material": "pla",
        "offset_correction": Decimal("0.0105"),
        "scale_correction": Decimal("-0.0"),
        "references": (ReferenceUsed(file="ball.stl", sha256="bc" * 32, unit="mm", lengths=(ball,)),),
    }
    return InstrumentUsed(**base | changes)


def make_mark(**changes: Any) -> Mark:
    base: dict[str, Any] = {"form": "beside", "side": "left", "a": (Decimal(30), Decimal(80)), "b": (Decimal(60), Decimal(20))}
    return Mark(**base | {"quantity": "goalkeeper.height"} | changes)


def make_picture(**changes: Any) -> Picture:
    cut = (Decimal(90), Decimal(50))
    base: dict[str, Any] = {
        "name": "front",
        "title": "Front view",
        "alt": "The goalkeeper from the front, 38.95 mm high",
        "svg": SVG,
        "marks": (make_mark(), make_mark(form="spot", side="right", a=cut, b=cut, quantity=None, spot="cut")),
        "repaired": 2,
    }
    return Picture(**base | changes)


def make_scan(**changes: Any) -> ScanMeasurement:
    base: dict[str, Any] = {
        "sha256": "ab" * 32,
        "format": "stl-binary",
        "triangles": 12_000,
        "unit": "mm",
        "unit_reason": "39 mm high; in cm it would be 390 mm",
        "unit_is_assumed": True,
        "closed": False,
        "source": "structured_light",
        "repairs": (Repair(kind="holes_closed", count=2, volume_effect_mm3=Decimal("1.20"), says="Holes were closed."),),
        "budgets": (
            Budget(
                quantity="goalkeeper.height",
                contributions=(
                    Contribution(name="offset", says="Offset of the surface", standard_uncertainty=Decimal("0.04")),
                    Contribution(name="noise", says="Noise", standard_uncertainty=Decimal("0.03")),
                ),
                expanded=Decimal("0.10"),
            ),
        ),
        "facts": {"rod radius": "1.50 mm"},
        "readings": (make_reading(),),
        "pictures": (make_picture(),),
        "engine": {"solids": "3.3"},
        "instrument": make_instrument(),
    }
    return ScanMeasurement(**base | changes)


def make_report(**changes: Any) -> Report:
    """A report on one article; a test changes only what it is about."""
    base: dict[str, Any] = {
        "item": "goalkeeper",
        "verdict": Verdict.CONFORM,
        "outcome": "pass",
        "purpose": "self_test",
        "on": ON,
        "edition": EDITION,
        "spec": LOADED,
        "findings": (make_finding(),),
        "submission": SubmissionFacts(name="keeper.yaml", sha256="cd" * 32, format="yaml", attributes={"maker": "A", "model": "B"}),
        "engine": Engine(name="homolog", version="0.0.0", build="0f" * 32),
    }
    return build_report(**base | changes)


def full_report(**changes: Any) -> Report:
    """A report that holds everything that a record can hold."""
    base: dict[str, Any] = {
        "verdict": Verdict.NONCONFORM,
        "outcome": "fail",
        "findings": every_form(),
        "submission": SubmissionFacts(
            name="keeper.csv",
            sha256="cd" * 32,
            format="csv",
            row=3,
            article="Sample 7",
            attributes={"maker": "Майстерня", "model": "K-2", "family": "none", "colour": "blue"},
        ),
        "scan": make_scan(),
        "pieces": (
            PieceFindings(
                name="Spare",
                item="goalkeeper",
                role="spare_goalkeeper",
                verdict=Verdict.CONFORM,
                spec=LOADED,
                findings=(make_finding(),),
                attributes={"colour": "red"},
                unused=(make_reading("12.00", quantity="goalkeeper.figure_width"),),
                unmeasured=(Unmeasured(quantity="goalkeeper.width", reason="The jaws do not reach."),),
                scan=make_scan(sha256="ee" * 32, facts={"part": "3 of 12"}),
            ),
            PieceFindings(name="Ball", item="ball", verdict=Verdict.NOT_APPLICABLE, not_judged="not_regulated"),
        ),
        "adoptions": (
            AdoptionGiven(
                adoption=MINUTES,
                in_force=True,
                sha256="ef" * 32,
            ),
        ),
        "asked": Asked(body="sample", edition="1", is_by_default=False, editions={"1": "cd" * 32, "2": None}),
        "register": "ab" * 32,
        "unused": (make_reading("1.0", quantity="goalkeeper.odd"),),
        "unmeasured": (Unmeasured(quantity="goalkeeper.width", reason="The scan has a hole there."),),
        "editions": EditionNotes(
            in_force="2", elsewhere=(Elsewhere(edition="2", verdict=Verdict.CONFORM, differs=("gk.range", "gk.strict")),)
        ),
        "notes": (Statement(code="unit_assumed", params={"unit": "mm"}),),
    }
    return make_report(**base | changes)
