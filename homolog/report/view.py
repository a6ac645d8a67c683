"""The view model: a record as strings that are ready to be set, in one language, for HTML and PDF alike."""

from __future__ import annotations

from dataclasses import dataclass

from homolog.report.messages import catalogue
from homolog.report.qr import CheckAt, check_at
from homolog.report.record import Report
from homolog.report.sentence import say_verdict
from homolog.report.texts import SpecWords
from homolog.report.view_article import Article, Pointer, article_of, piece_of, pointers_of, unjudged_of
from homolog.report.view_decision import DecisionView, adopted_rule, decision_of
from homolog.report.view_head import (
    Page,
    Table,
    Word,
    counts_of,
    facts_of,
    fixed_words,
    notes_of,
    provenance_of,
    verdict_word,
)
from homolog.report.view_more import (
    Budget,
    Interpretation,
    budgets_of,
    elsewhere_of,
    interpretations_of,
    not_checked_of,
    unused_of,
)
from homolog.report.view_pictures import Picture, pictures_of
from homolog.report.view_rows import RowMaker

_MOST_POINTERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class View(Page):
    """Everything that a report's page shows; nothing is worked out after this."""

    verdict: Word
    pointers: tuple[Pointer, ...]
    more_pointers: str
    articles: tuple[Article, ...]
    unjudged: Table
    interpretations: tuple[Interpretation, ...]
    decision: DecisionView
    budgets: tuple[Budget, ...]
    more_budgets: str
    not_checked: Table
    unused: Table
    elsewhere: Table
    pictures: tuple[Picture, ...]
    check: CheckAt | None


def view_of(report: Report, lang: str = "en", verify_url: str | None = None) -> View:
    """Return a report's view in a language.

    Args:
        report: The record.
        lang: Language of the words.
        verify_url: Address of the page that says how the report stands; without one no page shows a code to scan.

    Raises:
        UsageError: There is no message catalogue for the language, or the address is none.
    """
    record, words = report.record, catalogue(lang)
    rows = RowMaker(words, SpecWords(lang))
    judged = [piece for piece in record["pieces"] if piece["not_judged"] is None]
    pieces = (piece_of(rows, piece, number) for number, piece in enumerate(judged, 1))
    articles = (article_of(rows, record), *pieces)
    pointers = pointers_of(articles)
    budgets, more_budgets = budgets_of(words, record)
    return View(
        lang=lang,
        title=words.say("page.title", {"item": record["item"]}),
        day=record["on"],
        sentence=say_verdict(words, record),
        verdict=verdict_word(words, record["verdict"]),
        disclaimer=words.say("page.disclaimer"),
        facts=facts_of(words, record),
        counts=counts_of(words, record["counts"]),
        notes=(*adopted_rule(words, record), *notes_of(words, record)),
        pointers=tuple(pointers[:_MOST_POINTERS]),
        more_pointers=words.say("page.more", {"n": str(len(pointers) - _MOST_POINTERS)}) if len(pointers) > _MOST_POINTERS else "",
        articles=articles,
        unjudged=unjudged_of(words, record),
        interpretations=interpretations_of(words, rows.texts, record),
        decision=decision_of(words, record),
        budgets=budgets,
        more_budgets=more_budgets,
        not_checked=not_checked_of(words, rows.texts, record),
        unused=unused_of(words, record),
        elsewhere=elsewhere_of(words, record),
        pictures=pictures_of(words, record),
        provenance=provenance_of(words, record, report.canonical),
        check=check_at(words, verify_url),
        words=fixed_words(words),
    )
