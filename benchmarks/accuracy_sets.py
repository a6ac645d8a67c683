"""The sets of cases of which the tables of docs/accuracy.md are made."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import accuracy_keepers as keepers
from benchmarks.accuracy_case import Case, Truth
from tools import make_ball_goal, make_figure

_FIGURE = {
    "figure.base_diameter": "base_diameter",
    "figure.base_height": "base_height",
    "figure.base_height.rim": "rim_height",
    "figure.figure_width": "figure_width",
    "figure.figure_thickness": "figure_thickness",
    "figure.height": "height",
    "figure.figure_height_without_base": "height_without_base",
}
_BALL = {"least_squares": "diameter", "largest": "diameter_max", "smallest": "diameter_min"}
_GOAL = {
    "goal.post_length.clear": "post_length",
    "goal.post_length.with_crossbar": "post_length_with_crossbar",
    "goal.post_distance.inner_faces": "post_distance",
    "goal.post_distance.centres": "post_distance_centres",
    "goal.bar_thickness": "bar_thickness",
    "goal.post_lean": "post_lean",
    "goal.goalline_to_back_bar": "goalline_to_back_bar",
}
_KEEPER = {
    "goalkeeper.volume.outer": "volume",
    "goalkeeper.volume.without_embedded_rod": "volume_without_embedded_rod",
    "goalkeeper.height": "height",
    "goalkeeper.width": "width",
    "goalkeeper.figure_thickness.in_playing_position": "figure_thickness",
    "goalkeeper.figure_thickness": "figure_thickness",
    "goalkeeper.rod_width": "rod_width",
    "goalkeeper.rod_length": "rod_length",
    "goalkeeper.handle_length": "handle_length",
}


@dataclass(frozen=True)
class CaseSet:
    """Cases of one kind, each made from its number; so many of them are drawn."""

    name: str
    says: str
    count: int
    make: Callable[[int], Case]


def _defect(seed: int) -> Case:
    return keepers.drawing(seed, keepers.DEFECTS[seed % len(keepers.DEFECTS)])


def _noise(seed: int) -> Case:
    return keepers.scan(seed, exact=True, partial=seed // 6 % 2 == 1)


def _figure(source: str, seed: int) -> Case:
    corners, row = make_figure.random_case(seed, source)
    return Case(row["file"], "figure", make_figure.binary_stl(corners), source, _known(row, _FIGURE), row["file"], row["unit"])


def _known(row: dict[str, str], columns: dict[str, str]) -> tuple[Truth, ...]:
    return tuple(Truth(quantity, float(row[column])) for quantity, column in columns.items() if row.get(column))


def _ball(seed: int) -> Case:
    made = make_ball_goal.make_ball(seed)
    truths = tuple(Truth("ball.diameter", made.truth[column], place) for place, column in _BALL.items())
    return _of_tool(made, seed, truths)


def _goal(seed: int) -> Case:
    made = make_ball_goal.make_goal(seed)
    quantities = {column: quantity for quantity, column in _GOAL.items()}
    truths = []
    for name, value in made.truth.items():
        column, _, place = name.partition("@")
        truths.append(Truth(quantities[column], value, place or None))
    return _of_tool(made, seed, tuple(truths))


def _of_tool(made: make_ball_goal.Case, seed: int, truths: tuple[Truth, ...]) -> Case:
    data = make_ball_goal.stl_bytes(made.corners * make_ball_goal.FACTORS[made.unit])
    return Case(f"{seed}.stl", made.item, data, made.source, truths, made.kind, made.unit)


SETS = (
    CaseSet("keeper-drawing", "Goalkeepers, drawings without fault", 60, keepers.drawing),
    CaseSet("keeper-defect", "Goalkeepers, drawings with a fault of the file", 90, _defect),
    CaseSet("keeper-noise", "Goalkeepers, scans by a scanner without offset and scale errors, half with parts missing", 30, _noise),
    CaseSet("keeper-scan", "Goalkeepers, scans", 60, keepers.scan),
    CaseSet("keeper-partial", "Goalkeepers, scans with parts missing", 30, partial(keepers.scan, partial=True)),
    CaseSet("keeper-ball", "Goalkeepers, scans with a reference ball", 42, partial(keepers.scan, ball=True)),
    CaseSet("figure-scan", "Playing figures, scans", 120, partial(_figure, "structured_light")),
    CaseSet("figure-drawing", "Playing figures, drawings", 40, partial(_figure, "cad")),
    CaseSet("ball", "Balls, scans and drawings", 110, _ball),
    CaseSet("goal", "Goals, scans and drawings", 80, _goal),
)


def cases_in(folder: Path) -> Iterator[Case]:
    """Read scans with known answers: folders goalkeeper, figure and ball-goal, each with its expected.csv."""
    for name, columns in (("goalkeeper", _KEEPER), ("figure", _FIGURE), ("ball-goal", _GOAL)):
        table = folder / name / "expected.csv"
        if not table.exists():
            continue
        with table.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        for row in rows:
            item = row.get("item") or name
            known = _known(row, columns)
            if item == "ball":
                known = tuple(Truth("ball.diameter", float(row[column]), place) for place, column in _BALL.items() if row[column])
            data = (table.parent / row["file"]).read_bytes()
            yield Case(row["file"], item, data, "structured_light", known, row["file"], row.get("unit") or "mm")
