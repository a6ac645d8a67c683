"""The pictures of a measured goalkeeper: three views with dimensions, and the section through the rod's root."""

from __future__ import annotations

import itertools
from decimal import ROUND_CEILING, Decimal

import numpy as np

from homolog.quantity import Reading
from homolog.scan.drawing import Drawing
from homolog.scan.hatching import strokes
from homolog.scan.holes import Hole
from homolog.scan.measurement import Picture
from homolog.scan.png import data_uri
from homolog.scan.posture import Posture
from homolog.scan.render import View, render
from homolog.scan.rodsizes import RodSizes
from homolog.scan.section import cut_faces
from homolog.scan.sizes import Sizes
from homolog.scan.split import Parts, Rod
from homolog.scan.surface import Floats, Ints, lowest, middle_of, normals_and_areas

_HATCH_MM = 0.5
_MOST_HATCHED = 60
_TONES = ((150.0, 250.0), (70.0, 150.0), (30.0, 95.0))
_SHORT = {
    "goalkeeper.height": "height",
    "goalkeeper.width": "width",
    "goalkeeper.figure_thickness.in_playing_position": "thickness",
    "goalkeeper.rod_length": "rod",
    "goalkeeper.rod_width": "rod width",
    "goalkeeper.handle_length": "handle",
}


class _Scene:
    """The article in its body's frame, with rod and handle told apart."""

    def __init__(self, parts: Parts, rod: Rod, sizes: Sizes, limb: RodSizes, posture: Posture, holes: tuple[Hole, ...]) -> None:
        self.sizes = sizes
        self.readings = {reading.quantity: reading for reading in (*sizes.readings, *limb.readings)}
        turn = _picture_turn(parts, rod, posture, limb)
        self.corners = posture.local(parts.calm.points[parts.calm.faces]) @ turn
        self.holes = [posture.local(hole.points) @ turn for hole in holes]
        self.tone = np.where(rod.cut.is_rod, 1, 0)
        place = [None if point is None else posture.local(point) @ turn for point in (limb.root, limb.handle, limb.tip)]
        self.root, self.handle, self.tip = place
        if self.handle is not None and self.tip is not None:
            axis = (self.tip - self.handle) / np.linalg.norm(self.tip - self.handle)
            beyond = (middle_of(self.corners) - self.handle) @ axis > -0.05
            self.tone = np.where(rod.cut.is_rod & beyond, 2, self.tone)
        self.body = self.corners[rod.cut.is_body]
        self.figure = self.body[lowest(self.body[:, :, 2]) >= posture.figure_floor]

    def words(self, quantity: str) -> str:
        """Return a short name with the number that was measured."""
        reading = self.readings.get(quantity)
        return f"{_SHORT[quantity]} {said(reading)}" if reading is not None else f"{_SHORT[quantity]} not measured"


def said(reading: Reading | None) -> str:
    """Return a reading as short words."""
    if reading is None:
        return "not measured"
    if reading.value is None:
        return f"at most {reading.hi} {reading.unit}"
    wide = reading.expanded_uncertainty
    if not wide:
        return f"{reading.value} {reading.unit}"
    # A picture shows no more digits than U has.
    step = max(Decimal(1).scaleb(wide.adjusted() - 1), Decimal("0.001"))
    return f"{reading.value.quantize(step)} ± {wide.quantize(step, rounding=ROUND_CEILING)} {reading.unit}"


def _picture_turn(parts: Parts, rod: Rod, posture: Posture, limb: RodSizes) -> Floats:
    """Turn the body so that the rod leaves to the back (-y), and a body without base with its broader half up."""
    turn = np.eye(3)
    middle = posture.local(middle_of(parts.calm.corners[rod.cut.is_body]))
    if posture.base is None:
        _, areas = normals_and_areas(parts.calm.corners[rod.cut.is_body])
        upper = middle[:, 2] > (middle[:, 2].max() + middle[:, 2].min()) / 2
        broad = areas * middle[:, 0] ** 2
        if broad[upper].sum() < broad[~upper].sum():
            turn = np.diag([-1.0, 1.0, -1.0])
    tip = posture.local(limb.tip) @ turn if limb.tip is not None else np.zeros(3)
    return turn if tip[1] < 0 else turn @ np.diag([-1.0, -1.0, 1.0])


def draw_pictures(parts: Parts, rod: Rod, sizes: Sizes, limb: RodSizes, holes: tuple[Hole, ...] = ()) -> tuple[Picture, ...]:
    """Draw a goalkeeper that was taken apart and measured."""
    if sizes.posture is None:
        return ()
    scene = _Scene(parts, rod, sizes, limb, sizes.posture, holes)
    return (_front(scene), _side(scene), _top(scene), _root_section(parts, rod, sizes.posture, scene))


def _seen(scene: _Scene, axes: Floats, pixels_per_mm: float) -> View:
    return render((scene.corners.reshape(-1, 3) @ axes).reshape(-1, 3, 3), scene.tone, _TONES, pixels_per_mm)


