"""The audit log shows when somebody was at it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from homolog.register import audit
from homolog.register.database import Database

NOW = datetime(2026, 11, 30, 12, 0, 0, 5, tzinfo=UTC)


@pytest.fixture
def log(database: Database) -> tuple[audit.Entry, ...]:
    for number in range(5):
        with database.write() as session:
            audit.record(
                session,
                now=NOW + timedelta(seconds=number),
                account_id=None if number == 0 else f"account{number}",
                action="role.given",
                object=f"account:{number}",
                details={"role": "board", "number": number},
            )
    with database.read() as session:
        return tuple(reversed(audit.entries(session)))


def test_an_untouched_log_holds(database: Database, log: tuple[audit.Entry, ...]) -> None:
    with database.read() as session:
        found = audit.check(session)
    assert found == audit.Chain(entries=5, head=log[-1].digest, broken_at=None)
    assert [entry.number for entry in log] == [1, 2, 3, 4, 5]
    assert log[0].previous == audit.START
    assert json.loads(log[4].details) == {"role": "board", "number": 4}
    assert log[4].at == NOW + timedelta(seconds=4)


def test_an_empty_log_holds(database: Database) -> None:
    with database.read() as session:
        assert audit.check(session) == audit.Chain(entries=0, head=audit.START, broken_at=None)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("at", NOW),
        ("account_id", "somebody"),
        ("action", "role.taken"),
        ("object", "account:9"),
        ("details", "{}"),
        ("digest", "0" * 64),
        ("previous", "0" * 64),
    ],
)
def test_a_changed_entry_is_seen(log: tuple[audit.Entry, ...], column: str, value: object) -> None:
    forged = (*log[:2], replace(log[2], **{column: value}), *log[3:])
    assert audit.check_entries(forged).broken_at == 3


def test_a_missing_entry_is_seen(log: tuple[audit.Entry, ...]) -> None:
    assert audit.check_entries((*log[:2], *log[3:])).broken_at == 3
    assert audit.check_entries(log[1:]).broken_at == 1


def test_entries_in_another_order_are_seen(log: tuple[audit.Entry, ...]) -> None:
    assert audit.check_entries((log[0], log[2], log[1])).broken_at == 2


def test_a_log_cut_at_its_end_has_another_head(log: tuple[audit.Entry, ...]) -> None:
    cut = audit.check_entries(log[:4])
    assert cut.broken_at is None
    assert cut.head != log[-1].digest


def test_what_was_not_committed_leaves_no_gap(database: Database, log: tuple[audit.Entry, ...]) -> None:
    def fail() -> None:
        with database.write() as session:
            audit.record(session, now=NOW, account_id=None, action="x", object="y")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail()
    with database.write() as session:
        audit.record(session, now=NOW, account_id=None, action="x", object="y")
    with database.read() as session:
        assert audit.check(session).entries == 6
        assert [entry.number for entry in audit.entries(session, before=3)] == [2, 1]
