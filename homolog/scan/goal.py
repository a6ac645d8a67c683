"""Measuring a goal: from a mesh or a point cloud to readings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from homolog.gate.mesh import MeshFile
from homolog.scan.blank import blank_of
from homolog.scan.engine import drawn_by
from homolog.scan.goal_bar import Bar
from homolog.scan.goal_board import Board, find_board
from homolog.scan.goal_frame import Frame, find_frames
from homolog.scan.goal_lines import area_samples, find_lines
from homolog.scan.goal_pictures import draw_goal
from homolog.scan.goal_readings import Said, nothing, say
from homolog.scan.goal_rough import Rough, clear_runs, distinct, rough_bar
from homolog.scan.goal_section import fit_bar
from homolog.scan.goal_sheets import find_sheets, without_net
from homolog.scan.goal_sizes import Sizes, measure_frame
from homolog.scan.marks import Picture
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.oriented import Oriented, read_oriented
from homolog.scan.plain_pictures import scanned_views
from homolog.scan.readers.unit import unit_of_file
from homolog.scan.sources import Instrument, instrument_of_job
from homolog.scan.surface import Floats
from homolog.scan.surfels import surface_to_show
from homolog.scan.texture import smoothed, texture_of
from homolog.scan.unit import FACTORS, UnitChoice
from homolog.scan.window import Window, decide_unit

ALGORITHM = "goal-1"
WINDOW = Window(item="goal", what="the distance of its posts", low=85.0, high=195.0)
# Largest extent of a scan of a goal, a board under it included: the first filter of the units.
_WHOLE_MM = (100.0, 900.0)
_USUAL_MM = 165.0
# Fewer points on a mm2 cannot show a bar of 5 mm; only a drawing has so few.
_SCAN_DENSITY = 0.2
_SAMPLES = 9_000
_DENSE = 60_000
# What is shorter may be a clip or a foot.
_BAR_MM = 30.0
# The noise of a point cloud is not measured; so much is let pass.
_CLOUD_NOISE_MM = 0.1
_UPRIGHT = 0.99
_UNCLEAR = "something like a bar {:.0f} mm long was not seen from enough sides; scan it from all around"
_NO_GOAL = "two posts with a bar across their upper ends were not found; scan the whole goal without the board's clutter"


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found in one unit: the ways to see a goal, bars without a measure, noise, the number of bars.

    Attributes:
        frame: The likeliest way to see a goal, with the board under it.
        lost: The bars without a measure, roughly.
    """

    ways: list[Sizes]
    apart: float
    hidden: dict[str, str]
    noise: float
    bars: int
    frame: Frame
    board: Board | None
    lost: list[Rough]


