"""Measuring a ball: from a mesh or a point cloud to readings of its diameter.

The rule gives a ball one diameter, so every diameter has to keep the limits: the largest and the smallest decide, and
the least-squares one, which lies between them, says what the ball is like as a whole. A ball needs no closed surface. What
a partial scan does not show stays in the uncertainty; where too little is seen, the extremes become bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from homolog.gate.mesh import MeshFile
from homolog.quantity import Reading, Unmeasured
from homolog.scan.ball_body import Ball, take_ball
from homolog.scan.ball_diameter import DIAMETER, EXTREMES_COVERAGE, MEAN_COVERAGE, read_diameters
from homolog.scan.ball_pictures import draw_ball
from homolog.scan.ball_reference import measure_reference
from homolog.scan.ball_sphere import find_ball
from homolog.scan.blank import blank_of
from homolog.scan.correction import corrected_ball
from homolog.scan.engine import drawn_by
from homolog.scan.marks import Picture
from homolog.scan.measurement import Budget, ScanMeasurement
from homolog.scan.oriented import Oriented, read_oriented
from homolog.scan.plain_pictures import scanned_views
from homolog.scan.readers.unit import unit_of_file
from homolog.scan.sources import Instrument, instrument_of_job
from homolog.scan.surfels import surface_to_show
from homolog.scan.unit import FACTORS, UnitChoice
from homolog.scan.window import Window, decide_unit

ALGORITHM = "ball-1"
WINDOW = Window(item="ball", what="the diameter of the sphere in it", low=14.0, high=34.0)
MIN_SHARE = 0.5
"""Share of the file's surface that must lie on the ball."""


def measure_ball(file: MeshFile, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure a ball.

    Args:
        file: The scan as its gate hands it on, a mesh or a point cloud with normals.
        job: Name, sha256, declared unit and source, and the material's `density` in g/cm3 if stated; a `reference` if the ball is
            one, whose known lengths tell it apart from an article.

    Raises:
        InputRefused: No mesh can be made of the file, or its unit cannot be told.
    """
    if job.get("reference") is not None:
        return measure_reference(file, job)
    mesh, surface = read_oriented(file, name=job["name"])
    known = unit_of_file(mesh, job["unit"], name=job["name"])
    about = {"format": mesh.format, "triangles": len(mesh.faces), "unit": known.unit}
    found = measure_ball_surface(surface, dict(job) | about)
    return replace(found, unit_reason=known.reason(found.unit_reason))


def measure_ball_surface(surface: Oriented, job: Mapping[str, Any]) -> ScanMeasurement:
    """Measure a ball from points with normals in file units, with or without a mesh."""
    instrument = instrument_of_job(job)
    found = find_ball(surface.thinned())
    if found is None or found.share < MIN_SHARE:
        seen = "no sphere" if found is None else f"a sphere on only {100 * found.share:.0f} % of its surface"
        reason = f"the file shows {seen}; export the ball alone, or measure it with a caliper"
        choice = UnitChoice(job["unit"] or "mm", "No ball was found, so the unit was not judged.")
        bare = _measurement(surface, job, choice, (), (Unmeasured(quantity=DIAMETER, reason=reason),), (), {})
        shown = surface_to_show(surface).scaled(FACTORS[choice.unit])
        return _drawn(bare, *scanned_views(shown, is_closed=False))
    choice = decide_unit(2 * found.sphere.radius, WINDOW, declared=job["unit"], name=job["name"])
    found = found.scaled(FACTORS[choice.unit])
    solid = corrected_ball(surface.scaled(FACTORS[choice.unit]), found, instrument)
    ball = take_ball(solid, found)
    readings, unmeasured, budgets = read_diameters(ball, instrument, evidence=f"scan:{job['sha256'][:12]}")
    measured = _measurement(surface, job, choice, readings, unmeasured, budgets, facts_of(ball, instrument, job.get("density")))
    return _drawn(measured, *draw_ball(solid, ball, readings))


def _drawn(found: ScanMeasurement, pictures: tuple[Picture, ...], renderer: str) -> ScanMeasurement:
    return replace(found, pictures=pictures, engine=drawn_by(found.engine, renderer))


def facts_of(ball: Ball, instrument: Instrument, density: str | None) -> dict[str, str]:
    """Return what else is known, as decimal strings with their units; nothing of it is judged."""
    facts = {
        "coverage": f"{100 * ball.coverage:.0f} %",
        "surface_on_ball": f"{100 * ball.share:.1f} %",
        "noise": f"{ball.noise:.3f} mm",
        "facet_depth": f"{ball.depth:.3f} mm",
    }
    if ball.coverage >= EXTREMES_COVERAGE:
        facts["sphericity"] = f"{ball.form.sphericity:.3f} mm, waves up to the {max(ball.form.orders)}th order, without the noise"
    outer = ball.form.mean.length
    volume = math.pi / 6 * outer**3
    if ball.inner is not None:
        inner = ball.inner.mean.length
        wall = (outer - inner) / 2
        apart = float(np.linalg.norm(ball.inner.centre - ball.form.centre))
        volume -= math.pi / 6 * inner**3
        facts |= {
            "inner_diameter": f"{inner:.3f} mm",
            "wall_thickness": f"{wall:.3f} mm",
            "wall_thinnest": f"{max(wall - apart, 0.0):.3f} mm",
        }
    facts["material"] = "hollow, as the file shows" if ball.inner is not None else "the file shows no inside"
    if density is not None and ball.coverage >= MEAN_COVERAGE:
        grams = volume / 1000 * float(density)
        # The wall's two surfaces err alike: both lie outward by the offset; a full ball has one.
        spread = math.pi * outer**2 * 2 * (2 if ball.inner is not None else 1) * instrument.offset_mm / 1000 * float(density)
        what = "mass_estimate" if ball.inner is not None else "mass_if_solid"
        facts[what] = f"{grams:.2f} g, give or take {spread:.2f} g, at the stated {density} g/cm3; an estimate, no weighing"
    return facts


def _measurement(
    surface: Oriented,
    job: Mapping[str, Any],
    choice: UnitChoice,
    readings: tuple[Reading, ...],
    unmeasured: tuple[Unmeasured, ...],
    budgets: tuple[Budget, ...],
    facts: dict[str, str],
) -> ScanMeasurement:
    choice = replace(choice, is_assumed=job["unit"] is None)
    blank = blank_of(job, choice, form=job["format"], triangles=job["triangles"], closed=surface.is_closed, algorithm=ALGORITHM)
    return replace(
        blank,
        readings=readings,
        unmeasured=unmeasured,
        budgets=budgets,
        facts=MappingProxyType(facts),
    )
