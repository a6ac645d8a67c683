"""Passkeys (WebAuthn): made by who has signed in, and signing in with one."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from homolog.errors import InputRefused
from homolog.register import accounts, audit, passkeys, secrets
from homolog.register.database import Database
from homolog.register.passkeys import Key as Key
from homolog.register.session import Session
from homolog.service.actor import Actor
from homolog.service.identity.limits import SignInLimits, count_try
from homolog.service.identity.refusals import Conflicting, NotSignedIn
from homolog.service.identity.secret import digest_of
from homolog.service.identity.sessions import Came, Opened, open_session
from homolog.service.missing import Missing
from homolog.service.permissions import require

GOOD_FOR: Final = timedelta(minutes=5)
MOST: Final = 20
_MAKE, _SIGN_IN = "passkey.make", "passkey.sign_in"


@dataclass(frozen=True, slots=True)
class Party:
    """This service, as a browser names it to a device: the host that keys are for, and where pages come from."""

    host: str
    origin: str

    @classmethod
    def of(cls, base_url: str) -> Party:
        """Return the party of the address that people reach the service by."""
        parts = urlsplit(base_url)
        return cls(parts.hostname or "", f"{parts.scheme}://{parts.netloc}")


def making(actor: Actor, database: Database, party: Party, *, now: datetime) -> dict[str, Any]:
    """Return what a browser needs to have a device make a key."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    require(actor, "passkey.make", "own")
    account_id = actor.account or ""
    with database.read() as session:
        person = accounts.find(session, account_id)
        there = passkeys.of_account(session, account_id)
    if person is None:
        raise Missing.because("there is no such account", todo="sign in again")
    options = generate_registration_options(
        rp_id=party.host,
        rp_name="Homolog",
        user_name=person.email,
        user_display_name=person.name,
        user_id=account_id.encode(),
        # The key is all that somebody signs in with, so the device asks who holds it, and says so.
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=_bytes(key.credential)) for key in there],
    )
    _keep_challenge(database, options.challenge, _MAKE, account_id, now)
    found: dict[str, Any] = json.loads(options_to_json(options))
    return found


def make(actor: Actor, database: Database, party: Party, credential: Mapping[str, Any], *, name: str, now: datetime) -> Key:
    """Keep a key that a device has made.

    Raises:
        InputRefused: It is no answer to what `making` asked.
        Conflicting: The key is there already, or the person has too many.
    """
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    require(actor, "passkey.make", "own")
    account_id = actor.account or ""
    challenge = _challenge_of(credential)
    with database.write() as session:
        if challenge is None or _used(session, challenge, _MAKE, now) != account_id:
            raise _refused("it answers no question that was asked, or too late")
    try:
        verified = verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise _refused("the device's answer does not hold") from error
    with database.write() as session:
        known = bytes_to_base64url(verified.credential_id)
        if passkeys.find(session, known) is not None or len(passkeys.of_account(session, account_id)) >= MOST:
            raise Conflicting.because("the key is there already, or there are too many", todo="remove one", code="passkey_there")
        key = passkeys.add(
            session,
            account_id=account_id,
            credential=known,
            public_key=verified.credential_public_key,
            sign_count=verified.sign_count,
            name=name,
            now=now,
        )
        _record(session, account_id, "passkey.make", {"passkey": key.id, "name": name}, now)
        return key


def signing_in(database: Database, party: Party, *, now: datetime) -> dict[str, Any]:
    """Return what a browser needs to have a device sign in; it does not say for whom, the device knows."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(rp_id=party.host, user_verification=UserVerificationRequirement.REQUIRED)
    _keep_challenge(database, options.challenge, _SIGN_IN, None, now)
    found: dict[str, Any] = json.loads(options_to_json(options))
    return found


def sign_in(
    database: Database, party: Party, credential: Mapping[str, Any], *, came: Came, limits: SignInLimits, now: datetime
) -> Opened:
    """Open a session for who holds a key.

    Raises:
        TooOften: It was tried too often.
        NotSignedIn: The answer is none to what `signing_in` asked, or is not signed by a key of an open account.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    named = str(credential.get("id", ""))[:2000]
    named = named if named.isascii() and named.isprintable() else ""
    count_try(database, limits, action="sign_in", name=named, address=came.address, now=now)
    challenge = _challenge_of(credential)
    with database.write() as session:
        digest = digest_of(_text(challenge or b""))
        is_asked = secrets.use(session, digest, purpose=_SIGN_IN, now=now) is not None
        key = passkeys.find(session, named)
    if challenge is None or not is_asked or key is None:
        raise _not_signed_in()
    try:
        verified = verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=key.public_key,
            credential_current_sign_count=key.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        with database.write() as session:
            about = f"account:{key.account_id}"
            audit.record(session, now=now, account_id=None, action="session.refused", object=about, details={"how": "passkey"})
        raise _not_signed_in() from error
    with database.write() as session:
        person = accounts.find(session, key.account_id)
        if person is None or person.disabled_at is not None or passkeys.find(session, named) != key:
            raise _not_signed_in()
        passkeys.used(session, key.id, sign_count=verified.new_sign_count, now=now)
        return open_session(session, person, how="passkey", came=came, now=now)


def list_passkeys(actor: Actor, database: Database) -> tuple[Key, ...]:
    """Return the actor's own keys."""
    require(actor, "passkey.read", "own")
    with database.read() as session:
        return passkeys.of_account(session, actor.account or "")


def end(actor: Actor, database: Database, key_id: str, *, now: datetime) -> None:
    """Forget one of the actor's own keys.

    Raises:
        Missing: The actor has none of this id.
    """
    require(actor, "passkey.end")
    with database.write() as session:
        if key_id not in {key.id for key in passkeys.of_account(session, actor.account or "")}:
            raise Missing.because("you have no such passkey", todo="look at the list")
        passkeys.remove(session, key_id)
        _record(session, actor.account or "", "passkey.end", {"passkey": key_id}, now)


def _keep_challenge(database: Database, challenge: bytes, purpose: str, account_id: str | None, now: datetime) -> None:
    with database.write() as session:
        secrets.add(
            session,
            digest_of(_text(challenge)),
            purpose=purpose,
            account_id=account_id,
            details={},
            good_for=GOOD_FOR,
            now=now,
        )


def _used(session: Session, challenge: bytes, purpose: str, now: datetime) -> str | None:
    given = secrets.use(session, digest_of(_text(challenge)), purpose=purpose, now=now)
    return None if given is None else given.account_id


def _challenge_of(credential: Mapping[str, Any]) -> bytes | None:
    """Return the challenge that an answer says it is to; whether it is, its signature tells."""
    try:
        said = json.loads(_bytes(credential["response"]["clientDataJSON"]))
        return _bytes(said["challenge"])
    except (KeyError, TypeError, ValueError, RecursionError, binascii.Error):
        return None


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(challenge: bytes) -> str:
    return base64.urlsafe_b64encode(challenge).decode()


def _refused(what: str) -> InputRefused:
    return InputRefused.because(what, where="credential", todo="try again", code="passkey_refused")


def _not_signed_in() -> NotSignedIn:
    return NotSignedIn.because("no account has this passkey", todo="try again, or use the password")


def _record(session: Session, account_id: str, action: str, details: dict[str, str], now: datetime) -> None:
    audit.record(session, now=now, account_id=account_id, action=action, object=f"account:{account_id}", details=details)
