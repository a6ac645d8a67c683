"""YAML as plain text values with positions: no types, no aliases, no tags, no duplicate keys.

YAML's own typing turns `NO` into false, `1.10` into 1.1 and `010` into 8, so every scalar stays text here and is
converted by the model that knows what it should be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from homolog.errors import InputRefused
from homolog.gate.text import decode_text

MAX_DEPTH = 32
MAX_NODES = 100_000

Value = str | list["Value"] | dict[str, "Value"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """Line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its value, and where each part of it stands."""

    name: str
    value: Value
    positions: dict[Path, Position]

    def where(self, path: Path) -> str:
        """Return `file:line:column` of the deepest known part of a path."""
        while path and path not in self.positions:
            path = path[:-1]
        position = self.positions.get(path, Position(1, 1))
        return f"{self.name}:{position.line}:{position.column}"


def _position(event: yaml.events.Event) -> Position:
    mark = event.start_mark
    return Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)


class _Builder:
    """Builds the value from events and refuses what must not be there."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.positions: dict[Path, Position] = {}
        self.nodes = 0

    def refuse(self, event: yaml.events.Event, what: str, todo: str, code: str) -> InputRefused:
        position = _position(event)
        where = f"{self.name}:{position.line}:{position.column}"
        return InputRefused.because(what, where=where, todo=todo, code=code)

    def check(self, event: yaml.events.Event) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise self.refuse(event, "anchors and aliases (& and *) are not read", "write the value out", "yaml_alias")
        if getattr(event, "tag", None) is not None:
            raise self.refuse(event, f"the tag {event.tag} is not read", "write plain text", "yaml_tag")  # type: ignore[attr-defined]

    def count(self, event: yaml.events.Event) -> None:
        # Empty lists and mappings cost memory too, so every node counts, not scalars alone.
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.refuse(event, f"more than {MAX_NODES} values", "split the file, or send a CSV", "yaml_size")

    def node(self, events: Iterator[yaml.events.Event], event: yaml.events.Event, path: Path) -> Value:
        self.check(event)
        self.count(event)
        self.positions[path] = _position(event)
        if len(path) > MAX_DEPTH:
            raise self.refuse(event, f"nested deeper than {MAX_DEPTH}", "flatten it", "yaml_depth")
        if isinstance(event, yaml.ScalarEvent):
            return str(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Value] = []
            while not isinstance(event := next(events), yaml.SequenceEndEvent):
                items.append(self.node(events, event, (*path, len(items))))
            return items
        return self.mapping(events, path)

    def mapping(self, events: Iterator[yaml.events.Event], path: Path) -> Value:
        mapping: dict[str, Value] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            self.check(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise self.refuse(event, "a key is not plain text", "write a name", "yaml_key")
            key = str(event.value)
            if key == "<<":
                raise self.refuse(event, "merge keys (<<) are not read", "write the values out", "yaml_alias")
            if key in mapping:
                raise self.refuse(event, f"the key {key!r} is there twice", "keep one of them", "key_duplicate")
            self.count(event)
            mapping[key] = ""
            value_event = next(events)
            mapping[key] = self.node(events, value_event, (*path, key))
            self.positions[(*path, key)] = _position(event)
        return mapping


def _invalid(text: str, name: str, error: yaml.YAMLError) -> InputRefused:
    if isinstance(error, yaml.reader.ReaderError):  # it counts the bytes before the character
        before = text.encode()[: error.position].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        problem = f"the character U+{error.character:04X} does not belong into a text"
    else:
        mark = error.problem_mark  # type: ignore[attr-defined]  # the C reader marks every fault but the one above
        line, column = mark.line + 1, mark.column + 1
        problem = error.problem  # type: ignore[attr-defined]
    return InputRefused.because(
        f"not valid YAML: {problem}", where=f"{name}:{line}:{column}", todo="mend the file", code="yaml_invalid"
    )


def parse_yaml(data: bytes, name: str) -> Document:
    """Read one YAML document; every scalar stays text.

    Raises:
        InputRefused: Not YAML, not exactly one document, or something from the list at the top of this module.
    """
    text = decode_text(data, name)
    builder = _Builder(name)
    try:
        events = yaml.parse(text, Loader=yaml.CSafeLoader)
        value: Value = ""
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise builder.refuse(event, "a second document begins", "send one file each", "yaml_documents")
                value = builder.node(events, next(events), ())
    except yaml.YAMLError as error:
        raise _invalid(text, name, error) from None
    if not documents:
        raise InputRefused.because("there is no document in the file", where=name, code="file_empty")
    return Document(name, value, builder.positions)
