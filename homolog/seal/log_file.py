"""A log in one file of JSON lines, for use without a service: entries, signed heads and signed statuses, only ever added to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

import rfc8785
from pydantic import model_validator

from homolog.errors import InputRefused, UsageError
from homolog.seal.forms import Form, Name, read_form, read_json
from homolog.seal.jws import Jws
from homolog.seal.key import SigningKey
from homolog.seal.log import Entry, Head, Receipt, make_receipt, read_head, read_status, sign_head
from homolog.seal.merkle import Tree, root
from homolog.seal.status import TypeStatus

FORMAT = "homolog-log/1"
MAX_BYTES = 100_000_000
_MAX_LINE = 2_000_000


class _First(Form):
    """The first line."""

    format: Literal["homolog-log/1"]
    issuer: Name


class _Line(Form):
    """Any further line: one of the three."""

    entry: Entry | None = None
    head: Jws | None = None
    status: Jws | None = None

    @model_validator(mode="after")
    def _is_one(self) -> _Line:
        if sum(part is not None for part in (self.entry, self.head, self.status)) != 1:
            raise ValueError("a line holds one entry, head or status")
        return self


@dataclass
class LogFile:
    """A log as it was read: its tree, and where each record stands.

    A log that was read whole has entries up to its last head, and each head is the root of the entries before it. Whose
    signature a head carries is for whoever checks to judge: a log says nothing of keys.
    """

    issuer: str
    entries: list[Entry] = field(default_factory=list)
    heads: list[tuple[Jws, Head]] = field(default_factory=list)
    statuses: list[tuple[Jws, TypeStatus]] = field(default_factory=list)
    tree: Tree = field(default_factory=Tree)
    places: dict[str, int] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        """Take in the next entry."""
        self.tree.add(entry.canonical())
        self.places.setdefault(entry.sha256, len(self.entries))
        self.entries.append(entry)

    def find(self, sha256: str, number: str | None = None) -> Receipt | None:
        """Return the receipt of a record under the last head, with what was said of its type; None if it is not in the log."""
        index = self.places.get(sha256)
        if index is None or not self.heads or index >= self.heads[-1][1].size:
            return None
        said = tuple(signed for signed, status in self.statuses if status.is_about(sha256, number))
        signed, head = self.heads[-1]
        return make_receipt(self.entries[index], index, head.size, self.tree, signed, said[-100:])


def read_log(data: bytes, name: str) -> LogFile:
    """Read a log; every head must be the root of the entries before it, and the last line a head or a status.

    Raises:
        InputRefused: It is no log, cut short, or an entry was changed, put in or taken out.
    """
    if len(data) > MAX_BYTES:
        raise InputRefused.because(f"the log has more than {MAX_BYTES} bytes", where=name, code="file_too_large")
    lines = _lines(data, name)
    try:
        at, first = next(lines)
    except StopIteration:
        raise InputRefused.because("the file is empty", where=name, todo="send the whole file", code="file_empty") from None
    value = read_json(first, at, max_bytes=_MAX_LINE)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        todo = "give a log that homolog sign --log wrote"
        raise InputRefused.because(f"the file is no {FORMAT}", where=name, todo=todo, code="seal_foreign")
    log = LogFile(read_form(_First, value, at).issuer)
    for place, text in lines:
        _take(log, read_form(_Line, read_json(text, place, max_bytes=_MAX_LINE), place), place)
    if not log.heads or log.heads[-1][1].size != log.tree.size:
        todo = "send the whole file"
        raise InputRefused.because(
            "the last entries are under no head: the log was cut short", where=name, todo=todo, code="log_damaged"
        )
    return log


def append(path: Path, entry: Entry, *, issuer: str, key: SigningKey, at: datetime, status: Jws | None = None) -> Receipt:
    """Enter a record into the log in a file, which is made if it is not there, and return the receipt.

    A record that is in it already is not entered again. One process writes at a time. A signed status is kept beside its
    entry, so that the log can say how a type stands.

    Raises:
        UsageError: The file cannot be written.
        InputRefused: What is there is no log, or damaged.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        with os.fdopen(handle, "r+b") as stream:
            _lock(stream.fileno())
            data = stream.read()
            log = read_log(data, path.name) if data else LogFile(issuer)
            _refuse_other(log, issuer, path)
            known = log.find(entry.sha256)
            if known is not None:
                return known
            lines = [] if data else [rfc8785.dumps({"format": FORMAT, "issuer": issuer})]
            log.add(entry)
            head = sign_head(log.tree.size, log.tree, issuer=issuer, key=key, at=at)
            lines += [rfc8785.dumps({"entry": entry.record()}), rfc8785.dumps({"head": head.record()})]
            lines += [] if status is None else [rfc8785.dumps({"status": status.record()})]
            stream.write(b"".join(line + b"\n" for line in lines))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise UsageError.because(f"{path} cannot be written: {error.strerror}", todo="choose another place") from None
    log.heads.append((head, read_head(head, path.name)))
    return make_receipt(entry, log.places[entry.sha256], log.tree.size, log.tree, head)


def _refuse_other(log: LogFile, issuer: str, path: Path) -> None:
    if log.issuer != issuer:
        what = f"the log is that of {log.issuer!r}, not of {issuer!r}"
        raise UsageError.because(what, where=str(path), todo="choose another file", code="key_issuer")


def _lines(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    if data and not data.endswith(b"\n"):
        todo = "send the whole file"
        raise InputRefused.because("the last line is cut short", where=name, todo=todo, code="log_damaged")
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        yield f"{name}:{number}", line


def _take(log: LogFile, line: _Line, place: str) -> None:
    if line.entry is not None:
        log.add(line.entry)
    elif line.status is not None:
        log.statuses.append((line.status, read_status(line.status, place)))
    elif line.head is not None:
        head = read_head(line.head, place)
        if head.issuer != log.issuer or head.size != log.tree.size or bytes.fromhex(head.root) != root(head.size, log.tree):
            what = "the head is not the root of the entries before it: something was changed, put in or taken out"
            raise InputRefused.because(what, where=place, todo="ask the federation for its log", code="log_damaged")
        log.heads.append((line.head, head))


def _lock(handle: int) -> None:
    """Let no other process write until the file is closed."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover -- Windows; there one process at a time is the caller's matter
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
