"""The pictures of a measured goalkeeper: three views, and the section through the rod's root."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homolog.quantity import Reading
from homolog.scan.drawing import Drawing
from homolog.scan.holes import Hole
from homolog.scan.marks import Picture
from homolog.scan.outlines import chained
from homolog.scan.posture import Posture
from homolog.scan.render import View, render
from homolog.scan.rodsizes import RodSizes
from homolog.scan.section import cut_faces
from homolog.scan.sheet import FRONT, SIDE, TOP, Readings, Sheet, ends_along, readings_by_place
from homolog.scan.sight import Eye
from homolog.scan.sizes import Sizes
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Floats, Ints, highest, lowest, middle_of, normals_and_areas

_TONES = ((150.0, 250.0), (70.0, 150.0), (30.0, 95.0))
_VOLUME = "goalkeeper.volume.outer"
_HEIGHT, _WIDTH = "goalkeeper.height", "goalkeeper.width"
_THICKNESS = "goalkeeper.figure_thickness.in_playing_position"
_ROD_LENGTH, _ROD_WIDTH, _HANDLE = "goalkeeper.rod_length", "goalkeeper.rod_width", "goalkeeper.handle_length"
_WINDOW = 16.0


class _Scene:
    """The article in its body's frame, with rod and handle told apart."""

    def __init__(self, parts: Parts, rod: Rod, posture: Posture, limb: RodSizes, readings: Readings) -> None:
        self.readings = readings
        turn = _picture_turn(parts, rod, posture, limb)
        self.frame = posture.frame @ turn
        self.origin = posture.origin
        surface = parts.calm.moved(self.placed(parts.calm.points))
        self.eye = Eye(surface)
        self.tone: Ints = np.where(rod.cut.is_rod, 1, 0)
        self.root, self.handle, self.tip = (None if at is None else self.placed(at) for at in (limb.root, limb.handle, limb.tip))
        if self.handle is not None and self.tip is not None:
            axis = (self.tip - self.handle) / np.linalg.norm(self.tip - self.handle)
            beyond = (middle_of(surface.corners) - self.handle) @ axis > -0.05
            self.tone = np.where(rod.cut.is_rod & beyond, 2, self.tone)
        body = surface.corners[rod.cut.is_body]
        self.body: Floats = body.reshape(-1, 3)
        self.figure: Floats = body[lowest(body[:, :, 2]) >= posture.figure_floor].reshape(-1, 3)

    def placed(self, points: Floats) -> Floats:
        return np.asarray((points - self.origin) @ self.frame)

    def seen(self, axes: Floats, pixels_per_mm: float, holes: tuple[Hole, ...]) -> tuple[Sheet, View]:
        view = render(self.eye, axes, self.tone, _TONES, pixels_per_mm)
        sheet = Sheet.of(view, axes)
        ordered = sorted(holes, key=lambda hole: -hole.area)
        rims = [self.placed(hole.points if len(hole.points) == 3 else hole.points[:-1]) for hole in ordered]
        sheet.hatch(rims, [hole.area for hole in ordered], view)
        return sheet, view


def _picture_turn(parts: Parts, rod: Rod, posture: Posture, limb: RodSizes) -> Floats:
    """Turn the body so that the rod leaves to the back (-y), and a body without base with its broader half up."""
    turn = np.eye(3)
    if posture.base is None:
        middle = posture.local(middle_of(parts.calm.corners[rod.cut.is_body]))
        _, areas = normals_and_areas(parts.calm.corners[rod.cut.is_body])
        upper = middle[:, 2] > (middle[:, 2].max() + middle[:, 2].min()) / 2
        broad = areas * middle[:, 0] ** 2
        if broad[upper].sum() < broad[~upper].sum():
            turn = np.diag([-1.0, 1.0, -1.0])
    tip = posture.local(limb.tip) @ turn if limb.tip is not None else np.zeros(3)
    return turn if tip[1] < 0 else turn @ np.diag([-1.0, -1.0, 1.0])


def draw_keeper(
    parts: Parts, rod: Rod, sizes: Sizes, limb: RodSizes, readings: Sequence[Reading], holes: tuple[Hole, ...] = ()
) -> tuple[tuple[Picture, ...], str]:
    """Draw a goalkeeper that was taken apart and measured; return the pictures, and what drew them."""
    if sizes.posture is None:
        return (), ""
    scene = _Scene(parts, rod, sizes.posture, limb, readings_by_place(readings))
    pictures = (_front(scene, holes), _side(scene, holes), _top(scene, holes), _root_section(parts, rod, sizes.posture, scene))
    return pictures, scene.eye.renderer


