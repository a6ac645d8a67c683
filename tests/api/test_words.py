"""The words of the pages: all there, in every language, none stale; and the language that a reader wants."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from starlette.requests import Request

from api.words import LANGUAGES, areas, language_of, words
from homolog.data import templates_dir
from homolog.report.messages import read_file, source_hash
from tests.api.conftest import Door

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
SLOT = re.compile(r"\{[A-Za-z_]+\}")
PAGES = templates_dir() / "pages"
SAID = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z_:]+)["'](?!\s*~)""")
CASES = [(area, lang) for area in areas() for lang in OTHERS]


def texts(area: str, lang: str) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    found, sources = read_file(PAGES / "messages" / area / f"{lang}.yaml")
    return {key: dict(forms) for key, forms in found.items()}, sources


@pytest.mark.parametrize(("area", "lang"), CASES)
def test_every_text_is_translated_and_no_translation_is_stale(area: str, lang: str) -> None:
    english, _ = texts(area, "en")
    translated, sources = texts(area, lang)
    assert set(translated) == set(english)
    stale = {key: source_hash(forms) for key, forms in english.items() if sources.get(key) != source_hash(forms)}
    assert not stale, "translate these anew, then write the digest beside them"


@pytest.mark.parametrize(("area", "lang"), CASES)
def test_translations_take_the_same_parameters(area: str, lang: str) -> None:
    english, _ = texts(area, "en")
    for key, forms in texts(area, lang)[0].items():
        wanted = {slot for form in english[key].values() for slot in SLOT.findall(form)}
        for form in forms.values():
            assert set(SLOT.findall(form)) <= wanted, (key, form)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_that_a_template_says_is_there(lang: str) -> None:
    known = words(lang)
    said = {key for path in PAGES.glob("*.j2") for key in SAID.findall(path.read_text())}
    assert len(said) > 40
    assert [key for key in sorted(said) if not known.has(key)] == []


def request(accept: str, cookie: str = "") -> Request:
    headers = [(b"accept-language", accept.encode())] + ([(b"cookie", cookie.encode())] if cookie else [])
    return Request({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("accept", "lang"),
    [
        ("", "en"),
        ("uk", "uk"),
        ("it-CH, de;q=0.9", "it"),
        ("de, fr;q=0.9", "en"),
        ("en;q=0.3, uk;q=0.8, it;q=0.5", "uk"),
        ("uk;q=0, it;q=0.1", "it"),
        ("uk;q=٣, it;q=1.2.3", "en"),
        ("*", "en"),
        (",,;q=", "en"),
    ],
)
def test_the_browser_says_which_language_is_liked_best(accept: str, lang: str) -> None:
    assert language_of(request(accept)) == lang


def test_a_choice_goes_before_what_the_browser_says() -> None:
    assert language_of(request("uk", "homolog-lang=it")) == "it"
    assert language_of(request("uk", "homolog-lang=xx")) == "uk"


@pytest.mark.parametrize(("lang", "said"), [("en", "Sign in"), ("uk", "Увійти"), ("it", "Accedi")])
def test_a_page_says_its_language(door: Door, lang: str, said: str) -> None:
    page = door.get("/", headers={"Accept-Language": lang})
    assert f'<html lang="{lang}">' in page.text
    assert page.headers["content-language"] == lang
    assert "Accept-Language" in page.headers["vary"]
    assert said in page.text


def test_a_language_is_chosen_and_leads_back(door: Door) -> None:
    answer = door("POST", "/language", params={"back": "/api/v1/docs"}, data={"lang": "uk"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/api/v1/docs")
    assert answer.headers["set-cookie"].startswith("homolog-lang=uk;")


@pytest.mark.parametrize(
    "back", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "javascript:x", "/a\r\nX: y"]
)
def test_a_choice_of_language_leads_nowhere_else(door: Door, back: str) -> None:
    assert door("POST", "/language", params={"back": back}, data={"lang": "uk"}).headers["location"] == "/"


def test_there_are_no_other_languages(door: Door) -> None:
    assert door("POST", "/language", data={"lang": "tlh"}).status_code == 422


def test_no_two_areas_say_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    clash: Callable[[], list[str]] = lambda: ["base", "base"]  # noqa: E731
    monkeypatch.setattr("api.words.areas", clash)
    words.cache_clear()
    with pytest.raises(ValueError, match="two areas"):
        words("en")
    words.cache_clear()
