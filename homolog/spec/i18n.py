"""Translations of a spec's texts, each bound to the English text that it was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from homolog.spec.fields import Strict
from homolog.spec.load import read_model

_HASH_LETTERS = 12


class Translated(Strict):
    """One text, with the digest of its source."""

    source: Annotated[str, Field(pattern="^[0-9a-f]{12,64}$", description="First letters of the sha256 of the English text.")]
    text: Annotated[str, Field(min_length=1)]


class CatalogueFile(Strict):
    """`i18n/<lang>/<item>.yaml`: translations by key, such as `requirement.gk.volume.says`."""

    format: Literal["homolog-i18n/1"]
    language: Annotated[str, Field(pattern="^[a-z]{2}$")]
    spec: str = Field("", description="Id of the spec whose texts these are.")
    texts: dict[str, Translated]


@dataclass(frozen=True, slots=True)
class SpecTexts:
    """The translations of one spec into one language; empty where there are none."""

    texts: Mapping[str, Translated]

    def text(self, key: str, english: str) -> str:
        """Return the translation of a text, or the English text if there is none or it was made from another text."""
        found = self.texts.get(key)
        return found.text if found is not None and is_fresh(found, english) else english

    def stale(self, sources: Mapping[str, str]) -> list[str]:
        """Return the keys whose English text has changed or is no longer there."""
        return [key for key, found in self.texts.items() if key not in sources or not is_fresh(found, sources[key])]


NO_TEXTS = SpecTexts(MappingProxyType({}))


def source_hash(english: str) -> str:
    """Return the digest that a translation carries of its English text."""
    return hashlib.sha256(english.encode()).hexdigest()[:_HASH_LETTERS]


def is_fresh(translated: Translated, english: str) -> bool:
    """Whether a translation was made from this English text."""
    return hashlib.sha256(english.encode()).hexdigest().startswith(translated.source)


def catalogue_path(spec_file: Path, lang: str) -> Path:
    """Return where the translations of `<edition>/<item>.yaml` stand."""
    return spec_file.parent / "i18n" / lang / spec_file.name


def load_texts(spec_file: Path, lang: str) -> SpecTexts:
    """Return the translations of a spec file's texts; English, and a language without a file, have none.

    Raises:
        SpecError: The file is no catalogue.
        InputRefused: The file is not plain YAML.
    """
    path = catalogue_path(spec_file, lang)
    return NO_TEXTS if lang == "en" or not path.is_file() else _load(path)


@lru_cache(maxsize=64)
def _load(path: Path) -> SpecTexts:
    file, _ = read_model(path.read_bytes(), "/".join(path.parts[-5:]), CatalogueFile)
    return SpecTexts(MappingProxyType(file.texts))
