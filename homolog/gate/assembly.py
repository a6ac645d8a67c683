"""How often each mesh of a file appears once every reference is followed: counted, never walked, before it is placed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from homolog.gate.mesh import DAMAGED, MAX_DEPTH, MAX_EXPANDED, MAX_INSTANCES, MIN_TRIANGLES, refuse

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Load:
    """What one object stands for with all that it refers to."""

    instances: int
    triangles: int
    points: int
    depth: int


def count_load(
    roots: Sequence[Key],
    children: Mapping[Key, tuple[Key, ...]],
    own: Mapping[Key, tuple[int, int]],
    where: Callable[[Key], str],
    *,
    name: str,
    max_instances: int = MAX_INSTANCES,
) -> Load:
    """Count what the roots stand for, in time proportional to the references.

    Args:
        roots: Objects that are placed; one that is placed twice stands here twice.
        children: What each object refers to.
        own: Triangles and points of the objects that hold a mesh themselves.
        where: Gives the place of an object.
        name: What the messages call the file.
        max_instances: How often objects may be placed, all in all.

    Raises:
        InputRefused: An object holds itself, placed or not, the references are too deep, or they stand for too much.
    """
    known: dict[Key, Load] = {}
    for start in dict.fromkeys([*roots, *children]):
        _settle(start, children, own, where, known)
    loads = [known[root] for root in roots]
    total = _sum(loads)
    if total.instances > max_instances:
        what = (
            f"the file places {total.instances if total.instances < 10**12 else 'more than 10^12'} parts, more than {max_instances}"
        )
        refuse(name, what, "export the article alone", "mesh_instances")
    if total.triangles > MAX_EXPANDED:
        what = f"with every instance placed there are more than {MAX_EXPANDED} triangles"
        refuse(name, what, "export the article alone, or reduce the mesh", "mesh_large")
    return total


def check_total(load: Load, name: str) -> None:
    """See that what a file places can enclose something.

    Raises:
        InputRefused: It cannot.
    """
    if load.triangles < MIN_TRIANGLES:
        refuse(name, f"the file places {load.triangles} triangles, which enclose nothing", "export the whole surface", "mesh_empty")


def _sum(loads: Iterable[Load]) -> Load:
    instances = triangles = points = depth = 0
    for load in loads:
        instances += load.instances
        triangles += load.triangles
        points += load.points
        depth = max(depth, load.depth)
    # Beyond any limit the exact number no longer matters, and must not grow into thousands of digits.
    return Load(min(instances, 10**12), min(triangles, 10**12), min(points, 10**12), depth)


def _settle(
    start: Key,
    children: Mapping[Key, tuple[Key, ...]],
    own: Mapping[Key, tuple[int, int]],
    where: Callable[[Key], str],
    known: dict[Key, Load],
) -> None:
    open_now: dict[Key, None] = {}
    stack: list[tuple[Key, bool]] = [(start, False)]
    while stack:
        item, is_done = stack.pop()
        if is_done:
            del open_now[item]
            below = _sum(known[child] for child in children.get(item, ()))
            triangles, points = own.get(item, (0, 0))
            instances = below.instances + 1
            known[item] = Load(instances, below.triangles + triangles, below.points + points, below.depth + 1)
            if below.depth + 1 > MAX_DEPTH:
                refuse(where(item), f"parts lie in parts more than {MAX_DEPTH} deep", "export the article alone", "mesh_depth")
        elif item in open_now:
            refuse(where(item), "a part holds itself", DAMAGED, "mesh_cycle")
        elif item not in known:
            open_now[item] = None
            stack.append((item, True))
            stack.extend((child, False) for child in children.get(item, ()))
