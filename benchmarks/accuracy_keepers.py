"""Random goalkeepers whose measures are known, with the damage of files and the errors of scanners."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from benchmarks.accuracy_case import Case, Truth
from homolog.quantity import ReferenceLengths
from homolog.scan.session import ReferenceFile
from homolog.scan.sources import CLASSES, instrument_of
from homolog.scan.surface import normals_and_areas
from homolog.scan.texture import point_normals
from homolog.scan.welding import weld
from tests.bodies import Floats, Keeper, Recipe, ascii_stl, binary_stl, corners_of, ellipsoid, make_keeper, posed, rough, with_holes

ATTACHED = ("base", "through", "feet", "back", "slanted", "upward")
DEFECTS = (
    "ascii", "coarse", "flips", "inverted", "duplicates", "shells", "some shells inverted", "cavity", "degenerate", "fins",
    "jitter", "inch", "cm", "metre", "far away", "debris", "holes", "split facets",
)  # fmt: skip
UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "m": 1000.0}
SCANNERS = ("structured_light", "photogrammetry", "laser", "ct")
# Edges with which the truth is computed twice; what facets cut off goes with the square of the edge.
_FINE, _FINER = 0.24, 0.12
_TRUTHS = {
    "goalkeeper.height": "height",
    "goalkeeper.width": "width",
    "goalkeeper.figure_thickness.in_playing_position": "figure_thickness",
    "goalkeeper.figure_thickness": "figure_thickness",
    "goalkeeper.rod_width": "rod_width",
    "goalkeeper.rod_length": "rod_length",
    "goalkeeper.rod_straightness": "rod_straightness",
    "goalkeeper.handle_length": "handle_length",
}


@dataclass(frozen=True)
class Scanner:
    """Errors of one scan: offset in mm, share by which lengths are too long, and the noise's spread and waves in mm."""

    source: str
    offset: float
    scale: float
    sigma: float
    waves: float


def draw_recipe(rng: np.random.Generator, *, attached: str, bent: bool, edge: tuple[float, float]) -> Recipe:
    """Draw a goalkeeper a little wider than the rules, its rod where `attached` says."""
    needs_base = attached in {"base", "through"}
    base = str(rng.choice(["disc", "dome"])) if needs_base else [None, "disc", "dome"][rng.integers(3)]
    diameter, floor = float(rng.uniform(12, 19)), 3.0 if base else 0.0
    recipe = Recipe(
        tall=float(rng.uniform(28, 40)),
        wide=float(rng.uniform(14, 21)),
        thick=float(rng.uniform(4.2, 6.3)),
        base=base,
        base_diameter=diameter,
        base_height=float(rng.uniform(3.6, 5.6)),
        attach=attached if attached in {"base", "through", "feet", "back"} else "back",
        rod_radius=float(rng.uniform(0.8, 2)),
        rod_length=float(rng.uniform(60, 150)),
        elevation=float(rng.uniform(-4, 15)),
        sagitta=float(rng.uniform(1, 6)) if bent else 0.0,
        handle=[None, "step", "step", "round", "hex"][rng.integers(5)],
        handle_radius=float(rng.uniform(2.8, 6)),
        handle_length=float(rng.uniform(40, 95)),
        arms=str(rng.choice(["up", "out", "down"])),
        edge=float(rng.uniform(*edge)),
    )
    if attached == "slanted":
        return replace(recipe, elevation=float(rng.uniform(22, 45)))
    if attached == "upward" and base:  # from the base's top, behind the figure
        behind = -(diameter / 2 - recipe.rod_radius - 0.4)
        return replace(recipe, elevation=float(rng.uniform(70, 85)), start=(0.0, behind, 1.5))
    if attached == "upward":  # from the head, half as thick as it
        thin = min(recipe.rod_radius, 0.0375 * recipe.tall)
        start = (0.0, 0.0, floor + 0.88 * recipe.tall)
        return replace(recipe, elevation=float(rng.uniform(75, 90)), start=start, rod_radius=thin)
    return recipe


def truths_of(recipe: Recipe) -> tuple[dict[str, float], float]:
    """Return what is true of the ideal body, mm and mm3, and the area of its surface."""
    fine, finer = (make_keeper(replace(recipe, edge=edge)) for edge in (_FINE, _FINER))
    known = dict(finer.truth)
    for name in ("volume", "volume_without_embedded_rod"):
        known[name] += (finer.truth[name] - fine.truth[name]) / 3
    area = float(normals_and_areas(corners_of(finer.body))[1].sum())
    return known, area