def _box(points: Floats, axes: Floats) -> tuple[float, float, float, float]:
    flat = points.reshape(-1, 3) @ axes
    return float(flat[:, 0].min()), float(flat[:, 1].min()), float(flat[:, 0].max()), float(flat[:, 1].max())


def _canvas(view: View, unit: float, *, left: float, below: float, right: float, above: float) -> Drawing:
    drawing = Drawing(
        view.left - left * unit,
        view.top - view.height - below * unit,
        view.width + (left + right) * unit,
        view.height + (below + above) * unit,
        unit=unit,
    )
    drawing.image(data_uri(view.picture), view.left, view.top, view.width, view.height)
    return drawing


def _hatch(drawing: Drawing, scene: _Scene, axes: Floats) -> str:
    """Hatch the repaired places that face the viewer, and return what the description says of them."""
    count = 0
    flat = scene.corners @ axes if scene.holes else scene.corners
    for points in scene.holes[:_MOST_HATCHED]:
        rim = (points if len(points) == 3 else points[:-1]) @ axes
        if np.cross(rim - rim.mean(0), np.roll(rim, -1, axis=0) - rim.mean(0)).sum(0)[2] <= 0:
            continue
        if _is_hidden(rim.mean(0), flat):
            continue
        count += 1
        closed = np.vstack([rim, rim[:1]])[:, :2].tolist()
        pairs = [((a[0], a[1]), (b[0], b[1])) for a, b in itertools.pairwise(closed)]
        for a, b in (*pairs, *strokes(rim[:, :2], _HATCH_MM)):
            drawing.line(a, b, weight=0.05)
    if not count:
        return ""
    return f" {'One repaired place is' if count == 1 else f'{count} repaired places are'} hatched."


def _is_hidden(place: Floats, flat: Floats) -> bool:
    """Say whether a face (m, 3, 3) lies clearly nearer to the viewer, who looks along -z, than a place."""
    a, b, c = (flat[:, k, :2] - place[:2] for k in range(3))
    turns = np.array([p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a))])
    over = (turns > 0).all(axis=0)
    return bool((flat[over][:, :, 2].mean(axis=1) > place[2] + 0.5).any())


def _mark(drawing: Drawing, corners: Floats, axes: Floats, along: int) -> None:
    """Put a cross on the two points between which a length along the picture's x (0) or y (1) is taken."""
    flat = np.round(corners.reshape(-1, 3) @ axes, 5)[:, :2]
    arm = 0.4
    for at in (int(flat[:, along].argmin()), int(flat[:, along].argmax())):
        x, y = flat[at].tolist()
        drawing.line((x - arm, y - arm), (x + arm, y + arm), weight=0.06)
        drawing.line((x - arm, y + arm), (x + arm, y - arm), weight=0.06)


def _front(scene: _Scene) -> Picture:
    # Seen from +y: x runs to the left.
    axes = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    view = _seen(scene, axes, 7.0)
    unit = 2.0
    drawing = _canvas(view, unit, left=4.0, below=4.0, right=4.0, above=1.0)
    hatched = _hatch(drawing, scene, axes)
    x0, y0, x1, y1 = _box(scene.body, axes)
    _mark(drawing, scene.body, axes, 0)
    _mark(drawing, scene.body, axes, 1)
    drawing.dimension((x0, y0), (x0, y1), view.left - x0 - unit, scene.words("goalkeeper.height"))
    drawing.dimension((x0, y0), (x1, y0), view.top - view.height - y0 - 2.2 * unit, scene.words("goalkeeper.width"))
    title = "Front view"
    alt = (
        f"The goalkeeper from the front, upright, its rod behind it. {scene.words('goalkeeper.height').capitalize()}; "
        f"{scene.words('goalkeeper.width')}.{hatched}"
    )
    return Picture(name="front", title=title, alt=alt, svg=drawing.svg(title, alt))


def _side(scene: _Scene) -> Picture:
    # Seen from +x: y runs to the right, the rod to the left.
    axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    view = _seen(scene, axes, 4.0)
    unit = max(view.width / 60, 2.2)
    drawing = _canvas(view, unit, left=1.0, below=4.0, right=7.0, above=3.6)
    hatched = _hatch(drawing, scene, axes)
    _mark(drawing, scene.figure, axes, 0)
    x0, _, x1, top = _box(scene.figure, axes)
    drawing.dimension((x0, top), (x1, top), unit * 1.3, scene.words("goalkeeper.figure_thickness.in_playing_position"))
    bottom = view.top - view.height
    marks = [None if point is None else point @ axes for point in (scene.root, scene.handle, scene.tip)]
    root, handle, tip = marks
    if root is not None and tip is not None:
        end = tip if handle is None else handle
        level = bottom - unit * 1.6
        drawing.dimension((end[0], level), (root[0], level), -unit * 0.6, scene.words("goalkeeper.rod_length"))
        if handle is not None:
            drawing.dimension((tip[0], level), (handle[0], level), -unit * 0.6, scene.words("goalkeeper.handle_length"))
        reach = 2.2 * unit
        drawing.line((root[0], root[1] - reach), (root[0], root[1] + reach), weight=0.12, dashed=True)
        drawing.text(root[0] - 0.3 * unit, root[1] + reach * 0.75, "cut", anchor="end")
    title = "Side view"
    alt = (
        "The goalkeeper from the side; the rod, shown darker, leaves to the left and is cut off for the volume at the dashed line. "
        f"{scene.words('goalkeeper.figure_thickness.in_playing_position').capitalize()}; {scene.words('goalkeeper.rod_length')}; "
        f"{scene.words('goalkeeper.handle_length')}.{hatched}"
    )
    return Picture(name="side", title=title, alt=alt, svg=drawing.svg(title, alt))


