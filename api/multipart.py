"""A multipart form, read as it comes: parts in memory, bounded in number, size and headers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from api.problems import Failure

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_PARTS = 60
MAX_FIELD_BYTES = 10_000
MAX_HEADERS = 6
MAX_HEADER_BYTES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a form.

    Attributes:
        filename: The name as it was sent, None for a plain field. It is a label and never a path.
    """

    name: str
    filename: str | None
    media_type: str
    data: bytes


async def read_multipart(content_type: str, body: AsyncIterator[bytes]) -> list[Part]:
    """Read a form's parts in their order.

    Raises:
        Failure: The body is no such form, breaks off, or has too many or too large parts.
    """
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import MultipartParser, parse_options_header

    boundary = parse_options_header(content_type)[1].get(b"boundary", b"")
    if not boundary:
        raise malformed("the header Content-Type names no boundary")
    builder = _Builder()
    try:
        parser = MultipartParser(boundary, builder.callbacks(), max_header_count=MAX_HEADERS, max_header_size=MAX_HEADER_BYTES)
        async for chunk in body:
            parser.write(chunk)
    except FormParserError as error:
        raise malformed(str(error)[:200]) from None
    if not builder.is_complete:
        raise malformed("the form breaks off before its last boundary")
    return builder.parts


def malformed(what: str) -> Failure:
    """Return the problem of a body that is no form."""
    return Failure("malformed", f"The body is no multipart form: {what}.")


class _Builder:
    """Puts parts together from what the parser reports."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.is_complete = False
        self._begin()

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._part_data,
            "on_part_end": self._part_end,
            "on_end": self._end,
        }

    def _begin(self) -> None:
        self._headers: dict[str, str] = {}
        self._field = bytearray()
        self._value = bytearray()
        self._data = bytearray()
        self._name = ""
        self._filename: str | None = None

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        name = self._field.decode("latin-1").strip().lower()
        if name in self._headers:
            raise malformed(f"a part has the header {name[:40]!r} twice")
        self._headers[name] = self._value.decode("utf-8", "replace")
        self._field.clear()
        self._value.clear()

    def _headers_finished(self) -> None:
        if len(self.parts) >= MAX_PARTS:
            raise malformed(f"it has more than {MAX_PARTS} parts")
        if self._headers.get("content-transfer-encoding", "binary").strip().lower() not in ("binary", "8bit", "7bit"):
            raise malformed("a part is encoded; send it as it is")
        self._name, self._filename = _disposition(self._headers.get("content-disposition", ""))

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        if self._filename is None and len(self._data) + end - start > MAX_FIELD_BYTES:
            raise malformed(f"the field {self._name[:40]!r} has more than {MAX_FIELD_BYTES} bytes")
        self._data += data[start:end]

    def _part_end(self) -> None:
        media_type = self._headers.get("content-type", "").partition(";")[0].strip().lower()
        self.parts.append(Part(name=self._name, filename=self._filename, media_type=media_type, data=bytes(self._data)))

    def _end(self) -> None:
        self.is_complete = True


def _disposition(header: str) -> tuple[str, str | None]:
    """Return a part's name, and the file name if it is a file."""
    from python_multipart.multipart import parse_options_header

    # The parser's words are bytes of latin-1; what browsers send in them is UTF-8.
    kind, options = parse_options_header(header.encode("utf-8", "replace").decode("latin-1"))
    name = options.get(b"name", b"").decode("utf-8", "replace")
    if kind != b"form-data" or not name:
        raise malformed("a part has no name")
    filename = options.get(b"filename")
    return name, None if filename is None else filename.decode("utf-8", "replace")
