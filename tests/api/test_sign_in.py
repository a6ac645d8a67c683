"""Coming in by the pages: cookies, leading back, and a provider's way round."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from anyio.from_thread import BlockingPortal

from api.app import create_app
from api.settings import Settings
from homolog.register import accounts
from homolog.register.database import Database
from homolog.service.settings import Settings as HostSettings
from tests.api.conftest import Door
from tests.api.world import PASSWORD, Guest, World, make_world, password_hash
from tests.provider import CLIENT, SECRET, Provider, running


@pytest.fixture
def world(tmp_path: Path, _migrated_sqlite: Path, portal: BlockingPortal) -> World:
    shutil.copy(_migrated_sqlite, tmp_path / "homolog.db")
    return make_world(Database.open(f"sqlite:///{tmp_path / 'homolog.db'}"), tmp_path, portal)


def secure(world: World, portal: BlockingPortal, **more: str) -> Door:
    """Return a door that people reach by https."""
    url = world.database.url.render_as_string(hide_password=False)
    host = HostSettings.from_environment({"HOMOLOG_DATABASE": url, "HOMOLOG_BASE_URL": "https://register.example.org", **more})
    return Door(create_app(Settings(), host), portal)


def email_of(guest: Guest) -> str:
    assert guest.person is not None
    return guest.person.email


def test_by_https_the_cookie_is_bound_to_this_host(world: World, portal: BlockingPortal) -> None:
    door, ann = secure(world, portal), world.guest("person")
    form = {"email": email_of(ann), "password": PASSWORD}
    answer = door("POST", "/sign-in", data=form, headers={"Origin": "https://register.example.org"})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-homolog=")
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} <= set(cookie.split("; "))
    assert "domain" not in cookie.lower()
    value = cookie.split(";")[0]
    assert door.get("/account", headers={"Cookie": value}).status_code == 200
    # A cookie without the prefix could have been set by a neighbouring host.
    assert door.get("/account", headers={"Cookie": value.removeprefix("__Host-")}).status_code == 303


def test_a_page_that_needs_an_account_is_shown_after_signing_in(world: World) -> None:
    visitor = world.guest("visitor")
    led = world.send(visitor, "GET", "/account")
    assert led.headers["location"] == "/sign-in?next=%2Faccount"
    assert 'name="next" value="/account"' in world.send(visitor, "GET", led.headers["location"]).text


@pytest.mark.parametrize("wanted", ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example"])
def test_signing_in_leads_to_no_other_place(world: World, wanted: str) -> None:
    form = {"email": email_of(world.guest("person")), "password": PASSWORD, "next": wanted}
    answer = world.door("POST", "/sign-in", data=form, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")


def test_a_page_that_hides_where_it_is_from_signs_nobody_in(world: World) -> None:
    form = {"email": email_of(world.guest("person")), "password": PASSWORD}
    refused = world.door("POST", "/sign-in", data=form, headers={"Origin": "null"})
    assert refused.status_code == 403
    assert "set-cookie" not in refused.headers


def test_who_tries_too_often_is_told_when_to_come_back(tmp_path: Path, world: World, portal: BlockingPortal) -> None:
    door = Door(create_app(Settings(sign_in_tries=2), world.door.service.register.settings), portal)
    body = {"email": email_of(world.guest("person")), "password": "wrong horse battery"}
    answers = [door("POST", "/api/v1/sessions", json=body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert 0 < int(answers[2].headers["retry-after"]) <= 901


def test_requests_are_counted_by_account(world: World, portal: BlockingPortal) -> None:
    door = Door(create_app(Settings(requests_per_minute=3), world.door.service.register.settings), portal)
    ann, ben = world.guest("person"), world.guest("person")
    answers = [door.get("/api/v1/me", headers=ann.headers) for _ in range(4)]
    assert {answer.status_code for answer in answers[:3]} == {200}
    assert answers[3].status_code in (200, 429)  # a minute may have begun
    assert door.get("/api/v1/me", headers=ben.headers).status_code == 200


def test_checks_are_counted_by_address(portal: BlockingPortal, ball: dict[str, Any]) -> None:
    door = Door(create_app(Settings(checks_per_minute=1)), portal)
    answers = [door.check(ball) for _ in range(3)]
    assert answers[0].status_code == 200
    assert answers[2].status_code == 429
    assert answers[2].json()["type"] == "/problems/too_often"


def test_without_a_register_everything_else_works(tmp_path: Path, portal: BlockingPortal, ball: dict[str, Any]) -> None:
    door = Door(create_app(Settings(), HostSettings.from_environment({"HOMOLOG_DATA": str(tmp_path / "none")})), portal)
    assert door.check(ball).status_code == 200
    assert door.get("/", headers={"Cookie": "homolog=x"}).status_code == 200
    refused = door.get("/api/v1/me", headers={"Authorization": "Bearer hml_x"})
    assert (refused.status_code, refused.json()["type"]) == (503, "/problems/not_ready")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running() as found:
        yield found


def test_a_provider_signs_in_by_the_pages(world: World, portal: BlockingPortal, provider: Provider) -> None:
    with world.database.write() as session:
        accounts.add(session, email="ann@a.example", name="Ann", language="en", password=password_hash(), now=world.now)
    variables = {"HOMOLOG_OIDC_ISSUER": provider.issuer, "HOMOLOG_OIDC_CLIENT_ID": CLIENT, "HOMOLOG_OIDC_CLIENT_SECRET": SECRET}
    door = secure(world, portal, **variables)
    assert "Sign in by 127.0.0.1" in door.get("/sign-in").text
    led = door.get("/sign-in/oidc?next=/organisations/x")
    kept = led.headers["set-cookie"].split(";")[0]
    query = {name: values[0] for name, values in parse_qs(urlsplit(led.headers["location"]).query).items()}
    back = provider.authorise(query).removeprefix("https://register.example.org")
    assert door.get(back).status_code == 401  # another browser
    led = door.get("/sign-in/oidc?next=/organisations/x")
    kept = led.headers["set-cookie"].split(";")[0]
    query = {name: values[0] for name, values in parse_qs(urlsplit(led.headers["location"]).query).items()}
    come = door.get(provider.authorise(query).removeprefix("https://register.example.org"), headers={"Cookie": kept})
    assert (come.status_code, come.headers["location"]) == (303, "/organisations/x")
    session_cookie = come.headers.get_list("set-cookie")[0].split(";")[0]
    assert door.get("/api/v1/me", headers={"Cookie": session_cookie}).json()["email"] == "ann@a.example"
