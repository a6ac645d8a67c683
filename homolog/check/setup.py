"""What has to be at hand before judging: the default edition, the vocabulary of sheets, empty sheets, adoptions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache

from homolog.check.extract import read_extract
from homolog.check.question import DEFAULT_EDITION, Question
from homolog.errors import InputRefused, UsageError
from homolog.spec.library import Library
from homolog.spec.load import LoadedSpec
from homolog.submission.adoptions import check_adoptions, read_adoptions
from homolog.submission.article import WITH_PIECES
from homolog.submission.template import write_template
from homolog.submission.vocabulary import Vocabulary


def default_edition(library: Library, body: str, on: date | None) -> str | None:
    """Return the edition that a body is asked under if none is named: 4.0, else its latest; None leaves it to the day."""
    labels = library.labels(body)
    if DEFAULT_EDITION in labels:
        return DEFAULT_EDITION
    if not labels:
        library.edition(body, "")  # raises: the body is not known
    return labels[-1] if on is None or len(labels) == 1 else None


def empty_sheet(library: Library, item: str, ending: str, *, body: str, edition: str | None) -> bytes:
    """Return an empty sheet for an item, as `xlsx`, `csv` or `yaml`; without an edition, for the one taken by default.

    Raises:
        UsageError: There is no such body or edition, or it does not regulate the item.
    """
    chosen = library.edition(body, edition or default_edition(library, body, None) or "")
    loaded = chosen.spec(item)
    if loaded is None:
        reason = chosen.file.unregulated.get(item, "it has no spec for it")  # type: ignore[call-overload]
        what = f"{body} {chosen.file.label} does not regulate a {item}: {reason}"
        raise UsageError.because(what, todo="choose another body or edition")
    pieces = [spec for piece in ("figure", "goalkeeper") if (spec := chosen.spec(piece)) is not None]
    return write_template(loaded, ending, pieces=pieces if item in WITH_PIECES else ())


def vocabulary_of(library: Library) -> Callable[[str], Vocabulary]:
    """Return what sheets for an item may say: everything that any edition of any body asks of it.

    So one sheet can be asked under another edition or body; what an edition does not use is named in the report.
    """

    @cache
    def of_item(item: str) -> Vocabulary:
        return Vocabulary.of(_specs(library, item), item=item)

    return of_item


def _specs(library: Library, item: str) -> list[LoadedSpec]:
    """Return every spec for an item once, whichever editions name it."""
    found = {edition.path_of(item): edition for edition in library.editions.values() if edition.owns(item)}
    loaded = [edition.spec(item) for edition in found.values()]
    return [spec for spec in loaded if spec is not None]


def with_register(question: Question, data: bytes, name: str) -> Question:
    """Return the question with a register's extract to look types up in.

    Raises:
        InputRefused: The file is no extract, or is of another body.
    """
    register = read_extract(data, name)
    if question.body != register.body and not question.body.startswith(f"{register.body}-"):
        what = f"the extract is of the register of {register.body}, and the rules are those of {question.body}"
        raise InputRefused.because(what, where=name, todo="take the extract of that body", code="register_foreign")
    return replace(question, register=register)


def with_adoptions(question: Question, data: bytes, name: str) -> Question:
    """Return the question with a board's adoptions.

    Raises:
        InputRefused: The file cannot be read, or adopts something that no spec has.
    """
    adoptions = read_adoptions(data, name)
    owned = [
        edition.spec(item) for edition in question.library.editions.values() for item in edition.file.files if edition.owns(item)
    ]
    check_adoptions(adoptions, [spec for spec in owned if spec is not None], question.library.editions)
    return replace(question, adoptions=adoptions)
