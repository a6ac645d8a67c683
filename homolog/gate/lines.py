"""The text of mesh files as bytes with one kind of line end, and the place of an offset in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from homolog.gate.mesh import refuse

LINE_END = b"\n"
# Within a word the sign begins no comment: some programs write a number that is none as 1.#QNAN.
_COMMENT = re.compile(rb"(?:^|(?<=[ \t\n]))#[^\n]*")


@dataclass(frozen=True, slots=True)
class Lines:
    """Text that ends with a line end.

    Attributes:
        name: What the messages call the file.
        text: UTF-8 without NUL, byte-order mark or carriage returns.
        joined: Offsets at which a line was joined with the next one.
    """

    name: str
    text: bytes
    joined: tuple[int, ...] = ()

    def place(self, at: int) -> str:
        """Return `file:line` for an offset into the text."""
        return f"{self.name}:{self.text.count(LINE_END, 0, at) + bisect_left(self.joined, at) + 1}"


class Places:
    """The lines of offsets that mostly grow, each found by counting on from the last one."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.at = 0
        self.line = 1

    def place(self, at: int) -> str:
        """Return `file:line` for an offset into the text."""
        if at < self.at:
            return self.lines.place(at)
        self.line += self.lines.text.count(LINE_END, self.at, at)
        self.at = at
        return f"{self.lines.name}:{self.line + bisect_left(self.lines.joined, at)}"


def check_text(data: bytes, name: str) -> Lines:
    """Take a file as text.

    Raises:
        InputRefused: It is not UTF-8, or holds a NUL.
    """
    text = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in text:
        at = text.index(b"\0")
        line = text.count(b"\n", 0, at) + 1
        refuse(f"{name}:{line}", "the file holds a NUL byte, so it is not text", "export it again", "text_invalid")
    if not text.isascii():
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            refuse(f"{name}:{line}", "the text is not UTF-8", "export the file again as UTF-8", "text_invalid")
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return Lines(name, text if text.endswith(b"\n") else text + b"\n")


def without_comments(text: bytes) -> bytes:
    """Return text without what follows a `#` that begins a word, line by line."""
    return _COMMENT.sub(b"", text) if b"#" in text else text


def join_lines(lines: Lines) -> Lines:
    """Return the text with every line that ends in a backslash joined to the next one.

    Raises:
        InputRefused: No space stands before a backslash; programs differ on whether the word goes on.
    """
    if b"\\\n" not in lines.text:
        return lines
    pieces = lines.text.split(b"\\\n")
    joined: list[int] = []
    at = 0
    for number, piece in enumerate(pieces[:-1]):
        if piece and not piece[-1:].isspace():
            where = f"{lines.name}:{b' '.join(pieces[: number + 1]).count(LINE_END) + number + 1}"
            refuse(where, "a line goes on without a space before its backslash", "export it again", "obj_line")
        at += len(piece)
        joined.append(at)
        at += 1
    text = b" ".join(pieces)
    return Lines(lines.name, text if text.endswith(b"\n") else text + b"\n", tuple(joined))
