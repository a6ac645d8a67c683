"""A reading is a value, bounds or a gauge result, and nothing half."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from decimal import Decimal
from typing import Any

import pytest

from homolog.quantity import Reading

ONE = Decimal(1)


def read(**more: Any) -> Reading:
    return Reading(**({"quantity": "ball.diameter", "unit": "mm"} | more))


@pytest.mark.parametrize(
    "given",
    [
        {"value": ONE},
        {"value": Decimal(-1), "expanded_uncertainty": Decimal(0)},
        {"lo": ONE},
        {"hi": ONE},
        {"lo": ONE, "hi": ONE},
        {"gauge_size": ONE, "gauge_result": "go"},
        {"gauge_size": ONE, "gauge_result": "no_go", "lo": ONE},
    ],
)
def test_each_form_alone_is_a_reading(given: dict[str, Any]) -> None:
    assert read(**given).quantity == "ball.diameter"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "a reading is a value, bounds or a gauge result"),
        ({"value": ONE, "lo": ONE}, "a reading is a value, bounds or a gauge result"),
        ({"value": ONE, "gauge_size": ONE, "gauge_result": "go"}, "a reading is a value, bounds or a gauge result"),
        ({"value": ONE, "gauge_result": "go"}, "a gauge has a size and a result"),
        ({"gauge_size": ONE}, "a gauge has a size and a result"),
        ({"gauge_size": ONE, "gauge_result": "Go"}, "a gauge goes or does not go"),
        ({"gauge_size": ONE, "gauge_result": "no-go"}, "a gauge goes or does not go"),
        ({"value": Decimal("NaN")}, "not finite"),
        ({"value": Decimal("Infinity")}, "not finite"),
        ({"hi": Decimal("Infinity")}, "not finite"),
        ({"value": ONE, "expanded_uncertainty": Decimal("NaN")}, "not finite"),
        ({"value": ONE, "expanded_uncertainty": Decimal("-0.1")}, "U is negative"),
        ({"lo": Decimal(2), "hi": ONE}, "the lower bound is above the upper one"),
        ({"value": ONE, "unit": "inch"}, "the unit 'inch' is not known"),
    ],
)
def test_anything_half_or_double_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read(**given)


def test_a_reading_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        read(value=ONE).value = Decimal(2)  # type: ignore[misc]
