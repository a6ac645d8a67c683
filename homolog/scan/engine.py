"""Which versions compute the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from types import MappingProxyType


def engine_of(algorithm: str, *libraries: str) -> Mapping[str, str]:
    """Return an algorithm's name with the versions of numpy, scipy and other libraries that it uses."""
    return MappingProxyType({"algorithm": algorithm} | {name: version(name) for name in ("numpy", "scipy", *libraries)})
