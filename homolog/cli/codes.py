"""Exit codes: a promise to scripts."""

from __future__ import annotations

from collections.abc import Iterable

CONFORM, NONCONFORM, USAGE, UNDECIDED, REFUSED, INTERNAL = 0, 1, 2, 3, 4, 5

# The worst first: a fault or a refused file hides what the article is, a nonconform article matters more than an open one.
_WORST_FIRST = (INTERNAL, REFUSED, USAGE, NONCONFORM, UNDECIDED, CONFORM)


def exit_code(verdict: str) -> int:
    """Return the exit code of one verdict."""
    return {"conform": CONFORM, "nonconform": NONCONFORM}.get(verdict, UNDECIDED)


def worst(codes: Iterable[int]) -> int:
    """Return the exit code of several inputs."""
    return min(codes, key=_WORST_FIRST.index, default=CONFORM)
