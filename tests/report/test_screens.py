"""The page in a real browser: on a phone, on a desk, on paper, in the dark."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from homolog.report import to_html
from homolog.report.canvas import LOOKS, Dimension
from homolog.report.messages import catalogue
from homolog.report.overlay import dimensioned
from tests.report.hostile import TEXTS, hostile_report
from tests.report.samples import full_report

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if BROWSER is None and os.environ.get("HOMOLOG_REQUIRE_CHROMIUM") == "1":
    raise RuntimeError("HOMOLOG_REQUIRE_CHROMIUM is 1, and there is no Chromium")
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="NO CHROMIUM: nobody has looked at the pages; set HOMOLOG_REQUIRE_CHROMIUM=1 to insist"
)

playwright = pytest.importorskip("playwright.sync_api")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield started
        started.close()


def shown(browser, data: bytes, tmp_path: Path, width: int, **options):
    page = browser.new_page(viewport={"width": width, "height": 800}, java_script_enabled=True, **options)
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("dialog", lambda dialog: page.asked.append("dialog"))
    path = tmp_path / "report.html"
    path.write_bytes(data)
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("width", [360, 800, 1200])
@pytest.mark.parametrize("lang", ["en", "uk", "it"])
def test_nothing_runs_out_of_the_page(browser, tmp_path: Path, width: int, lang: str) -> None:
    page = shown(browser, to_html(full_report(), lang, "https://register.example.org/verify/" + "ab" * 32), tmp_path, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    over = page.evaluate(
        "w => [...document.querySelectorAll('main *, header *, footer *')]"
        ".filter(e => !e.closest('thead, .vh, svg') && e.getBoundingClientRect().right > w + 1).map(e => e.outerHTML.slice(0, 80))",
        width,
    )
    assert over == []
    page.close()


@pytest.mark.parametrize(
    "text", [TEXTS["long"], TEXTS["script"], TEXTS["image"], TEXTS["right_to_left"]], ids=["long", "script", "image", "rtl"]
)
@pytest.mark.parametrize("width", [360, 1200])
def test_a_hostile_name_neither_runs_nor_breaks_the_page(browser, tmp_path: Path, text: str, width: int) -> None:
    page = shown(browser, to_html(hostile_report(text)), tmp_path, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [url for url in page.asked if not url.startswith(("file:", "data:image/svg+xml"))] == []
    page.close()


def test_the_page_asks_for_nothing_but_itself(browser, tmp_path: Path) -> None:
    page = shown(browser, to_html(full_report()), tmp_path, 1200)
    assert {url.partition(":")[0] for url in page.asked} - {"data"} == {"file"}
    assert sum(url.startswith("file:") for url in page.asked) == 1
    page.close()


def test_on_a_phone_a_row_is_a_card_with_its_labels(browser, tmp_path: Path) -> None:
    page = shown(browser, to_html(full_report()), tmp_path, 360)
    row = page.locator("#f1")
    assert row.evaluate("e => getComputedStyle(e).display") == "block"
    label = row.locator("td[data-label='Measured']").evaluate("e => getComputedStyle(e, '::before').content")
    assert label == '"Measured"'
    assert page.locator(".answer").bounding_box()["y"] < 200
    page.close()


def test_on_paper_the_table_is_a_table_in_black(browser, tmp_path: Path) -> None:
    page = shown(browser, to_html(full_report()), tmp_path, 700, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="light")
    assert page.locator("#f1").evaluate("e => getComputedStyle(e).display") == "table-row"
    assert page.locator("#f1 .v").first.evaluate("e => getComputedStyle(e).color") == "rgb(0, 0, 0)"
    assert page.locator(".skip").is_hidden()
    page.close()


_COLOURS = """() => {
  const parse = text => text.match(/[0-9.]+/g).map(Number);
  const ground = element => {
    for (; element; element = element.parentElement) {
      const colour = parse(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour.slice(0, 3);
    }
  };
  const says = element => [...element.childNodes].some(node => node.nodeType == 3 && node.data.trim());
  return [...document.querySelectorAll('main *, header *, footer *')]
    .filter(element => !element.closest('svg, .vh, thead') && says(element))
    .map(element => [parse(getComputedStyle(element).color).slice(0, 3), ground(element), element.className]);
}"""


def contrast(colours: tuple[list[float], list[float]]) -> float:
    def light(colour: list[float]) -> float:
        parts = [c / 255 / 12.92 if c / 255 <= 0.03928 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted(light(colour) for colour in colours)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_can_be_read_by_day_and_by_night(browser, tmp_path: Path, scheme: str) -> None:
    page = shown(
        browser, to_html(full_report(), "en", "https://register.example.org/verify/1"), tmp_path, 1200, color_scheme=scheme
    )
    pairs = page.evaluate(_COLOURS)
    assert len(pairs) > 100
    assert [name for ink, paper, name in pairs if contrast((ink, paper)) < 4.5] == []
    page.close()


@pytest.mark.parametrize("lang", ["en", "uk", "it"])
def test_the_words_of_pictures_take_no_more_room_than_they_were_given(browser, lang: str) -> None:
    texts = catalogue(lang).texts
    names = [forms["other"] for key, forms in texts.items() if key.startswith(("quantity.", "spot.", "place."))]
    items = [
        Dimension("spot", "right", (5, at), (5, at), f"{name} 123,456 ± 0,12", "✗", LOOKS["nonconform"], is_filled)
        for at, name in enumerate(names)
        for is_filled in (False, True)
    ]
    svg, _ = dimensioned(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 90" width="36" height="360" role="img"></svg>', items
    )
    page = browser.new_page()
    page.set_content(svg)
    wide = page.evaluate(
        "() => [...document.querySelectorAll('svg > g')].map(g => [g.querySelectorAll('text')[1]?.getBBox(),"
        " g.querySelector('rect')?.getBBox(), g.textContent]).filter(([t]) => t).map(([t, r, words]) => [t.x + t.width, words])"
    )
    room = page.evaluate(
        "() => [...document.querySelectorAll('svg > g')].filter(g => !g.querySelector('text') && g.querySelector('rect'))"
        ".map(g => g.querySelector('rect').getBBox().width)"
    )
    assert len(wide) == len(room) == len(items)
    assert [words for (end, words), most in zip(wide, room, strict=True) if end > most] == []
    page.close()
