"""The rule book: every edition and item, each requirement at its permanent address, and what changed."""

from __future__ import annotations

import re

import pytest

from homolog.spec.library import Library
from tests.api.conftest import Door
from tests.api.test_page import Elements

LIBRARY = Library()
ITEMS = [(body, label, item) for (body, label), edition in LIBRARY.editions.items() for item in edition.file.files]
DIFF = "/rules/fistf/diff?old=4.0&new=14-2014&item=goalkeeper"


def text_of(door: Door, address: str, lang: str = "en") -> str:
    answer = door.get(address, headers={"Accept-Language": lang})
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize(("body", "label", "item"), ITEMS)
def test_every_requirement_and_interpretation_has_its_anchor(door: Door, body: str, label: str, item: str) -> None:
    spec = LIBRARY.edition(body, label).spec(item)
    assert spec is not None
    page = text_of(door, f"/rules/{body}/{label}/{item}")
    anchors = re.findall(r'<article class="rule" id="([^"]+)"', page)
    assert anchors == [one.id for one in (*spec.spec.requirements, *spec.spec.interpretations)]
    for method in spec.spec.methods:
        assert f'id="method-{method}"' in page
    links = [str(link["href"]) for link in Elements(page).all("a")]
    targets = {attributes["id"] for _, attributes in Elements(page).found if "id" in attributes}
    assert [link for link in links if link.startswith("#") and link[1:] not in targets] == []


@pytest.mark.parametrize(
    ("lang", "says", "limit"),
    [
        ("en", "At most 39 mm high.", "at most 39\N{NO-BREAK SPACE}mm"),
        ("uk", "Висота щонайбільше 39 мм.", "не більше 39\N{NO-BREAK SPACE}мм"),
        ("it", "Altezza al massimo 39 mm.", "al massimo 39\N{NO-BREAK SPACE}mm"),
    ],
)
@pytest.mark.parametrize("edition", ["4.0", "14-2014"])
def test_a_rule_is_said_in_the_readers_language(door: Door, edition: str, lang: str, says: str, limit: str) -> None:
    page = text_of(door, f"/rules/fistf/{edition}/goalkeeper", lang)
    rule = page[page.index('id="gk.height"') : page.index('id="gk.figure_thickness"')]
    assert says in rule
    assert f"<strong>{limit}</strong>" in rule


def test_a_text_that_nobody_has_translated_says_that_it_is_english(door: Door) -> None:
    page = text_of(door, "/rules/fistf/4.0/board", "uk")
    assert '<span lang="en">The board is level.</span>' in page


def test_a_limit_is_drawn_with_its_number(door: Door) -> None:
    page = text_of(door, "/rules/fistf/4.0/goalkeeper")
    drawn = page[page.index('id="gk.rod_length"') :]
    drawn = drawn[drawn.index("<svg") : drawn.index("</svg>")]
    assert "150" in drawn[drawn.index("<text") :]
    # The rod of 150 mm stands in the drawing as long as the limit has it.
    start, end = re.findall(r'<path class="dim" d="M([0-9.]+) -?[0-9.]+L([0-9.]+) ', drawn)[0]
    assert float(end) - float(start) == 150


def test_which_edition_is_in_force_is_said_of_each_item(door: Door) -> None:
    page = text_of(door, "/rules")
    old = page[page.index('href="/rules/fistf/4.0/goalkeeper"') :]
    new = page[page.index('href="/rules/fistf/14-2014/goalkeeper"') :]
    assert 'class="not-in-force"' in old[: old.index("</li>")]
    assert 'class="in-force"' in new[: new.index("</li>")]


def test_an_incomplete_source_says_so_first(door: Door) -> None:
    page = text_of(door, "/rules/fistf/14-2014/goalkeeper")
    assert page.index("silence there proves nothing") < page.index('class="rule"')


@pytest.mark.parametrize(
    ("lang", "added", "limit"),
    [("en", "Added", "at most 13"), ("uk", "Додано", "не більше 13"), ("it", "Aggiunto", "al massimo 13")],
)
def test_what_changed_is_said_in_words(door: Door, lang: str, added: str, limit: str) -> None:
    page = text_of(door, DIFF, lang)
    entries = page.split('<li class="change ')[1:]
    (small,) = [entry for entry in entries if "<code>gk.small_end_width</code>" in entry]
    assert added in small
    assert limit in small


def test_a_limit_that_moved_shows_both_numbers(door: Door) -> None:
    entries = text_of(door, DIFF).split('<li class="change ')[1:]
    moved = [entry for entry in entries if "<code>gk.rod_length</code>" in entry and entry.startswith("is-loosened")]
    assert len(moved) == 1
    assert "at most 150" in moved[0]
    assert "at most 200" in moved[0]


def test_nothing_is_compared_before_two_are_chosen(door: Door) -> None:
    page = text_of(door, "/rules/fistf/diff")
    assert 'class="change ' not in page
    assert {found["name"] for found in Elements(page).all("select")} == {"old", "new", "item"}


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/rules/nobody/diff", 404),
        ("/rules/fistf/9.9", 404),
        ("/rules/fistf/14-2014/ball", 404),
        ("/rules/fistf/4.0/teapot", 404),
        ("/rules/fistf/diff?old=4.0&new=9&item=ball", 404),
        ("/rules/fistf/diff?old=4.0", 404),
        ("/rules/fistf/diff?colour=red", 422),
        ("/rules?x=1", 422),
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(door: Door, address: str, status: int) -> None:
    answer = door.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
