from __future__ import annotations

from pathlib import Path

import pytest

from homolog.errors import SpecError
from homolog.report import to_html
from homolog.report.record import Report
from homolog.spec.i18n import NO_TEXTS, catalogue_path, load_texts, source_hash
from tests.report.samples import make_report

ENGLISH = "At most 39 mm high."
FILE = """
format: homolog-i18n/1
language: uk
texts:
  requirement.gk.height.says: {source: %s, text: "Заввишки щонайбільше 39 мм."}
"""


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("homolog.report.texts.specs_dir", lambda: tmp_path)
    return tmp_path / "sample" / "1" / "goalkeeper.yaml"


def write(spec: Path, text: str) -> Path:
    path = catalogue_path(spec, "uk")
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def page(report: Report, lang: str) -> str:
    return to_html(report, lang).decode()


def test_a_fresh_translation_is_shown(specs: Path) -> None:
    write(specs, FILE % source_hash(ENGLISH))
    assert "Заввишки щонайбільше 39 мм." in page(make_report(), "uk")
    assert "Заввишки" not in page(make_report(), "en")
    assert ENGLISH in page(make_report(), "it")


def test_a_stale_translation_is_not_shown(specs: Path) -> None:
    write(specs, FILE % source_hash("At most 38 mm high."))
    text = page(make_report(), "uk")
    assert ENGLISH in text
    assert "Заввишки" not in text


def test_a_broken_catalogue_does_not_stop_a_report(specs: Path) -> None:
    path = write(specs, "format: other\n")
    assert ENGLISH in page(make_report(), "uk")
    with pytest.raises(SpecError, match="texts"):
        load_texts(specs, "uk")
    assert path.is_file()


def test_stale_and_leftover_keys_are_named(specs: Path) -> None:
    write(specs, FILE % source_hash(ENGLISH))
    texts = load_texts(specs, "uk")
    key = "requirement.gk.height.says"
    assert texts.stale({key: ENGLISH}) == []
    assert texts.stale({key: ENGLISH + "!"}) == [key]
    assert texts.stale({}) == [key]


def test_without_a_catalogue_the_english_stands(specs: Path) -> None:
    assert load_texts(specs, "uk") is NO_TEXTS
    assert NO_TEXTS.text("any", "English") == "English"


def test_a_spec_from_elsewhere_has_no_place_to_look_in(specs: Path) -> None:
    write(specs, FILE % source_hash(ENGLISH))
    from dataclasses import replace

    from tests.report.samples import LOADED

    outside = make_report(spec=replace(LOADED, name="../../goalkeeper.yaml"))
    assert outside.record["spec"]["file"] is None
    assert ENGLISH in page(outside, "uk")
