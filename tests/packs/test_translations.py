"""The Ukrainian and Italian catalogues: complete, made from today's English, with the same numbers."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from homolog.spec.i18n import load_texts
from homolog.spec.texts import texts_of
from tests.packs.conftest import LIBRARY, spec_of

TRANSLATED = pytest.mark.parametrize(
    ("item", "language"), [(item, language) for item in ("goalkeeper", "ball", "figure", "set") for language in ("uk", "it")]
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def pairs(item: str, language: str) -> list[tuple[str, str, str]]:
    edition = LIBRARY.edition("fistf", "4.0")
    path = edition.path_of(item)
    assert path is not None
    english, catalogue = texts_of(spec_of(edition, item).spec), load_texts(path, language)
    assert list(catalogue.texts) == list(english)
    assert catalogue.stale(english) == []
    return [(key, text, catalogue.texts[key].text) for key, text in english.items()]


def numbers(text: str) -> Counter[str]:
    return Counter(number.replace(",", ".") for number in _NUMBER.findall(text))


@TRANSLATED
def test_a_catalogue_is_complete_and_fresh(item: str, language: str) -> None:
    assert len(pairs(item, language)) > 10


@TRANSLATED
def test_a_translation_carries_the_numbers_of_its_source(item: str, language: str) -> None:
    for key, english, translated in pairs(item, language):
        assert numbers(translated) == numbers(english), key


@TRANSLATED
def test_a_question_stays_a_question(item: str, language: str) -> None:
    for key, english, translated in pairs(item, language):
        assert translated.endswith("?") == english.endswith("?"), key


@TRANSLATED
def test_nothing_is_left_in_english(item: str, language: str) -> None:
    assert [key for key, english, translated in pairs(item, language) if translated == english] == []


@pytest.mark.parametrize("item", ["goalkeeper", "ball", "figure", "set"])
def test_ukrainian_is_written_in_ukrainian_letters(item: str) -> None:
    for key, _, translated in pairs(item, "uk"):
        assert re.search("[а-щьюяєіїґ]", translated), key
        assert not re.search("[ыэъё]", translated), key
