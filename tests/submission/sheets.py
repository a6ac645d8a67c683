"""Small specs, and short ways to read a sheet against them."""

from __future__ import annotations

from functools import cache

import pytest

from homolog.errors import InputRefused, Problem
from homolog.spec.load import LoadedSpec, load_spec
from homolog.submission.read import read_submissions
from homolog.submission.submission import Submission
from homolog.submission.vocabulary import Vocabulary

HEAD = """format: homolog-spec/1
id: test.{item}
item: {item}
edition: {{label: "1", status: draft, effective: {{from: unknown, basis: inferred}}}}
language: en
source: {{document: Rules, issuer: Test}}
clauses: [{{id: "1", status: checked}}]
"""

SPECS = {
    "goalkeeper": """
attributes:
  family: {what: type family, values: [none, flat, toccer]}
  maker: {what: who made it}
  material: {what: what it is made of}
methods: {caliper: {says: x, form: value}, gauge: {says: x, form: go_no_go}, snap: {says: x, form: go_no_go}}
quantities:
  goalkeeper.height: {unit: mm, what: "extent along the upright axis", methods: [gauge, caliper, scan.extent]}
  goalkeeper.width: {unit: mm, what: w, methods: [caliper]}
  goalkeeper.mass: {unit: g, what: m, methods: [caliper]}
  goalkeeper.volume: {unit: mm3, what: v, methods: [{method: displacement, measures: goalkeeper.volume.outer}]}
  goalkeeper.tilt: {unit: deg, what: t, methods: [caliper]}
  goalkeeper.players: {unit: count, what: n, methods: [caliper]}
  goalkeeper.offset: {unit: mm, what: o, methods: [caliper]}
derived:
  goalkeeper.height_minus_width: {op: difference, of: [goalkeeper.height, goalkeeper.width], unit: mm, what: d}
interpretations:
  - id: INT-contents
    clause: "1"
    question: what counts
    status: proposed
    readings:
      - {id: outer, says: o, uses: goalkeeper.volume.outer}
      - {id: material, says: m, uses: goalkeeper.volume.material}
  - id: INT-decision
    clause: "1"
    question: how
    status: proposed
    readings: [{id: guarded, says: g, decision: guarded}, {id: simple, says: s, decision: simple}]
  - id: INT-bent
    clause: "1"
    question: bent
    status: proposed
    readings: [{id: strict, says: s}, {id: free, says: f}]
requirements:
  - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}
  - {id: gk.offset, kind: limit, of: goalkeeper.offset, within: 5 mm, clause: "1"}
  - {id: gk.volume, kind: limit, of: goalkeeper.volume, max: 2700 mm3, clause: "1", interpretation: INT-contents}
  - {id: gk.human_body, kind: judge, ask: "Does it symbolise a human body?", panel: {votes: 3, pass: majority}, clause: "1"}
  - {id: gk.complete, kind: inspect, ask: "Is it whole?", clause: "1", interpretation: INT-bent}
""",
    "board": """
attributes: {family: {what: f, values: [none]}, maker: {what: m}, model: {what: m}}
quantities:
  board.playing_area_length: {unit: mm, what: length, methods: [ruler]}
  board.penalty_area_depth: {unit: mm, what: depth, methods: [ruler], each: [end_a, end_b]}
  board.line_width: {unit: mm, what: width of a line, methods: [ruler], each: every}
  board.fence_height: {unit: mm, what: fence, methods: [gauge]}
requirements:
  - {id: board.length, kind: limit, of: board.playing_area_length, min: 900 mm, max: 1400 mm, clause: "1"}
  - {id: board.depth, kind: limit, of: board.penalty_area_depth, min: 120 mm, clause: "1"}
  - {id: board.level, kind: inspect, ask: "Is it level?", clause: "1"}
  - {id: board.cloth, kind: inspect, ask: "Is the cloth smooth?", covers: [board.cloth_smooth_and_true], clause: "1"}
""",
    "figure": """
attributes: {family: {what: f, values: [none, flat]}}
quantities:
  figure.height: {unit: mm, what: h, methods: [caliper]}
  figure.base_diameter: {unit: mm, what: d, methods: [caliper]}
requirements:
  - {id: fig.height, kind: limit, of: figure.height, max: 39 mm, clause: "1"}
  - {id: fig.sound, kind: inspect, ask: "Is it sound?", clause: "1"}
""",
    "set": """
attributes:
  family: {what: f, values: [none]}
  role: {what: role of a piece, values: [field_figure, spare_goalkeeper, goalkeeper]}
  player: {what: whose}
  base_colour: {what: colour of the base}
requirements:
  - {id: set.size, kind: count, of: {role: field_figure}, min: 10, max: 10, clause: "1"}
  - {id: set.same_box, kind: inspect, ask: "Are they from one box?", clause: "1"}
""",
    "ball": "requirements: []\n",
    "goal": "requirements: []\n",
    "match": "attributes: {role: {what: r}}\nrequirements: []\n",
}


@cache
def spec_of(item: str) -> LoadedSpec:
    return load_spec((HEAD.format(item=item) + SPECS[item]).encode(), f"test/1/{item}.yaml")


@cache
def vocabulary_of(item: str) -> Vocabulary:
    return Vocabulary.of([spec_of(item)])


def read(text: str | bytes, name: str = "sheet.yaml", item: str | None = None) -> tuple[Submission, ...]:
    data = text.encode() if isinstance(text, str) else text
    return read_submissions(data, name, vocabulary_of, item)


def refused(text: str | bytes, name: str = "sheet.yaml", item: str | None = None) -> tuple[Problem, ...]:
    with pytest.raises(InputRefused) as caught:
        read(text, name, item)
    return caught.value.problems


def keeper(*lines: str) -> str:
    """A goalkeeper's sheet: the lines stand from line 3 on."""
    return "\n".join(("format: homolog-submission/1", "item: goalkeeper", *lines)) + "\n"


def one_problem(problems: tuple[Problem, ...]) -> tuple[str, str]:
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0].where, problems[0].code
