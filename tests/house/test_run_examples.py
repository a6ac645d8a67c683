"""`make run` counts a verdict as an answer, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.run_examples import EXAMPLES, ROOT, call, outcome, views_of


@pytest.fixture
def written(tmp_path: Path) -> list[Path]:
    views = views_of("ball.yaml", tmp_path)
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


def test_a_lot_has_a_report_a_sample(tmp_path: Path) -> None:
    views = views_of("figure.csv", tmp_path)
    for view in views:
        view.with_name(f"{view.stem}-figure-2{view.suffix}").write_bytes(b"report")
    assert outcome(1, views) == (True, "nonconform")


def test_every_file_of_the_examples_is_run_or_named_by_one() -> None:
    named = " ".join(" ".join([name, *words]) for name, words in EXAMPLES.items())
    assert [path.name for path in (ROOT / "examples").iterdir() if path.name not in named] == []


def test_an_example_is_asked_as_it_says() -> None:
    words = call("homolog", "goal.yaml", [Path("r.html"), Path("r.pdf")])
    assert " ".join(words) == "homolog check examples/goal.yaml --purpose match --report r.html --report r.pdf"
