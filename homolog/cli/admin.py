"""`homolog admin`: the first administrator of a register, and roles where nobody can sign in to give them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from homolog.cli import talk
from homolog.cli.days import read_day
from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.service.stores import Stores

app = typer.Typer(help="Make administrators, give roles, set passwords.", no_args_is_help=True, rich_markup_mode=None)

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The account's e-mail address.")]
Name = Annotated[str, typer.Option("--name", help="The person's name.")]
Role = Annotated[Literal["board", "laboratory", "referee", "administrator"], typer.Argument(metavar="ROLE", help="What is given.")]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Its last day, as 2027-12-31; without end if left out.")]


@app.command("create")
def create(email: Email, name: Name) -> int:
    """Make an account with the role of an administrator.

    The password is asked for twice, or read as one line from stdin where that is no terminal; it is never an argument, which others
    could see in the list of processes.
    """
    from homolog.service.identity.founding import create_administrator

    _require_email(email)
    with _stores() as stores:
        password = _password()
        person = create_administrator(
            stores.database, email=email, name=name, language="en", password=password, now=datetime.now(UTC)
        )
    talk.note(f"made the account {person.id} of {person.email}, an administrator")
    return 0


@app.command("grant")
def grant(email: Email, role: Role, until: Until = None) -> int:
    """Give a role to the account of an address."""
    from homolog.service.identity.founding import grant as give

    end = None if until is None else datetime.combine(read_day(until, "--until") + timedelta(days=1), time(), UTC)
    with _stores() as stores:
        given = give(stores.database, email=email, role=role, until=end, now=datetime.now(UTC))
    talk.note(f"{email} has the role {given.role}" + ("" if until is None else f" until the end of {until}"))
    return 0


@app.command("password")
def password(email: Email) -> int:
    """Give an account a new password, read as `homolog admin create` reads it; all its sessions end."""
    from homolog.service.identity.founding import set_password

    with _stores() as stores:
        person = set_password(stores.database, email=email, password=_password(), now=datetime.now(UTC))
    talk.note(f"{person.email} has a new password")
    return 0


@contextmanager
def _stores() -> Iterator[Stores]:
    from homolog.service.settings import Settings
    from homolog.service.stores import open_stores, prepare

    settings = Settings.from_environment()
    prepare(settings)
    with open_stores(settings) as stores:
        yield stores


def _password() -> str:
    if not sys.stdin.isatty():
        line = sys.stdin.readline().rstrip("\r\n")
        if not line:
            raise UsageError.because("there is no password on stdin", todo="write it as one line")
        return line
    from getpass import getpass

    first = getpass("Password: ")
    if getpass("Once more: ") != first:
        raise UsageError.because("the two passwords differ", todo="try again")
    return first


def _require_email(email: str) -> None:
    before, at, after = email.partition("@")
    if not (before and at and after) or any(letter.isspace() for letter in email):
        raise UsageError.because(f"{email[:60]!r} is no e-mail address", todo="write it as ann@example.org")
