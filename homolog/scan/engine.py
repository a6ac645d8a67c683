"""Which versions compute the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from types import MappingProxyType

LIBRARIES = ("numpy", "scipy", "manifold3d")
version_of = cache(version)
"""Version of a library by its name; asked for the first time it reads a file, so the supervisor asks before any job does."""


def engine_of(algorithm: str, *libraries: str) -> Mapping[str, str]:
    """Return an algorithm's name with the versions of numpy, scipy and other libraries that it uses."""
    return MappingProxyType({"algorithm": algorithm} | {name: version_of(name) for name in ("numpy", "scipy", *libraries)})


def drawn_by(engine: Mapping[str, str], renderer: str) -> Mapping[str, str]:
    """Return an engine's versions with what drew the pictures; nothing where there are none."""
    return MappingProxyType(dict(engine) | {"renderer": renderer}) if renderer else engine
