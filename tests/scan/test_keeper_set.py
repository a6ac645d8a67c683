"""Several goalkeepers in one file: told apart, numbered as one reads, and refused where a rod could be a neighbour's."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from homolog.scan.keeper_set import measure_goalkeepers
from homolog.scan.measurement import ScanMeasurement
from tests.bodies import Keeper, Recipe, binary_stl, corners_of, cylinder, ellipsoid, make_keeper
from tests.scan.failing import assert_never_wrong
from tests.scan.measuring import HEIGHT, OUTER, value

RECIPES = (
    Recipe(edge=0.8),
    Recipe(edge=0.8, tall=33.0, handle="hex", rod_length=70.0),
    Recipe(edge=0.8, attach="feet", arms="down", rod_radius=1.3),
    Recipe(edge=0.8, tall=30.0, base="dome", rod_length=80.0),
)
LYING = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # on its back, the rod downward


@cache
def keepers() -> tuple[Keeper, ...]:
    return tuple(make_keeper(recipe) for recipe in RECIPES)


def measured(*bodies: np.ndarray, unit: str | None = None) -> tuple[ScanMeasurement, ...]:
    data = binary_stl(np.concatenate(bodies))
    job = {"name": "plate.stl", "item": "goalkeeper", "unit": unit, "source": "structured_light", "sha256": "1" * 64}
    return measure_goalkeepers(check_mesh(data, name="plate.stl"), job)


def standing(at: int, x: float, y: float = 0.0) -> np.ndarray:
    """One goalkeeper upright, its rod along y."""
    return keepers()[at].corners + np.array([x, y, 0.0])


def refusal(*bodies: np.ndarray) -> tuple[str, str]:
    with pytest.raises(InputRefused) as caught:
        measured(*bodies)
    return caught.value.problems[0].code, caught.value.problems[0].what


def test_goalkeepers_side_by_side_are_numbered_from_left_to_right_and_each_is_right() -> None:
    order = (2, 0, 3, 1)
    found = measured(*(standing(at, 40.0 * place) for place, at in reversed(list(enumerate(order)))))
    assert [part.facts["part"] for part in found] == ["1 of 4", "2 of 4", "3 of 4", "4 of 4"]
    for part, at in zip(found, order, strict=True):
        assert_never_wrong(part, keepers()[at].truth)
    assert {item.evidence for item in found[2].readings} == {f"scan:{'1' * 12}#3"}
    assert found[1].pictures[0].title == "Goalkeeper 2 of 4 on the plate"


def test_each_is_measured_as_it_is_alone() -> None:
    together, alone = measured(standing(0, 0), standing(1, 45.0)), measured(standing(1, 0.0))
    assert value(together[1], OUTER) == value(alone[0], OUTER)
    assert value(together[1], HEIGHT) == value(alone[0], HEIGHT)
    assert alone[0].facts["part"] == "1 of 1"


def test_rows_are_read_from_the_far_side() -> None:
    found = measured(standing(0, 0, 0), standing(1, 40, 0), standing(2, 0, 220), standing(3, 40, 220))
    tall = [value(part, HEIGHT) for part in found]
    assert tall == pytest.approx([keepers()[at].truth["height"] for at in (2, 3, 0, 1)], abs=0.1)


def test_they_may_lie_head_to_tail_in_inch_and_built_of_shells() -> None:
    lying = np.concatenate([corners_of(part) for part in keepers()[0].parts]) @ LYING.T
    other = keepers()[1].corners @ LYING.T @ np.diag([-1.0, -1.0, 1.0]).T
    found = measured((lying / 25.4), (other + np.array([60.0, 0, 0])) / 25.4)
    assert {part.unit for part in found} == {"in"}
    for part, at in zip(found, (1, 0), strict=True):  # the other one's body lies on the far side
        assert_never_wrong(part, keepers()[at].truth)


def test_debris_between_them_belongs_to_nobody() -> None:
    crumb = corners_of(ellipsoid((20.0, 0, 5), (0.5, 0.5, 0.5)))
    found = measured(standing(0, 0), standing(1, 45), crumb)
    assert len(found) == 2
    for part, at in zip(found, (0, 1), strict=True):
        assert_never_wrong(part, keepers()[at].truth)


@pytest.mark.parametrize("gap", [0.3, 0.0, -0.5])
def test_handles_that_lie_against_each_other_are_refused_or_each_is_right(gap: float) -> None:
    beside = standing(0, 2 * RECIPES[0].handle_radius + gap)
    try:
        found = measured(standing(0, 0), beside)
    except InputRefused as refusal:
        outcome = refusal.problems[0].code
    else:
        outcome = f"{len(found)} measured"
        for part in found:
            assert_never_wrong(part, keepers()[0].truth)
    assert outcome in {"scan_several_unclear", "2 measured"}


def test_goalkeepers_that_grow_together_are_refused() -> None:
    pair = keepers()[0].solid + keepers()[0].solid.translate((5.5, 0, 0))
    code, what = refusal(corners_of(pair), standing(1, 60))
    assert code == "scan_several_unclear"
    assert "is not one goalkeeper with its rod" in what


def test_a_rod_that_lies_alone_makes_the_file_unclear() -> None:
    lone = corners_of(cylinder(np.array([60.0, 0, 3]), np.array([60.0, -120.0, 3]), 1.0))
    assert refusal(standing(0, 0), lone)[0] == "scan_several_unclear"


def test_a_rod_in_two_pieces_is_given_to_nobody() -> None:
    corners = keepers()[0].corners
    middle = corners[:, :, 1].mean(axis=1)
    above, rest = keepers()[0].solid.split_by_plane((0.0, 1.0, 0.0), -40.0)
    _, below = rest.split_by_plane((0.0, 1.0, 0.0), -55.0)
    assert middle.min() < -55
    assert refusal(corners_of(above), corners_of(below), standing(1, 45))[0] == "scan_several_unclear"


def test_a_figure_without_a_rod_among_them_makes_the_file_unclear() -> None:
    assert refusal(standing(0, 0), corners_of(keepers()[1].body) + np.array([50.0, 0, 0]))[0] == "scan_several_unclear"
