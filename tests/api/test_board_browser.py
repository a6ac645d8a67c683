"""The board's pages of rules in a browser: two members, one draft, a run whose progress is told, in all sizes and languages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from playwright.sync_api import Browser, Page, expect

from homolog.register import accounts, grants
from homolog.register.database import Database
from tests.api import rules_made
from tests.api.test_browser import SIZES, expect_accessible, expect_no_sideways_scrolling
from tests.api.test_process import Running
from tests.api.test_register_browser import Place, open_context, shot, watched
from tests.api.test_rules_decided import LIGHT, ROOT, TIGHTER
from tests.api.walk import Walk
from tests.api.world import PASSWORD, make_world, password_hash
from tests.service.people import SHEET

FAULTY = (("kind: limit, of: ball.mass", "kind: limit, of: ball.weight"),)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, _migrated_sqlite: Path, portal: BlockingPortal) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("board")
    shutil.copy(_migrated_sqlite, folder / "homolog.db")
    database, now = Database.open(f"sqlite:///{folder / 'homolog.db'}"), datetime.now(UTC)
    world = make_world(database, folder, portal)
    for name, sheet in (("Swift", SHEET), ("Kestrel", LIGHT)):
        walk = Walk(world)
        walk.submitted(name)
        walk.measured(sheet)
    with database.write() as session:
        for name in ("anna", "boris"):
            person = accounts.add(session, email=f"{name}@a.example", name=name, language="en", password=password_hash(), now=now)
            grants.add(session, account_id=person.id, role="board", since=now, until=None, by=None, now=now)
    limits = {"HOMOLOG_SIGN_IN_TRIES": "1000", "HOMOLOG_SIGN_IN_TRIES_ADDRESS": "1000"}
    running = Running(folder, HOMOLOG_DATA=str(folder), **limits)
    yield Place(str(running.client.base_url).rstrip("/"), database, {"folder": str(folder)})
    running.end()
    database.close()


def sign_in(page: Page, name: str) -> None:
    page.goto("/sign-in")
    page.get_by_label("E-mail address").fill(f"{name}@a.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="My account")).to_be_visible()


def hand_in(page: Page, *changes: tuple[str, str]) -> str:
    """Hand an edition in, and return the draft's address."""
    page.goto("/drafts")
    data = rules_made.next_ball(*changes)
    page.set_input_files("#files", [{"name": "ball.yaml", "mimeType": "application/yaml", "buffer": data}])
    page.get_by_role("button", name="Enter the draft").click()
    expect(page.get_by_role("status")).to_contain_text("The draft is entered")
    return page.url.partition("?")[0]


@contextmanager
def working(place: Place) -> Iterator[None]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMOLOG_")}
    environment["HOMOLOG_DATA"] = place.ids["folder"]
    process = subprocess.Popen([sys.executable, "-m", "homolog.cli.main", "work"], env=environment, cwd=ROOT)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def test_a_run_tells_its_progress_and_ends_by_itself(browser: Browser, place: Place) -> None:
    context = open_context(browser, place, "narrow", "light")
    page, faults = watched(context, place)
    sign_in(page, "anna")
    hand_in(page, *TIGHTER)
    expect(page.get_by_text("You have entered this draft")).to_be_visible()
    expect(page.get_by_role("button", name="Publish")).to_have_count(0)
    page.get_by_role("button", name="Find out").click()
    expect(page.locator("#job-state")).to_have_text("waits for a worker")
    expect_accessible(page)
    expect_no_sideways_scrolling(page)
    shot(page, "impact-waits-narrow-light")
    with working(place):
        expect(page.locator("#job-state")).to_have_text("done", timeout=120_000)
    row = page.get_by_role("row").filter(has_text="Kestrel")
    expect(row).to_contain_text("ball.mass")
    expect(row).to_contain_text("5.0")
    expect(page.get_by_text("until 2028-01-01").first).to_be_visible()
    address = page.url
    for size in SIZES:
        for scheme in ("light", "dark"):
            page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(address)
            expect_accessible(page)
            expect_no_sideways_scrolling(page)
            shot(page, f"impact-{size}-{scheme}")
    page.goto(f"{address}?show=all")
    expect(page.get_by_role("row").filter(has_text="Swift")).to_contain_text("nothing changes")
    expect_accessible(page)
    context.close()
    assert faults == []