def measure_goal(file: MeshFile, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure a goal.

    Args:
        file: The scan as its gate hands it on, a mesh or a point cloud with normals.
        job: Name, sha256, declared unit and source.

    Raises:
        InputRefused: No mesh can be made of the file, or its unit cannot be told.
    """
    mesh, surface = read_oriented(file, name=job["name"])
    known = unit_of_file(mesh, job["unit"], name=job["name"])
    about = {"format": mesh.format, "triangles": len(mesh.faces), "unit": known.unit}
    found = measure_goal_surface(surface, dict(job) | about)
    return replace(found, unit_reason=known.reason(found.unit_reason))


def measure_goal_surface(surface: Oriented, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure a goal from points with normals in file units, with or without a mesh."""
    instrument = instrument_of_job(job)
    extent = float(np.linalg.norm(np.ptp(surface.points, axis=0)))
    fitting = [unit for unit, factor in FACTORS.items() if _WHOLE_MM[0] <= extent * factor <= _WHOLE_MM[1]]
    fitting.sort(key=lambda unit: abs(math.log(extent * FACTORS[unit] / _USUAL_MM)))
    if job["unit"] is not None:  # a goal found in another unit refuses the declared one
        fitting = [job["unit"], *(unit for unit in fitting if unit != job["unit"])]
    for unit in fitting:
        seen = see_goal(surface.scaled(FACTORS[unit]), instrument)
        if seen is not None:
            choice = decide_unit(seen.apart / FACTORS[unit], WINDOW, declared=job["unit"], name=job["name"])
            method = "cad" if instrument.is_design else "scan.extent"
            said = say(seen.ways, method=method, evidence=f"scan:{job['sha256'][:12]}", hidden=seen.hidden)
            pictures, renderer = draw_goal(surface.scaled(FACTORS[unit]), seen.frame, seen.board, said.readings, seen.lost)
            return _drawn(_measurement(surface, job, choice, said, facts_of(seen)), pictures, renderer)
    choice = UnitChoice(job["unit"] or "mm", "No goal was found, so the unit was not judged.")
    bare = _measurement(surface, job, choice, nothing(_NO_GOAL), {})
    return _drawn(bare, *scanned_views(surface_to_show(surface).scaled(FACTORS[choice.unit]), is_closed=False))


def _drawn(found: ScanMeasurement, pictures: tuple[Picture, ...], renderer: str) -> ScanMeasurement:
    return replace(found, pictures=pictures, engine=drawn_by(found.engine, renderer))


def see_goal(surface: Oriented, instrument: Instrument) -> Seen | None:
    """Find and measure a goal in a surface in mm; None if it shows none."""
    surface = without_net(surface)
    mesh = surface.surface
    noise, is_drawing = _CLOUD_NOISE_MM, False
    calm = surface
    if mesh is not None:
        texture = texture_of(mesh)
        coarse = len(mesh.points) < _SCAN_DENSITY * float(surface.areas.sum())
        is_drawing = coarse or texture.is_faceted
        noise = 0.0 if is_drawing else texture.noise
        if not is_drawing:
            calm = Oriented(surface.points, surface.normals, surface.areas, smoothed(mesh))
    places, normals = area_samples(calm, _DENSE)
    sheets = find_sheets(places[::4], normals[::4])
    bare = ~sheets.hold(places, normals)
    few = np.random.default_rng(1).permutation(np.flatnonzero(bare))[:_SAMPLES]
    rough = distinct(
        [bar for bar in (rough_bar(line, places[few], normals[few]) for line in find_lines(places[few], normals[few])) if bar]
    )
    if is_drawing:
        points, areas = places[bare], np.full(int(bare.sum()), float(surface.areas.sum()) / len(places))
    else:
        thin = surface.thinned()
        clear = ~sheets.hold(thin.points, thin.normals)
        points, areas = thin.points[clear], thin.areas[clear]
    fitted = [fit_bar(bar, clear_runs(bar, rough), points, areas, is_drawing=is_drawing, noise=noise) for bar in rough]
    bars = [bar for bar in fitted if bar is not None]
    lost = [bar for bar, exact in zip(rough, fitted, strict=True) if exact is None and bar.length > _BAR_MM]
    hidden = {f"unclear_bar_{n + 1}": _UNCLEAR.format(bar.length) for n, bar in enumerate(lost)}
    frames = find_frames(bars)
    if not frames:
        return None
    each = float(surface.areas.sum()) / len(places)
    stood = [(frame, find_board(frame, places, normals, each)) for frame in frames]
    # Posts that lean far off the board are no posts, if there is a better way to see a goal.
    sound = [(frame, board) for frame, board in stood if board is not None and board.up @ frame.up > _UPRIGHT]
    ways = [measure_frame(frame, board, instrument) for frame, board in sound or stood]
    return Seen(
        ways,
        _apart((sound or stood)[0][0].bars),
        hidden,
        0.0 if is_drawing else float(np.median([bar.scatter for bar in bars])),
        len(bars),
        *(sound or stood)[0],
        lost,
    )


def _apart(bars: dict[str, Bar]) -> float:
    gap: Floats = bars["post_right"].middle - bars["post_left"].middle
    along = bars["post_left"].direction
    return float(np.linalg.norm(gap - (gap @ along) * along))


def facts_of(seen: Seen) -> dict[str, str]:
    """Return what else is known, as words and decimal strings; nothing of it is judged."""
    best = seen.ways[0]
    facts = {"bars_measured": str(seen.bars), "noise": f"{seen.noise:.3f} mm"}
    for face, length in best.depths.items():
        words = face.replace("_", " ")
        facts[f"back_bar_from_posts_{face}"] = (
            f"{length.value:.2f} mm, U {length.tally.expanded} mm, from the posts' {words} to the back bar's farther face"
        )
    if len(seen.ways) > 1:
        facts["ways_to_see_it"] = (
            f"{len(seen.ways)}: posts and side bars are so alike that what is a post cannot be told; lengths that depend on it "
            "are bounds"
        )
    return facts | best.facts


def _measurement(
    surface: Oriented, job: Mapping[str, Any], choice: UnitChoice, said: Said, facts: dict[str, str]
) -> ScanMeasurement:
    choice = replace(choice, is_assumed=job["unit"] is None)
    blank = blank_of(job, choice, form=job["format"], triangles=job["triangles"], closed=surface.is_closed, algorithm=ALGORITHM)
    return replace(
        blank,
        readings=said.readings,
        unmeasured=said.unmeasured,
        budgets=said.budgets,
        facts=MappingProxyType(facts),
    )
