"""What reference balls scanned beside an article say of the scanner: its offset and scale, corrected for and with what is left.

**Model.** The scanner lays every surface outward by o and stretches lengths by 1 + s (see `sources`). A ball of the true
diameter D reads d = D + 2 o + D s + e, two balls of a bar whose centres are L apart read l = L + L s + e; e is what noise, the
certificate, the ball's own warmth and an offset that is not the same on two pieces add. An article's length between surfaces
of which n more move outward than inward reads L + n o + L s, a volume V + A o + 3 V s.

**Estimate.** s has a first guess of 0 with the u_s of the class (or of the scanner's certificate), o has none: what was measured
of it counts, not what was assumed. Least squares over the guess and all readings give o and s; being linear, the result is a
sum of every input with a fixed weight, so each input stays one cause that moves o and s together.

**One ball** cannot tell o from s. Least squares leaves s at 0 and takes o = (d - D) / 2, with the errors

    o - o_true = e / 2 + (D / 2) s_true        s - s_true = -s_true

so that a corrected length is wrong by n e / 2 + (n D / 2 - L) s_true. For a body's length (n = 2) the scale counts only by
L - D, by what the length differs from the ball; for an opening (n = -2) by L + D; for a volume by 3 V - A D / 2. With u_s the
standard uncertainties are

    u(L)^2 = n^2 (u_e^2 / 4 + u_t^2) + (n D / 2 - L)^2 u_s^2
    u(V)^2 = A^2 (u_e^2 / 4 + u_t^2) + (A D / 2 - 3 V)^2 u_s^2

**Correction.** A known systematic effect is corrected for (GUM 3.2.4): the scan's surface is moved inward by o and shrunk by
1 + s before anything is measured (`correction`), and the uncertainty of o and s takes the place of the class's.

**Two pieces.** Spray, gloss and rounding are not the same on ball and article. By how much is not known; we take a quarter of
the class's offset (k = 1) for the difference of two pieces, and no less than what the scanned ball itself is out of round by,
for a reference ball is round: half the spread of its diameters counts as evenly filled. Half of the variance belongs to each.

**Trust.** A ball that lies off by more than five standard deviations of the class is none, or has another diameter, and is
refused; so are references that contradict each other by more than four.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from homolog.errors import InputRefused
from homolog.quantity import Conditions
from homolog.scan.expansion import departure
from homolog.scan.sources import ClassFigures, Effect

BALL_EXPANSION = 1.2e-5
"""Of steel, per kelvin; ceramics, glass and carbide expand less. The largest of what reference balls are made of."""
TRANSFER_SHARE = 0.25
"""Of the class's offset, by which the offsets of two pieces differ (k = 1)."""
_OFF = 5.0
_APART = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One known length against what the scan reads of it, in mm; uncertainties are standard ones (k = 1).

    Attributes:
        label: What messages and budgets call it.
        surfaces: How many more of its surfaces move outward than inward: 2 for a ball, 0 for a distance of centres.
        u_read: Of what noise, facets and unseen sides give the reading.
        spread: Largest less smallest diameter, of a ball.
    """

    label: str
    surfaces: int
    true: float
    u_true: float
    read: float
    u_read: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Offset and scale of a scan, and the effects that stand for what is not known of them."""

    offset_mm: float
    scale: float
    effects: tuple[Effect, ...]


def calibrate(
    compared: Sequence[Compared], figures: ClassFigures, scale_u: float, scale_says: str, conditions: Conditions | None
) -> Calibration:
    """Return offset and scale from references, at least one of which is a ball.

    Args:
        compared: Known lengths against what was read.
        figures: Of the scanner's class.
        scale_u: Standard uncertainty of the scale before any reference was read.
        scale_says: Where that comes from.
        conditions: What the session was held in.

    Raises:
        InputRefused: A reference lies farther off than the class of scanner allows, or two contradict each other.
    """
    for one in compared:
        _refuse_implausible(one, figures)
    on_piece = transfer(compared, figures) / math.sqrt(2)
    rows = [(float(one.surfaces), one.true, one.read - one.true, _u_of(one, on_piece, conditions)) for one in compared]
    rows.append((0.0, 1.0, 0.0, scale_u))
    offset, scale, weights = _least_squares(rows)
    misfit = sum(((deviation - a * offset - b * scale) / u) ** 2 for a, b, deviation, u in rows)
    if len(rows) > 2 and misfit > _APART**2 * (len(rows) - 2):
        todo = "see their diameters, and whether all of them were scanned in one session with the same settings"
        names = " and ".join(one.label for one in compared)
        raise InputRefused.because(f"the references {names} contradict each other", todo=todo, code="reference_contradiction")
    causes = [
        Effect(
            "reference", f"{one.label}: its certificate, its reading, and what another piece of another finish differs by", *moved
        )
        for one, moved in zip(compared, _moved(weights[:-1], rows), strict=True)
    ]
    (prior,) = _moved(weights[-1:], rows[-1:])
    left = Effect("offset", "The offset of the article is not quite that of the reference", offset_mm=on_piece)
    return Calibration(offset_mm=offset, scale=scale, effects=(*causes, Effect("scale", scale_says, *prior), left))


def transfer(compared: Sequence[Compared], figures: ClassFigures) -> float:
    """Return by how much the offsets of two pieces differ (k = 1), mm."""
    uneven = max((one.spread for one in compared if one.surfaces), default=0.0) / 2
    return max(TRANSFER_SHARE * figures.offset_mm, uneven / 2 / math.sqrt(3))


def _u_of(one: Compared, on_piece: float, conditions: Conditions | None) -> float:
    warm = one.true * BALL_EXPANSION * departure(conditions)
    return math.hypot(one.u_true, one.u_read, warm, one.surfaces * on_piece)


def _least_squares(rows: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, list[tuple[float, float]]]:
    """Return offset and scale, and the weights with which every row's deviation enters either."""
    aa = sum(a * a / u**2 for a, _, _, u in rows)
    ab = sum(a * b / u**2 for a, b, _, u in rows)
    bb = sum(b * b / u**2 for _, b, _, u in rows)
    size = aa * bb - ab * ab
    weights = [((bb * a - ab * b) / (u**2 * size), (aa * b - ab * a) / (u**2 * size)) for a, b, _, u in rows]
    offset, scale = (sum(weight[at] * row[2] for weight, row in zip(weights, rows, strict=True)) for at in (0, 1))
    return offset, scale, weights


def _moved(weights: Sequence[tuple[float, float]], rows: Sequence[tuple[float, float, float, float]]) -> list[tuple[float, float]]:
    return [(weight[0] * row[3], weight[1] * row[3]) for weight, row in zip(weights, rows, strict=False)]


def _refuse_implausible(one: Compared, figures: ClassFigures) -> None:
    likely = math.hypot(one.surfaces * figures.offset_mm, one.true * figures.scale, one.u_true, one.u_read)
    off = one.read - one.true
    if abs(off) > _OFF * likely:
        what = (
            f"the scan reads {one.read:.3f} mm where {one.true:.3f} mm are known: {off:+.3f} mm is more than the "
            f"{_OFF * likely:.3f} mm that a scanner of this class may be off"
        )
        todo = "see the diameter and the unit, and whether the reference was scanned like the article"
        raise InputRefused.because(what, where=one.label, todo=todo, code="reference_implausible")
