"""Applications and types that rows of the table ask about, made through the service."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from homolog.register import organisations, types
from homolog.register.ids import new_id
from homolog.service import applications, issuing, uploading
from homolog.service.desk import Desk
from homolog.service.sealing import Sealer, sealer_of
from homolog.service.standing import keep_standing
from tests.api.world import Guest, World
from tests.service.people import PHOTO, SHEET

_RECORDS: dict[int, bytes] = {}


def desk_of(world: World) -> Desk:
    desk: Desk = world.door.service.register.desk
    return desk


def sealer(world: World) -> Sealer:
    return sealer_of(world.door.service.register.settings)


def take(world: World, guest: Guest, application: str, step: str, **said: Any) -> None:
    applications.take(world.actor(guest), desk_of(world), application, step, said, now=world.now)


def attach(world: World, guest: Guest, application: str, data: bytes, name: str) -> str:
    return applications.attach(world.actor(guest), desk_of(world), application, [data], name, now=world.now, limit=1_000_000)


def application(world: World, owner: Guest) -> str:
    """Make an application that was handed in; whoever belongs to no maker has none of his own, so a new maker's it is."""
    maker = owner if owner.role == "manufacturer" else world.guest("manufacturer")
    assert maker.organisation is not None
    with world.database.write() as session:
        organisations.put_profile(session, maker.organisation, {"address": "1 Table Street"}, by=maker.id, now=world.now)
    begun = applications.start(world.actor(maker), desk_of(world), organisation=maker.organisation, item="ball", now=world.now)
    made = begun.record.id
    photo = attach(world, maker, made, PHOTO, "front.png")
    sheet = attach(world, maker, made, SHEET.encode(), "own.yaml")
    name = f"Swift {next(world.numbers)}"
    variants = [{"name": "white"}]
    take(world, maker, made, "describe", family="none", name=name, variants=variants, photos=[photo], sheet=sheet)
    take(world, maker, made, "accept_memorandum", version="draft-1", language="en", person="Mary Swift", office="director")
    take(world, maker, made, "submit")
    if id(world) in _RECORDS:
        attach(world, maker, made, _RECORDS[id(world)], "earlier.json")
    return made


def measured(world: World, made: str) -> None:
    laboratory = world.guest("laboratory")
    take(world, laboratory, made, "receive_sample", holder=laboratory.organisation, pieces=3, condition="whole")
    sheet = attach(world, laboratory, made, SHEET.encode(), "own.yaml")
    take(world, laboratory, made, "measure", laboratory=laboratory.organisation, person="Lena Lab", sheet=sheet)


def approved(world: World, made: str) -> None:
    measured(world, made)
    board = [world.guest("board") for _ in range(3)]
    issuing.assess(world.actor(board[0]), desk_of(world), sealer(world), made, now=world.now, today=world.now.date())
    reasons = [{"clause": "III-3.1", "text": "It keeps them."}]
    closes = (world.now + timedelta(days=7)).isoformat()
    electors = [one.id for one in board]
    take(world, board[0], made, "open_vote", proposal="approve", reasons=reasons, closes=closes, electors=electors)
    for member in board:
        take(world, member, made, "vote", choice="yes")
    take(world, board[1], made, "close_vote")
    take(world, board[1], made, "decide", text="So be it.")


def record(world: World, owner: Guest) -> str:
    """Return the digest of a signed report on which a type of the register rests; it is made once a world."""
    if id(world) not in _RECORDS:
        made = application(world, world.guest("manufacturer"))
        approved(world, made)
        board = world.actor(world.guest("board"))
        view = issuing.issue(board, desk_of(world), sealer(world), made, on=world.now.date(), now=world.now)
        report = next(file.digest for file in view.files if file.kind == "report")
        _RECORDS[id(world)] = desk_of(world).files.read(report)
    return _digest(_RECORDS[id(world)])


def a_type(world: World, owner: Guest) -> str:
    """Make a type that the rules name, with a public file; it is nobody's."""
    digest = record(world, owner)
    name = f"Kestrel {next(world.numbers)}"
    with world.database.write() as session:
        number = types.take_number(session, "ball", None, now=world.now)
        made = types.TypeRecord(
            id=new_id(world.now),
            number=number,
            item="ball",
            family="none",
            name=name,
            maker="",
            organisation_id=None,
            application_id=None,
            body="fistf",
            edition="4.0",
            named_by="III-3.2",
            named_id=name,
            details={},
            at=world.now,
        )
        types.enter(session, made)
        keep_standing(session, desk_of(world), made, ())
        types.add_file(session, made.id, "photo", digest, "report.json", file_id=new_id(world.now), now=world.now)
    return number


def _digest(data: bytes) -> str:
    import hashlib

    assert json.loads(data)["format"] == "homolog-report/1"
    return hashlib.sha256(data).hexdigest()


def upload(world: World, owner: Guest) -> str:
    begun = uploading.begin(
        world.actor(owner), desk_of(world), name="scan.stl", media_type="model/stl", size=0, expected=None, now=world.now
    )
    return begun.id
