"""The pictures of a measured playing figure: three views."""

from __future__ import annotations

import numpy as np

from homolog.scan.figure_sizes import (
    BASE_DIAMETER,
    BASE_HEIGHT,
    HEIGHT,
    RIM_HEIGHT,
    THICKNESS,
    UNDERSIDE,
    WIDTH,
    WITHOUT_BASE,
    FigureSizes,
)
from homolog.scan.figure_stand import Standing
from homolog.scan.marks import Picture
from homolog.scan.plain_pictures import pixels_for
from homolog.scan.render import render
from homolog.scan.sheet import FRONT, SIDE, TOP, Sheet, ends_along, readings_by_place
from homolog.scan.sight import Eye
from homolog.scan.surface import Floats

_TONES = ((150.0, 250.0), (95.0, 195.0))


class _Scene:
    """The figure turned so that its width lies along x."""

    def __init__(self, stand: Standing, sizes: FigureSizes) -> None:
        turn = np.eye(3) if sizes.turn is None else sizes.turn
        self.surface = stand.calm.moved(stand.calm.points @ turn)
        self.eye = Eye(self.surface)
        middle = self.surface.corners.mean(axis=1)
        reach = np.hypot(middle[:, 0], middle[:, 1])
        self.tone = np.where(middle[:, 2] < stand.base.surface_at(reach) + 0.05 + 3 * stand.noise, 1, 0)
        self.readings = readings_by_place(sizes.readings)
        self.figure = None if sizes.figure is None else self.surface.points[sizes.figure]
        holes = sorted(stand.holes, key=lambda hole: -hole.area)
        self.rims = [hole.rim @ turn for hole in holes]
        self.areas = [hole.area for hole in holes]
        self.base, self.open_below = stand.base, stand.open_below
        self.radius = stand.outline.diameter / 2
        self.centre = np.array([*stand.outline.centre, 0.0]) @ turn

    def sheet(self, axes: Floats) -> Sheet:
        view = render(self.eye, axes, self.tone, _TONES, pixels_for(self.surface))
        sheet = Sheet.of(view, axes)
        sheet.hatch(self.rims, self.areas, view)
        return sheet

    def at(self, toward: Floats, z: float) -> Floats:
        """Return a place of the base's outline."""
        return np.asarray(self.centre + self.radius * toward + np.array([0.0, 0.0, z]))

    def middle(self, z: float) -> Floats:
        """Return a place on the base's axis."""
        return np.asarray(self.centre + np.array([0.0, 0.0, z]))


def draw_figure(stand: Standing, sizes: FigureSizes) -> tuple[tuple[Picture, ...], str]:
    """Draw a figure that stands upright; return the pictures, and what drew them."""
    scene = _Scene(stand, sizes)
    return (_front(scene), _side(scene), _top(scene)), scene.eye.renderer


def _heights(scene: _Scene, sheet: Sheet, toward: Floats) -> None:
    """Mark the heights: the figure's on the left, the base's on the right, where `toward` points."""
    ground, top = scene.base.ground.z, scene.base.top.z
    under = {sense: scene.middle(ground) if scene.base.kind == "bowl" else scene.at(sense * toward, ground) for sense in (-1, 1)}
    if scene.figure is not None:
        _, head = ends_along(scene.figure, 2)
        # In mid-air beside the head: the figure's own feet hide where the base's top lies.
        sheet.beside(WITHOUT_BASE, scene.at(-toward, top), head, "left")
        sheet.beside(HEIGHT, under[-1], head, "left")
    sheet.beside(BASE_HEIGHT, under[1], scene.middle(top) if scene.base.is_domed else scene.at(toward, top), "right")
    if scene.base.rim is not None:
        sheet.beside(RIM_HEIGHT, under[1], scene.at(toward, scene.base.rim.z), "right")
    if scene.base.step:
        sheet.spot("base_top", scene.at(0.7 * toward, scene.base.edge), "right")
    if scene.open_below:
        sheet.spot(UNDERSIDE, scene.middle(ground), "right")


def _front(scene: _Scene) -> Picture:
    sheet = scene.sheet(FRONT)
    toward = FRONT[:, 0]
    _heights(scene, sheet, toward)
    if scene.figure is not None:
        sheet.beside(WIDTH, *ends_along(scene.figure, 0), "above")
    sheet.beside(BASE_DIAMETER, scene.at(-toward, scene.base.edge), scene.at(toward, scene.base.edge), "below")
    return sheet.picture(
        "front", "Front view", "The figure from the front, upright on its base, which is shown darker.", scene.readings
    )


def _side(scene: _Scene) -> Picture:
    sheet = scene.sheet(SIDE)
    if scene.figure is not None:
        sheet.beside(THICKNESS, *ends_along(scene.figure, 1), "above")
    _heights(scene, sheet, SIDE[:, 0])
    return sheet.picture(
        "side", "Side view", "The figure from the side, upright on its base, which is shown darker.", scene.readings
    )


def _top(scene: _Scene) -> Picture:
    sheet = scene.sheet(TOP)
    if scene.figure is not None:
        sheet.beside(THICKNESS, *ends_along(scene.figure, 1), "above")
        sheet.beside(WIDTH, *ends_along(scene.figure, 0), "left")
    across = TOP[:, 0]
    sheet.beside(BASE_DIAMETER, scene.at(-across, scene.base.edge), scene.at(across, scene.base.edge), "below")
    says = "The figure from above; the base, shown darker, below it."
    return sheet.picture("top", "Top view", says, scene.readings)
