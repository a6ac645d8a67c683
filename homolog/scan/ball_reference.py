"""Reading a scanned reference: the diameter of a ball, or of two and their distance, with what the scan alone leaves open."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from homolog.errors import InputRefused
from homolog.gate.mesh import MeshFile
from homolog.quantity import Reading
from homolog.scan.ball_body import Ball, take_ball
from homolog.scan.ball_diameter import EXTREMES_COVERAGE, read_diameters
from homolog.scan.ball_names import DIAMETER, DISTANCE
from homolog.scan.ball_sphere import Found, Sphere, find_ball, search_sphere
from homolog.scan.blank import blank_of
from homolog.scan.budget import LENGTH_STEP, Tally, rounded
from homolog.scan.measurement import ScanMeasurement
from homolog.scan.oriented import Oriented, read_oriented
from homolog.scan.readers.unit import unit_of_file
from homolog.scan.sources import Instrument
from homolog.scan.unit import FACTORS
from homolog.scan.window import Window, decide_unit

ALGORITHM = "ball-reference-1"
_BARE = Instrument(source="structured_light", effects=())
# A reference's diameter is known, so that no scan of it is farther off than this and still one.
_WITHIN = 0.2
_BAND = 0.028
_CLEAR = 1.1


def measure_reference(file: MeshFile, job: Mapping[str, Any]) -> ScanMeasurement:
    """Read a reference ball or a bar of two.

    Args:
        file: The scan as its gate hands it on, a mesh or a point cloud with normals.
        job: Name, sha256, declared unit, and the `reference`: its `diameter` and `distance` in mm, the latter None for a ball.

    Returns:
        Diameters at the places `ball_1`, `ball_1_largest` and `ball_1_smallest` and so on, and the distance of two; U holds
        noise, facets and unseen sides, and nothing of the scanner.

    Raises:
        InputRefused: The file shows no such reference, or too little of it, or its unit cannot be told.
    """
    name, diameter = job["name"], float(job["reference"]["diameter"])
    is_bar = job["reference"]["distance"] is not None
    mesh, surface = read_oriented(file, name=name)
    known = unit_of_file(mesh, job["unit"], name=name)
    balls = find_two(surface.thinned()) if is_bar else [find_ball(surface.thinned())]
    found = [ball for ball in balls if ball is not None]
    if len(found) < len(balls):
        todo = "export the reference alone, with nothing around it"
        what = "the file shows no two balls" if is_bar else "the file shows no ball"
        raise InputRefused.because(what, where=name, todo=todo, code="reference_unseen")
    window = Window(
        item="reference ball",
        what="the diameter of the sphere in it",
        low=(1 - _WITHIN) * diameter,
        high=(1 + _WITHIN) * diameter,
    )
    choice = decide_unit(2 * found[0].sphere.radius, window, declared=known.unit, name=name)
    factor = FACTORS[choice.unit]
    taken = [take_ball(surface.scaled(factor), ball.scaled(factor)) for ball in found]
    for ball in taken:
        if ball.coverage < EXTREMES_COVERAGE:
            what = f"the scan shows {100 * ball.coverage:.0f} % of the ball, and a reference needs {100 * EXTREMES_COVERAGE:.0f} %"
            raise InputRefused.because(what, where=name, todo="scan it from more sides", code="reference_partial")
    evidence = f"scan:{job['sha256'][:12]}"
    readings = [reading for number, ball in enumerate(taken, 1) for reading in _diameters(ball, number, evidence)]
    if is_bar:
        readings.append(_distance(taken, evidence))
    choice = replace(choice, reason=known.reason(choice.reason), is_assumed=known.unit is None)
    blank = blank_of(job, choice, form=mesh.format, triangles=len(mesh.faces), closed=surface.is_closed, algorithm=ALGORITHM)
    return replace(
        blank,
        readings=tuple(readings),
        facts=MappingProxyType(
            {f"ball_{number}_coverage": f"{100 * ball.coverage:.0f} %" for number, ball in enumerate(taken, 1)}
            | {f"ball_{number}_noise": f"{ball.noise:.3f} mm" for number, ball in enumerate(taken, 1)}
        ),
    )


def find_two(surface: Oriented) -> list[Found | None]:
    """Find the two balls of a bar: the two spheres on which most of the surface lies, clear of each other."""
    free = np.ones(len(surface.points), bool)
    found: list[Found | None] = []
    for _ in range(2):
        sphere = search_sphere(surface, free)
        if sphere is None:
            return [None, None]
        on = free & (np.abs(sphere.off(surface.points)) < _BAND * sphere.radius)
        found.append(_found(surface, sphere, on))
        free &= np.linalg.norm(surface.points - sphere.centre, axis=1) > _CLEAR * sphere.radius
    first, second = (ball.sphere.radius for ball in found if ball is not None)
    return found if abs(first - second) < _WITHIN * first else [None, None]


def _found(surface: Oriented, sphere: Sphere, on: np.ndarray[Any, np.dtype[np.bool_]]) -> Found:
    share = float(surface.areas[on].sum() / surface.areas.sum())
    return Found(sphere, on, np.zeros(len(on), bool), None, share)


def _diameters(ball: Ball, number: int, evidence: str) -> list[Reading]:
    readings, _, _ = read_diameters(ball, _BARE, evidence=evidence)
    places = {"least_squares": f"ball_{number}"}
    return [
        replace(reading, quantity=DIAMETER, place=places.get(reading.place or "", f"ball_{number}_{reading.place}"))
        for reading in readings
    ]


def _distance(balls: list[Ball], evidence: str) -> Reading:
    one, other = balls
    apart = float(np.linalg.norm(one.form.centre - other.form.centre))
    tally = Tally(DISTANCE)
    for ball in balls:
        tally.add("noise", "Where the centre of a ball lies", _centre_u(ball))
    return Reading(
        quantity=DISTANCE,
        unit="mm",
        value=rounded(apart, LENGTH_STEP),
        expanded_uncertainty=tally.expanded,
        method="scan.extent",
        evidence=evidence,
    )


def _centre_u(ball: Ball) -> float:
    """Return the standard uncertainty of a centre in its worst direction: a shift is a wave of the first order."""
    first = np.array(ball.form.orders) == 1
    return math.sqrt(3 * float(np.linalg.eigvalsh(ball.form.covariance[np.ix_(first, first)]).max()))