def test_two_members_publish_an_adoption_without_scripts(browser: Browser, place: Place) -> None:
    anna_context = open_context(browser, place, "narrow", "light", java_script_enabled=False)
    anna = anna_context.new_page()
    sign_in(anna, "anna")
    anna.goto("/interpretations")
    question = anna.get_by_role("article").filter(has=anna.get_by_role("heading", name="INT-ball-mass"))
    question.locator("summary").click()
    question.get_by_label("as-written").check()
    question.get_by_label("Counts from").fill("2026-11-01")
    question.get_by_label("Who decides").fill("The board")
    question.get_by_label("Where the decision is written down").fill("Minutes 7")
    question.get_by_role("button", name="Enter the draft").click()
    expect(anna.get_by_role("status")).to_contain_text("another member of the board decides")
    address = anna.url.partition("?")[0]
    boris_context = open_context(browser, place, "narrow", "dark", java_script_enabled=False)
    boris = boris_context.new_page()
    sign_in(boris, "boris")
    boris.goto(address)
    boris.get_by_label("The decision in words").fill("Minutes 7 of the board")
    boris.get_by_role("button", name="Publish").click()
    expect(boris.get_by_role("status")).to_contain_text("It is published")
    anna.goto("/interpretations")
    expect(question).to_contain_text("as-written, from 2026-11-01 on, by The board (Minutes 7).")
    expect(question.locator(".is-rule")).to_contain_text("as-written")
    anna_context.close()
    boris_context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", list(SIZES))
def test_the_boards_pages_are_accessible_and_fit(browser: Browser, place: Place, size: str, scheme: str) -> None:
    context = open_context(browser, place, size, scheme)
    page, faults = watched(context, place)
    sign_in(page, "boris")
    sound, faulty = hand_in(page, *TIGHTER), hand_in(page, *FAULTY)
    expect(page.get_by_text("It finds errors")).to_be_visible()
    page.goto("/drafts")
    page.set_input_files("#files", [{"name": "ball.yml", "mimeType": "application/yaml", "buffer": b"a: b"}])
    page.get_by_role("button", name="Enter the draft").click()
    expect(page.get_by_role("alert")).to_contain_text("ball.yml")
    expect_accessible(page)
    for name, address in {"drafts": "/drafts", "draft": sound, "faulty": faulty, "questions": "/interpretations"}.items():
        page.goto(address)
        if name == "questions":
            page.locator("summary").first.click()
        expect_accessible(page)
        expect_no_sideways_scrolling(page)
        shot(page, f"{name}-{size}-{scheme}")
    context.close()
    assert faults == []


@pytest.mark.parametrize("lang", ["uk", "it"])
def test_the_boards_pages_are_there_in_other_languages(browser: Browser, place: Place, lang: str) -> None:
    context = open_context(browser, place, "narrow", "light")
    page, faults = watched(context, place)
    sign_in(page, "anna")
    draft = hand_in(page, *TIGHTER)
    page.get_by_role("button", name={"uk": "Українська", "it": "Italiano"}[lang]).click()
    for name, address in {"drafts": "/drafts", "draft": draft, "questions": "/interpretations"}.items():
        page.goto(address)
        assert page.evaluate("document.documentElement.lang") == lang
        expect_accessible(page)
        expect_no_sideways_scrolling(page)
        shot(page, f"{name}-{lang}")
    context.close()
    assert faults == []


def test_a_draft_is_decided_on_by_keyboard(browser: Browser, place: Place) -> None:
    context = open_context(browser, place, "narrow", "light")
    page, faults = watched(context, place)
    sign_in(page, "anna")
    draft = hand_in(page)
    context.clear_cookies()
    sign_in(page, "boris")
    page.goto(draft)
    page.focus("#text")
    page.keyboard.type("Not now.")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Publish"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("The draft is dropped")
    expect_accessible(page)
    context.close()
    assert faults == []
