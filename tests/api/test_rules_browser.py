"""The rule book in a browser: wide and narrow, light and dark, in each language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.test_browser import SIZES, expect_accessible, expect_no_sideways_scrolling
from tests.api.test_process import Running

PAGES = (
    "/rules",
    "/rules/fistf/4.0",
    "/rules/fistf/4.0/goalkeeper",
    "/rules/fistf/4.0/board",
    "/rules/fistf/14-2014/goalkeeper",
    "/rules/fistf/diff?old=4.0&new=14-2014&item=goalkeeper",
)
LOOKS = (("wide", "light", "en"), ("narrow", "dark", "uk"), ("narrow", "light", "it"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a running service."""
    running = Running(tmp_path_factory.mktemp("service"))
    yield str(running.client.base_url)
    running.end()


@pytest.fixture(params=LOOKS, ids="-".join)
def page(request: pytest.FixtureRequest, browser: Browser, service: str) -> Iterator[Page]:
    """Yield a page in each look; it must stay without errors, and needs no script."""
    size, scheme, lang = request.param
    context = browser.new_context(base_url=service, viewport=SIZES[size], color_scheme=scheme, locale=lang)  # type: ignore[arg-type]
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert faults == []


def test_every_page_is_accessible_and_fits(page: Page) -> None:
    for address in PAGES:
        page.goto(address)
        expect_accessible(page)
        expect_no_sideways_scrolling(page)


def test_a_permanent_id_leads_to_its_rule(page: Page) -> None:
    page.goto("/rules/fistf/4.0/figure#fig.base_diameter")
    expect(page.locator("[id='fig.base_diameter']")).to_be_in_viewport()


def test_two_editions_are_compared_by_the_form(page: Page) -> None:
    page.goto("/rules/fistf/diff")
    page.select_option("#old", "4.0")
    page.select_option("#new", "14-2014")
    page.select_option("#item", "goalkeeper")
    page.locator("main button").click()
    expect(page.locator("code", has_text="gk.small_end_width").first).to_be_visible()
