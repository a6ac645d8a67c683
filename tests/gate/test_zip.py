"""An archive is opened only if every one of its headers tells the same."""

from __future__ import annotations

import io
import struct
import time
import warnings
import zipfile
import zlib

import pytest

from homolog.errors import InputRefused
from homolog.gate.zip import check_zip


def archive(members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as target:
        for name, content in members.items():
            target.writestr(zipfile.ZipInfo(name), content, method)
    return data.getvalue()


class _Pipe(io.RawIOBase):
    """A target that cannot seek, so that sizes follow the bytes."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += bytes(data)
        return len(data)


def streamed(members: dict[str, bytes]) -> bytes:
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as target:  # type: ignore[arg-type]
        for name, content in members.items():
            target.writestr(name, content)
    return pipe.data


GOOD = archive({"a.xml": b"hello " * 50, "dir/b.txt": b"x"})


def read_all(data: bytes) -> None:
    opened = check_zip(data, "x.zip")
    for member in opened.members:
        opened.read(member)


def refusal(data: bytes) -> str:
    with pytest.raises(InputRefused) as caught:
        read_all(data)
    (problem,) = caught.value.problems
    assert problem.where == "x.zip"
    return problem.code


def test_an_archive_whose_headers_agree_is_read() -> None:
    opened = check_zip(GOOD, "x.zip")
    assert list(opened.members) == ["a.xml", "dir/b.txt"]
    assert opened.read("a.xml") == b"hello " * 50
    assert check_zip(archive({"a": b"stored"}, method=zipfile.ZIP_STORED), "x.zip").read("a") == b"stored"


def test_an_archive_that_was_written_to_a_pipe_is_read() -> None:
    assert check_zip(streamed({"a": b"one" * 9, "b": b"two"}), "x.zip").read("b") == b"two"


def test_a_member_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputRefused, match="has no c"):
        check_zip(GOOD, "x.zip").read("c")


@pytest.mark.parametrize("cut", [1, 10, 22, len(GOOD) // 2, len(GOOD) - 3])
def test_a_cut_archive_is_refused(cut: int) -> None:
    assert refusal(GOOD[:-cut]) == "zip_invalid"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"x" * 100, b"MZ" + GOOD, GOOD + b"\x00", GOOD + GOOD])
def test_something_before_or_after_the_archive_is_refused(data: bytes) -> None:
    assert refusal(data) == "zip_invalid"


def test_a_comment_at_the_end_is_refused() -> None:
    data = io.BytesIO(GOOD)
    with zipfile.ZipFile(data, "a") as target:
        target.comment = b"PK\x05\x06"
    assert refusal(data.getvalue()) == "zip_invalid"


@pytest.mark.parametrize("name", ["../a", "/a", "a/../b", "a\\b", "c:a", "a//b", "x" * 201, "a\nb"])
def test_a_name_that_climbs_or_is_odd_is_refused(name: str) -> None:
    data = archive({"placeholder" if "\\" in name else name: b"x"})
    if "\\" in name:
        data = archive({"a_b": b"x"}).replace(b"a_b", b"a\\b")
    assert refusal(data) == "zip_name"


def test_two_members_of_one_name_are_refused() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as target:
            target.writestr("a", b"1")
            target.writestr("a", b"2")
    assert refusal(data.getvalue()) == "zip_name"
    assert refusal(archive({"a": b"1", "A": b"2"})) == "zip_name"


def test_a_link_is_refused() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        info = zipfile.ZipInfo("a")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        target.writestr(info, "/etc/passwd")
    assert refusal(data.getvalue()) == "zip_name"


def test_too_many_members_are_refused() -> None:
    assert len(check_zip(archive({str(n): b"" for n in range(200)}), "x.zip").members) == 200
    assert refusal(archive({str(n): b"" for n in range(201)})) == "zip_too_large"


def test_a_bomb_is_refused_by_its_ratio_before_anything_is_unpacked() -> None:
    bomb = archive({"a": b"\0" * 30_000_000})
    begin = time.process_time()
    with pytest.raises(InputRefused, match="50 times"):
        check_zip(bomb, "x.zip")
    assert time.process_time() - begin < 0.1


def test_a_bomb_that_lies_about_its_size_is_not_unpacked_further() -> None:
    bomb = archive({"a": b"\0" * 30_000_000})
    lie = bomb.replace(struct.pack("<L", 30_000_000), struct.pack("<L", 60_000))
    assert refusal(lie) == "zip_damaged"


def test_other_methods_and_encryption_are_refused() -> None:
    assert refusal(archive({"a": b"x" * 99}, method=zipfile.ZIP_BZIP2)) == "zip_member"
    flags = bytearray(archive({"a": b"x"}))
    central = flags.index(b"PK\x01\x02")
    flags[6] |= 1
    flags[central + 8] |= 1
    assert refusal(bytes(flags)) == "zip_member"


def patched(at: int, value: bytes, *, central: bool) -> bytes:
    data = bytearray(GOOD)
    base = GOOD.index(b"PK\x01\x02") if central else 0
    data[base + at : base + at + len(value)] = value
    return bytes(data)


@pytest.mark.parametrize(
    ("at", "value"),
    [(8, b"\x00\x00"), (14, b"\x00\x00\x00\x00"), (18, b"\x01\x00\x00\x00"), (22, b"\x01\x00\x00\x00"), (30, b"b")],
    ids=["method", "crc", "packed size", "size", "name"],
)
def test_a_local_header_that_tells_otherwise_is_refused(at: int, value: bytes) -> None:
    assert refusal(patched(at, value, central=False)) == "zip_invalid"


def test_a_member_at_another_members_place_is_refused() -> None:
    assert refusal(patched(42, struct.pack("<L", 5), central=True)) == "zip_invalid"
    assert refusal(patched(42, struct.pack("<L", len(GOOD)), central=True)) == "zip_invalid"


def test_bytes_hidden_between_members_are_refused() -> None:
    end = GOOD[-22:]
    count, length, offset = struct.unpack_from("<HLL", end, 10)
    directory = GOOD[offset : offset + length]
    hidden = (
        GOOD[:offset] + b"secret" + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, length, offset + 6, 0)
    )
    assert refusal(hidden) == "zip_invalid"


def test_bytes_that_are_not_those_promised_are_refused() -> None:
    data = bytearray(archive({"a": b"stored text"}, method=zipfile.ZIP_STORED))
    data[data.index(b"stored")] ^= 1
    assert refusal(bytes(data)) == "zip_damaged"
    packed = bytearray(GOOD)
    packed[36] ^= 0xFF
    assert refusal(bytes(packed)) == "zip_damaged"


def test_zip64_is_refused() -> None:
    data = bytearray(GOOD)
    data[-12:-10] = b"\xff\xff"
    data[-14:-12] = b"\xff\xff"
    assert refusal(bytes(data)) == "zip_invalid"


def test_the_checksum_is_that_of_the_content() -> None:
    assert check_zip(GOOD, "x.zip").members["a.xml"].crc == zlib.crc32(b"hello " * 50)


def ended(*, disk: int = 0, count: int = 2, length: int = 0, offset: int = 0) -> bytes:
    """The good archive with another end; length and offset are added."""
    *_, size, start, _ = struct.unpack("<4s4H2LH", GOOD[-22:])
    return GOOD[:-22] + struct.pack("<4s4H2LH", b"PK\x05\x06", disk, 0, count, count, size + length, start + offset, 0)


@pytest.mark.parametrize(
    "data",
    [ended(disk=1), ended(count=1), ended(count=3), ended(length=1), ended(offset=1), ended(length=-1, offset=1)],
    ids=["in parts", "member not counted", "member too many", "directory too long", "directory elsewhere", "directory begins late"],
)
def test_an_end_that_tells_otherwise_is_refused(data: bytes) -> None:
    assert refusal(data) == "zip_invalid"


@pytest.mark.parametrize(("tag", "code"), [(0x0001, "zip_invalid"), (0x7075, "zip_name")], ids=["zip64", "second name"])
def test_a_second_size_or_name_is_refused(tag: int, code: str) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as target:
        info = zipfile.ZipInfo("a")
        info.extra = struct.pack("<HH2s", 0x9999, 2, b"ok") + struct.pack("<HH4s", 0x7075, 4, b"name")
        target.writestr(info, b"x")
    told = data.getvalue().replace(struct.pack("<H", 0x7075), struct.pack("<H", tag))
    assert refusal(told) == code


def test_a_name_that_is_no_text_is_refused() -> None:
    assert refusal(archive({"a_b": b"x"}).replace(b"a_b", b"a\xffb")) == "zip_name"


def test_a_descriptor_that_tells_otherwise_is_refused() -> None:
    data = bytearray(streamed({"a": b"one" * 9}))
    data[data.index(b"PK\x07\x08") + 4] ^= 1
    assert refusal(bytes(data)) == "zip_invalid"


def test_a_descriptor_may_lack_its_signature() -> None:
    data = streamed({"a": b"one" * 9})
    start = struct.unpack_from("<L", data, len(data) - 6)[0]
    bare = data.replace(b"PK\x07\x08", b"")
    bare = bare[:-6] + struct.pack("<LH", start - 4, 0)
    assert check_zip(bare, "x.zip").read("a") == b"one" * 9


def test_bytes_behind_a_members_stream_are_refused() -> None:
    packed = zlib.compress(b"x" * 99)[2:-4] + b"junk"
    content = b"x" * 99
    head = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, zlib.crc32(content), len(packed), 99, 1, 0) + b"a"
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, zlib.crc32(content), len(packed), 99, 1, 0, 0, 0, 0, 0, 0)
    body = head + packed
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(entry) + 1, len(body), 0)
    assert refusal(body + entry + b"a" + end) == "zip_damaged"


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homolog.gate.zip.MAX_UNPACKED_BYTES", 300)
    assert refusal(GOOD) == "zip_too_large"
