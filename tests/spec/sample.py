"""A small spec that the linter has nothing to say about, and a library made of it; tests change one thing each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from homolog.evaluate.examples import run_examples
from homolog.spec.lint import Complaint, lint
from homolog.spec.load import LoadedSpec, load_spec

SPEC = """\
format: homolog-spec/1
id: fistf.goalkeeper
item: goalkeeper
title: "Goalkeeper"
edition:
  label: "4.0"
  status: published
  effective: {from: unknown, to: 2014-05-07, basis: inferred}
language: en
source: {document: "Rules", issuer: FISTF}
clauses:
  - {id: "1", status: checked}
  - {id: "2", status: judged}
  - {id: "3", status: checked}
  - {id: "4", status: partly, note: "only the colour"}
  - {id: "5", row: goalkeeper.grip, status: informative, note: "a rule of play"}
attributes:
  pose: {what: "posture", values: [upright, bent]}
  role: {what: "part in the set", values: [field, spare]}
  colour: {what: "main colour"}
methods:
  gauge: {says: "gauge", form: go_no_go, default_U: 0.02 mm}
  caliper: {says: "caliper", form: value, floor_U: 0.01 mm, default_U: 0.1 mm, ceiling_U: 0.2 mm}
  scan.volume: {says: "scan", form: value, algorithm: scan.volume/1}
quantities:
  goalkeeper.height: {unit: mm, what: "height", methods: [gauge, {method: caliper, ceiling_U: 0.15 mm}]}
  goalkeeper.top: {unit: mm, what: "width above", methods: [caliper], each: [left, right]}
  goalkeeper.foot: {unit: mm, what: "width below", methods: [caliper], each: [left, right]}
  goalkeeper.volume: {unit: mm3, what: "volume", methods: [{method: scan.volume, measures: goalkeeper.volume.outer}]}
  goalkeeper.volume.outer: {unit: mm3, what: "outer volume", methods: [scan.volume]}
  goalkeeper.volume.material: {unit: mm3, what: "material", methods: [scan.volume], at_most: goalkeeper.volume.outer}
derived:
  goalkeeper.flare: {op: difference, of: [goalkeeper.top, goalkeeper.foot], unit: mm, what: "top less foot"}
interpretations:
  - id: INT-decision
    clause: "1"
    question: "How does U enter?"
    status: proposed
    readings:
      - {id: guarded, decision: guarded, says: "by zones"}
      - {id: simple, decision: simple, says: "at shared risk"}
  - id: INT-contents
    clause: "1"
    question: "What counts?"
    status: proposed
    readings:
      - {id: outer, uses: goalkeeper.volume.outer, says: "the outer space"}
      - {id: material, uses: goalkeeper.volume.material, max: 2.5 cm3, says: "the material", source: "a comparable rule"}
  - id: INT-fixed
    clause: "3"
    question: "What is fixed?"
    status: proposed
    readings:
      - {id: by-pull, ask: "Does it stay when pulled?", says: "by pulling"}
      - {id: free, demands: nothing, says: "no demand"}
requirements:
  - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1", says: "At most 39 mm high."}
  - {id: gk.volume, kind: limit, of: goalkeeper.volume, max: 2700 mm3, clause: "1", basis: implied, interpretation: INT-contents}
  - id: gk.flare
    kind: limit
    of: goalkeeper.flare
    clause: "3"
    cases:
      - {when: {pose: upright}, within: 1 mm}
      - {when: {pose: bent}, within: 2 mm}
  - {id: gk.fixed, kind: inspect, clause: "3", ask: "Is it fixed?", basis: interpreted, interpretation: INT-fixed, note: "By hand."}
  - id: gk.body
    kind: judge
    clause: "2"
    ask: "A body?"
    criteria: ["a head", "a trunk"]
    panel: {votes: 3, pass: majority}
  - {id: gk.ten, kind: count, of: {role: field}, min: 2, max: 10, clause: "4", purposes: [match, self_test]}
  - {id: gk.alike, kind: uniform, of: {role: field}, by: colour, clause: "4"}
  - {id: gk.unlike, kind: differs, of: {role: spare}, against: {role: field}, by: colour, clause: "4"}
  - {id: gk.colour, kind: one_of, attribute: colour, values: [red, blue], clause: "4", covers: [goalkeeper.colour, goalkeeper.hue]}
  - {id: gk.approved, kind: approved, by: colour, clause: "4"}
  - {id: gk.either, kind: any_of, requirements: [gk.body, gk.approved], clause: "4", when: {pose: [upright, bent]}}
examples:
  - name: inside
    attributes: {pose: upright, colour: red}
    given:
      goalkeeper.height: {value: 38 mm, U: 0.1 mm, method: caliper}
      goalkeeper.volume.outer: {value: 2 cm3, U: 10 mm3, method: scan.volume}
      goalkeeper.top: {left: {value: 3 mm, method: caliper}, right: {value: 3 mm, method: caliper}}
      goalkeeper.foot: {left: {value: 3 mm, method: caliper}, right: {value: 3.5 mm, method: caliper}}
    answers: {gk.fixed: {answer: yes, role: maker}}
    pieces: [{role: field, colour: red}, {role: field, colour: red}, {role: spare, colour: blue}]
    expect: {gk.height: conform, gk.volume: conform, gk.flare: conform, gk.ten: conform, gk.alike: conform,
             gk.unlike: conform, gk.colour: conform, gk.fixed: conform, verdict: needs_judgement}
  - name: outside
    attributes: {pose: bent, colour: green}
    given:
      goalkeeper.height: {value: 39.5 mm, U: 0.1 mm, method: caliper}
      goalkeeper.volume.outer: {at_least: 3 cm3, at_most: 4 cm3, method: scan.volume}
      goalkeeper.volume.material: {value: 2900 mm3, U: 0 mm3, method: scan.volume}
      goalkeeper.top: {left: {value: 9 mm, method: caliper}, right: {value: 3 mm, method: caliper}}
      goalkeeper.foot: {left: {value: 3 mm, method: caliper}, right: {value: 3 mm, method: caliper}}
    pieces: [{role: field, colour: red}, {role: spare, colour: red}]
    expect: {gk.height: nonconform, gk.volume: nonconform, gk.flare: nonconform, gk.ten: nonconform, gk.unlike: nonconform,
             gk.colour: nonconform}
  - name: of two colours
    pieces: [{role: field, colour: red}, {role: field, colour: blue}]
    expect: {gk.alike: nonconform}
