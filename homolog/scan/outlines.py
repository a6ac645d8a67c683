"""Outlines joined from straight pieces."""

from __future__ import annotations

import numpy as np

from homolog.scan.surface import Floats, Ints


def chained(ends: Floats) -> list[list[tuple[float, float]]]:
    """Join straight pieces (k, 2, 2) into closed outlines; pieces that close to nothing are left out."""
    keys: Ints = np.round(ends * 1e4).astype(np.int64)
    rows: list[list[list[int]]] = keys[(keys[:, 0] != keys[:, 1]).any(axis=1)].tolist()
    pieces = [((a[0], a[1]), (b[0], b[1])) for a, b in rows]
    meets: dict[tuple[int, int], list[int]] = {}
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
