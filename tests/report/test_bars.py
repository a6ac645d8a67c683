from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from homolog.report.bars import HEIGHT, WIDTH, bar_svg

LIMIT: dict[str, Any] = {"min": None, "max": "39", "unit": "mm", "min_is_strict": False, "max_is_strict": False}


def reading(**form: str | None) -> dict[str, Any]:
    return {"quantity": "q", "unit": "mm", **form}


def drawing(form: dict[str, Any], limit: dict[str, Any]) -> ET.Element:
    svg = bar_svg(form, limit, {"min": "35", "max": "39"})
    assert svg is not None
    return ET.fromstring(svg)  # noqa: S314 -- drawn by ourselves a line above


def all_of(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if element.tag.endswith("}" + name)]


def dot(root: ET.Element) -> float:
    return float(all_of(root, "circle")[0].get("cx") or "nan")


def limit_lines(root: ET.Element) -> list[float]:
    thick = [line for line in all_of(root, "line") if line.get("stroke-width") == "2"]
    return [float(line.get("x1") or "nan") for line in thick if line.get("y1") != line.get("y2")]


@pytest.mark.parametrize(("value", "is_inside"), [("38.95", True), ("39.05", False), ("12", True), ("4000", False)])
def test_a_value_inside_a_maximum_lies_left_of_its_line(value: str, is_inside: bool) -> None:
    root = drawing(reading(value=value, U="0.03"), LIMIT)
    [line] = limit_lines(root)
    assert (dot(root) < line) is is_inside


def test_a_value_on_the_limit_lies_on_the_line() -> None:
    root = drawing(reading(value="39", U="0.03"), LIMIT)
    assert [dot(root)] == limit_lines(root)
    exact = drawing(reading(value="39", U="0"), LIMIT)
    assert [dot(exact)] == limit_lines(exact)


def test_the_undecided_strip_is_as_wide_as_twice_u() -> None:
    root = drawing(reading(value="38.95", U="0.10"), LIMIT)
    [strip] = [box for box in all_of(root, "rect") if box.get("stroke-dasharray")]
    [line] = limit_lines(root)
    left, width = float(strip.get("x") or 0), float(strip.get("width") or 0)
    assert left < dot(root) < line == pytest.approx(left + width / 2, abs=0.1)


def test_no_strip_is_drawn_without_u() -> None:
    assert not [box for box in all_of(drawing(reading(value="38", U=None), LIMIT), "rect") if box.get("stroke-dasharray")]


def test_both_limits_are_drawn_if_they_are_near_and_one_if_they_are_not() -> None:
    both = LIMIT | {"min": "35"}
    assert len(limit_lines(drawing(reading(value="37", U="0.5"), both))) == 2
    assert len(limit_lines(drawing(reading(value="38.99", U="0.02"), both))) == 1


@pytest.mark.parametrize(("lo", "hi", "arrows"), [(None, "38", 1), ("38", None, 1), ("38", "40", 0)])
def test_an_open_end_is_an_arrow(lo: str | None, hi: str | None, arrows: int) -> None:
    root = drawing(reading(lo=lo, hi=hi), LIMIT)
    assert len(all_of(root, "path")) == arrows
    assert not all_of(root, "circle")


def test_nothing_is_drawn_of_nothing() -> None:
    assert bar_svg(None, LIMIT, {}) is None
    assert bar_svg(reading(value="38", U="1"), None, {}) is None
    assert bar_svg(reading(gauge="38", U="1", result="go", lo=None, hi=None), LIMIT, {}) is None
    assert bar_svg(reading(value="38", U="1"), LIMIT | {"unit": "g"}, {}) is None
    assert bar_svg(reading(value="38", U="1"), LIMIT | {"max": None}, {}) is None


@pytest.mark.parametrize("value", ["0", "-5", "0.0000001", "123456789012345", "39"])
def test_everything_stays_inside_the_drawing(value: str) -> None:
    svg = bar_svg(reading(value=value, U="1000000"), LIMIT | {"min": "-39"}, {"max": "39"})
    assert svg is not None
    for name, most in (("x", WIDTH), ("x1", WIDTH), ("x2", WIDTH), ("cx", WIDTH), ("y", HEIGHT), ("y1", HEIGHT)):
        for number in re.findall(rf' {name}="(-?[0-9.]+)"', svg):
            assert 0 <= float(number) <= most


def test_a_label_cannot_leave_its_text() -> None:
    assert "<b>" not in str(bar_svg(reading(value="38", U="1"), LIMIT, {"max": "</text><b>"}))


def test_a_limit_of_zero_with_an_exact_reading_of_zero_can_be_drawn() -> None:
    assert limit_lines(drawing(reading(value="0", U="0"), LIMIT | {"max": "0"}))
