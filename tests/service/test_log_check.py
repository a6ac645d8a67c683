"""Whoever changes the log of seals in the database itself is found out."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from homolog.seal.key_folder import make_keys
from homolog.service.log_check import check
from homolog.service.sealing import Sealer, seal_record
from tests.service.people import World

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
RECORDS = 5


@pytest.fixture
def sealed(world: World, tmp_path: Path) -> World:
    """Return a register in which some records were signed."""
    at = world.now.replace(microsecond=0)
    make_keys(tmp_path / "keys", issuer="Sample federation", at=at, until=at + timedelta(days=700))
    sealer = Sealer(tmp_path / "keys", "http://register.example")
    for number in range(RECORDS):
        data = b'{"format":"homolog-report/1","n":%d}' % number
        blob = world.desk.files.receive([data])
        with world.desk.database.write() as session:
            world.desk.files.record(session, blob, now=world.now)
            seal_record(session, sealer, data, "report", now=world.now)
    return world


def change(world: World, table: str, statement: str) -> list[str]:
    """Change a table that is written once, as somebody with the file in hand can, and return what is then found."""
    with world.desk.database.connect(is_write=True) as connection:
        for kind in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER {table}_no_{kind}"))
        connection.execute(text(statement))
    return list(check(world.desk))


def test_a_log_as_it_was_written_holds(sealed: World) -> None:
    assert list(check(sealed.desk)) == []


def test_an_entry_that_was_changed_is_found_in_every_head_after_it(sealed: World) -> None:
    found = change(sealed, "log_entry", "UPDATE log_entry SET entry = replace(entry, 'report', 'status') WHERE number = 2")
    assert [line for line in found if "the head over the first" in line] == [
        f"the log of seals: the head over the first {size} entries is of others." for size in (3, 4, 5)
    ]


def test_an_entry_that_was_taken_out_is_found(sealed: World) -> None:
    assert change(sealed, "log_entry", "DELETE FROM log_entry WHERE number = 2") == ["the log of seals: entry 2 is missing."]


def test_the_last_entry_taken_out_leaves_its_record_and_its_hashes(sealed: World) -> None:
    found = change(sealed, "log_entry", "DELETE FROM log_entry WHERE number = 4")
    assert found[0] == "the log of seals: hash 4 of level 0 is not that of its entries."
    assert found[1].endswith("is signed and not entered.")


def test_a_head_that_was_taken_out_is_found(sealed: World) -> None:
    found = change(sealed, "log_head", "DELETE FROM log_head WHERE size = 5")
    assert found == ["the log of seals: no head was signed over the first 5 entries."]


def test_a_hash_that_was_changed_or_taken_out_is_found(sealed: World) -> None:
    (line,) = change(sealed, "log_node", "DELETE FROM log_node WHERE level = 1 AND place = 0")
    assert line == "the log of seals: 1 hashes are missing."


def test_a_changed_hash_is_found(sealed: World) -> None:
    (line,) = change(sealed, "log_node", "UPDATE log_node SET digest = '00' WHERE level = 1 AND place = 1")
    assert line == "the log of seals: hash 1 of level 1 is not that of its entries."
