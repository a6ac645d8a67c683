"""One solid out of the shells of a file, with every repair on record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from homolog.errors import InputRefused, Problem
from homolog.scan.canonical import in_order
from homolog.scan.note import EXPORT_AGAIN, Note
from homolog.scan.shells import MAX_SHELLS, Filling, Shells, is_cavity, split_shells
from homolog.scan.surface import Floats, Ints, Surface, signed_volume
from homolog.scan.union import unite
from homolog.scan.welding import clean_faces, weld, weld_seams

# A hand is 1 % of a goalkeeper with its rod.
_MOST_DOUBT = 2e-3


@dataclass(frozen=True, slots=True)
class Solid:
    """A closed surface in file units, all of its cavities filled.

    Attributes:
        as_it_came: Whether the file's own surface was closed and in one sense; facets without area do not open it.
        fillings: Holes that were closed.
        cavity_volume: Volume of the sealed cavities that were filled.
        doubt: The most that open pieces enclose that were left out.
        shells: The closed pieces that were united, facing outward.
        cavities: The sealed cavities that were filled, facing outward.
    """

    surface: Surface
    volume: float
    as_it_came: bool
    notes: tuple[Note, ...]
    fillings: tuple[Filling, ...] = field(default=())
    cavity_volume: float = 0.0
    doubt: float = 0.0
    shells: tuple[Surface, ...] = field(default=())
    cavities: tuple[Surface, ...] = field(default=())


def build_solid(corners: Floats, *, name: str, runs: Sequence[int] = ()) -> Solid:
    """Make one solid of a file's corners of shape (m, 3, 3).

    Args:
        corners: The faces as they came.
        name: What the messages call the file.
        runs: How many faces each part has that the file keeps apart, in order; pieces that touch are then told apart.

    Raises:
        InputRefused: No closed body can be made, or there are several bodies apart from each other.
    """
    welded = in_order(_kept_apart(corners, runs) or weld(corners))
    faces, flat, doubles = clean_faces(welded.faces)
    surface = welded if faces is welded.faces else Surface(welded.points, faces)
    # A facet without area encloses nothing and opens nothing: it runs along an edge there and back.
    closed_at_once = not doubles and surface.edges.are_closed
    notes: list[Note] = []
    if flat:
        notes.append(Note("degenerate_dropped", flat, 0.0, f"{flat} facets without area were left out"))
    if doubles:
        notes.append(Note("duplicates_dropped", doubles, 0.0, f"{doubles} facets that lay on another one were left out"))
    if not closed_at_once:
        surface = _seal_seams(surface, notes)
    shells = split_shells(surface)
    _check_shells(shells, name)
    _note_shells(shells, notes)
    united, cavities = unite(shells.closed, notes, name)
    volume = signed_volume(united.corners)
    _check_left_out(shells, volume, name)
    fillings = tuple(filling for shell in shells.closed for filling in shell.fillings)
    inward = [shell for shell in shells.closed if shell.inward]
    came = closed_at_once and not inward and len(shells.closed) == 1
    cavities_only = closed_at_once and all(is_cavity(shell, shells.closed) for shell in inward) and not _overlapping(notes)
    return Solid(
        united,
        volume,
        came or cavities_only,
        tuple(notes),
        fillings,
        cavity_volume=sum(shell.volume for shell in cavities),
        doubt=shells.doubt,
        shells=tuple(shell.surface for shell in shells.closed if not any(shell is cavity for cavity in cavities)),
        cavities=tuple(shell.surface for shell in cavities),
    )


def _kept_apart(corners: Floats, runs: Sequence[int]) -> Surface | None:
    """Weld every part for itself; None unless there are several and each is closed."""
    if len(runs) < 2 or len(runs) > MAX_SHELLS:
        return None
    points: list[Floats] = []
    faces: list[Ints] = []
    total = 0
    for run in np.split(corners, np.cumsum(runs)[:-1]):
        part = weld(run)
        faces_left, _, doubles = clean_faces(part.faces)
        whole = part if faces_left is part.faces else Surface(part.points, faces_left)
        if doubles or not whole.edges.are_closed:
            return None
        points.append(part.points)
        faces.append(part.faces + total)
        total += len(part.points)
    return Surface(np.vstack(points), np.vstack(faces))


def _seal_seams(surface: Surface, notes: list[Note]) -> Surface:
    """Weld open edges with the smallest tolerance that closes most of them."""
    extent = float(np.ptp(surface.points, axis=0).max())
    lengths = np.linalg.norm(np.diff(surface.corners[:, [0, 1, 2, 0]], axis=1), axis=2)
    limit = 0.25 * float(np.quantile(lengths[lengths > 0], 0.05)) if (lengths > 0).any() else 0.0
    best, joined_best = surface, 0
    open_now = _open_edges(surface)
    start = open_now
    for tolerance in (3e-7 * extent, 3e-6 * extent, 3e-5 * extent):
        if not open_now or tolerance > limit:
            break
        trial, joined = weld_seams(surface, tolerance)
        faces, _, _ = clean_faces(trial.faces)
        trial = Surface(trial.points, faces)
        remaining = _open_edges(trial)
        if joined and remaining < 0.8 * open_now:
            best, joined_best, open_now = trial, joined, remaining
    if joined_best:
        says = f"{joined_best} points on open seams were joined; open edges fell from {start} to {open_now}"
        notes.append(Note("seams_welded", joined_best, 0.0, says))
    return best


def _open_edges(surface: Surface) -> int:
    return int((surface.edges.count == 1).sum())


def _check_shells(shells: Shells, name: str) -> None:
    if len(shells.closed) > MAX_SHELLS:
        what = f"the file falls into more than {MAX_SHELLS} pieces"
        raise InputRefused(Problem(name, what, EXPORT_AGAIN, "scan_pieces"))
    if not shells.closed:
        raise InputRefused(Problem(name, "the facets enclose no body", EXPORT_AGAIN, "scan_no_body"))


def _check_left_out(shells: Shells, volume: float, name: str) -> None:
    """Refuse a file whose open pieces may be a part of the body: then no size of what is left is the article's."""
    if shells.doubt > _MOST_DOUBT * volume:
        share = min(100 * shells.doubt / max(volume, 1e-300), 999.0)
        what = f"{shells.loose} pieces are too open to be closed, and may hold {share:.1f} % of the volume"
        raise InputRefused(Problem(name, what, EXPORT_AGAIN, "scan_open_pieces"))