def listed(known: dict[str, float], *, hollow: float = 0.0) -> tuple[Truth, ...]:
    """Return the truths by quantity; `hollow` is the volume of cavities."""
    truths = [
        Truth("goalkeeper.volume.outer", known["volume"]),
        Truth("goalkeeper.volume.without_embedded_rod", known["volume_without_embedded_rod"]),
        Truth("goalkeeper.volume.material", known["volume_without_embedded_rod"] - hollow),
    ]
    truths += [Truth(quantity, known[name]) for quantity, name in _TRUTHS.items() if name in known]
    return tuple(truths)


def drawing(seed: int, defect: str = "") -> Case:
    """Draw a goalkeeper as CAD exports it, with one defect of files or none."""
    rng = np.random.default_rng(seed)
    attached, bent = ATTACHED[seed % len(ATTACHED)], bool(rng.random() < 0.3)
    recipe = draw_recipe(rng, attached=attached, bent=bent, edge=(0.6, 1.2) if defect == "coarse" else (0.25, 0.5))
    keeper = make_keeper(recipe)
    known, _ = truths_of(recipe)
    corners, hollow = _damaged(keeper, defect, rng, seed)
    unit = {"inch": "in", "cm": "cm", "metre": "m"}.get(defect, "mm")
    placed = posed(corners, seed) / UNITS[unit]
    if defect == "far away":
        placed = placed + 700.0
    if defect == "inverted":
        placed = placed[:, ::-1]
    data = ascii_stl(placed) if defect == "ascii" else binary_stl(placed)
    truths = listed(known, hollow=hollow)
    if defect == "some shells inverted":  # one that lies within another is a cavity, as far as the file says
        truths = tuple(truth for truth in truths if truth.quantity != "goalkeeper.volume.material")
    says = f"{attached} {'bent ' if bent else ''}{defect or 'clean'} edge {recipe.edge:.2f} {recipe.base or 'no base'}"
    return Case(f"{seed}.stl", "goalkeeper", data, "cad", truths, says, unit)


