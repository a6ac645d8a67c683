"""An OpenID provider over the network: what it says of itself, its keys, and a code turned into a token."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from urllib.parse import quote_plus, urlencode, urlsplit

from homolog.errors import HomologError

SECONDS: Final = 10.0
MOST_BYTES: Final = 500_000
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class ProviderSilent(HomologError):
    """The provider does not answer, or not as OpenID Connect says."""

    code: ClassVar[str] = "provider_silent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where a provider does what."""

    issuer: str
    authorization: str
    token: str
    keys: str
    takes_post: bool

    @classmethod
    def discover(cls, issuer: str) -> Provider:
        """Ask a provider where it does what.

        Raises:
            ProviderSilent: It does not say.
        """
        told = _asked(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if told.get("issuer") != issuer:  # else another could speak for it
            raise _silent("names itself otherwise than HOMOLOG_OIDC_ISSUER")
        places = [told.get(f"{name}_endpoint") for name in ("authorization", "token")] + [told.get("jwks_uri")]
        for place in places:
            _require_safe(place)
        methods = told.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        takes_post = "client_secret_basic" not in methods and "client_secret_post" in methods
        return cls(issuer=issuer, authorization=str(places[0]), token=str(places[1]), keys=str(places[2]), takes_post=takes_post)

    def key_set(self) -> dict[str, Any]:
        """Return its public keys.

        Raises:
            ProviderSilent: It does not say.
        """
        return _asked(self.keys)

    def id_token(self, *, code: str, verifier: str, redirect: str, client_id: str, client_secret: str) -> str:
        """Turn a code into the token that says who somebody is.

        Raises:
            ProviderSilent: It does not, or refuses.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": verifier,
            "client_id": client_id,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if client_secret and self.takes_post:
            form["client_secret"] = client_secret
        elif client_secret:
            pair = f"{quote_plus(client_id)}:{quote_plus(client_secret)}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        token = _asked(self.token, data=urlencode(form).encode(), headers=headers).get("id_token")
        if not isinstance(token, str):
            raise _silent("gave no token that says who somebody is")
        return token


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nowhere: a secret is sent along."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _asked(address: str, *, data: bytes | None = None, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    _require_safe(address)
    request = urllib.request.Request(address, data=data, headers={"Accept": "application/json", **(headers or {})})  # noqa: S310
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=SECONDS) as answer:
            body = answer.read(MOST_BYTES + 1)
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
        raise _silent("does not answer, or refuses") from error
    try:
        told = json.loads(body) if len(body) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise _silent("does not answer with JSON")
    return told


def _require_safe(address: Any) -> None:
    parts = urlsplit(address) if isinstance(address, str) else urlsplit("")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise _silent("does something at an address without https")


def _silent(what: str) -> ProviderSilent:
    return ProviderSilent.because(f"the provider {what}", todo="try again, or use the password")
