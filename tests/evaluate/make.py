"""Small specs, articles and readings for the tests of the assessment; each call says only what matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from textwrap import dedent
from typing import Any

from homolog.evaluate.assess import Assessment, assess
from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Answer, Article, Reading
from homolog.spec.load import LoadedSpec, load_spec

TODAY = date(2025, 6, 1)

HEAD = """\
format: homolog-spec/1
id: test.goalkeeper
item: goalkeeper
edition: {label: "1", status: draft, effective: {from: unknown, basis: inferred}}
language: en
source: {document: "Test rules", issuer: "Test board"}
clauses: [{id: "1", status: checked}]
"""

METHODS = """\
methods:
  gauge: {says: "Gauge", form: go_no_go, default_U: 0.02 mm, ceiling_U: 0.05 mm}
  caliper: {says: "Caliper", form: value, default_U: 0.1 mm, ceiling_U: 0.1 mm}
  ruler: {says: "Ruler", form: value, default_U: 0.5 mm}
  bare: {says: "No default, no ceiling", form: value}
  laser: {says: "Floor", form: value, default_U: 0.1 mm, floor_U: 0.05 mm, ceiling_U: 0.2 mm}
  cad: {says: "Drawing", form: value, evidence: design, default_U: 0.01 mm, ceiling_U: 0.01 mm}
"""

ALL = "[gauge, caliper, ruler, bare, laser, cad]"
HEIGHT = f"""\
quantities:
  goalkeeper.height: {{unit: mm, what: "Height", methods: {ALL}}}
"""


def make_spec(parts: str, *, methods: str = METHODS, quantities: str = HEIGHT) -> LoadedSpec:
    """Read a spec of the given parts; without quantities of its own it knows `goalkeeper.height`."""
    parts = dedent(parts)
    known = "" if "quantities:" in parts else quantities
    listed = "" if parts.startswith("methods:") or "\nmethods:" in parts else methods
    return load_spec((HEAD + listed + known + parts).encode(), "small.yaml")


def make_limit(limit: str, *, more: str = "") -> LoadedSpec:
    """Read a spec with one requirement `gk.height` on `goalkeeper.height`, such as `max: 39 mm`."""
    return make_spec(
        f"requirements: [{{id: gk.height, kind: limit, of: goalkeeper.height, clause: '1', {limit}}}]\n" + dedent(more)
    )


def make_reading(
    value: str | None = None,
    U: str | None = None,
    *,
    quantity: str = "goalkeeper.height",
    method: str | None = "caliper",
    **more: Any,
) -> Reading:
    """Build a reading of `goalkeeper.height` by caliper; numbers are given as text."""
    numbers = {name: Decimal(more.pop(name)) for name in ("lo", "hi", "gauge_size") if name in more}
    return Reading(
        quantity=quantity,
        unit=more.pop("unit", "mm"),
        method=method,
        value=None if value is None else Decimal(value),
        expanded_uncertainty=None if U is None else Decimal(U),
        **numbers,
        **more,
    )


def make_gauge(size: str, result: str, U: str | None = "0.02", **more: Any) -> Reading:
    """Build the result of a go/no-go gauge."""
    return make_reading(None, U, gauge_size=size, gauge_result=result, method=more.pop("method", "gauge"), **more)


def make_article(*readings: Reading, **more: Any) -> Article:
    """Build a goalkeeper with readings."""
    return Article(item="goalkeeper", readings=readings, **more)


def make_answer(yes: bool, role: str = "maker", *, asks: str = "gk.straight", **more: Any) -> Answer:
    """Build one person's answer, known to be his."""
    return Answer(**{"asks": asks, "yes": yes, "role": role, "is_proven": True} | more)


def make_piece(name: str, **attributes: str) -> Article:
    """Build a piece of a set."""
    return Article(item="figure", name=name, attributes=attributes)


def make_decision(
    reading: str, *, interpretation: str = "INT-x", on: date = date(2025, 1, 1), requirements: Sequence[str] = ()
) -> Adoption:
    """Build a board's decision."""
    return Adoption(
        interpretation=interpretation, reading=reading, by="Board", on=on, decision="1/2025", requirements=tuple(requirements)
    )


def judge(spec: LoadedSpec, article: Article, **more: Any) -> Assessment:
    """Assess as a self test, today, unless the call says otherwise."""
    return assess(spec, article, **({"purpose": "self_test", "on": TODAY} | more))


def finding(spec: LoadedSpec, article: Article, requirement: str | None = None, **more: Any) -> Finding:
    """Return one requirement's finding; the first one's unless it is named."""
    found = judge(spec, article, **more).findings
    return found[0] if requirement is None else next(one for one in found if one.requirement == requirement)


def verdict(spec: LoadedSpec, *readings: Reading, **more: Any) -> Verdict:
    """Return the first requirement's verdict on an article with these readings."""
    return finding(spec, make_article(*readings), **more).verdict


def why(found: Finding) -> str:
    """Return the code of the reason."""
    assert found.why is not None
    return found.why.code


def following(found: Finding) -> tuple[str, dict[str, str]]:
    """Return the code and the parameters of the next step."""
    assert found.next is not None
    return found.next.code, dict(found.next.params)


def without_reading(article: Article, index: int) -> Article:
    """Return the article with one reading fewer."""
    return replace(article, readings=article.readings[:index] + article.readings[index + 1 :])
