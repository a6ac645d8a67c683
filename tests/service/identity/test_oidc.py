"""Signing in by a provider: a real one on loopback, and every lie that it may tell."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import RSAKey

from homolog.register import accounts
from homolog.service.identity import oidc
from homolog.service.identity.provider import ProviderSilent
from homolog.service.identity.refusals import NotSignedIn
from homolog.service.identity.sessions import Opened
from homolog.service.settings import Settings
from tests.provider import CLIENT, SECRET, Provider, running
from tests.service.identity.conftest import CAME, People

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running() as found:
        yield found


def settings_of(provider: Provider) -> Settings:
    return Settings.from_environment(
        {
            "HOMOLOG_OIDC_ISSUER": provider.issuer,
            "HOMOLOG_OIDC_CLIENT_ID": CLIENT,
            "HOMOLOG_OIDC_CLIENT_SECRET": SECRET,
            "HOMOLOG_BASE_URL": "https://register.example.org",
        }
    )


def sign_in(people: People, provider: Provider, **changes: Any) -> Opened:
    """Go to the provider and back, as a browser does; `changes` are what comes back changed."""
    people.now = people.now.fromtimestamp(time.time(), people.now.tzinfo)
    settings = settings_of(provider)
    begun = oidc.begin(people.database, settings, lead_to="/account", now=people.now)
    query = {name: values[0] for name, values in parse_qs(urlsplit(begun.address).query).items()}
    back = {name: values[0] for name, values in parse_qs(urlsplit(provider.authorise(query)).query).items()}
    given = {"state": back["state"], "kept": begun.state, "code": back["code"], "issuer": back["iss"], **changes}
    opened, lead_to = oidc.finish(people.database, settings, came=CAME, now=people.now, **given)
    assert lead_to == "/account"
    return opened


def test_a_person_of_a_verified_address_signs_in_and_stays_bound_to_the_subject(people: People, provider: Provider) -> None:
    ann = people.person(email="Ann@a.example", password=False)
    opened = sign_in(people, provider)
    assert (opened.person.id, opened.session.how) == (ann.id, "oidc")
    provider.claims["email"] = "other@a.example"  # an address may change; the subject does not
    assert sign_in(people, provider).person.id == ann.id
    assert people.actions() == ["identity.bind", "session.begin", "session.begin"]


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "true"},
        {"email": "nobody@a.example"},
        {"email": None},
        {"iss": "https://elsewhere.example"},
        {"aud": "somebody-else"},
        {"aud": [CLIENT, "somebody-else"]},
        {"aud": [CLIENT, "somebody-else"], "azp": "somebody-else"},
        {"azp": "somebody-else"},
        {"nonce": "another"},
        {"exp": 1},
        {"exp": None},
        {"iat": 4102444800},
        {"sub": ""},
        {"sub": 7},
    ],
    ids=str,
)
def test_a_token_that_does_not_hold_lets_nobody_in(people: People, provider: Provider, claims: dict[str, Any]) -> None:
    people.person(email="ann@a.example")
    provider.claims |= claims
    with pytest.raises(NotSignedIn):
        sign_in(people, provider)


def test_a_token_is_signed_by_the_providers_key_and_no_other(people: People, provider: Provider) -> None:
    people.person(email="ann@a.example")
    provider.key = RSAKey.generate_key(2048, {"kid": "one"})
    with pytest.raises(NotSignedIn):
        sign_in(people, provider)


def test_the_public_key_is_no_shared_secret(people: People, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    people.person(email="ann@a.example")

    def sign(claims: dict[str, Any]) -> str:
        parts = [{"alg": "HS256", "kid": "one"}, claims]
        signed = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts)
        digest = hmac.new(provider.published.as_pem(private=False), signed, hashlib.sha256).digest()
        return b".".join([signed, base64.urlsafe_b64encode(digest).rstrip(b"=")]).decode()

    monkeypatch.setattr(provider, "sign", sign)
    with pytest.raises(NotSignedIn):
        sign_in(people, provider)


def test_an_unsigned_token_lets_nobody_in(people: People, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    people.person(email="ann@a.example")
    sign = provider.sign
    monkeypatch.setattr(provider, "sign", lambda claims: "eyJhbGciOiJub25lIn0." + sign(claims).split(".")[1] + ".")
    with pytest.raises(NotSignedIn):
        sign_in(people, provider)


@pytest.mark.parametrize(
    "changes", [{"state": "another"}, {"kept": ""}, {"kept": "another"}, {"state": "", "kept": ""}, {"issuer": "https://x.example"}]
)
def test_the_way_back_belongs_to_the_browser_that_began(people: People, provider: Provider, changes: dict[str, str]) -> None:
    people.person(email="ann@a.example")
    with pytest.raises(NotSignedIn):
        sign_in(people, provider, **changes)


def test_a_way_back_is_gone_once(people: People, provider: Provider) -> None:
    people.person(email="ann@a.example")
    settings = settings_of(provider)
    people.now = people.now.fromtimestamp(time.time(), people.now.tzinfo)
    begun = oidc.begin(people.database, settings, lead_to="/", now=people.now)
    query = {name: values[0] for name, values in parse_qs(urlsplit(begun.address).query).items()}
    assert query["redirect_uri"] == "https://register.example.org/sign-in/oidc/back"
    for _ in range(2):
        provider.authorise(query)
    finish = {"state": begun.state, "kept": begun.state, "issuer": None, "came": CAME, "now": people.now}
    oidc.finish(people.database, settings, code="code-0", **finish)  # type: ignore[arg-type]
    with pytest.raises(NotSignedIn):
        oidc.finish(people.database, settings, code="code-1", **finish)  # type: ignore[arg-type]


def test_a_wrong_code_is_refused_by_the_provider(people: People, provider: Provider) -> None:
    with pytest.raises(ProviderSilent):
        sign_in(people, provider, code="guess")


def test_a_closed_account_stays_out(people: People, provider: Provider) -> None:
    ann = people.person(email="ann@a.example")
    sign_in(people, provider)
    with people.database.write() as session:
        accounts.set_disabled(session, ann.id, people.now)
    with pytest.raises(NotSignedIn):
        sign_in(people, provider)


@pytest.mark.parametrize(
    "told",
    [
        {"issuer": "https://elsewhere.example"},
        {"token_endpoint": "http://elsewhere.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": None},
        {"jwks_uri": 7},
    ],
    ids=str,
)
def test_a_provider_that_leads_elsewhere_is_not_followed(people: People, provider: Provider, told: dict[str, Any]) -> None:
    provider.told = told
    with pytest.raises(ProviderSilent):
        sign_in(people, provider)


def test_a_provider_that_is_not_there_is_said_to_be_silent(people: People, provider: Provider) -> None:
    settings = settings_of(provider)
    with running() as gone:
        pass
    assert gone.issuer != settings.oidc_issuer
    with pytest.raises(ProviderSilent):
        oidc.begin(people.database, settings_of(gone), lead_to="/", now=people.now)
