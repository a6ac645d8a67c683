"""What an operation of the register is handed: who asks, when, and where things are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import Request

from homolog.service.actor import Actor

if TYPE_CHECKING:
    from api.service import Service
    from homolog.service.desk import Desk
    from homolog.service.rules import Rules
    from homolog.service.sealing import Sealer
    from homolog.service.settings import Settings
    from homolog.service.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request, as far as an operation needs to know.

    Attributes:
        now: The moment that counts for all of it, aware and in UTC.
        expected: The version that the header If-Match names; None where it asks for none.
        session_id: Of the browser's session; None for a token.
        secret: What the session's cookie holds.
        address: Where it comes from, for limits.
    """

    request: Request
    service: Service
    actor: Actor
    now: datetime
    expected: int | None
    session_id: str | None
    secret: str | None
    address: str

    @property
    def stores(self) -> Stores:
        """The database and the files."""
        return self.service.register.stores

    @property
    def desk(self) -> Desk:
        """The stores with the rules as they stand."""
        return self.service.register.desk

    @property
    def rules(self) -> Rules:
        """The rules, with the drafts that the board works on."""
        return self.service.register.rules

    @property
    def sealer(self) -> Sealer:
        """What signs for this host."""
        from homolog.service.sealing import sealer_of

        return sealer_of(self.settings)

    @property
    def settings(self) -> Settings:
        """What the host has chosen."""
        return self.service.register.settings

    @property
    def today(self) -> date:
        """The day that counts, in UTC."""
        return self.now.date()


def _call_of(request: Request) -> Asked:
    asked: Asked = request.state.asked
    return asked


Call = Annotated[Asked, Depends(_call_of)]
"""Write `call: Call` as an operation's parameter."""
