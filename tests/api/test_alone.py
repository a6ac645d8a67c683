"""What is stated beside a scan without a sheet: attributes, temperature, reference balls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import EXAMPLES, Door
from tests.api.shapes import ellipsoid, stl
from tests.api.test_problems import problem_of

KEEPER = {"item": "goalkeeper", "unit": "mm"}


@pytest.fixture(scope="module")
def ball() -> bytes:
    """Return the scan of a ball of 25 mm."""
    return stl(ellipsoid(a=12.5, b=12.5, c=12.5, rings=48, segments=64))


def judged(door: Door, scan: bytes, data: dict[str, Any], *more: tuple[str, Any]) -> dict[str, Any]:
    answer = door.form(files=[("scan", ("k.stl", scan)), *more], data={**KEEPER, **data})
    assert answer.status_code == 200, answer.text
    record: dict[str, Any] = answer.json()
    return record


def refused(door: Door, scan: bytes, data: dict[str, Any], *more: tuple[str, Any]) -> dict[str, Any]:
    answer = door.form(files=[("scan", ("k.stl", scan)), *more], data={**KEEPER, **data})
    return problem_of(answer, 422, answer.json()["type"].removeprefix("/problems/"))


def test_attributes_are_in_the_record_as_a_sheet_would_have_them(door: Door, scan: bytes) -> None:
    record = judged(door, scan, {"attribute": ["pose=upright", "family=flat"]})
    assert record["submission"]["attributes"] == {"pose": "upright", "family": "flat"}
    verdicts = {finding["requirement"]: finding["verdict"] for finding in record["findings"]}
    assert verdicts["gk.figure_thickness_posed"] == "not_applicable"


def test_an_empty_attribute_is_one_that_was_left_alone(door: Door, scan: bytes) -> None:
    assert judged(door, scan, {"attribute": ["", "pose=bent"]})["submission"]["attributes"] == {"pose": "bent"}


@pytest.mark.parametrize("attribute", ["pose=lying", "pose", "height=tall"])
def test_an_attribute_that_is_not_in_the_lists_is_refused(door: Door, scan: bytes, attribute: str) -> None:
    told = refused(door, scan, {"attribute": [attribute]})
    assert told["problems"][0]["where"].startswith("k.stl")


def test_the_temperature_changes_the_uncertainty(door: Door, scan: bytes) -> None:
    used = judged(door, scan, {"temperature": "23 degC", "temperature_U": "0.5 degC", "material": "pla"})["scan"]["instrument"]
    assert (used["temperature"], used["temperature_U"], used["material"]) == ("23", "0.5", "pla")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"temperature": "23 degC"}, "k.stl"),
        ({"temperature": "90 degC", "temperature_U": "1 degC"}, "k.stl: temperature"),
        ({"material": "marble"}, "k.stl: material"),
        ({"temperature": ["20 degC", "21 degC"], "temperature_U": "1 degC"}, "field temperature"),
    ],
)
def test_conditions_that_cannot_be_are_refused(door: Door, scan: bytes, data: dict[str, Any], where: str) -> None:
    assert refused(door, scan, data)["problems"][0]["where"] == where


def test_a_reference_ball_is_read_and_named(door: Door, scan: bytes, ball: bytes) -> None:
    data = {"reference_diameter": "25.000 mm", "reference_U": "0.002 mm"}
    (used,) = judged(door, scan, data, ("reference", ("ball.stl", ball)))["scan"]["instrument"]["references"]
    assert used["file"] == "ball.stl"


def test_a_reference_needs_its_diameter_and_its_u(door: Door, scan: bytes, ball: bytes) -> None:
    told = refused(door, scan, {"reference_diameter": "25 mm"}, ("reference", ("ball.stl", ball)))
    assert told["problems"][0]["where"] == "field reference"


def test_a_diameter_that_no_ball_has_is_refused(door: Door, scan: bytes, ball: bytes) -> None:
    data = {"reference_diameter": "25 m", "reference_U": "0.002 mm"}
    assert refused(door, scan, data, ("reference", ("ball.stl", ball)))["problems"][0]["where"].startswith("ball.stl")


@pytest.mark.parametrize("data", [{"attribute": "pose=upright"}, {"temperature": "20 degC", "temperature_U": "1 degC"}])
def test_beside_a_sheet_they_are_refused_and_never_passed_over(door: Door, data: dict[str, str]) -> None:
    answer = door.form(files={"sheet": ("b.json", (EXAMPLES / "ball.json").read_bytes())}, data=data)
    told = problem_of(answer, 422, "usage")
    assert [problem["where"] for problem in told["problems"]] == [f"field {name}" for name in data]
