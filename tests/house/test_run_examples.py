"""`make run` counts a verdict as an answer, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.run_examples import call, examples, outcome, views_of


@pytest.fixture
def written(tmp_path: Path) -> list[Path]:
    views = views_of(Path("ball.yaml"), tmp_path)
    for view in views:
        view.write_bytes(b"report")
    return views


@pytest.mark.parametrize(("code", "says"), [(0, "conform"), (1, "nonconform"), (3, "undecided")])
def test_every_verdict_is_an_answer(written: list[Path], code: int, says: str) -> None:
    assert outcome(code, written) == (True, says)


@pytest.mark.parametrize(("code", "says"), [(2, "WRONG CALL"), (4, "INPUT REFUSED"), (5, "INTERNAL FAULT"), (-9, "EXIT CODE -9")])
def test_no_verdict_is_no_answer(written: list[Path], code: int, says: str) -> None:
    assert outcome(code, written) == (False, says)


def test_a_verdict_without_its_report_is_no_answer(written: list[Path]) -> None:
    written[1].unlink()
    assert outcome(1, written) == (False, "NOT WRITTEN: ball.yaml.pdf")


def test_sheets_and_scans_are_taken_in_order_and_other_files_left(tmp_path: Path) -> None:
    for name in ("goal.yaml", "board.csv", "goalkeeper-solid.stl", "README.md"):
        (tmp_path / name).touch()
    assert [path.name for path in examples(tmp_path)] == ["board.csv", "goal.yaml", "goalkeeper-solid.stl"]
    assert examples(tmp_path / "nowhere") == []


def test_a_scan_is_judged_as_the_item_of_its_name() -> None:
    words = call("homolog", Path("examples/goalkeeper-solid.stl"), [Path("r.html"), Path("r.pdf")])
    assert " ".join(words) == "homolog check examples/goalkeeper-solid.stl --item goalkeeper --report r.html --report r.pdf"
    assert "--item" not in call("homolog", Path("examples/ball.yaml"), [])