def _note_shells(shells: Shells, notes: list[Note]) -> None:
    turned = sum(shell.turned for shell in shells.closed)
    if turned:
        notes.append(Note("facets_turned", turned, 0.0, f"{turned} facets faced against their neighbours and were turned"))
    inward = [shell for shell in shells.closed if shell.inward and not is_cavity(shell, shells.closed)]
    if inward:
        volume = 2 * sum(shell.volume for shell in inward)
        notes.append(Note("shells_turned", len(inward), volume, f"{len(inward)} closed pieces faced inward and were turned"))
    if shells.loose:
        says = f"{shells.loose} loose open sheets were left out"
        notes.append(Note("sheets_dropped", shells.loose, -shells.doubt, says))
    holes = [filling for shell in shells.closed for filling in shell.fillings]
    if holes:
        area, rim = sum(hole.area for hole in holes), max(hole.rim for hole in holes)
        total = sum(float(np.linalg.norm(_cross(shell.surface), axis=1).sum()) / 2 for shell in shells.closed)
        says = f"{len(holes)} holes, together {100 * area / total:.2f} % of the surface, were closed"
        extent = max(float(np.ptp(shell.surface.points, axis=0).max()) for shell in shells.closed)
        says += f"; the rim of the largest is {100 * rim / extent:.0f} % of the scan's length"
        notes.append(Note("holes_closed", len(holes), sum(hole.bulge for hole in holes), says))


def _cross(surface: Surface) -> Floats:
    corners = surface.corners
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _overlapping(notes: list[Note]) -> bool:
    return any(note.kind in {"shells_united", "debris_dropped"} for note in notes)
