"""An application on its way through the door, and a register with keys to sign what comes of it."""

from __future__ import annotations

import hashlib
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal

from homolog.register import organisations
from homolog.register.database import Database
from homolog.seal.key_folder import make_keys
from tests.api.world import Guest, World, make_world
from tests.service.people import PHOTO, SHEET

ISSUER = "Sample federation"


def signing_world(folder: Path, migrated: Path, portal: BlockingPortal, **settings: Any) -> World:
    """Return a register in a folder that has keys."""
    shutil.copy(migrated, folder / "homolog.db")
    return make_world(Database.open(f"sqlite:///{folder / 'homolog.db'}"), folder, portal, **settings)


def new_keys(folder: Path, minutes: int = -1) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    make_keys(folder / "keys", issuer=ISSUER, at=now + timedelta(minutes=minutes), until=now + timedelta(days=700))


class Walk:
    """An application on its way, each step taken by one guest with what he has just looked at."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.maker, self.laboratory = world.guest("manufacturer"), world.guest("laboratory")
        self.board = [world.guest("board") for _ in range(3)]
        assert self.maker.organisation is not None
        with world.database.write() as session:
            organisations.put_profile(
                session, self.maker.organisation, {"address": "1 Table Street"}, by=self.maker.id, now=world.now
            )
        body = {"organisation": self.maker.organisation, "item": "ball"}
        begun = world.send(self.maker, "POST", "/api/v1/applications", body)
        assert begun.status_code == 201, begun.text
        self.address = begun.headers["location"]

    def look(self, guest: Guest) -> Any:
        found = self.world.send(guest, "GET", self.address)
        assert found.status_code == 200, found.text
        return found

    def step(self, guest: Guest, step: str, **said: Any) -> dict[str, Any]:
        tag = self.look(guest).headers["etag"]
        taken = self.world.send(guest, "POST", f"{self.address}/steps", {"step": step, "said": said}, **{"If-Match": tag})
        assert taken.status_code == 200, taken.text
        return dict(taken.json())

    def attach(self, guest: Guest, data: bytes, name: str) -> str:
        url = f"{self.address}/files?name={name}"
        sent = self.world.door("POST", url, headers=guest.headers, content=data)
        assert sent.status_code == 201, sent.text
        assert sent.json() == {"sha256": hashlib.sha256(data).hexdigest(), "name": name}
        return str(sent.json()["sha256"])

    def submitted(self, name: str = "Swift") -> None:
        photo = self.attach(self.maker, PHOTO, "front.png")
        sheet = self.attach(self.maker, SHEET.encode(), "own.yaml")
        variants = [{"name": "white", "colour": "white", "material": "polystyrene"}]
        self.step(self.maker, "describe", family="none", name=name, variants=variants, photos=[photo], sheet=sheet)
        self.step(self.maker, "accept_memorandum", version="draft-1", language="en", person="Mary Swift", office="director")
        self.step(self.maker, "submit")

    def measured(self, sheet_text: str = SHEET) -> None:
        laboratory = self.laboratory.organisation
        self.step(self.laboratory, "receive_sample", holder=laboratory, pieces=3, condition="whole, seal 17")
        sheet = self.attach(self.laboratory, sheet_text.encode() + b"\n", "measured.yaml")
        self.step(self.laboratory, "measure", laboratory=laboratory, person="Lena Lab", sheet=sheet)

    def assessed(self) -> str:
        found = self.world.send(self.board[0], "POST", f"{self.address}/assessment")
        assert found.status_code == 200, found.text
        return str(found.json()["assessment"]["data"]["report"])

    def decided(self) -> None:
        first, second, third = self.board
        reasons = [{"clause": "III-3.1", "text": "It keeps diameter\nand mass."}, {"clause": "III-3.5", "text": "A sample came."}]
        closes = (self.world.now + timedelta(days=7)).isoformat()
        self.step(first, "open_vote", proposal="approve", reasons=reasons, closes=closes, electors=[one.id for one in self.board])
        for member in (first, second, third):
            self.step(member, "vote", choice="yes")
        self.step(second, "close_vote")
        assert self.step(second, "decide", text="The board has decided so.")["state"] == "approved"

    def certified(self) -> dict[str, Any]:
        issued = self.world.send(self.board[2], "POST", f"{self.address}/certificate", {})
        assert issued.status_code == 201, issued.text
        return dict(issued.json())

    def whole(self) -> dict[str, Any]:
        """Walk the whole way and return the type."""
        self.submitted()
        self.measured()
        self.assessed()
        self.decided()
        return self.certified()
