"""JSON as plain text values with positions: no number is converted, no key is dropped, no depth is unbounded.

A number, `true`, `false` or `null` comes back as `Bare`: a text that stood without quotes. A field that wants a measure
can so refuse `38.9` and still say where it stands.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from homolog.errors import InputRefused
from homolog.gate.text import decode_text
from homolog.gate.yaml_text import MAX_DEPTH, MAX_NODES, Document, Path, Position, Value

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_BARE = re.compile(r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Bare(str):
    """A JSON value that stood without quotes: a number, true, false or null."""

    __slots__ = ()


class _Scanner:
    """Walks the text once; every value is reached by one step of a regular expression."""

    def __init__(self, text: str, name: str, first_line: int, most: int) -> None:
        self.text = text
        self.name = name
        self.first_line = first_line
        self.most = most
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self.offsets: dict[Path, int] = {}
        self.scalars = 0

    def position(self, at: int) -> Position:
        line = bisect_right(self.starts, at)
        return Position(line - 1 + self.first_line, at - self.starts[line - 1] + 1)

    def refuse(self, at: int, what: str, todo: str, code: str = "json_invalid") -> InputRefused:
        position = self.position(at)
        return InputRefused.because(what, where=f"{self.name}:{position.line}:{position.column}", todo=todo, code=code)

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def count(self, at: int) -> None:
        self.scalars += 1
        if self.scalars > self.most:
            raise self.refuse(at, f"more than {self.most} values", "split the file, or send JSON Lines", "json_size")

    def string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        if found is None:
            raise self.refuse(at, "not valid JSON: a text in double quotes is expected here", "mend the file")
        raw = found.group()
        if "\\" not in raw:
            return raw[1:-1], found.end()
        try:
            value = str(json.loads(raw))
        except ValueError:
            raise self.refuse(at, "not valid JSON: the text holds an unknown escape", "mend the file") from None
        if "\x00" in value or _SURROGATE.search(value):
            raise self.refuse(at, "the text holds NUL or half a character", "write plain text", "text_invalid")
        return value, found.end()

    def value(self, at: int, path: Path) -> tuple[Value, int]:
        self.offsets.setdefault(path, at)
        if len(path) > MAX_DEPTH:
            raise self.refuse(at, f"nested deeper than {MAX_DEPTH}", "flatten it", "json_depth")
        mark = self.text[at : at + 1]
        if mark == "{":
            return self.mapping(at, path)
        if mark == "[":
            return self.sequence(at, path)
        self.count(at)
        if mark == '"':
            return self.string(at)
        found = _BARE.match(self.text, at)
        if found is None:
            raise self.refuse(at, "not valid JSON: a value is expected here", "mend the file")
        return Bare(found.group()), found.end()

    def after(self, at: int, close: str) -> tuple[bool, int]:
        """Return whether the bracket closes after an element, and where to go on."""
        at = self.skip(at)
        mark = self.text[at : at + 1]
        if mark == close:
            return True, at + 1
        if mark != ",":
            raise self.refuse(at, f"not valid JSON: , or {close} is expected here", "mend the file")
        return False, self.skip(at + 1)

    def sequence(self, at: int, path: Path) -> tuple[Value, int]:
        items: list[Value] = []
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "]":
            return items, at + 1
        closed = False
        while not closed:
            item, at = self.value(at, (*path, len(items)))
            items.append(item)
            closed, at = self.after(at, "]")
        return items, at

    def mapping(self, at: int, path: Path) -> tuple[Value, int]:
        mapping: dict[str, Value] = {}
        at = self.skip(at + 1)
        if self.text[at : at + 1] == "}":
            return mapping, at + 1
        closed = False
        while not closed:
            key_at = at
            self.count(at)
            key, at = self.string(at)
            if key in mapping:
                raise self.refuse(key_at, f"the key {key[:60]!r} is there twice", "keep one of them", "key_duplicate")
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise self.refuse(at, "not valid JSON: : is expected here", "mend the file")
            self.offsets[(*path, key)] = key_at
            mapping[key], at = self.value(self.skip(at + 1), (*path, key))
            closed, at = self.after(at, "}")
        return mapping, at


def parse_json_text(text: str, name: str, *, first_line: int = 1, max_values: int = MAX_NODES) -> Document:
    """Read one JSON value from text that begins at a given line of its file.

    Raises:
        InputRefused: Not JSON, a key twice, too deep, or too many values.
    """
    scanner = _Scanner(text, name, first_line, max_values)
    value, at = scanner.value(scanner.skip(0), ())
    at = scanner.skip(at)
    if at != len(text):
        raise scanner.refuse(at, "not valid JSON: something follows the value", "send one value a file")
    return Document(name, value, {path: scanner.position(offset) for path, offset in scanner.offsets.items()})


def parse_json(data: bytes, name: str) -> Document:
    """Read one JSON document; every value stays text.

    Raises:
        InputRefused: Not UTF-8, or as for `parse_json_text`.
    """
    return parse_json_text(decode_text(data, name), name)
