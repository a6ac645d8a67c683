"""Shells made one body by the solid modeller."""

from __future__ import annotations

from typing import Any

import manifold3d
import numpy as np

from homolog.errors import InputRefused, Problem
from homolog.scan.note import EXPORT_AGAIN, Note
from homolog.scan.shells import Shell, is_cavity
from homolog.scan.surface import Surface, tidy


def to_manifold(surface: Surface) -> Any:
    """Hand a closed surface to manifold3d."""
    mesh = manifold3d.Mesh64(
        vert_properties=np.ascontiguousarray(surface.points, np.float64),
        tri_verts=np.ascontiguousarray(surface.faces, np.uint64),
    )
    return manifold3d.Manifold(mesh)


def from_manifold(manifold: Any) -> Surface:
    """Take a closed surface from manifold3d."""
    mesh = manifold.to_mesh64()
    return Surface(
        np.array(mesh.vert_properties, np.float64)[:, :3].copy(),
        np.array(mesh.tri_verts).astype(np.int64).reshape(-1, 3),
    )


def unite(shells: tuple[Shell, ...], notes: list[Note], name: str) -> tuple[Surface, list[Shell]]:
    """Unite shells; those inside another vanish, and pieces that float apart are debris or a second body."""
    if len(shells) == 1:
        return tidy(shells[0].surface), []
    maybe = [shell for shell in shells if is_cavity(shell, shells)]
    solids = [shell for shell in shells if not any(shell is cavity for cavity in maybe)]
    whole = _union([_part(shell, name) for shell in solids])
    cavities: list[Shell] = []
    for shell in maybe:
        part = _part(shell, name)
        if (whole ^ part).volume() > 0.9999 * part.volume():
            cavities.append(shell)
        else:  # an inverted piece that only stands within the box of another one
            solids.append(shell)
            whole = whole + part
    bodies = sorted(whole.decompose(), key=lambda body: -body.volume())
    _check_bodies(bodies[0], bodies[1:], notes, name)
    double = sum(shell.volume for shell in solids) - sum(body.volume() for body in bodies)
    if len(solids) > len(bodies):
        notes.append(Note("shells_united", len(solids), -double, f"{len(solids)} closed pieces that overlap were united"))
    if cavities:
        filled = sum(shell.volume for shell in cavities)
        notes.append(Note("cavities_filled", len(cavities), filled, f"{len(cavities)} sealed cavities were filled"))
    if len(solids) == 1:  # the solver would only move points
        return tidy(solids[0].surface), cavities
    return from_manifold(bodies[0]), cavities


def _part(shell: Shell, name: str) -> Any:
    part = to_manifold(shell.surface)
    if part.status() != manifold3d.Error.NoError:
        what = f"a piece of {len(shell.surface.faces)} facets cannot be made a solid ({part.status().name})"
        raise InputRefused(Problem(name, what, EXPORT_AGAIN, "scan_not_solid"))
    return part


def _union(parts: list[Any]) -> Any:
    return manifold3d.Manifold.batch_boolean(parts, manifold3d.OpType.Add) if len(parts) > 1 else parts[0]


def _check_bodies(main: Any, rest: list[Any], notes: list[Note], name: str) -> None:
    large = [body for body in rest if body.volume() > 0.01 * main.volume()]
    if large:
        what = f"the file holds {len(large) + 1} bodies that do not touch"
        raise InputRefused(Problem(name, what, "export one article a file, joined into one body", "scan_several_bodies"))
    if rest:
        volume = sum(body.volume() for body in rest)
        notes.append(Note("debris_dropped", len(rest), -volume, f"{len(rest)} small pieces that float apart were left out"))
