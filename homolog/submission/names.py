"""Names in a list: no two pieces of a set, and no two samples of a lot, may be called the same."""

from __future__ import annotations

from array import array
from typing import Literal

from homolog.gate.yaml_text import Path
from homolog.quantity import Article, same_name
from homolog.submission.sheet import Sheet


class Names:
    """The names that one list has used so far."""

    def __init__(self, kind: Literal["piece", "sample"]) -> None:
        """Begin a list of pieces or of samples."""
        self._kind = kind
        self._used = _Marks()

    def add(self, sheet: Sheet, article: Article, path: Path) -> None:
        """Note an article's name; one that is there already is a fault, since a report could not tell the two apart."""
        if article.name is None:
            return
        name = same_name(article.name)
        if not self._used.add(hash((article.item, name) if self._kind == "sample" else name)):
            what = f"a {self._kind} before this one is called {article.name[:60]!r} too"
            sheet.fault(path, what, f"give each {self._kind} a name of its own, or none", "name_twice")


class _Marks:
    """A set of 64-bit marks in a bare array: a lot may have a million samples, and a set of objects takes eight times as much."""

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 64))
        self._count = 0

    def add(self, mark: int) -> bool:
        """Put a mark in; say whether it is new."""
        if 4 * self._count >= 3 * len(self._slots):
            old, self._slots, self._count = self._slots, array("Q", bytes(16 * len(self._slots))), 0
            for kept in old:
                if kept:
                    self.add(kept)
        mark = (mark & 0xFFFF_FFFF_FFFF_FFFF) or 1  # zero says that a slot is free
        size = len(self._slots)
        at = (mark * 0x9E37_79B9_7F4A_7C15 >> 20) % size
        while self._slots[at]:
            if self._slots[at] == mark:
                return False
            at = (at + 1) % size
        self._slots[at] = mark
        self._count += 1
        return True
