"""The zip archives that may be opened: every header checked against every other before anything is unpacked."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import NoReturn

from homolog.errors import InputRefused

MAX_MEMBERS = 200
MAX_UNPACKED_BYTES = 200_000_000
MAX_RATIO = 50
FREE_RATIO_BYTES = 65_536
"""Below this unpacked size the ratio of a member says nothing: a short text of blanks shrinks a hundredfold."""
MAX_NAME = 200

_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_ENCRYPTED, _DESCRIPTOR, _UTF8 = 0x1, 0x8, 0x800
_ZIP64_EXTRA, _NAME_EXTRA = 0x0001, 0x7075
_METHODS = {0: "stored", 8: "deflated"}
_LINK = 0o120000


@dataclass(frozen=True, slots=True)
class Member:
    """One file inside an archive, as its directory and its own header both describe it."""

    name: str
    size: int
    packed: int
    crc: int
    is_deflated: bool
    start: int


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose headers agree; members are unpacked one by one, when asked for."""

    name: str
    data: bytes
    members: dict[str, Member]

    def read(self, member: str) -> bytes:
        """Unpack one member.

        Raises:
            InputRefused: There is no such member, or its bytes are not those that the headers promise.
        """
        entry = self.members.get(member)
        if entry is None:
            _refuse(self.name, f"the archive has no {member}", "zip_member")
        packed = self.data[entry.start : entry.start + entry.packed]
        content = _inflate(self.name, entry, packed) if entry.is_deflated else packed
        if len(content) != entry.size or zlib.crc32(content) != entry.crc:
            _refuse(self.name, f"{member} is not what the archive's headers promise", "zip_damaged")
        return content


def _refuse(name: str, what: str, code: str) -> NoReturn:
    raise InputRefused.because(what, where=name, todo="save the file anew with the program that made it", code=code)


def _inflate(name: str, entry: Member, packed: bytes) -> bytes:
    inflater = zlib.decompressobj(-15)
    try:
        # One byte more than promised is enough to notice a lie, and no more is ever unpacked.
        content = inflater.decompress(packed, entry.size + 1)
    except zlib.error:
        _refuse(name, f"{entry.name} cannot be unpacked", "zip_damaged")
    if not inflater.eof or inflater.unused_data:
        _refuse(name, f"{entry.name} is not what the archive's headers promise", "zip_damaged")
    return content


def check_zip(data: bytes, name: str) -> Archive:
    """Check an archive in time proportional to its directory; nothing is unpacked.

    Raises:
        InputRefused: The archive breaks one of the limits of this module, hides something, or is cut.
    """
    if len(data) < _END.size or data[:4] != b"PK\x03\x04":
        _refuse(name, "the file is not a zip archive", "zip_invalid")
    signature, disk, first_disk, here, count, length, offset, comment = _END.unpack_from(data, len(data) - _END.size)
    if signature != b"PK\x05\x06" or comment:
        _refuse(name, "the archive is cut, or something follows its end", "zip_invalid")
    if disk or first_disk or here != count or count == 0xFFFF or offset == 0xFFFFFFFF:
        _refuse(name, "archives in parts and zip64 archives are not read", "zip_invalid")
    if count > MAX_MEMBERS:
        _refuse(name, f"the archive has {count} members, more than {MAX_MEMBERS}", "zip_too_large")
    if offset + length != len(data) - _END.size:
        _refuse(name, "the archive's directory does not end where the archive ends", "zip_invalid")
    members: list[Member] = []
    ends: list[tuple[int, int]] = []
    for _ in range(count):
        if offset + _ENTRY.size > len(data):
            _refuse(name, "the archive's directory is cut", "zip_invalid")
        member, span, offset = _entry(data, name, offset)
        members.append(member)
        ends.append(span)
    if offset != len(data) - _END.size:
        _refuse(name, "the archive's directory holds more than its members", "zip_invalid")
    _check_spans(name, ends, len(data) - _END.size - length)
    _check_sizes(name, members)
    return Archive(name, data, {member.name: member for member in members})


