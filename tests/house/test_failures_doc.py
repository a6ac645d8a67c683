"""docs/failures.md names every kind of failure and every rule of the gate, each with tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/failures.md").read_text(encoding="utf-8")
TESTS = {
    name for path in (ROOT / "tests").rglob("test_*.py") for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)
}
ROWS = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "---" not in line]


def test_every_kind_has_a_row_and_tests_that_begin_with_its_number() -> None:
    rows = {row[0].removeprefix("| "): re.findall(r"`(test_\w+)`", row[3]) for row in ROWS if re.fullmatch(r"\| F\d+", row[0])}
    assert list(rows) == [f"F{number}" for number in range(1, 30)]
    for kind, named in rows.items():
        own = {name for name in TESTS if name.startswith(f"test_f{int(kind[1:]):02}_")}
        assert named
        assert set(named) == own, kind


def test_every_test_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 60
    assert named <= TESTS, named - TESTS


def test_every_rule_of_the_gate_names_a_test() -> None:
    gate = PAGE.partition("## What the gate refuses")[2].partition("\n## ")[0]
    rows = [line for line in gate.splitlines() if line.startswith("| ") and "| format |" not in line]
    assert len(rows) > 12
    assert all("`test_" in row for row in rows)
