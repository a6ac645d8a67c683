"""What is loaded before anybody asks, and what is not touched by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from api import specs, start, templates, words
from api.app import create_app
from api.service import Service
from api.settings import Settings
from homolog.errors import SpecError
from homolog.service.settings import Settings as HostSettings


def test_the_first_reader_finds_words_templates_and_description_loaded(tmp_path: Path) -> None:
    templates._environment.cache_clear()
    words.words.cache_clear()
    specs.interface_bytes.cache_clear()
    service = create_app(Settings(), HostSettings.from_environment({"HOMOLOG_DATA": str(tmp_path / "data")})).state.service
    start.warm(service)
    assert words.words.cache_info().currsize == len(words.LANGUAGES)
    assert specs.interface_bytes.cache_info().currsize == 1
    cache = templates._environment().cache
    assert cache is not None
    assert len(cache) >= 20
    assert "library" in vars(service.shelf)
    assert list(tmp_path.iterdir()) == []


def test_a_broken_file_is_told_and_stops_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> int:
        raise SpecError.because("this spec is broken", todo="mend it")

    service = Service(Settings())
    monkeypatch.setattr(service.shelf, "load", broken)
    start.warm(service)
    assert "this spec is broken" in capsys.readouterr().err
