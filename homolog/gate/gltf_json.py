"""Typed access to the JSON part of a glTF file: every value asked for is there, of its type and in its range."""

from __future__ import annotations

import math
from collections.abc import Mapping

from homolog.gate.json_text import Bare
from homolog.gate.mesh import DAMAGED, refuse
from homolog.gate.yaml_text import Value

MAX_INTEGER = 2**53


class Node:
    """One JSON object with the place that messages call it by."""

    def __init__(self, value: Value | None, where: str) -> None:
        if not isinstance(value, Mapping):
            refuse(where, "here should stand an object", DAMAGED, "glb_json")
        self.value = value
        self.where = where

    def has(self, key: str) -> bool:
        """Say whether the object has a key."""
        return key in self.value

    def text(self, key: str, default: str = "") -> str:
        """Return a text; the default if it is missing."""
        value = self.value.get(key, default)
        if not isinstance(value, str) or isinstance(value, Bare):
            refuse(self.where, f"{key} is not a text", DAMAGED, "glb_json")
        return value

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a whole number that is not negative; without a default it must be there."""
        if key not in self.value and default is not None:
            return default
        return self._integer(self.value.get(key), key)

    def _integer(self, value: Value | None, key: str) -> int:
        if not isinstance(value, Bare) or not value.isdigit() or len(value) > 16:
            refuse(self.where, f"{key} is not a whole number from 0", DAMAGED, "glb_json")
        return int(value)

    def integers(self, key: str) -> list[int]:
        """Return a list of whole numbers that are not negative; empty if it is missing."""
        return [self._integer(item, key) for item in self._list(key)]

    def numbers(self, key: str, count: int) -> list[float] | None:
        """Return a list of so many finite numbers, or None if it is missing."""
        if key not in self.value:
            return None
        values = self._list(key)
        found: list[float] = []
        for item in values:
            number = float(item) if isinstance(item, Bare) and item not in ("true", "false", "null") else math.nan
            if not math.isfinite(number):
                refuse(self.where, f"{key} holds something that is not a finite number", DAMAGED, "mesh_not_finite")
            found.append(number)
        if len(found) != count:
            refuse(self.where, f"{key} has {len(found)} numbers instead of {count}", DAMAGED, "glb_json")
        return found

    def node(self, key: str) -> Node:
        """Return an object that must be there."""
        return Node(self.value.get(key), f"{self.where}: {key}")

    def nodes(self, key: str, singular: str) -> list[Node]:
        """Return a list of objects; empty if it is missing."""
        return [Node(item, f"{self.where}: {singular} {at}") for at, item in enumerate(self._list(key))]

    def _list(self, key: str) -> list[Value]:
        value = self.value.get(key, [])
        if not isinstance(value, list):
            refuse(self.where, f"{key} is not a list", DAMAGED, "glb_json")
        return value
