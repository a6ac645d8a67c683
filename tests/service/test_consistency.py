"""What is kept for lists is what the events give, and whoever changes either is found out."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from homolog.register.database import Database
from homolog.service import types
from homolog.service.consistency import check
from homolog.service.seeding import seed
from tests.service.people import World

TODAY = date(2026, 12, 1)
REASONS = [{"clause": "III-3.1", "text": "It is made otherwise now."}]


def change(world: World, statement: str) -> None:
    with world.desk.database.connect(is_write=True) as connection:
        connection.execute(text(statement))


def filled(world: World) -> World:
    """Return a register in which much has happened."""
    seed(world.desk, now=world.now)
    number = world.homologated().record.number
    said = {"on": "2027-01-01", "grace": "2027-06-30", "reasons": REASONS}
    entry = types.take(world.anna, world.desk, number, "withdraw", said, now=world.now, today=TODAY)
    types.take(world.boris, world.desk, number, "confirm", {"entry": entry.seq}, now=world.now, today=TODAY)
    types.take(world.anna, world.desk, number, "suspend", {"on": "2026-12-24", "reasons": REASONS}, now=world.now, today=TODAY)
    world.begin()
    return world


def test_a_register_in_which_much_has_happened_holds_together(world: World) -> None:
    assert list(check(filled(world).desk)) == []


def test_a_changed_list_is_found(world: World) -> None:
    filled(world)
    change(world, "UPDATE type_period SET is_usable = (1 = 1)")
    change(world, "UPDATE application_now SET state = 'certified'")
    found = list(check(world.desk))
    assert [line.partition(" ")[0] for line in found] == ["application", "type"]
    assert "HML-B-0003" in found[1]


@pytest.mark.parametrize("table", ["application_event", "type_event", "type_number", "registered_type", "type_change"])
def test_what_happened_is_changed_by_nobody(world: World, table: str) -> None:
    filled(world)
    with pytest.raises(IntegrityError):
        change(world, f"DELETE FROM {table}")  # noqa: S608
    assert list(check(world.desk)) == []


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_vote_that_was_changed_in_the_file_itself_is_found(world: World, database: Database) -> None:
    filled(world)
    change(world, "DROP TRIGGER application_event_no_update")
    change(world, """UPDATE application_event SET data = '{"choice":"no"}' WHERE data = '{"choice":"yes"}'""")
    (line,) = check(world.desk)
    assert "counted otherwise" in line