def _entry(data: bytes, name: str, offset: int) -> tuple[Member, tuple[int, int], int]:
    """Return a member, the span of bytes it takes, and where the next directory entry begins."""
    fields = _ENTRY.unpack_from(data, offset)
    signature, made_by, _, flags, method, _, _, crc, packed, size, name_length, extra_length, comment = fields[:13]
    attributes, local = fields[15:]
    if signature != b"PK\x01\x02":
        _refuse(name, "the archive's directory is damaged", "zip_invalid")
    raw = data[offset + _ENTRY.size : offset + _ENTRY.size + name_length]
    extra = data[offset + _ENTRY.size + name_length : offset + _ENTRY.size + name_length + extra_length]
    member = _member_name(raw, flags, name)
    if flags & _ENCRYPTED:
        _refuse(name, f"{member} is encrypted", "zip_member")
    if method not in _METHODS:
        _refuse(name, f"{member} is neither stored nor deflated", "zip_member")
    if made_by >> 8 == 3 and (attributes >> 16) & 0o170000 == _LINK:
        _refuse(name, f"{member} is a link", "zip_name")
    if 0xFFFFFFFF in (packed, size, local) or _has_extra(extra, _ZIP64_EXTRA):
        _refuse(name, "zip64 archives are not read", "zip_invalid")
    if _has_extra(extra, _NAME_EXTRA):
        _refuse(name, f"{member} has a second name", "zip_name")
    start, end = _local(data, name, local, (raw, flags, method, crc, packed, size))
    entry = Member(member, size, packed, crc, method == 8, start)
    return entry, (local, end), offset + _ENTRY.size + name_length + extra_length + comment


def _member_name(raw: bytes, flags: int, name: str) -> str:
    try:
        member = raw.decode("utf-8" if flags & _UTF8 else "ascii")
    except UnicodeDecodeError:
        _refuse(name, "the name of a member is not readable text", "zip_name")
    parts = member.removesuffix("/").split("/")
    if not member or len(member) > MAX_NAME or not member.isprintable() or "\\" in member or ":" in member:
        _refuse(name, f"the member name {member[:60]!r} is not a plain relative path", "zip_name")
    if any(part in ("", ".", "..") for part in parts):
        _refuse(name, f"the member name {member[:60]!r} climbs out of the archive", "zip_name")
    return member


def _has_extra(extra: bytes, wanted: int) -> bool:
    while len(extra) >= 4:
        tag, length = struct.unpack_from("<HH", extra)
        if tag == wanted:
            return True
        extra = extra[4 + length :]
    return False


def _local(data: bytes, name: str, offset: int, told: tuple[bytes, int, int, int, int, int]) -> tuple[int, int]:
    """Return where a member's bytes begin, and where all that belongs to it ends."""
    raw, flags, method, crc, packed, size = told
    if offset + _LOCAL.size > len(data):
        _refuse(name, "a member lies outside the archive", "zip_invalid")
    found = _LOCAL.unpack_from(data, offset)
    name_at = offset + _LOCAL.size
    start = name_at + found[9] + found[10]
    agrees = found[0] == b"PK\x03\x04" and found[2:4] == (flags, method) and data[name_at : name_at + found[9]] == raw
    end = start + packed
    if flags & _DESCRIPTOR:
        # Written while streaming: the sizes follow the bytes, with or without a signature of their own.
        agrees = agrees and found[6:9] in ((0, 0, 0), (crc, packed, size))
        sizes = struct.pack("<3L", crc, packed, size)
        if data[end : end + 16] == b"PK\x07\x08" + sizes:
            end += 16
        elif data[end : end + 12] == sizes:
            end += 12
        else:
            agrees = False
    else:
        agrees = agrees and found[6:9] == (crc, packed, size)
    if not agrees:
        _refuse(name, "a member's own header and the archive's directory disagree", "zip_invalid")
    return start, end


def _check_spans(name: str, spans: list[tuple[int, int]], directory: int) -> None:
    expected = 0
    for start, end in sorted(spans):
        if start != expected:
            _refuse(name, "members overlap, or bytes lie hidden between them", "zip_invalid")
        expected = end
    if expected != directory:
        _refuse(name, "members overlap, or bytes lie hidden between them", "zip_invalid")


def _check_sizes(name: str, members: list[Member]) -> None:
    seen: set[str] = set()
    for member in members:
        if member.name.casefold() in seen:
            _refuse(name, f"two members are named {member.name[:60]!r}", "zip_name")
        seen.add(member.name.casefold())
        if member.size > max(FREE_RATIO_BYTES, MAX_RATIO * member.packed):
            _refuse(name, f"{member.name} unpacks to more than {MAX_RATIO} times its packed size", "zip_too_large")
    total = sum(member.size for member in members)
    if total > MAX_UNPACKED_BYTES:
        _refuse(name, f"the archive unpacks to {total} bytes, more than {MAX_UNPACKED_BYTES}", "zip_too_large")
