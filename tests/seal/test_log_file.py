from __future__ import annotations

import itertools
import json
from datetime import timedelta
from pathlib import Path

import pytest

from homolog.errors import InputRefused, UsageError
from homolog.seal.log import Entry, Receipt, covers, read_head, read_receipt, sign_head
from homolog.seal.log_file import append, read_log
from homolog.seal.merkle import consistency_path, is_consistent
from tests.seal.making import ISSUER, SIGNED, bytes_of, key, log_of, status

DIGESTS = [f"{number:064x}" for number in range(1, 8)]


def entry(sha256: str, seconds: int = 0) -> Entry:
    return Entry(at=SIGNED + timedelta(seconds=seconds), kind="report", sha256=sha256, kid=key().public.kid)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    for number, digest in enumerate(DIGESTS):
        append(path, entry(digest, number), issuer=ISSUER, key=key(), at=SIGNED + timedelta(seconds=number))
    return path


def test_every_entry_has_a_receipt_under_the_last_head(path: Path) -> None:
    log = read_log(path.read_bytes(), path.name)
    head = log.heads[-1][1]
    assert (head.size, head.issuer) == (7, ISSUER)
    for number, digest in enumerate(DIGESTS):
        receipt = log.find(digest)
        assert receipt is not None
        assert (receipt.entry.sha256, receipt.index) == (digest, number)
        assert covers(head, receipt)
        assert not covers(log.heads[0][1], receipt) or number == 0
    assert log.find("ff" * 32) is None


def test_entering_gives_the_receipt_that_the_log_gives_afterwards(tmp_path: Path) -> None:
    for digest in DIGESTS[:3]:
        given = append(tmp_path / "log", entry(digest), issuer=ISSUER, key=key(), at=SIGNED)
        assert given == read_log((tmp_path / "log").read_bytes(), "log").find(digest)


def test_every_head_follows_from_the_one_before(path: Path) -> None:
    log = read_log(path.read_bytes(), path.name)
    heads = [head for _, head in log.heads]
    assert [head.size for head in heads] == [1, 2, 3, 4, 5, 6, 7]
    for older, newer in itertools.pairwise(heads):
        proof = consistency_path(older.size, newer.size, log.tree)
        assert is_consistent(older.size, newer.size, bytes.fromhex(older.root), bytes.fromhex(newer.root), proof)


def test_a_record_is_entered_once(path: Path) -> None:
    before = path.read_bytes()
    again = append(path, entry(DIGESTS[2], 999), issuer=ISSUER, key=key(), at=SIGNED + timedelta(days=1))
    assert again.index == 2
    assert again.entry.at == SIGNED + timedelta(seconds=2)
    assert path.read_bytes() == before


def test_a_log_is_only_ever_added_to(path: Path) -> None:
    before = path.read_bytes()
    append(path, entry("aa" * 32), issuer=ISSUER, key=key(), at=SIGNED)
    assert path.read_bytes().startswith(before)


def test_a_status_stands_beside_its_entry(path: Path) -> None:
    said = status(reports=[DIGESTS[0]])
    append(path, entry("bb" * 32), issuer=ISSUER, key=key(), at=SIGNED, status=said)
    log = read_log(path.read_bytes(), path.name)
    found = log.find(DIGESTS[0])
    assert found is not None
    assert found.statuses == (said,)
    other = log.find(DIGESTS[1])
    assert other is not None
    assert other.statuses == ()


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def joined(parts: list[bytes]) -> bytes:
    return b"".join(parts)


def test_an_entry_changed_put_in_taken_out_or_moved_is_found(path: Path) -> None:
    whole = lines(path)
    changed = [*whole[:3], whole[3].replace(DIGESTS[1].encode(), b"cc" * 32), *whole[4:]]
    put_in = [*whole[:3], bytes_of({"entry": entry("dd" * 32).record()}) + b"\n", *whole[3:]]
    taken_out = [*whole[:3], *whole[4:]]
    moved = [*whole[:3], whole[5], whole[4], whole[3], *whole[6:]]
    assert changed[3] != whole[3]
    for spoiled in (changed, put_in, taken_out, moved):
        with pytest.raises(InputRefused, match="not the root of the entries before it") as refused:
            read_log(joined(spoiled), "log")
        assert [problem.code for problem in refused.value.problems] == ["log_damaged"]


def test_a_log_cut_short_in_a_line_or_before_a_head_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for spoiled in (whole[:-1], whole[:-500], joined(lines(path)[:-1])):
        with pytest.raises(InputRefused, match="cut short"):
            read_log(spoiled, "log")
    with pytest.raises(InputRefused, match="cut short"):
        read_log(lines(path)[0], "log")


def test_a_log_cut_back_to_an_older_head_is_an_older_log(path: Path) -> None:
    older = read_log(joined(lines(path)[:-2]), "log")
    assert older.heads[-1][1].size == 6
    assert older.find(DIGESTS[6]) is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b"{}\n", "seal_foreign"),
        (b'{"format":"homolog-log/2","issuer":"x"}\n', "seal_foreign"),
        (b"\n\n", "file_empty"),
        (b"[1]\n", "seal_foreign"),
        (b'{"format":"homolog-log/1","issuer":"x"}\n{"entry":{}}\n', "seal_damaged"),
        (b'{"format":"homolog-log/1","issuer":"x"}\n{}\n', "seal_damaged"),
        (b'{"format":"homolog-log/1","issuer":"x"}\n{"other":1}\n', "seal_damaged"),
        (b'{"format":"homolog-log/1","issuer":"x","issuer":"y"}\n', "key_duplicate"),
        (b'{"format":"homolog-log/1","issuer":' + b"[" * 100 + b"]" * 100 + b"}\n", "json_depth"),
        (b"{" + b" " * 3_000_000 + b"}\n", "file_too_large"),
    ],
    ids=range(11),
)
def test_what_is_no_log_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InputRefused) as refused:
        read_log(data, "log")
    assert {problem.code for problem in refused.value.problems} == {code}


def test_a_head_of_another_log_is_refused(path: Path) -> None:
    log = read_log(path.read_bytes(), path.name)
    foreign = sign_head(7, log.tree, issuer="Somebody else", key=key(), at=SIGNED)
    with pytest.raises(InputRefused, match="not the root"):
        read_log(path.read_bytes() + bytes_of({"head": foreign.record()}) + b"\n", "log")


def test_a_record_is_not_entered_into_the_log_of_another(path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        append(path, entry("ee" * 32), issuer="Somebody else", key=key(), at=SIGNED)
    assert [problem.code for problem in refused.value.problems] == ["key_issuer"]


def test_a_damaged_log_is_not_written_on(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])
    before = path.read_bytes()
    with pytest.raises(InputRefused):
        append(path, entry("ee" * 32), issuer=ISSUER, key=key(), at=SIGNED)
    assert path.read_bytes() == before


def test_a_receipt_survives_the_way_over_the_wire() -> None:
    log = log_of(*DIGESTS)
    receipt = log.find(DIGESTS[4])
    assert isinstance(receipt, Receipt)
    assert read_receipt(json.loads(receipt.canonical()), "receipt") == receipt
    for spoiled in (
        {},
        [],
        receipt.record() | {"path": ["x"]},
        receipt.record() | {"path": ["00" * 32] * 65},
        receipt.record() | {"index": -1},
    ):
        with pytest.raises(InputRefused):
            read_receipt(spoiled, "receipt")


def test_a_signature_over_something_else_is_no_head() -> None:
    with pytest.raises(InputRefused, match="over no log-head"):
        read_head(status(), "head")
