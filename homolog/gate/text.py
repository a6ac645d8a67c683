"""Bytes to text: UTF-8 without NUL, a size limit, nothing guessed."""

from __future__ import annotations

from homolog.errors import InputRefused

MAX_TEXT_BYTES = 200_000_000


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