def _front(scene: _Scene, holes: tuple[Hole, ...]) -> Picture:
    sheet, _ = scene.seen(FRONT, 7.0, holes)
    sheet.beside(_HEIGHT, *ends_along(scene.body, 2), "left")
    sheet.beside(_WIDTH, *ends_along(scene.body, 0), "below")
    sheet.whole(_VOLUME, scene.body.mean(axis=0), "right")
    return sheet.picture("front", "Front view", "The goalkeeper from the front, upright, its rod behind it.", scene.readings)


def _side(scene: _Scene, holes: tuple[Hole, ...]) -> Picture:
    sheet, _ = scene.seen(SIDE, 4.0, holes)
    sheet.beside(_THICKNESS, *ends_along(scene.figure, 1), "above")
    if scene.root is not None and scene.tip is not None:
        # Along the rod itself, which leaves aslant: beside the drawing it would be foreshortened.
        sheet.within(_ROD_LENGTH, scene.root, scene.tip if scene.handle is None else scene.handle, "below")
        if scene.handle is not None:
            sheet.within(_HANDLE, scene.handle, scene.tip, "below")
        reach = 2.2 * sheet.drawing.unit
        x, y = (scene.root @ SIDE)[:2].tolist()
        sheet.drawing.line((x, y - reach), (x, y + reach), weight=0.14, dashed=True)
        sheet.spot("cut", scene.root + np.array([0.0, 0.0, reach]), "above")
    says = (
        "The goalkeeper from the side; the rod, shown darker, leaves to the left and is cut off for the volume at the dashed line."
    )
    return sheet.picture("side", "Side view", says, scene.readings)


def _top(scene: _Scene, holes: tuple[Hole, ...]) -> Picture:
    sheet, _ = scene.seen(TOP, 4.0, holes)
    sheet.beside(_THICKNESS, *ends_along(scene.figure, 1), "above")
    if scene.root is not None and scene.tip is not None:
        middle = (scene.root + (scene.tip if scene.handle is None else scene.handle)) / 2
        sheet.whole(_ROD_WIDTH, middle, "below")
    says = "The goalkeeper from above; the rod, shown darker, leaves to the left."
    return sheet.picture("top", "Top view", says, scene.readings)


def _root_section(parts: Parts, rod: Rod, posture: Posture, scene: _Scene) -> Picture:
    """Cut lengthwise through the rod's axis where it leaves the body, upright as far as the rod allows."""
    bend, cut = rod.junction.bend, rod.cut
    inward = bend.frame[:, 2]
    aside = np.cross(posture.frame[:, 2], inward)
    if np.linalg.norm(aside) < 0.2:  # the rod runs along the body
        aside = posture.frame[:, 0] - (posture.frame[:, 0] @ inward) * inward
    aside /= np.linalg.norm(aside)
    root = bend.point_at(cut.centre)
    height = ((parts.calm.points - root) @ aside)[parts.calm.faces]
    faces = parts.calm.corners[(lowest(height) < 1e-6) & (highest(height) > -1e-6)]
    section = cut_faces(faces, normals_and_areas(faces)[0], root, aside)
    x, y = section.frame[:, :2].T @ inward, section.frame[:, :2].T @ np.cross(inward, aside)
    flat = np.stack([section.ends @ x, section.ends @ y], axis=-1)
    sheet = Sheet(Drawing(-_WINDOW, -_WINDOW, 2 * _WINDOW, 2 * _WINDOW, unit=1.1), np.eye(3))
    drawing = sheet.drawing
    drawing.outline(chained(flat), fill="#dddddd")
    radius = rod.junction.radius
    rim = (-_WINDOW, -radius), (0.0, -radius), (0.0, radius), (-_WINDOW, radius)
    drawing.outline([rim], fill="#777777", weight=0.06)
    drawing.line((0.0, -radius - 4.0), (0.0, radius + 4.0), weight=0.14, dashed=True)
    sheet.spot("cut", np.array([0.0, radius + 4.0, 0.0]), "above")
    sheet.beside(_ROD_WIDTH, np.array([-_WINDOW, -radius, 0.0]), np.array([-_WINDOW, radius, 0.0]), "left")
    says = (
        "A cut lengthwise through the rod where it meets the body: the body in light grey, the rod that was taken off in dark grey "
        "to the left of the dashed line."
    )
    return sheet.picture("root", "Section along the rod at its root", says, scene.readings)
