"""The context that every part of a sheet is read in: where things stand, what is wrong, how numbers are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from homolog.gate.json_text import Bare
from homolog.gate.text import fault_of_words, normal_words
from homolog.gate.xlsx import FaultyCell, FormulaCell
from homolog.gate.yaml_text import Path, Value
from homolog.quantity import ScannerRecord
from homolog.submission.numbers import MeasureReader
from homolog.submission.problems import ProblemList

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


@dataclass(slots=True)
class Sheet:
    """One document, or one row of a table, while it is read.

    Attributes:
        locate: Turns a path of the document into `file:line:column`, or into row and column.
        instruments: Records of the scanners that the document's scans may name.
    """

    locate: Callable[[Path], str]
    problems: ProblemList
    measures: MeasureReader
    instruments: Mapping[str, ScannerRecord] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def new(cls, locate: Callable[[Path], str]) -> Sheet:
        """Begin a sheet without problems."""
        problems = ProblemList()
        return cls(locate, problems, MeasureReader(problems))

    def at(self, locate: Callable[[Path], str]) -> Sheet:
        """Return the same sheet at another row."""
        return Sheet(locate, self.problems, self.measures, self.instruments)

    def finish(self) -> None:
        """Refuse the sheet if anything was wrong with it.

        Raises:
            InputRefused: With every problem of the sheet.
        """
        self.measures.finish()
        self.problems.raise_if_any()

    def fault(self, path: Path, what: str, todo: str, code: str) -> None:
        """Note a problem at a path."""
        self.problems.add(self.locate(path), what, todo, code)

    def unknown(self, path: Path, kind: str, word: str, known: Iterable[str], code: str) -> None:
        """Note an unknown name at a path, with the nearest known one."""
        self.problems.unknown(self.locate(path), kind, word, known, code)

    def words(self, value: Value, path: Path) -> str | None:
        """Return a name or short text; None if it is empty or was refused."""
        if not isinstance(value, str):
            self.fault(path, "a text is expected here", "write one text", "shape")
            return None
        if isinstance(value, FormulaCell | FaultyCell):
            self.fault(path, f"a text is expected here, not {value}", "write it as text", "cell_invalid")
            return None
        if isinstance(value, Bare):
            self.fault(path, f"{value[:40]} stands without quotes", f'write "{value[:40]}"', "json_bare")
            return None
        text = normal_words(value)
        fault = fault_of_words(text)
        if fault is not None:
            self.fault(path, *fault, "text_unprintable")
            return None
        return text or None

    def choice(self, value: Value, path: Path, kind: str, allowed: Iterable[str], code: str) -> str | None:
        """Return a word out of a closed list; None if it is empty or was refused."""
        word = self.words(value, path)
        if word is None or word in allowed:
            return word
        self.unknown(path, kind, word, allowed, code)
        return None

    def day(self, value: Value, path: Path) -> date | None:
        """Return a day; None if it is empty or was refused."""
        text = self.words(value, path)
        if text is None:
            return None
        with suppress(ValueError):
            if _DAY.fullmatch(text):
                return date.fromisoformat(text)
        self.fault(path, f"{text[:40]!r} is not a date", "write as 2026-01-31", "date_invalid")
        return None

    def mapping(self, value: Value, path: Path, what: str) -> dict[str, Value]:
        """Return a mapping; an empty text counts as none, anything else is refused."""
        if isinstance(value, dict):
            return value
        if not isinstance(value, str) or value.strip():
            self.fault(path, f"{what} is not a mapping", "write keys with their values", "shape")
        return {}

    def sequence(self, value: Value, path: Path, what: str) -> list[Value]:
        """Return a list; an empty text counts as none, anything else is refused."""
        if isinstance(value, list):
            return value
        if not isinstance(value, str) or value.strip():
            self.fault(path, f"{what} is not a list", "write a list", "shape")
        return []

    def known_keys(self, mapping: Mapping[str, Value], path: Path, known: Iterable[str]) -> None:
        """Note every key that is not one of the known ones."""
        for key in mapping:
            if key not in known:
                self.unknown((*path, key), "the key", key, known, "key_unknown")
