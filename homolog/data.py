"""Where the shipped specs, templates and schemas lie.

They stand at the top of a checkout and inside the package of an installed wheel.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    inside = _PACKAGE / "_shipped" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def specs_dir() -> Path:
    """Return the folder that holds `<body>/<edition>/<item>.yaml`."""
    return _shipped("specs")


def templates_dir() -> Path:
    """Return the folder that holds the report's and the pages' templates."""
    return _shipped("templates")
