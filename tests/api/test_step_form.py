"""What is written in a step's form, as values that the workflow takes or refuses with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from api.step_form import said_of
from homolog.spec.process import shipped_process

WHITE = {"name": "white", "colour": "bone", "material": "wood"}


@pytest.mark.parametrize(
    ("step", "field", "text", "value"),
    [
        ("ask_sample", "pieces", "3", 3),
        ("ask_sample", "pieces", "three", "three"),
        ("ask_sample", "pieces", "٣", "٣"),
        ("describe", "variants", "white; bone; wood\r\n\r\nred", [WHITE, {"name": "red"}]),
        ("describe", "photos", "a\nb\na", ["a", "b"]),
        ("open_vote", "reasons", "III-3.1: Width: 39 mm", [{"clause": "III-3.1", "text": "Width: 39 mm"}]),
        ("open_vote", "reasons", "no clause", [{"clause": "no clause"}]),
        ("open_vote", "closes", "2026-12-07", "2026-12-07T23:59:00+00:00"),
        ("open_vote", "closes", "2026-12-07T10:00", "2026-12-07T10:00:00+00:00"),
        ("open_vote", "closes", "soon", "soon"),
        ("vote", "choice", " yes ", "yes"),
    ],
)  # fmt: skip
def test_a_field_says_what_was_written(step: str, field: str, text: str, value: Any) -> None:
    asks = shipped_process().step(step).asks  # type: ignore[union-attr]
    assert said_of(asks, {"step": step, f"{step}.{field}": text}) == {field: value}


def test_a_field_that_is_left_empty_says_nothing() -> None:
    asks = shipped_process().step("vote").asks  # type: ignore[union-attr]
    assert said_of(asks, {"step": "vote", "vote.choice": "", "vote.text": "  "}) == {}


def test_a_field_of_another_step_says_nothing() -> None:
    asks = shipped_process().step("vote").asks  # type: ignore[union-attr]
    assert said_of(asks, {"step": "vote", "decide.text": "So be it", "vote.counting": "x"}) == {}