def _damaged(keeper: Keeper, defect: str, rng: np.random.Generator, seed: int) -> tuple[Floats, float]:
    """Return the faces of a file with a defect, and the volume of what is hollow in it."""
    corners = keeper.corners
    count = len(corners)
    match defect:
        case "flips":
            chosen = rng.random(count) < 0.05
            corners[chosen] = corners[chosen][:, ::-1]
        case "duplicates":
            corners = np.concatenate([corners, corners[rng.integers(count, size=count // 10)]])
        case "shells":
            corners = np.concatenate([corners_of(part) for part in keeper.parts])
        case "some shells inverted":
            shells = [corners_of(part) for part in keeper.parts]
            corners = np.concatenate([shell[:, ::-1] if rng.random() < 0.3 else shell for shell in shells])
        case "cavity":
            middle = tuple(float(x) for x in corners_of(keeper.parts[1]).mean(axis=(0, 1)))
            hole = ellipsoid(middle, (2.2, 1.2, 3.0), 0.3)
            return np.concatenate([corners, corners_of(hole)[:, ::-1]]), hole.volume()
        case "degenerate":
            thin = corners[rng.integers(count, size=60)].copy()
            thin[:, 2] = thin[:, 1]
            corners = np.concatenate([corners, thin])
        case "fins":
            fins = corners[rng.integers(count, size=12)].copy()
            fins[:, 2] += rng.normal(size=(12, 3))
            corners = np.concatenate([corners, fins])
        case "jitter":
            corners = corners + rng.uniform(-1e-6, 1e-6, corners.shape)
        case "debris":
            places = corners.reshape(-1, 3)[rng.integers(3 * count, size=4)]
            bits = [ellipsoid(tuple(place + rng.uniform(3, 6, 3)), (0.3, 0.3, 0.3), 0.2) for place in places]
            corners = np.concatenate([corners, *(corners_of(bit) for bit in bits)])
        case "holes":
            corners = with_holes(rough(keeper.solid, 0.0, 0.5, seed), 6, 0.8, seed)
        case "split facets":
            corners = corners_of(keeper.solid.refine(2))
    return corners, 0.0


def draw_scanner(rng: np.random.Generator, source: str) -> Scanner:
    """Draw a scanner of a class: offset, scale and the article's temperature, and the noise of its scan."""
    drawn = [(rng.normal(), effect) for effect in instrument_of(source).effects]
    offset, scale = (sum(z * getattr(effect, name) for z, effect in drawn) for name in ("offset_mm", "scale"))
    return Scanner(source, offset, scale, float(rng.uniform(0.02, 0.1)), float(rng.choice([0.0, 0.4, 0.6, 1.0])))


def seen_by(scanner: Scanner, noisy: Floats, offset: float) -> Floats:
    """Return the faces of a noisy scan with offset and scale: points move along their mean normals."""
    surface = weld(noisy)
    return surface.moved((surface.points + offset * point_normals(surface)) * (1 + scanner.scale)).corners


def scan(seed: int, *, partial: bool = False, ball: bool = False, exact: bool = False) -> Case:
    """Draw a goalkeeper as a scanner gives it, whole or in part, with a reference ball beside it or none.

    With `exact` the scanner has noise but neither offset nor scale.
    """
    rng = np.random.default_rng(seed)
    attached, bent = ATTACHED[seed % len(ATTACHED)], bool(rng.random() < 0.3)
    recipe = draw_recipe(rng, attached=attached, bent=bent, edge=(0.35, 0.45))
    scanner = draw_scanner(rng, str(rng.choice(SCANNERS)))
    if exact:
        scanner = replace(scanner, offset=0.0, scale=0.0)
    apart = rng.normal(size=2) * 0.25 * CLASSES[scanner.source].offset_mm / math.sqrt(2) * (1 if ball else 0)
    keeper = make_keeper(recipe)
    known, area = truths_of(recipe)
    edge = float(rng.uniform(0.5, 0.9))
    corners = rough(keeper.solid, scanner.sigma, edge, seed, scanner.waves)
    torn = str(rng.choice(["holes", "underside", "end", "holes and end"])) if partial else ""
    keep = _seen(corners, torn, rng, keeper)
    corners = seen_by(scanner, corners, scanner.offset + apart[0])[keep]
    unit = str(rng.choice(list(UNITS), p=[0.7, 0.1, 0.1, 0.1]))
    truths = listed(known)
    if "end" in torn:  # what is missing of the handle cannot be measured
        truths = tuple(truth for truth in truths if truth.quantity != "goalkeeper.handle_length")
    references = (_reference(scanner, apart[1], rng),) if ball else ()
    moved = area * (scanner.offset + apart[0]) + 3 * known["volume"] * scanner.scale
    says = (
        f"{attached} {'bent ' if bent else ''}{torn} {scanner.source} offset {scanner.offset:+.3f} sigma {scanner.sigma:.2f} "
        f"over {scanner.waves} edge {edge:.2f} {recipe.base or 'no base'}"
    )
    data = binary_stl(posed(corners, seed) / UNITS[unit])
    return Case(f"{seed}.stl", "goalkeeper", data, scanner.source, truths, says, unit, references, moved)


def _seen(corners: Floats, torn: str, rng: np.random.Generator, keeper: Keeper) -> np.ndarray:
    """Return which faces the scanner saw."""
    middle = corners.mean(axis=1)
    seen = np.ones(len(middle), bool)
    if "holes" in torn:
        places = middle[rng.integers(len(middle), size=5)]
        seen &= np.linalg.norm(middle[:, None] - places[None], axis=2).min(axis=1) > rng.uniform(0.4, 1.1)
    if "underside" in torn:
        down = normals_and_areas(corners)[0][:, 2] < -0.7
        seen &= ~(down & (middle[:, 2] < keeper.body.bounding_box()[2] + 0.4))
    if "end" in torn:  # the far end was held in a clamp
        seen &= middle @ keeper.along < float((middle @ keeper.along).max()) - rng.uniform(3, 25)
    return seen


def _reference(scanner: Scanner, apart: float, rng: np.random.Generator) -> ReferenceFile:
    diameter = float(rng.choice([20.0, 25.0, 30.0]))
    round_one = ellipsoid((0, 0, 0), (diameter / 2,) * 3, edge=0.3)
    ball = seen_by(scanner, rough(round_one, scanner.sigma, 0.6, int(rng.integers(1 << 30)), scanner.waves), scanner.offset + apart)
    lengths = ReferenceLengths(diameter=Decimal(str(diameter)) + Decimal("0.001"), diameter_u=Decimal("0.002"))
    return ReferenceFile(name="ball.stl", data=binary_stl(ball), lengths=lengths, unit="mm")
