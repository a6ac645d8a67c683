"""Signing in by an OpenID provider: authorisation code with PKCE, and a token whose every claim is looked at."""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from homolog.register import accounts, audit, outer_identities, secrets
from homolog.register.database import Database
from homolog.register.session import Session
from homolog.service.identity.provider import Provider
from homolog.service.identity.refusals import NotSignedIn
from homolog.service.identity.secret import digest_of, new_secret
from homolog.service.identity.sessions import Came, Opened, open_session
from homolog.service.settings import Settings

GOOD_FOR: Final = timedelta(minutes=10)
# Only signatures by a key that the provider alone holds: not "none", and no HMAC.
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
_LEEWAY: Final = timedelta(minutes=1)
_PURPOSE = "oidc"


@dataclass(frozen=True, slots=True)
class Begun:
    """The way to the provider.

    Attributes:
        address: Where the browser goes.
        state: What it must bring back, in its cookie too.
    """

    address: str
    state: str


def begin(database: Database, settings: Settings, *, lead_to: str, now: datetime) -> Begun:
    """Begin to sign in.

    Args:
        database: Where the way back is kept.
        settings: Which provider.
        lead_to: Which page of ours to show afterwards.
        now: Aware.

    Raises:
        ProviderSilent: The provider does not answer.
    """
    provider = Provider.discover(settings.oidc_issuer)
    state, nonce, verifier = new_secret(), new_secret(), new_secret()
    details = {"nonce": nonce, "verifier": verifier, "lead_to": lead_to}
    with database.write() as session:
        secrets.add(session, digest_of(state), purpose=_PURPOSE, account_id=None, details=details, good_for=GOOD_FOR, now=now)
    asked = {
        "response_type": "code",
        "scope": "openid email",
        "client_id": settings.oidc_client_id,
        "redirect_uri": redirect_of(settings),
        "state": state,
        "nonce": nonce,
        "code_challenge": _b64(hashlib.sha256(verifier.encode()).digest()),
        "code_challenge_method": "S256",
    }
    mark = "&" if "?" in provider.authorization else "?"
    return Begun(f"{provider.authorization}{mark}{urlencode(asked)}", state)


def finish(
    database: Database,
    settings: Settings,
    *,
    state: str,
    kept: str,
    code: str,
    issuer: str | None,
    came: Came,
    now: datetime,
) -> tuple[Opened, str]:
    """Sign in who comes back from the provider; return the session, and which page to show.

    Args:
        database: Where.
        settings: Which provider.
        state: As the address brought it back.
        kept: As the browser's cookie kept it: somebody else's way back is none.
        code: What the provider gave.
        issuer: Who says that it comes from them (RFC 9207), if anybody.
        came: Where the person comes from.
        now: Aware.

    Raises:
        NotSignedIn: It is not the way back, the token does not hold, or nobody has an account of this identity.
        ProviderSilent: The provider does not answer.
    """
    if not state or not hmac.compare_digest(state.encode("utf-8", "replace"), kept.encode("utf-8", "replace")):
        raise _refused("the way back does not belong to this browser")
    with database.write() as session:
        given = secrets.use(session, digest_of(state), purpose=_PURPOSE, now=now)
    if given is None or issuer not in (None, settings.oidc_issuer):
        raise _refused("the way back is over, or leads from somebody else")
    provider = Provider.discover(settings.oidc_issuer)
    token = provider.id_token(
        code=code,
        verifier=given.details["verifier"],
        redirect=redirect_of(settings),
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
    )
    claims = _claims(token, provider.key_set(), settings, nonce=given.details["nonce"], now=now)
    with database.write() as session:
        account_id = _account(session, claims, now)
        person = None if account_id is None else accounts.find(session, account_id)
        if person is None or person.disabled_at is not None:
            whom = "account:unknown" if person is None else f"account:{person.id}"
            audit.record(session, now=now, account_id=None, action="session.refused", object=whom, details={"how": "oidc"})
        else:
            return open_session(session, person, how="oidc", came=came, now=now), str(given.details["lead_to"])
    raise _refused("nobody here has an account of this identity; ask for an invitation")


def redirect_of(settings: Settings) -> str:
    """Return where the provider sends people back to; it must be told this address."""
    return f"{settings.base_url}/sign-in/oidc/back"


def _claims(token: str, keys: dict[str, Any], settings: Settings, *, nonce: str, now: datetime) -> dict[str, Any]:
    """Return what a token says, if all of it holds.

    Raises:
        NotSignedIn: It does not.
    """
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        claims = jwt.decode(token, KeySet.import_key_set(keys), algorithms=list(ALGORITHMS)).claims  # type: ignore[arg-type]
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise _refused("the provider's token is not signed by its key") from error
    audience = claims.get("aud")
    named = audience if isinstance(audience, list) else [audience]
    moment, leeway = now.timestamp(), _LEEWAY.total_seconds()
    holds = (
        claims.get("iss") == settings.oidc_issuer,
        settings.oidc_client_id in named,
        len(named) == 1 or claims.get("azp") == settings.oidc_client_id,
        claims.get("azp") in (None, settings.oidc_client_id),
        _is_number(claims.get("exp")) and claims["exp"] > moment - leeway,
        _is_number(claims.get("iat")) and claims["iat"] <= moment + leeway,
        hmac.compare_digest(str(claims.get("nonce", "")).encode("utf-8", "replace"), nonce.encode()),
        isinstance(claims.get("sub"), str) and 0 < len(claims["sub"]) <= 255,
    )
    if not all(holds):
        raise _refused("the provider's token is not for us, or is over")
    return claims


def _account(session: Session, claims: dict[str, Any], now: datetime) -> str | None:
    """Return the account of an identity; the first time by the address, if the provider says that it is the person's."""
    issuer, subject = claims["iss"], claims["sub"]
    known = outer_identities.find(session, issuer=issuer, subject=subject)
    if known is not None:
        return known
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        return None
    person = accounts.find_by_email(session, email)
    if person is None or person.disabled_at is not None:
        return None
    outer_identities.add(session, account_id=person.id, issuer=issuer, subject=subject, now=now)
    details = {"issuer": issuer, "subject": subject}
    audit.record(session, now=now, account_id=person.id, action="identity.bind", object=f"account:{person.id}", details=details)
    return person.id


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _refused(what: str) -> NotSignedIn:
    return NotSignedIn.because(what, todo="try again, or use the password")
