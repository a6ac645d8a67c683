"""Catalogues beside a file of the rules: whole, and made from the English that stands there now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from homolog.errors import HomologError
from homolog.spec.i18n import CatalogueFile, is_fresh, source_hash
from homolog.spec.lint.complaint import Complaint, complain
from homolog.spec.load import read_model


def lint_translations(english: Mapping[str, str], about: str, path: Path, shown: Callable[[Path], str]) -> Iterator[Complaint]:
    """Complain of catalogues that are not for this file, and warn of texts without a translation from them as they are.

    Args:
        english: The file's texts by key.
        about: The file's id.
        path: Where the file stands; its catalogues stand under `i18n/` beside it.
        shown: Writes a path as a person would.
    """
    for file in sorted(path.parent.glob(f"i18n/*/{path.name}")):
        language, name = file.parent.name, shown(file)
        try:
            catalogue, document = read_model(file.read_bytes(), name, CatalogueFile)
        except HomologError as error:
            for problem in error.problems:
                where = problem.where if problem.where.count(":") >= 2 else f"{name}:1:1"
                yield Complaint(
                    severity="error", where=where, id="", what=problem.what, todo=problem.todo or "mend the file", code=problem.code
                )
            continue
        for key, found, expected in (("language", catalogue.language, language), ("spec", catalogue.spec, about)):
            if found not in ("", expected):
                yield complain(
                    document,
                    (key,),
                    about=about,
                    what=f"{key} is {found!r} in the catalogue for {expected!r}",
                    todo=f"write {expected}",
                    code="catalogue_foreign",
                )
        for key, translated in catalogue.texts.items():
            if key not in english:
                what, todo = "there is no such text any more", "remove it"
            elif not is_fresh(translated, english[key]):
                what, todo = "the English text has changed", f"translate it again and write source: {source_hash(english[key])}"
            else:
                continue
            yield complain(document, ("texts", key), about=key, what=what, todo=todo, code="translation_stale", severity="warning")
        for key in english:
            if key not in catalogue.texts:
                yield complain(
                    document,
                    ("texts",),
                    about=key,
                    what=f"there is no translation into {language}",
                    todo=f"translate it and write source: {source_hash(english[key])}",
                    code="translation_missing",
                    severity="warning",
                )
