"""Translations of a spec's texts: shown while the English stands, never after it has changed."""

from pathlib import Path

import pytest

from homolog.errors import SpecError
from homolog.spec.i18n import NO_TEXTS, catalogue_path, load_texts, source_hash


def write(folder: Path, text: str) -> Path:
    spec = folder / "goalkeeper.yaml"
    path = catalogue_path(spec, "it")
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return spec


def catalogue(english: str) -> str:
    return f"format: homolog-i18n/1\nlanguage: it\ntexts:\n  title: {{source: {source_hash(english)}, text: Portiere}}\n"


def test_a_translation_of_the_english_that_stands_there_is_shown(tmp_path: Path) -> None:
    texts = load_texts(write(tmp_path, catalogue("Goalkeeper")), "it")
    assert texts.text("title", "Goalkeeper") == "Portiere"
    assert texts.stale({"title": "Goalkeeper"}) == []


def test_a_translation_of_another_english_text_is_not_shown(tmp_path: Path) -> None:
    texts = load_texts(write(tmp_path, catalogue("Keeper")), "it")
    assert texts.text("title", "Goalkeeper") == "Goalkeeper"
    assert texts.stale({"title": "Goalkeeper"}) == ["title"]
    assert texts.stale({}) == ["title"]


def test_a_text_without_a_translation_stays_english(tmp_path: Path) -> None:
    texts = load_texts(write(tmp_path, catalogue("Goalkeeper")), "it")
    assert texts.text("requirement.gk.height.says", "At most 39 mm high.") == "At most 39 mm high."


def test_english_and_a_language_without_a_file_have_no_translations(tmp_path: Path) -> None:
    spec = write(tmp_path, catalogue("Goalkeeper"))
    assert load_texts(spec, "en") is NO_TEXTS
    assert load_texts(spec, "uk") is NO_TEXTS


def test_a_file_that_is_no_catalogue_is_refused_at_its_place(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"i18n/it/goalkeeper\.yaml:2:1: language: String should match pattern"):
        load_texts(write(tmp_path, catalogue("Goalkeeper").replace("language: it", "language: Italian")), "it")
