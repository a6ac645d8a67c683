"""Bytes to text: UTF-8 without NUL, a size limit, nothing guessed."""

from __future__ import annotations

import re
import unicodedata

from homolog.errors import InputRefused

MAX_TEXT_BYTES = 200_000_000
MAX_WORDS = 200

# What the report's fonts can print: Latin, Greek, Cyrillic, the punctuation of their languages, and a few signs.
_WORDS = re.compile(
    "[ -~\u00a0-\u00ac\u00ae-\u024f\u02bb-\u02bd\u0370-\u03ff\u0400-\u052f\u1e00-\u1fff\u2010-\u2015\u2018-\u201f"
    "\u2026\u2030\u2032\u2033\u2044\u20ac\u20b4\u2116\u2122\u2212]*"
)


def decode_text(data: bytes, name: str, *, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file; a byte-order mark is dropped.

    Raises:
        InputRefused: The file is empty, too large, not UTF-8, or holds a NUL.
    """
    if not data.strip():
        raise InputRefused.because("the file is empty", where=name, todo="send the whole file", code="file_empty")
    if len(data) > max_bytes:
        raise InputRefused.because(f"the file has {len(data)} bytes, more than {max_bytes}", where=name, code="file_too_large")
    if b"\x00" in data:
        raise InputRefused.because(
            "the file holds a NUL byte, so it is not text", where=name, todo="save it as UTF-8 text", code="text_invalid"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputRefused.because(
            "the text is not UTF-8", where=f"{name}:{line}", todo="save it as UTF-8 text", code="text_invalid"
        ) from None


def normal_words(text: str) -> str:
    """Return a name or short text in its composed form, without blanks at its ends."""
    return text.strip() if text.isascii() else unicodedata.normalize("NFC", text).strip()


def fault_of_words(text: str, *, longest: int = MAX_WORDS) -> tuple[str, str] | None:
    """Return what is wrong with a name or short text, and what to do; None if it can be kept and printed."""
    if len(text) > longest:
        return f"the text has {len(text)} letters, more than {longest}", "shorten it"
    if _WORDS.fullmatch(text) is None:
        bad = next(letter for letter in text if _WORDS.fullmatch(letter) is None)
        return (
            f"the character U+{ord(bad):04X} cannot be printed in a report",
            "write in Latin, Greek or Cyrillic letters, on one line",
        )
    return None


def shown_name(name: str) -> str:
    """Return a file's name as it can stand in a record; bytes of it that are no text are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
