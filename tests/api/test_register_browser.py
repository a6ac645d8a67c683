"""The register's pages in a browser: by keyboard, at 360 px, in the dark, in three languages, and read aloud."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from homolog.register import grants, organisations
from homolog.register.database import Database
from homolog.service.identity import founding
from tests.api.test_browser import SIZES, expect_accessible, expect_no_sideways_scrolling
from tests.api.test_process import Running
from tests.api.world import PASSWORD

SHOTS = os.environ.get("SHOTS")


@dataclass(frozen=True)
class Place:
    """A running service and its database.

    Attributes:
        ids: What addresses need, by name.
    """

    url: str
    database: Database
    ids: dict[str, str]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, _migrated_sqlite: Path) -> Iterator[Place]:
    from datetime import UTC, datetime

    folder = tmp_path_factory.mktemp("place")
    shutil.copy(_migrated_sqlite, folder / "homolog.db")
    database, now = Database.open(f"sqlite:///{folder / 'homolog.db'}"), datetime.now(UTC)
    root = founding.create_administrator(
        database, email="root@a.example", name="Root Administrator", language="en", password=PASSWORD, now=now
    )
    with database.write() as session:
        maker = organisations.add(session, kind="manufacturer", name="Swift Table Football Ltd", now=now)
        organisations.add_member(session, maker.id, root.id, by=root.id, now=now)
        grants.add(session, account_id=root.id, role="board", since=now, until=None, by=None, now=now)
    running = Running(folder, HOMOLOG_DATA=str(folder), HOMOLOG_SIGN_IN_TRIES="1000", HOMOLOG_SIGN_IN_TRIES_ADDRESS="1000")
    yield Place(str(running.client.base_url).rstrip("/"), database, {"account": root.id, "organisation": maker.id})
    running.end()
    database.close()


def open_context(browser: Browser, place: Place, size: str, scheme: Any, **more: Any) -> BrowserContext:
    return browser.new_context(base_url=place.url, viewport=SIZES[size], color_scheme=scheme, **more)  # type: ignore[arg-type]


def watched(context: BrowserContext, place: Place) -> tuple[Page, list[str]]:
    """Return a page, and what must stay empty: faults of scripts and policies, and whatever is loaded from elsewhere."""
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" and "status of 4" not in said.text else None)
    page.on("request", lambda asked: faults.append(asked.url) if not asked.url.startswith((place.url, "data:")) else None)
    return page, faults


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.goto("/sign-in")
    page.get_by_label("E-mail address").fill("root@a.example")
    page.get_by_label("Password").fill(password)
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


ADDRESSES = ("/account", "/organisations/{organisation}", "/accounts", "/accounts/{account}", "/audit")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", list(SIZES))
def test_pages_are_accessible_and_fit(browser: Browser, place: Place, size: str, scheme: str) -> None:
    context = open_context(browser, place, size, scheme)
    page, faults = watched(context, place)
    page.goto("/sign-in")
    expect_accessible(page)
    expect_no_sideways_scrolling(page)
    shot(page, f"sign-in-{size}-{scheme}")
    sign_in(page, "wrong horse battery")
    expect(page.get_by_role("alert")).to_be_visible()
    expect_accessible(page)
    shot(page, f"refused-{size}-{scheme}")
    sign_in(page)
    expect(page.get_by_role("heading", name="My account")).to_be_visible()
    for address in ADDRESSES:
        page.goto(address.format(**place.ids))
        for summary in page.locator("summary").all():
            summary.click()
        expect_accessible(page)
        expect_no_sideways_scrolling(page)
        shot(page, f"{address.strip('/').replace('/', '-').replace('{', '').replace('}', '')}-{size}-{scheme}")
    assert page.goto("/accounts/nobody").status == 404  # type: ignore[union-attr]
    expect_accessible(page)
    context.close()
    assert faults == []


@pytest.mark.parametrize("lang", ["uk", "it"])
def test_pages_are_there_in_other_languages(browser: Browser, place: Place, lang: str) -> None:
    context = open_context(browser, place, "narrow", "light")
    page, faults = watched(context, place)
    sign_in(page)
    name = {"uk": "Українська", "it": "Italiano"}[lang]
    page.get_by_role("button", name=name).click()
    expect(page).to_have_url(f"{place.url}/account")
    for address in ("/", *ADDRESSES):
        page.goto(address.format(**place.ids))
        assert page.evaluate("document.documentElement.lang") == lang
        expect_accessible(page)
        expect_no_sideways_scrolling(page)
        shot(page, f"{address.strip('/').replace('/', '-').replace('{', '').replace('}', '') or 'index'}-{lang}")
    context.close()
    assert faults == []


def test_an_organisation_grows_by_a_link_without_scripts(browser: Browser, place: Place) -> None:
    context = open_context(browser, place, "narrow", "light", java_script_enabled=False)
    page = context.new_page()
    sign_in(page)
    page.get_by_role("link", name="Swift Table Football Ltd").click()
    page.get_by_label("Invite a person").fill("new@a.example")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("code.secret").inner_text().replace("http://127.0.0.1:8000", place.url)
    guest_context = open_context(browser, place, "narrow", "light", java_script_enabled=False)
    guest = guest_context.new_page()
    guest.goto(link)
    expect(guest.get_by_text("With it you join Swift Table Football Ltd.")).to_be_visible()
    guest.get_by_label("Name").fill("New Person")
    guest.get_by_label("New password").fill("short")
    guest.get_by_role("button", name="Make the account").click()
    expect(guest.get_by_role("alert")).to_contain_text("easily guessed")
    assert guest.get_by_label("Name").input_value() == "New Person"
    guest.get_by_label("New password").fill("another battery staple")
    guest.get_by_role("button", name="Make the account").click()
    expect(guest.get_by_text("manufacturer").first).to_be_visible()
    page.reload()
    page.goto(f"/organisations/{place.ids['organisation']}")
    expect(page.get_by_text("New Person")).to_be_visible()
    guest.goto(link)
    expect(guest.get_by_role("alert")).to_contain_text("was used")
    context.close()
    guest_context.close()


def test_everything_on_ones_account_can_be_done_by_keyboard(browser: Browser, place: Place) -> None:
    context = open_context(browser, place, "narrow", "light")
    page, faults = watched(context, place)
    page.goto("/sign-in")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.focus("#email")
    page.keyboard.type("root@a.example")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{place.url}/account")
    page.focus("#tokens ~ details summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("A program")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.value") == "account:read"
    page.focus("#token_name")
    page.keyboard.press("Enter")
    expect(page.locator("code.secret")).to_contain_text("hml_")
    expect_accessible(page)
    page.get_by_role("button", name="End the token A program").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".done")).to_contain_text("The token has ended.")
    page.get_by_role("button", name="Sign out").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".done")).to_contain_text("You have signed out.")
    page.goto("/account")
    expect(page).to_have_url(f"{place.url}/sign-in?next=%2Faccount")
    context.close()
    assert faults == []


@pytest.fixture
def empty_folder(tmp_path: Path, _migrated_sqlite: Path) -> Path:
    shutil.copy(_migrated_sqlite, tmp_path / "homolog.db")
    return tmp_path


def test_a_passkey_is_made_and_signs_in(browser: Browser, empty_folder: Path) -> None:
    """A device of the browser's own: it is told the host `localhost`, as an address of numbers has no passkeys."""
    from datetime import UTC, datetime

    database = Database.open(f"sqlite:///{empty_folder / 'homolog.db'}")
    founding.create_administrator(
        database, email="root@a.example", name="Root", language="en", password=PASSWORD, now=datetime.now(UTC)
    )
    database.close()
    port = free_port()
    url = f"http://localhost:{port}"
    running = Running(empty_folder, port=port, HOMOLOG_DATA=str(empty_folder), HOMOLOG_BASE_URL=url)
    context = browser.new_context(base_url=url, viewport=SIZES["narrow"])  # type: ignore[arg-type]
    page, faults = watched(context, Place(url, database, {}))
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": {**options, "isUserVerified": True}})
    try:
        sign_in(page)
        page.get_by_label("Name of the device").fill("My device")
        page.get_by_role("button", name="Make a passkey").click()
        expect(page.get_by_text("The passkey is made.")).to_be_visible()
        expect_accessible(page)
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page).to_have_url(f"{url}/account")
        expect(page.get_by_text("last used", exact=False).first).to_be_visible()
        page.get_by_role("button", name="Forget the passkey My device").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.locator("#passkey-says")).not_to_be_empty()
    finally:
        context.close()
        running.end()
    assert faults == []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(browser: Browser, place: Place) -> None:
    context = open_context(browser, place, "narrow", "light")
    page, _ = watched(context, place)
    sign_in(page)
    expect(page).to_have_url(f"{place.url}/account")
    (cookie,) = context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
    assert page.evaluate("document.cookie") == ""
    context.close()
