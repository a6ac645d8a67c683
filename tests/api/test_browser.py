"""The page in a browser: wide and narrow, light and dark, by mouse, by keyboard, and read aloud."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdf
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.api.conftest import EXAMPLES
from tests.api.test_process import Running

SIZES = {"wide": {"width": 1200, "height": 900}, "narrow": {"width": 360, "height": 740}}
BROKEN = "format: homolog-submission/1\nitem: ball\nreadings:\n  ball.diametre: {value: 22 mm}\n"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a running service."""
    running = Running(tmp_path_factory.mktemp("service"))
    yield str(running.client.base_url)
    running.end()


@pytest.fixture(params=[(size, scheme) for size in SIZES for scheme in ("light", "dark")], ids="-".join)
def page(request: pytest.FixtureRequest, browser: Browser, service: str) -> Iterator[Page]:
    """Yield the page in each size and scheme; it must stay without errors of scripts and policies."""
    yield from open_page(browser, service, *request.param)


@pytest.fixture
def one(browser: Browser, service: str) -> Iterator[Page]:
    """Yield the page, narrow."""
    yield from open_page(browser, service, "narrow", "light")


def open_page(browser: Browser, service: str, size: str, scheme: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=service, viewport=SIZES[size], color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" and "status of 422" not in said.text else None)
    page.on("request", lambda asked: faults.append(asked.url) if not asked.url.startswith((service, "blob:", "data:")) else None)
    page.goto("/")
    yield page
    context.close()
    assert faults == []


def expect_accessible(page: Page) -> None:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
    assert found.violations_count == 0, found.generate_report()
    assert len(found.response["passes"]) > 10


def expect_no_sideways_scrolling(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def choose(page: Page, name: str) -> None:
    page.set_input_files("#sheet", EXAMPLES / name)


def test_the_page_is_accessible_and_fits(page: Page) -> None:
    page.click("summary")
    expect_accessible(page)
    expect_no_sideways_scrolling(page)


def test_the_scheme_of_the_reader_is_followed(page: Page) -> None:
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(20, 20, 20)" if dark else "rgb(255, 255, 255)")


def test_a_sheet_leads_to_its_report(page: Page) -> None:
    choose(page, "ball.json")
    page.get_by_role("button", name="Check and read the report").click()
    expect(page.get_by_text("Round 22").first).to_be_visible()
    expect_accessible(page)
    expect_no_sideways_scrolling(page)


def test_problems_are_shown_beside_the_form_and_focused(page: Page, tmp_path: Path) -> None:
    (tmp_path / "ball.yaml").write_text(BROKEN)
    page.set_input_files("#sheet", tmp_path / "ball.yaml")
    page.get_by_role("button", name="Check and read the report").click()
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("ball.yaml:4:3")
    expect(problems).to_be_focused()
    expect_accessible(page)
    expect_no_sideways_scrolling(page)


@pytest.mark.parametrize("path", ["/api/v1/docs", "/problems/input_refused"])
def test_the_other_pages_are_accessible_and_fit(page: Page, path: str) -> None:
    page.goto(path)
    expect_accessible(page)
    expect_no_sideways_scrolling(page)


def test_everything_can_be_done_by_keyboard(one: Page) -> None:
    reached = []
    for _ in range(25):
        one.keyboard.press("Tab")
        reached.append(one.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        if reached[-1] == "Record (JSON)":
            break
    assert reached[0] == "Skip to the content"
    wanted = [
        "sheet",
        "scan",
        "item",
        "purpose",
        "rules",
        "More: day, scanner, adoptions, language",
        "Check and read the report",
        "PDF",
    ]
    assert [stop for stop in reached if stop in wanted] == wanted
    choose(one, "ball.json")
    one.focus("#purpose")
    one.keyboard.press("t")
    assert one.input_value("#purpose") == "type_approval"
    one.focus("button.main")
    one.keyboard.press("Enter")
    expect(one.get_by_text("type approval").first).to_be_visible()


def test_focus_can_be_seen(one: Page) -> None:
    for selector in ("#item", "button.main", "summary", "nav a"):
        one.keyboard.press("Tab")  # a key, so that the browser shows where the focus is
        one.focus(selector)
        assert one.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def drop(page: Page, *files: tuple[str, bytes]) -> None:
    page.evaluate(
        """(files) => {
            const carrier = new DataTransfer();
            for (const [name, bytes] of files) carrier.items.add(new File([new Uint8Array(bytes)], name));
            document.body.dispatchEvent(new DragEvent("dragover", {dataTransfer: carrier, bubbles: true, cancelable: true}));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: carrier, bubbles: true, cancelable: true}));
        }""",
        [[name, list(data)] for name, data in files],
    )


def test_dropped_files_are_sorted_and_told(one: Page) -> None:
    drop(one, ("ball.json", (EXAMPLES / "ball.json").read_bytes()), ("K.STL", b"solid"))
    assert one.evaluate("document.getElementById('sheet').files[0].name") == "ball.json"
    assert one.evaluate("document.getElementById('scan').files[0].name") == "K.STL"
    expect(one.get_by_role("status")).to_contain_text("ball.json is taken as the sheet. K.STL is taken as the scan.")
    assert one.evaluate("document.querySelector('.is-over')") is None


def test_a_dropped_sheet_leads_to_its_report(one: Page) -> None:
    drop(one, ("ball.json", (EXAMPLES / "ball.json").read_bytes()))
    one.get_by_role("button", name="Check and read the report").click()
    expect(one.get_by_text("Round 22").first).to_be_visible()


def choose_scan(page: Page, folder: Path, scan: bytes) -> None:
    (folder / "keeper.stl").write_bytes(scan)
    page.set_input_files("#scan", folder / "keeper.stl")
    page.select_option("#item", "goalkeeper")


def test_measuring_is_shown_and_told_while_it_lasts(one: Page, tmp_path: Path, scan: bytes) -> None:
    choose_scan(one, tmp_path, scan)
    with one.expect_download() as waiting:
        one.get_by_role("button", name="PDF").click()
        expect(one.locator("#progress")).to_be_visible()
        expect(one.get_by_role("status")).to_contain_text("Measuring the scan")
        expect(one.get_by_role("button", name="Check and read")).to_have_attribute("aria-disabled", "true")
    assert waiting.value.suggested_filename == "homolog-report.pdf"
    expect(one.locator("#progress")).to_be_hidden()


def test_measuring_is_told_before_the_report_comes_too(one: Page, tmp_path: Path, scan: bytes) -> None:
    choose_scan(one, tmp_path, scan)
    # The driver waits for the report, so the page itself has to note what it showed until then.
    one.evaluate(
        """() => new MutationObserver(() => {
            const bar = document.getElementById("progress").checkVisibility();
            sessionStorage.told = `${document.getElementById("status").textContent} ${bar}`;
        }).observe(document.getElementById("check"), {subtree: true, childList: true, attributes: true})"""
    )
    one.get_by_role("button", name="Check and read the report").click()
    expect(one.get_by_role("heading", name="Where this report comes from")).to_be_visible(timeout=20_000)
    assert one.evaluate("sessionStorage.told") == "Measuring the scan; this can take a minute or two. true"
    one.go_back()
    expect(one.locator("#progress")).to_be_hidden()
    expect(one.get_by_role("button", name="PDF")).not_to_have_attribute("aria-disabled", "true")


def test_the_same_is_saved_as_pdf_and_as_record(one: Page) -> None:
    choose(one, "ball.json")
    for button, name in (("PDF", "homolog-report.pdf"), ("Record (JSON)", "homolog-report.json")):
        with one.expect_download() as waiting:
            one.get_by_role("button", name=button).click()
        saved = waiting.value
        assert saved.suggested_filename == name
        data = Path(saved.path()).read_bytes()
        assert json.loads(data)["verdict"] == "conform" if name.endswith("json") else pypdf.PdfReader(io.BytesIO(data)).pages
        expect(one.get_by_role("status")).to_contain_text(f"{name} is saved.")
        expect(one.locator("#progress")).to_be_hidden()


def test_problems_of_a_file_to_save_leave_the_chosen_file_where_it_is(one: Page, tmp_path: Path) -> None:
    (tmp_path / "ball.yaml").write_text(BROKEN)
    one.set_input_files("#sheet", tmp_path / "ball.yaml")
    one.get_by_role("button", name="PDF").click()
    expect(one.get_by_role("alert")).to_contain_text("ball.yaml:4:3")
    expect(one.get_by_role("alert")).to_be_focused()
    expect(one.get_by_text("A browser forgets")).to_have_count(0)
    assert one.evaluate("document.getElementById('sheet').files[0].name") == "ball.yaml"


def test_the_page_works_without_scripts(browser: Browser, service: str) -> None:
    context = browser.new_context(base_url=service, java_script_enabled=False, viewport=SIZES["narrow"])  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_text("Drop files here")).to_be_hidden()
    choose(page, "ball.json")
    page.get_by_role("button", name="Check and read the report").click()
    expect(page.get_by_text("Round 22").first).to_be_visible()
    page.go_back()
    choose(page, "ball.json")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="PDF").click()
    assert waiting.value.suggested_filename == "homolog-report.pdf"
    context.close()
