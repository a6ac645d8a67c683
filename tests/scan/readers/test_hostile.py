"""Damaged and hostile files: each is refused with a reason or read right, in a limited process that outlives it."""

from __future__ import annotations

from collections import Counter

from tools.hostile_meshes import all_cases
from tools.run_hostile import SECONDS, run, sample

EVERY = 2


def test_half_of_the_hostile_files_are_refused_or_read_right() -> None:
    outcomes = list(run(sample(all_cases(), EVERY)))
    wrong = [f"{outcome.case.name}: {outcome.fault}" for outcome in outcomes if outcome.fault]
    assert not wrong, "\n".join(wrong)
    assert len(outcomes) >= 300
    assert max(outcome.seconds for outcome in outcomes) <= SECONDS
    kinds = Counter("refused" if "refused" in outcome.answer else "read" for outcome in outcomes)
    assert min(kinds["refused"], kinds["read"]) > 50


def test_the_same_files_are_made_each_time() -> None:
    assert [(case.name, case.data) for case in all_cases()] == [(case.name, case.data) for case in all_cases()]


def test_every_case_has_a_name_of_its_own() -> None:
    names = Counter(case.name for case in all_cases())
    assert [name for name, count in names.items() if count > 1] == []
