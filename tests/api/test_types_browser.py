"""Register and applications in a browser: the whole way of a type by forms; narrow, dark, in three languages, read aloud."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from homolog.register import accounts, grants, organisations
from homolog.register.database import Database
from homolog.seal.key_folder import make_keys
from homolog.service.desk import open_desk
from homolog.service.seeding import seed
from homolog.service.settings import Settings
from tests.api.test_browser import SIZES, expect_accessible, expect_no_sideways_scrolling
from tests.api.test_process import Running
from tests.api.world import PASSWORD, password_hash
from tests.service.people import SHEET

SHOTS = os.environ.get("SHOTS")
PEOPLE = {"mary": "manufacturer", "lena": "laboratory", "anna": "board", "boris": "board", "carla": "board"}
# A picture of one dot, as a browser shows it.
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63d8f0f0210004ac025d3f6b1b5c"
    "0000000049454e44ae426082"
)


@dataclass(frozen=True)
class Place:
    """A running service with people."""

    url: str
    laboratory: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, _migrated_sqlite: Path) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("place")
    shutil.copy(_migrated_sqlite, folder / "homolog.db")
    now = datetime.now(UTC).replace(microsecond=0)
    make_keys(folder / "keys", issuer="Sample federation", at=now - timedelta(minutes=1), until=now + timedelta(days=700))
    database = Database.open(f"sqlite:///{folder / 'homolog.db'}")
    with database.write() as session:
        for name, role in PEOPLE.items():
            person = accounts.add(
                session, email=f"{name}@a.example", name=name.title(), language="en", password=password_hash(), now=now
            )
            if role == "manufacturer":
                maker = organisations.add(session, kind=role, name="Swift Ltd", now=now)
                organisations.add_member(session, maker.id, person.id, by=person.id, now=now)
                organisations.put_profile(session, maker.id, {"address": "1 Table Street"}, by=person.id, now=now)
                continue
            if role == "laboratory":
                laboratory = organisations.add(session, kind=role, name="Measure Well", now=now)
                organisations.add_member(session, laboratory.id, person.id, by=person.id, now=now)
            grants.add(session, account_id=person.id, role=role, since=now - timedelta(1), until=None, by=None, now=now)
    settings = Settings.from_environment({"HOMOLOG_DATA": str(folder), "HOMOLOG_DATABASE": f"sqlite:///{folder / 'homolog.db'}"})
    with open_desk(settings) as desk:
        seed(desk, now=now)
    running = Running(
        folder,
        HOMOLOG_DATA=str(folder),
        HOMOLOG_SIGN_IN_TRIES="1000",
        HOMOLOG_SIGN_IN_TRIES_ADDRESS="1000",
        HOMOLOG_REQUESTS_PER_MINUTE="10000",
    )
    yield Place(str(running.client.base_url).rstrip("/"), laboratory.id)
    running.end()
    database.close()


class Visit:
    """Somebody with a browser of their own."""

    def __init__(self, browser: Browser, place: Place, name: str, size: str, scheme: Any, lang: str = "en") -> None:
        self.context: BrowserContext = browser.new_context(
            base_url=place.url,
            viewport=SIZES[size],  # type: ignore[arg-type]
            color_scheme=scheme,
            locale=lang,
        )
        self.page: Page = self.context.new_page()
        self.shots = f"{size}-{scheme}-{lang}"
        if name:
            self.page.goto("/sign-in")
            self.page.locator("input[name=email]").fill(f"{name}@a.example")
            self.page.locator("input[name=password]").fill(PASSWORD)
            self.page.locator("main button[type=submit]").last.click()
            expect(self.page).not_to_have_url(f"{place.url}/sign-in")

    def look(self, name: str = "") -> None:
        """Hold the page to what every page is held to."""
        expect_accessible(self.page)
        expect_no_sideways_scrolling(self.page)
        if SHOTS and name:
            self.page.screenshot(path=f"{SHOTS}/{name}-{self.shots}.png", full_page=True)

    def step(self, which: str, /, **values: str) -> None:
        """Fill in the form of a step and send it."""
        form = self.page.locator(f"form:has(input[name=step][value={which}])")
        if not form.is_visible():
            self.page.locator(f"details:has(input[name=step][value={which}]) > summary").click()
        for field, value in values.items():
            found = form.locator(f"[name='{which}.{field}']").first
            if found.evaluate("one => one.tagName") == "SELECT":
                found.select_option(label=value)
            elif found.get_attribute("type") == "checkbox":
                form.get_by_label(value).check()
            else:
                found.fill(value)
        form.locator("button[type=submit]").click()
        expect(self.page.get_by_role("status")).to_be_visible()

    def send_files(self, **files: bytes) -> None:
        form = self.page.locator("form[enctype]")
        if not form.is_visible():
            self.page.locator("details:has(form[enctype]) > summary").click()
        chosen: list[Any] = [
            {"name": name.replace("_", "."), "mimeType": "application/octet-stream", "buffer": data} for name, data in files.items()
        ]
        form.locator("input[type=file]").set_input_files(chosen)
        form.locator("button[type=submit]").click()
        expect(self.page.get_by_role("status")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "scheme", "name"), [("narrow", "dark", "Swift"), ("wide", "light", "Swallow")], ids=["narrow", "wide"]
)
def test_a_type_goes_its_whole_way_by_forms(browser: Browser, place: Place, size: str, scheme: str, name: str) -> None:
    mary = Visit(browser, place, "mary", size, scheme)
    mary.page.goto("/applications")
    mary.look("applications-empty")
    mary.page.locator("form[action='/applications'] button").click()
    mary.look("draft")
    address = mary.page.url.partition("?")[0]
    mary.send_files(front_png=DOT, own_yaml=SHEET.encode())
    mary.look("draft-files")
    mary.step("describe", family="none", name=name, variants="white; white; polystyrene\nred", photos="front.png", sheet="own.yaml")
    mary.step("accept_memorandum", person="Mary Swift", office="director")
    mary.step("submit")
    mary.look("submitted")
    mary.page.goto("/applications")
    mary.look("applications")

    lena = Visit(browser, place, "lena", size, scheme)
    lena.page.goto(address)
    lena.step("receive_sample", pieces="3", condition="whole, seal 17")
    lena.send_files(measured_yaml=SHEET.encode() + name.encode().join([b"# ", b"\n"]))
    lena.look("laboratory")
    lena.step("measure", person="Lena Lab", sheet="measured.yaml")

    anna, boris, carla = (Visit(browser, place, one, size, scheme) for one in ("anna", "boris", "carla"))
    anna.page.goto("/applications")
    anna.look("queue")
    anna.page.goto(address)
    anna.page.locator("form[action$='/assessment'] button").click()
    expect(anna.page.get_by_role("heading", name="Evidence")).to_be_visible()
    anna.look("evidence")
    anna.step("open_vote", proposal="approve", reasons="III-3.1: It keeps diameter and mass.\nIII-3.5: A sample came.")
    for member in (anna, boris, carla):
        member.page.goto(address)
        member.step("vote", choice="yes")
    boris.page.goto(address)
    boris.look("voting")
    boris.step("close_vote")
    boris.step("decide", text="The board has decided so.")
    carla.page.goto(address)
    carla.look("approved")
    carla.page.locator("form[action$='/certificate'] button").click()
    expect(carla.page.get_by_role("heading", level=1)).to_have_text(name)
    carla.look("type-board")
    expect(carla.page.locator(".lead .state")).to_have_text("homologated")

    stranger = Visit(browser, place, "", size, scheme)
    stranger.page.goto("/types")
    stranger.page.get_by_label("Name, maker or number").fill(name[:4].lower())
    stranger.page.get_by_role("button", name="Look up").click()
    stranger.look("types-found")
    stranger.page.get_by_role("link", name=name, exact=True).click()
    stranger.look("type")
    assert stranger.page.locator(".photos img").first.evaluate("one => one.naturalWidth") == 1
    assert stranger.page.locator(".code img").evaluate("one => one.naturalWidth") > 20
    stranger.page.locator("#papers ~ ul a[href^='/verify/']").first.click()
    expect(stranger.page.get_by_text("A certificate with this SHA-256 was issued here")).to_be_visible()
    stranger.look("verification")
    mary.page.goto(address)
    mary.look("certified")
    for visit in (mary, lena, anna, boris, carla, stranger):
        visit.context.close()


def test_a_refused_step_says_why_and_keeps_what_was_written(browser: Browser, place: Place) -> None:
    mary = Visit(browser, place, "mary", "narrow", "light")
    mary.page.goto("/applications")
    mary.page.locator("form[action='/applications'] button").click()
    form = mary.page.locator("form:has(input[name=step][value=describe])")
    form.locator("[name='describe.name']").fill("Kestrel")
    form.locator("[name='describe.variants']").fill("; ; red")
    form.locator("button").click()
    expect(mary.page.get_by_role("alert")).to_be_visible()
    mary.look("refused-step")
    assert form.locator("[name='describe.name']").input_value() == "Kestrel"
    mary.page.locator("form:has(input[name=step][value=drop])")
    mary.context.close()


@pytest.mark.parametrize("lang", ["uk", "it"])
def test_the_register_is_there_in_other_languages(browser: Browser, place: Place, lang: str) -> None:
    visit = Visit(browser, place, "mary", "narrow", "light", lang)
    for address in ("/types", "/types/HML-F-0001", "/applications"):
        visit.page.goto(address)
        assert visit.page.evaluate("document.documentElement.lang") == lang
        visit.look(address.strip("/").replace("/", "-"))
    visit.page.goto("/applications")
    visit.page.locator("form[action='/applications'] button").click()
    visit.look("draft")
    visit.context.close()


def test_looking_up_works_by_keyboard_alone(browser: Browser, place: Place) -> None:
    visit = Visit(browser, place, "", "wide", "light")
    visit.page.goto("/types")
    for _ in range(30):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.id") == "q":
            break
    visit.page.keyboard.type("hml-f-0001")
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator(".things li")).to_have_count(1)
    visit.context.close()
