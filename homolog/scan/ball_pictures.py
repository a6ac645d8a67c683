"""The pictures of a measured ball: in the plane of its largest and its smallest diameter, and from behind."""

from __future__ import annotations

import math

import numpy as np

from homolog.quantity import Reading
from homolog.scan.ball_body import Ball, seen_directions
from homolog.scan.ball_diameter import DIAMETER
from homolog.scan.ball_form import Form
from homolog.scan.marks import Picture
from homolog.scan.oriented import Oriented
from homolog.scan.plain_pictures import TONES
from homolog.scan.render import render
from homolog.scan.sheet import Sheet, readings_by_place
from homolog.scan.sight import Eye
from homolog.scan.surface import Floats
from homolog.scan.surfels import surface_to_show

_WHOLE = 0.97
"""Share of the ball from which on nothing is said of what was not seen."""
_PIXELS_PER_MM = 10.0
FRONT = np.eye(3)
BACK = np.diag([-1.0, 1.0, -1.0])


def draw_ball(surface: Oriented, ball: Ball, readings: tuple[Reading, ...]) -> tuple[tuple[Picture, ...], str]:
    """Draw a ball in mm; return the pictures, and what drew them."""
    frame = _plane(ball.form)
    shown = surface_to_show(surface)
    shown = shown.moved((shown.points - ball.form.centre) @ frame)
    eye = Eye(shown, is_closed=False)
    by_place = readings_by_place(readings)
    unseen = _unseen(surface, ball, frame)
    views = [
        (
            "plane",
            "In the plane of the largest and the smallest diameter",
            FRONT,
            "The ball seen across its largest and its smallest diameter.",
        )
    ]
    if unseen is not None:
        views.append(("reverse", "From behind", BACK, "The ball from the other side."))
    pictures = []
    for name, title, axes, says in views:
        view = render(eye, axes, np.zeros(len(shown.faces), np.int64), TONES, _PIXELS_PER_MM)
        sheet = Sheet.of(view, axes, 1.02 * ball.form.mean.length / 2)
        _circle(sheet, ball.form)
        if name == "plane" and readings:
            _diameters(sheet, ball.form, frame)
        if unseen is not None and (unseen @ axes)[2] >= -0.2:
            sheet.spot("not_seen", 0.8 * unseen * ball.form.mean.length / 2, "right", f"{100 * (1 - ball.coverage):.0f} %")
        pictures.append(sheet.picture(name, title, says, by_place))
    return tuple(pictures), eye.renderer


def _circle(sheet: Sheet, form: Form) -> None:
    """Draw the circle of the mean diameter."""
    radius = form.mean.length / 2
    angle = np.linspace(0.0, 2 * math.pi, 97)[:-1]
    circle = [(float(radius * math.cos(a)), float(radius * math.sin(a))) for a in angle]
    for a, b in zip(circle, [*circle[1:], circle[0]], strict=True):
        sheet.drawing.line(a, b, weight=0.05)


def _diameters(sheet: Sheet, form: Form, frame: Floats) -> None:
    across = np.array([1.0, 0.0, 0.0])
    half = form.smallest.length / 2 * (form.smallest_way @ frame)
    sheet.beside(DIAMETER, -across * form.largest.length / 2, across * form.largest.length / 2, "above", "largest")
    sheet.within(DIAMETER, -half, half, "below", "smallest")
    sheet.beside(DIAMETER, -across * form.mean.length / 2, across * form.mean.length / 2, "below", "least_squares")


def _plane(form: Form) -> Floats:
    """Return the frame whose x is the largest diameter, and in whose plane of x and y the smallest lies."""
    x = form.largest_way
    y = form.smallest_way - (form.smallest_way @ x) * x
    if np.linalg.norm(y) < 1e-6:
        y = np.eye(3)[int(np.abs(x).argmin())]
        y = y - (y @ x) * x
    y = y / np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def _unseen(surface: Oriented, ball: Ball, frame: Floats) -> Floats | None:
    """Return the middle of what was not seen of the ball, as a direction; None if it was seen nearly whole."""
    if ball.coverage >= _WHOLE:
        return None
    ways, is_seen = seen_directions(surface, ball)
    middle = ways[~is_seen].mean(axis=0)
    return np.asarray(middle / max(float(np.linalg.norm(middle)), 1e-9) @ frame)
