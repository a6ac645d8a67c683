"""The rules that a register goes by: the shipped ones, or a board's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from homolog.data import specs_dir
from homolog.errors import SpecError, UsageError
from homolog.service.desk import rules_of
from homolog.service.settings import Settings
from homolog.spec.memorandum import shipped_memorandum
from homolog.spec.process import shipped_process

STEPS = (specs_dir() / "process" / "type.yaml").read_text(encoding="utf-8")


def settings(**paths: Path) -> Settings:
    return Settings.from_environment({f"HOMOLOG_{name.upper()}": str(path) for name, path in paths.items()})


def test_without_settings_the_shipped_rules_hold() -> None:
    assert rules_of(settings()) == (shipped_process(), shipped_memorandum())


def test_a_board_has_a_table_of_steps_and_a_memorandum_of_its_own(tmp_path: Path) -> None:
    steps, memorandum = tmp_path / "steps.yaml", tmp_path / "memorandum.yaml"
    steps.write_text(STEPS.replace("least: 3", "least: 5"), encoding="utf-8")
    text = (specs_dir() / "process" / "memorandum.yaml").read_text(encoding="utf-8")
    memorandum.write_text(text.replace('"draft-1"', '"2027"'), encoding="utf-8")
    process, words = rules_of(settings(steps=steps, memorandum=memorandum))
    assert process.process.counting.least == 5
    assert process.sha256 != shipped_process().sha256
    assert words.memorandum.version == "2027"


def test_a_table_in_which_one_person_decides_alone_is_refused(tmp_path: Path) -> None:
    steps = tmp_path / "steps.yaml"
    steps.write_text(STEPS.replace("not_by: [open_vote, measure]", "not_by: [measure]"), encoding="utf-8")
    with pytest.raises(SpecError) as refused:
        rules_of(settings(steps=steps))
    assert [problem.code for problem in refused.value.problems] == ["process_hands"]
    assert refused.value.problems[0].where.startswith("steps.yaml:")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="HOMOLOG_MEMORANDUM names"):
        rules_of(settings(memorandum=tmp_path / "none.yaml"))
