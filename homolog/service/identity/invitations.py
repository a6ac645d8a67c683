"""One-time links: an invitation to an account or an organisation, and the way to a new password."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from homolog.register import accounts, audit, organisations, secrets, sessions
from homolog.register.database import Database
from homolog.register.secrets import Pass
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.identity import passwords, people
from homolog.service.identity.organisations import found as organisation_of
from homolog.service.identity.refusals import Conflicting, NotSignedIn
from homolog.service.identity.secret import digest_of, new_secret
from homolog.service.identity.sessions import Came, Opened, open_session
from homolog.service.missing import Missing
from homolog.service.permissions import relation_to_organisation, require

INVITED_FOR: Final = timedelta(days=14)
RESET_FOR: Final = timedelta(days=1)
_INVITATION, _RESET = "invitation", "reset"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """What a link invites to.

    Attributes:
        organisation: Name of the organisation that one joins; None for an account alone.
        has_account: Whether the person has an account, and joins by signing in with it.
    """

    email: str
    organisation: str | None
    has_account: bool
    until: datetime


def invite(actor: Actor, database: Database, *, email: str, organisation_id: str | None, now: datetime) -> str:
    """Invite a person to an organisation, or as an administrator to an account alone; return the secret of the link.

    Raises:
        Missing: There is no such organisation, or it is not the actor's.
    """
    if organisation_id is None:
        require(actor, "invitation.make")
    else:
        require(actor, "member.invite", relation_to_organisation(actor, organisation_id))
    secret = new_secret()
    with database.write() as session:
        if organisation_id is not None:
            organisation_of(session, organisation_id)
        details = {"email": email.strip(), "organisation": organisation_id}
        secrets.add(
            session,
            digest_of(secret),
            purpose=_INVITATION,
            account_id=actor.account,
            details=details,
            good_for=INVITED_FOR,
            now=now,
        )
        about = "service" if organisation_id is None else f"organisation:{organisation_id}"
        audit.record(
            session, now=now, account_id=actor.account, action="invitation.make", object=about, details={"email": email.strip()}
        )
    return secret


def look(database: Database, secret: str, *, now: datetime) -> Invitation:
    """Return what a link invites to; whoever has the link may know.

    Raises:
        NotSignedIn: It is none, was used, or is over.
    """
    with database.read() as session:
        given = secrets.find(session, digest_of(secret), purpose=_INVITATION, now=now)
        if given is None:
            raise _over()
        organisation = _organisation(session, given)
        has_account = accounts.find_by_email(session, given.details["email"]) is not None
        return Invitation(email=given.details["email"], organisation=organisation, has_account=has_account, until=given.until)


def accept(database: Database, secret: str, *, name: str, password: str, language: str, came: Came, now: datetime) -> Opened:
    """Make the account that a link invites to, join the organisation, and sign in.

    Raises:
        NotSignedIn: The link is none, was used, or is over.
        Conflicting: There is an account of this address.
        InputRefused: The password is easily guessed.
    """
    invitation = look(database, secret, now=now)
    passwords.require_password(password, email=invitation.email)
    hashed = passwords.hashed(password)
    with database.write() as session:
        given = _used(session, secret, _INVITATION, now)
        person = people.make(
            session,
            by=given.account_id,
            email=given.details["email"],
            name=name,
            language=language,
            password=hashed,
            now=now,
        )
        _join(session, given, person.id, now)
        return open_session(session, person, how="password", came=came, now=now)


def join(actor: Actor, database: Database, secret: str, *, now: datetime) -> str | None:
    """Join the organisation that a link invites to, with the account that the actor has; return the organisation's id.

    Raises:
        NotSignedIn: The link is none, was used, or is over.
        Missing: It invites somebody else.
    """
    require(actor, "account.change", "own")
    with database.write() as session:
        given = secrets.find(session, digest_of(secret), purpose=_INVITATION, now=now)
        if given is None:
            raise _over()
        person = accounts.find(session, actor.account or "")
        if person is None or accounts.email_key(person.email) != accounts.email_key(given.details["email"]):
            raise Missing.because("the link invites somebody else", todo="sign in with the account of the address it was made for")
        _used(session, secret, _INVITATION, now)
        _join(session, given, person.id, now)
        organisation: str | None = given.details["organisation"]
        return organisation


def make_reset(actor: Actor, database: Database, account_id: str, *, now: datetime) -> str:
    """Make a link by which a person chooses a new password; return its secret.

    Raises:
        Missing: There is no such account.
        Conflicting: It is closed.
    """
    require(actor, "account.reset")
    secret = new_secret()
    with database.write() as session:
        person = accounts.find(session, account_id)
        if person is None:
            raise Missing.because("there is no such account", todo="look at the list")
        if person.disabled_at is not None:
            raise Conflicting.because("the account is closed", todo="open it first", code="account_closed")
        secrets.add(session, digest_of(secret), purpose=_RESET, account_id=account_id, details={}, good_for=RESET_FOR, now=now)
        audit.record(session, now=now, account_id=actor.account, action="reset.make", object=f"account:{account_id}")
    return secret


def look_reset(database: Database, secret: str, *, now: datetime) -> str:
    """Return the address of the account that a link gives a new password.

    Raises:
        NotSignedIn: It is none, was used, or is over.
    """
    with database.read() as session:
        given = secrets.find(session, digest_of(secret), purpose=_RESET, now=now)
        person = None if given is None else accounts.find(session, given.account_id or "")
        if person is None or person.disabled_at is not None:
            raise _over()
        return person.email


def reset(database: Database, secret: str, *, password: str, came: Came, now: datetime) -> Opened:
    """Choose a new password by a link; all sessions end, and a new one begins.

    Raises:
        NotSignedIn: The link is none, was used, or is over.
        InputRefused: The password is easily guessed.
    """
    passwords.require_password(password, email=look_reset(database, secret, now=now))
    hashed = passwords.hashed(password)
    with database.write() as session:
        given = _used(session, secret, _RESET, now)
        person = accounts.find(session, given.account_id or "")
        if person is None or person.disabled_at is not None:
            raise _over()
        accounts.set_password(session, person.id, hashed)
        sessions.end_all(session, person.id, now=now)
        audit.record(session, now=now, account_id=person.id, action="reset.use", object=f"account:{person.id}")
        return open_session(session, person, how="password", came=came, now=now)


def _join(session: Session, given: Pass, account_id: str, now: datetime) -> None:
    organisation_id = given.details["organisation"]
    if organisation_id is None:
        return
    by = given.account_id or account_id
    organisations.add_member(session, organisation_id, account_id, by=by, now=now)
    about, details = f"organisation:{organisation_id}", {"account": account_id}
    audit.record(session, now=now, account_id=account_id, action="member.join", object=about, details=details)


def _organisation(session: Session, given: Pass) -> str | None:
    organisation_id = given.details["organisation"]
    return None if organisation_id is None else organisation_of(session, organisation_id).name


def _used(session: Session, secret: str, purpose: str, now: datetime) -> Pass:
    given = secrets.use(session, digest_of(secret), purpose=purpose, now=now)
    if given is None:
        raise _over()
    return given


def _over() -> NotSignedIn:
    what = "the link is none of ours, was used, or is over"
    return NotSignedIn.because(what, todo="ask for a new one", code="link_over")
