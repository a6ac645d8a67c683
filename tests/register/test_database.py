"""One writer at a time, readers that see one state, and nothing half done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import select

from homolog.errors import InputRefused, UsageError
from homolog.register.database import Database, DatabaseUnavailable
from homolog.register.ids import is_id, new_id
from homolog.register.migrate import migrate
from homolog.register.tables.accounts import Account, ApiToken, Membership, Organisation

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def make_account(name: str = "Ann", **changes: object) -> Account:
    values = {"id": new_id(NOW), "email": f"{name}@example.org", "email_key": f"{name.lower()}@example.org", "name": name}
    return Account(**{**values, "created_at": NOW, **changes})


def names(database: Database) -> list[str]:
    with database.read() as session:
        return sorted(session.exec(select(Account.name)).all())


def test_what_was_written_is_read(database: Database) -> None:
    with database.write() as session:
        session.add(make_account("Ann"))
    assert names(database) == ["Ann"]


def test_what_failed_half_way_is_not_there(database: Database) -> None:
    def fail() -> None:
        with database.write() as session:
            session.add(make_account("Ann"))
            session.flush()
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail()
    assert names(database) == []


def test_a_reader_changes_nothing(database: Database) -> None:
    def change() -> None:
        with database.read() as session:
            session.add(make_account("Ann"))
            session.flush()

    with pytest.raises(DBAPIError, match="read"):
        change()
    assert names(database) == []
    with database.write() as session:  # the connection that refused may write again
        session.add(make_account("Ben"))
    assert names(database) == ["Ben"]


def test_a_reader_sees_one_state(database: Database) -> None:
    with database.read() as session:
        assert session.exec(select(Account.name)).all() == []
        with database.write() as other:
            other.add(make_account("Ann"))
        assert session.exec(select(Account.name)).all() == []
    assert names(database) == ["Ann"]


def test_writes_that_join_another_count_with_it_or_not_at_all(database: Database) -> None:
    def work(name: str) -> None:
        with database.write() as session:
            session.add(make_account(name))
        assert name in names(database)  # a read that joins sees what is not yet there for others

    def fail() -> None:
        with database.write() as session, database.join(session):
            work("Ben")
            raise RuntimeError("half way")

    with database.write() as session, database.join(session):
        work("Ann")
    with pytest.raises(RuntimeError, match="half way"):
        fail()
    assert names(database) == ["Ann"]


def test_writers_take_turns_and_none_is_lost(database: Database) -> None:
    with database.write() as session:
        session.add(account := make_account("Ann", version=0))
        key = account.id

    def count_up() -> None:
        for _ in range(25):
            with database.write() as own:
                row = own.get_one(Account, key)
                row.version += 1

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as session:
        assert session.get_one(Account, key).version == 100


def test_rows_that_belong_together_go_in_in_any_order(database: Database) -> None:
    account, organisation = make_account("Ann"), Organisation(id=new_id(NOW), kind="manufacturer", name="Maker", created_at=NOW)
    with database.write() as session:
        session.add(
            Membership(id=new_id(NOW), organisation_id=organisation.id, account_id=account.id, at=NOW, by=account.id),
        )
        session.flush()
        session.add_all([account, organisation])
    assert names(database) == ["Ann"]


def test_a_row_that_names_nobody_is_refused_when_the_transaction_ends(database: Database) -> None:
    nobody = new_id(NOW)
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Membership(id=new_id(NOW), organisation_id=nobody, account_id=nobody, at=NOW, by=nobody))


def test_a_kind_that_is_not_known_is_refused(database: Database) -> None:
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(Organisation(id=new_id(NOW), kind="club", name="Club", created_at=NOW))


def test_a_moment_comes_back_in_utc_to_the_microsecond(database: Database) -> None:
    moment = datetime(2026, 11, 30, 14, 0, 0, 1, tzinfo=timezone(timedelta(hours=2)))
    with database.write() as session:
        session.add(make_account("Ann", created_at=moment))
    with database.read() as session:
        found = session.exec(select(Account.created_at).where(Account.created_at > moment - timedelta(microseconds=1))).one()
    assert found == moment
    assert found.tzinfo is UTC


def test_a_moment_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(Exception, match="without a zone"), database.write() as session:
        session.add(make_account("Ann", created_at=datetime(2026, 11, 30)))  # noqa: DTZ001


def test_json_that_is_not_canonical_is_refused(database: Database) -> None:
    account = make_account("Ann")
    token = ApiToken(id=new_id(NOW), digest="0", account_id=account.id, name="x", scopes='["a", "b"]', created_at=NOW, until=NOW)
    with pytest.raises(Exception, match="not canonical"), database.write() as session:
        session.add_all([account, token])


@pytest.mark.parametrize("bad", ["half \ud800", "nothing \x00"])
def test_text_that_a_database_cannot_hold_is_refused_not_a_fault(database: Database, bad: str) -> None:
    with pytest.raises(InputRefused, match="cannot be stored") as error, database.write() as session:
        session.add(make_account(bad, email="ann", email_key="ann"))
    assert error.value.problems[0].code == "text_refused"


@pytest.mark.parametrize(
    "url",
    ["", "homolog.db", "sqlite://", "sqlite:///:memory:", "mysql://h/n", "sqlite+aiosqlite:///x.db", "postgresql+asyncpg://h/n"],
)
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(UsageError):
        Database.open(url)


def test_a_password_is_not_shown() -> None:
    shown = Database.open("postgresql://ann:secret@example.org/homolog").shown
    assert shown == "postgresql+psycopg://ann:***@example.org/homolog"


def test_ids_sort_by_time_and_never_come_twice() -> None:
    made = [new_id(NOW + timedelta(milliseconds=number)) for number in range(100)]
    assert sorted(made) == made
    assert len({new_id(NOW) for _ in range(10_000)}) == 10_000
    assert all(is_id(one) for one in made)
    assert not is_id("../../etc/passwd")
    assert not is_id(made[0].upper())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("is_same_process", [True, False])
def test_a_writer_that_does_not_end_is_said(
    kind: str, is_same_process: bool, empty_url: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homolog.register.database.WAIT_SECONDS", 1)
    url = empty_url(kind)
    first = Database.open(url)
    migrate(first)
    second = first if is_same_process else Database.open(url)  # another opening stands for another process: it shares nothing
    with first.write() as session:
        session.add(make_account("Ann"))
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            write(second, "Ben")
    write(second, "Cid")
    assert names(first) == ["Ann", "Cid"]
    first.close()
    second.close()


def write(database: Database, name: str) -> None:
    with database.write() as session:
        session.add(make_account(name))


@pytest.mark.parametrize("url", ["postgresql+psycopg://homolog@127.0.0.1:1/x", "sqlite:////proc/there/is/none.db"])
def test_a_database_that_is_away_is_said(url: str) -> None:
    with pytest.raises(DatabaseUnavailable, match="does not answer"):
        names(Database.open(url))