def _top(scene: _Scene) -> Picture:
    # Seen from +z: y runs to the right, x downward.
    axes = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    view = _seen(scene, axes, 4.0)
    unit = max(view.width / 60, 2.2)
    drawing = _canvas(view, unit, left=1.0, below=3.0, right=7.0, above=3.0)
    hatched = _hatch(drawing, scene, axes)
    x0, _, x1, _ = _box(scene.figure, axes)
    drawing.dimension((x0, view.top), (x1, view.top), unit * 0.9, scene.words("goalkeeper.figure_thickness.in_playing_position"))
    if scene.root is not None and scene.tip is not None:
        end = scene.tip if scene.handle is None else scene.handle
        middle = (scene.root + end) / 2 @ axes
        drawing.text(float(middle[0]), view.top - view.height - 1.6 * unit, scene.words("goalkeeper.rod_width"))
        drawing.line((float(middle[0]), view.top - view.height - 0.6 * unit), (float(middle[0]), float(middle[1])), weight=0.05)
    title = "Top view"
    alt = (
        "The goalkeeper from above; the rod, shown darker, leaves to the left. "
        f"{scene.words('goalkeeper.figure_thickness.in_playing_position').capitalize()}; "
        f"{scene.words('goalkeeper.rod_width')}.{hatched}"
    )
    return Picture(name="top", title=title, alt=alt, svg=drawing.svg(title, alt))


def _root_section(parts: Parts, rod: Rod, posture: Posture, scene: _Scene) -> Picture:
    """Cut lengthwise through the rod's axis where it leaves the body, upright as far as the rod allows."""
    bend, cut = rod.junction.bend, rod.cut
    inward = bend.frame[:, 2]
    aside = np.cross(posture.frame[:, 2], inward)
    if np.linalg.norm(aside) < 0.2:  # the rod runs along the body
        aside = posture.frame[:, 0] - (posture.frame[:, 0] @ inward) * inward
    aside /= np.linalg.norm(aside)
    root = bend.point_at(cut.centre)
    faces = parts.calm.corners
    section = cut_faces(faces, normals_and_areas(faces)[0], root, aside)
    x, y = section.frame[:, :2].T @ inward, section.frame[:, :2].T @ np.cross(inward, aside)
    flat = np.stack([section.ends @ x, section.ends @ y], axis=-1)
    window = 16.0
    drawing = Drawing(-window, -window, 2 * window, 2 * window, unit=1.6)
    drawing.outline(chained(flat), fill="#dddddd")
    radius = rod.junction.radius
    rim = (-window, -radius), (0.0, -radius), (0.0, radius), (-window, radius)
    drawing.outline([rim], fill="#777777", weight=0.06)
    drawing.line((0.0, -radius - 4.0), (0.0, radius + 4.0), weight=0.14, dashed=True)
    drawing.text(-0.8, radius + 2.6, "cut", anchor="end")
    drawing.text(-window + 1.0, -window + 1.2, scene.words("goalkeeper.rod_width"), anchor="start")
    title = "Section along the rod at its root"
    alt = (
        "A cut lengthwise through the rod where it meets the body: the body in light grey, the rod that was taken off in dark grey "
        f"to the left of the dashed line. {scene.words('goalkeeper.rod_width').capitalize()}."
    )
    return Picture(name="root", title=title, alt=alt, svg=drawing.svg(title, alt))


def chained(ends: Floats) -> list[list[tuple[float, float]]]:
    """Join straight pieces (k, 2, 2) into closed outlines; pieces that close to nothing are left out."""
    keys: Ints = np.round(ends * 1e4).astype(np.int64)
    pieces = [(tuple(map(int, a)), tuple(map(int, b))) for a, b in keys if tuple(a) != tuple(b)]
    meets: dict[tuple[int, ...], list[int]] = {}
    for at, piece in enumerate(pieces):
        for key in piece:
            meets.setdefault(key, []).append(at)
    used = [False] * len(pieces)
    loops: list[list[tuple[float, float]]] = []
    for seed in range(len(pieces)):
        if used[seed]:
            continue
        used[seed] = True
        path = list(pieces[seed])
        while path[-1] != path[0]:
            following = next((at for at in meets[path[-1]] if not used[at]), None)
            if following is None:
                break
            used[following] = True
            a, b = pieces[following]
            path.append(b if a == path[-1] else a)
        if len(path) > 3:
            loops.append([(key[0] / 1e4, key[1] / 1e4) for key in path])
    return loops
