"""The spec's own words as a page shows them: translated where a fresh translation is at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homolog.data import specs_dir
from homolog.errors import HomologError
from homolog.report.specs import SPEC_FILE
from homolog.report.wording import clean
from homolog.spec.i18n import NO_TEXTS, SpecTexts, load_texts


class SpecWords:
    """Texts of the specs that one record names, in one language."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def say(self, spec: Mapping[str, Any], key: str, english: str) -> str:
        """Return a text of a spec; English where there is no translation of exactly this text."""
        return clean(self._texts(spec).text(key, english)) if english else ""

    def _texts(self, spec: Mapping[str, Any]) -> SpecTexts:
        file = spec["file"]
        if file is None or not SPEC_FILE.fullmatch(file):
            return NO_TEXTS
        try:
            return load_texts(specs_dir() / file, self._lang)
        except HomologError:  # a broken translation must not stand in the way of a report; the linter finds it
            return NO_TEXTS