"""

Edit = tuple[str, str]


def edited(text: str, *edits: Edit) -> str:
    """Return a text with pieces replaced, each of which must be there once."""
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def load(text: str = SPEC, *edits: Edit) -> LoadedSpec:
    """Return a spec with pieces replaced."""
    return load_spec(edited(text, *edits).encode(), "4.0/goalkeeper.yaml")


def at(text: str, complaint: Complaint) -> str:
    """Return what stands at the place of a complaint."""
    _, line, column = complaint.place
    return text.splitlines()[line - 1][column - 1 :]


NEWER: tuple[Edit, ...] = (
    ('label: "4.0"', 'label: "5.0"'),
    (
        "effective: {from: unknown, to: 2014-05-07, basis: inferred}",
        'effective: {from: 2014-05-08, basis: stated}\n  supersedes: "4.0"\n  transition: {policy: grace, until: 2015-01-01}',
    ),
)

TABLE = """\
clause,item,row,unit,min,max,nominal,kind,scope
1,goalkeeper,goalkeeper.height,mm,,39,,dimension,goalkeeper
1,goalkeeper,goalkeeper.volume,mm3,,2700,,dimension,goalkeeper
2,goalkeeper,goalkeeper.body,,,,,judgement,goalkeeper
3,goalkeeper,goalkeeper.flare,,,,,relation,goalkeeper
3,goalkeeper,goalkeeper.fixed,,,,,judgement,goalkeeper
4,goalkeeper,goalkeeper.ten,count,2,10,,set,set
4,goalkeeper,goalkeeper.alike,,,,,set,set
4,goalkeeper,goalkeeper.unlike,,,,,set,set
4,goalkeeper,goalkeeper.colour,,,,,set,set
4,goalkeeper,goalkeeper.hue,,,,,set,set
4,goalkeeper,goalkeeper.approved,,,,,register,goalkeeper
4,goalkeeper,goalkeeper.either,,,,,set,set
5,goalkeeper,goalkeeper.grip,,,,,match,match
"""

EDITION = """\
format: homolog-edition/1
body: fistf
label: "{label}"
title: "Rules {label}"
issuer: FISTF
files:
  goalkeeper: {{file: goalkeeper.yaml, sha256: {sha256}}}
unregulated:
  ball: "no word of it"
"""


@dataclass(frozen=True)
class Shelf:
    """A library on disk with two editions of the goalkeeper's rules."""

    root: Path

    def __post_init__(self) -> None:
        """Write the library."""
        for label, edits in (("4.0", ()), ("5.0", NEWER)):
            folder = self.root / "fistf" / label
            folder.mkdir(parents=True)
            self.write(f"fistf/{label}/goalkeeper.yaml", edited(SPEC, *edits))
            self.write(f"fistf/{label}/clauses.csv", TABLE)
            self.freeze(label)
        ids = "".join(f"  {rule.id}: {{{_meaning(rule)}}}\n" for rule in load().spec.requirements)
        self.write("ids.yaml", f"format: homolog-ids/1\nids:\n{ids}")

    def write(self, path: str, text: str) -> None:
        """Write a file of the library."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        """Return a file of the library."""
        return (self.root / path).read_text(encoding="utf-8")

    def edit(self, path: str, *edits: Edit) -> None:
        """Replace pieces of a file; a spec's new digest goes into its edition."""
        self.write(path, edited(self.read(path), *edits))
        if path.endswith("goalkeeper.yaml") and "i18n" not in path:
            self.freeze(path.split("/")[1])

    def freeze(self, label: str) -> None:
        """Write an edition's file with the digest of its spec."""
        data = (self.root / "fistf" / label / "goalkeeper.yaml").read_bytes()
        self.write(f"fistf/{label}/edition.yaml", EDITION.format(label=label, sha256=hashlib.sha256(data).hexdigest()))

    def lint(self, path: str = "") -> tuple[Complaint, ...]:
        """Lint the library, or a part of it."""
        return lint(self.root / path, run_examples=run_examples)

    def only(self, path: str = "") -> Complaint:
        """Return the only complaint that there is."""
        complaints = self.lint(path)
        assert len(complaints) == 1, "\n".join(str(complaint) for complaint in complaints)
        return complaints[0]

    def at(self, complaint: Complaint) -> str:
        """Return file and text at the place of a complaint."""
        path = Path(complaint.place[0])
        return f"{path.relative_to(self.root).as_posix()}: {at(path.read_text(encoding='utf-8'), complaint)}"


def _meaning(rule: object) -> str:
    quantity = f", of: {rule.of}" if rule.kind == "limit" else ""  # type: ignore[attr-defined]
    return f'item: goalkeeper, kind: {rule.kind}{quantity}, since: "fistf 4.0"'  # type: ignore[attr-defined]
