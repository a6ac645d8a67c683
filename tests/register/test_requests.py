"""A request that is sent twice is done once, and nobody comes too often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from homolog.errors import UsageError
from homolog.register import requests
from homolog.register.database import Database
from homolog.register.requests import Answer, KeyUsed, StillUnderWay
from homolog.register.tables.requests import IdempotencyKey, RateCount

NOW = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
ANSWER = Answer(201, {"Location": "/api/v1/applications/1"}, '{"id":"ї"}')


def begin(database: Database, *, owner: str = "account:1", request: str = "a", now: datetime = NOW) -> Answer | None:
    with database.write() as session:
        return requests.begin(session, owner=owner, key="key", request=request, now=now)


def finish(database: Database) -> None:
    with database.write() as session:
        requests.finish(session, ANSWER, owner="account:1", key="key")


def test_the_second_time_gets_the_answer_of_the_first(database: Database) -> None:
    assert begin(database) is None
    finish(database)
    assert begin(database) == ANSWER
    assert begin(database, now=NOW + timedelta(hours=23)) == ANSWER


def test_the_same_key_of_somebody_else_is_another_key(database: Database) -> None:
    begin(database)
    finish(database)
    assert begin(database, owner="account:2", request="b") is None


def test_the_same_key_for_another_request_is_refused(database: Database) -> None:
    begin(database)
    with pytest.raises(KeyUsed):
        begin(database, request="b")
    finish(database)
    with pytest.raises(KeyUsed):
        begin(database, request="b")


def test_a_request_under_way_is_not_begun_again(database: Database) -> None:
    begin(database)
    with pytest.raises(StillUnderWay):
        begin(database)


def test_a_request_whose_worker_died_is_begun_again(database: Database) -> None:
    begin(database)
    with pytest.raises(StillUnderWay):
        begin(database, now=NOW + timedelta(minutes=9))
    assert begin(database, now=NOW + timedelta(minutes=10)) is None


def test_a_request_that_failed_may_be_sent_again(database: Database) -> None:
    begin(database)
    with database.write() as session:
        requests.abandon(session, owner="account:1", key="key")
    assert begin(database) is None
    finish(database)
    with database.write() as session:
        requests.abandon(session, owner="account:1", key="key")
    assert begin(database) == ANSWER


def test_an_answer_is_forgotten_after_a_day(database: Database) -> None:
    begin(database)
    finish(database)
    assert begin(database, request="b", now=NOW + timedelta(days=1)) is None


@pytest.mark.parametrize("key", ["", "x" * 201, "a\nb"])
def test_what_is_no_key_is_refused(database: Database, key: str) -> None:
    with pytest.raises(UsageError, match="is no key"), database.write() as session:
        requests.begin(session, owner="a", key=key, request="r", now=NOW)


def come(database: Database, now: datetime, *, subject: str = "address:198.51.100.7", action: str = "sign_in") -> timedelta | None:
    with database.write() as session:
        return requests.count(session, subject=subject, action=action, most=3, window=timedelta(minutes=1), now=now)


def test_the_fourth_time_in_a_minute_is_too_often(database: Database) -> None:
    assert [come(database, NOW + timedelta(seconds=number)) for number in range(3)] == [None, None, None]
    assert come(database, NOW + timedelta(seconds=10)) == timedelta(seconds=20)
    assert come(database, NOW + timedelta(seconds=29)) == timedelta(seconds=1)
    assert come(database, NOW + timedelta(seconds=30)) is None


def test_others_and_other_things_are_counted_by_themselves(database: Database) -> None:
    for _ in range(3):
        come(database, NOW)
    assert come(database, NOW) is not None
    assert come(database, NOW, subject="account:1") is None
    assert come(database, NOW, action="check") is None


def test_what_is_over_is_let_go(database: Database) -> None:
    begin(database)
    come(database, NOW)
    for later, left in ((timedelta(hours=23), 1), (timedelta(days=1, minutes=1), 0)):
        with database.write() as session:
            requests.forget(session, now=NOW + later)
        with database.read() as session:
            assert len(session.exec(select(IdempotencyKey)).all()) == len(session.exec(select(RateCount)).all()) == left
