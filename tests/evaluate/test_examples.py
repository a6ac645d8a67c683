"""Examples inside a spec are judged as sheets are."""

from __future__ import annotations

import pytest

from homolog.evaluate.examples import Mismatch, article_of, run_examples
from tests.evaluate.make import make_spec


def mismatches(example: str) -> tuple[Mismatch, ...]:
    spec = make_spec(f"""
        quantities:
          goalkeeper.height: {{unit: mm, what: "Height", methods: [gauge, caliper, bare]}}
          goalkeeper.ends: {{unit: mm, what: "Ends", methods: [caliper], each: [end_a, end_b]}}
        interpretations:
          - id: INT-x
            clause: "1"
            question: "?"
            status: adopted
            adoption: {{reading: wide, by: B, on: 2024-01-01, decision: "1"}}
            readings: [{{id: narrow, max: 30 mm, says: "N"}}, {{id: wide, max: 39 mm, says: "W"}}]
        requirements:
          - {{id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}}
          - {{id: gk.ends, kind: limit, of: goalkeeper.ends, max: 39 mm, clause: "1"}}
          - {{id: gk.open, kind: limit, of: goalkeeper.height, clause: "1", interpretation: INT-x}}
          - {{id: gk.straight, kind: inspect, ask: "Straight?", clause: "1"}}
          - {{id: gk.body, kind: judge, ask: "Body?", clause: "1", panel: {{votes: 2, pass: majority}}}}
          - {{id: gk.number, kind: count, of: {{role: field}}, min: 2, clause: "1", when: {{family: none}}}}
        examples: [{{name: one, {example}}}]
    """)
    return run_examples(spec)


@pytest.mark.parametrize(
    "example",
    [
        "given: {goalkeeper.height: {value: 3.8 cm, U: 0.1 mm, method: caliper, instrument: C}}, expect: {gk.height: conform}",
        "expect: {verdict: not_measured}",
        "given: {goalkeeper.height: {value: 39 mm, method: caliper}}, expect: {gk.height: inconclusive}",
        "given: {goalkeeper.height: {gauge: 38.9 mm, U: 0.02 mm, result: go}}, expect: {gk.height: conform}",
        "given: {goalkeeper.height: {gauge: 39.1 mm, result: no_go, method: gauge}}, expect: {gk.height: nonconform}",
        "given: {goalkeeper.height: {at_least: 30 mm, at_most: 39 mm, method: bare}}, expect: {gk.height: conform}",
        (
            "given: {goalkeeper.ends: {end_a: {value: 38 mm, method: caliper}, end_b: {value: 40 mm, method: caliper}}}, "
            "expect: {gk.ends: nonconform}"
        ),
        # What the spec itself has adopted holds in its examples.
        "given: {goalkeeper.height: {value: 38 mm, method: caliper}}, expect: {gk.open: conform}",
        "answers: {gk.straight: {answer: yes, role: maker}}, expect: {gk.straight: conform}",
        "answers: {gk.straight: {answer: yes, role: maker}}, purpose: type_approval, expect: {gk.straight: not_measured}",
        (
            "answers: {gk.straight: [{answer: yes, role: maker, by: A}, {answer: no, role: referee, by: B}]}, "
            "expect: {gk.straight: needs_judgement}"
        ),
        "answers: {gk.body: {votes: [{answer: yes, by: A}, {answer: yes, by: B}]}}, expect: {gk.body: conform}",
        "answers: {gk.body: {votes: [{answer: no, by: A}, {answer: no, by: B}]}}, expect: {gk.body: nonconform}",
        "attributes: {family: none}, pieces: [{name: a, item: figure, role: field}, {role: field}], expect: {gk.number: conform}",
        "attributes: {family: flat}, expect: {gk.number: not_applicable}",
    ],
)
def test_an_example_that_comes_out_has_no_mismatch(example: str) -> None:
    assert mismatches(example) == ()


def test_an_expectation_that_does_not_come_out_is_named() -> None:
    found = mismatches(
        "given: {goalkeeper.height: {value: 40 mm, method: caliper}}, expect: {gk.height: conform, gk.nothing: conform}"
    )
    assert found == (
        Mismatch("one", "gk.height", "conform", "nonconform"),
        Mismatch("one", "gk.nothing", "conform", "no such requirement"),
    )


@pytest.mark.parametrize(
    ("example", "says"),
    [
        ("given: {goalkeeper.height: {value: 38 mm, method: caliper, u: 3 mm}}", "u: not known"),
        ("given: {goalkeeper.height: {value: 38, method: caliper}}", "not a number with a unit"),
        ("given: {goalkeeper.height: {value: 38 g, method: caliper}}", "is a unit of mass"),
        ("given: {goalkeeper.height: {method: caliper}}", "a value, bounds or a gauge result"),
        ("given: {goalkeeper.height: {gauge: 38 mm, result: goes}}", "'goes'"),
        ("given: {goalkeeper.nose: {value: 38 mm, method: caliper}}", "goalkeeper.nose"),
        ("given: {goalkeeper.ends: {end_a: {value: 38 mm, method: caliper}, end_b: much}}", "'much' is no mapping"),
        ("answers: {gk.straight: {answer: aye, role: maker}}", "an answer is yes or no"),
        ("answers: {gk.straight: {answer: yes, role: friend}}", "in one of the roles"),
        ("answers: {gk.straight: {answer: yes, role: maker, place: end_a, note: x}}", "note: not known"),
        ("answers: {gk.straight: {answer: yes}}", "role"),
        ("answers: {gk.straight: yes}", "'yes' is no mapping"),
        ("answers: {gk.body: {votes: [yes, no]}}", "'yes' is no mapping"),
        ("answers: {gk.body: {votes: [{answer: yes, role: referee}]}}", "role: not known"),
        ("answers: {gk.body: {votes: [], role: board}}", "role: not known"),
    ],
)
def test_an_example_that_cannot_be_read_says_why(example: str, says: str) -> None:
    (found,) = mismatches(f"{example}, expect: {{}}")
    assert (found.requirement, found.expected) == ("", "a sheet that can be read")
    assert says in found.found


def test_an_example_names_its_pieces_or_numbers_them() -> None:
    spec = make_spec("""
        requirements: [{id: gk.number, kind: count, of: {role: field}, min: 2, clause: "1"}]
        examples: [{name: one, pieces: [{name: a, item: goalkeeper, role: field}, {role: field}], expect: {}}]
    """)
    article = article_of(spec.spec, spec.spec.examples[0])
    assert [(piece.name, piece.item, dict(piece.attributes)) for piece in article.pieces] == [
        ("a", "goalkeeper", {"role": "field"}),
        ("2", "figure", {"role": "field"}),
    ]
