from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from homolog.errors import UsageError
from homolog.evaluate.finding import Decided, DecisionRule, Statement
from homolog.evaluate.verdict import Verdict
from homolog.report import PieceFindings, to_html
from homolog.report.messages import LANGUAGES
from homolog.report.view import view_of
from tests.report.hostile import TEXTS, hostile_report
from tests.report.samples import (
    GUARDED,
    LOADED,
    SHARED,
    every_form,
    full_report,
    make_decided,
    make_finding,
    make_reading,
    make_report,
    make_scan,
    open_interpretation,
)

VOID = {"meta", "img", "br", "link", "input", "rect", "line", "circle", "path"}
URL_ATTRIBUTES = {"src", "href", "srcset", "action", "formaction", "poster", "data", "xlink:href", "ping", "background", "manifest"}


class Page(HTMLParser):
    """A page as its elements, its words and its links."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.styles: list[str] = []
        self.feed(data.decode())
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        (self.styles if "style" in self.open else self.words).append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


class HtmlExtension(SingleFileSnapshotExtension):
    file_extension = "html"
    _write_mode = WriteMode.TEXT


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(to_html(full_report()))


def test_the_page_of_everything_is_as_it_was(snapshot: SnapshotAssertion) -> None:
    text = re.sub(r"<style>.*?</style>", "<style></style>", to_html(full_report()).decode(), flags=re.DOTALL)
    assert text == snapshot(extension_class=HtmlExtension)


def test_the_first_thing_said_is_the_answer_in_one_sentence(page: Page) -> None:
    sentence = "1 of 12 requirements that apply is shown not to be met (by edition 1, which is not in force on 2026-03-01)."
    assert sentence in page.text
    assert page.text.index(sentence) < page.text.index("Findings by clause")


def test_page_one_names_article_rules_question_and_day(page: Page) -> None:
    for words in (
        "Майстерня, K-2",
        "sample, edition 1 (in effect: first day unknown, last day 2030-12-31; dates inferred)",
        "maker's own test",
        "2026-03-01",
        "On 2026-03-01 edition 2 is in force for this item; this report judges by edition 1.",
        "It is no homologation and no decision of a federation.",
    ):
        assert words in page.text


def test_every_requirement_has_a_row_with_its_verdict_as_a_word(page: Page) -> None:
    for finding in every_form():
        if finding.verdict.value != "not_applicable":
            assert finding.requirement in page.text
    for word in (
        "met",
        "not met",
        "undecided",
        "needs a decision by people",
        "not measured",
        "could not be judged",
        "does not apply",
    ):
        assert word in page.text


def test_every_reading_of_an_interpretation_is_shown_with_its_verdict_and_whose_it_is(page: Page) -> None:
    for words in (
        "all that the surface encloses",
        "the material only",
        "What does the volume count?",
        "Proposed; nobody has adopted a reading.",
        "The readings do not all give the same answer here.",
        "Adopted: material, by The board on 2026-01-02 (Minutes 7).",
    ):
        assert words in page.text


def test_both_decision_rules_are_worked_out(page: Page) -> None:
    assert "38.95 \N{MINUS SIGN} 0.03 = 38.92\N{NO-BREAK SPACE}mm; 38.95 + 0.03 = 38.98\N{NO-BREAK SPACE}mm" in " ".join(page.words)
    assert "so this report decides by the guarded rule." in page.text
    assert "Decided by the other rule: gk.volume_adopted." in page.text


def test_a_pointer_into_a_set_begins_with_the_pieces_name() -> None:
    failing = make_finding(verdict=Verdict.NONCONFORM)
    piece = PieceFindings(
        name="figure 4", item="goalkeeper", verdict=Verdict.NONCONFORM, spec=LOADED, findings=(failing,), attributes={}
    )
    report = make_report(item="set", spec=LOADED, findings=(failing,), pieces=(piece,), verdict=Verdict.NONCONFORM, outcome="fail")
    assert [pointer.text for pointer in view_of(report).pointers] == ["1 At most 39 mm high.", "figure 4: 1 At most 39 mm high."]


def test_an_adopted_decision_rule_names_who_adopted_it() -> None:
    rule = replace(GUARDED, rule="simple", adoption=SHARED)
    text = Page(to_html(make_report(decision=rule))).text
    assert "decides by the shared risk (INT-decision), adopted by The board on 2026-01-02 (Minutes 7)." in text


def test_strict_and_two_sided_limits_say_so(page: Page) -> None:
    text = page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "more than 35 mm and at most 39 mm" in text
    assert "less than 40 mm" in text


def test_the_budget_shows_each_share(page: Page) -> None:
    text = page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Offset of the surface 0.04 mm 64 %" in text
    assert "Expanded uncertainty U (k = 2): 0.10 mm" in text


def test_what_was_not_checked_and_not_used_is_said(page: Page) -> None:
    for words in ("What the length counts is not said.", "checked in part", "goalkeeper.odd", "The scan has a hole there."):
        assert words in page.text


def test_provenance_names_digests_engine_and_adoptions(page: Page) -> None:
    for words in ("cd" * 32, "ab" * 32, "ef" * 32, "homolog 0.0.0", "keeper.csv (csv), Row 3", "decides here"):
        assert words in page.text


def test_a_piece_has_a_section_of_its_own(page: Page) -> None:
    assert "Piece: Spare" in page.text
    assert "1 of 2 pieces was not judged; the answer does not speak of it." in page.text
    assert "Ball ball the edition does not regulate it" in page.text


def test_a_gauge_says_its_size_and_what_it_proves(page: Page) -> None:
    text = page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert "gauge 38.95 mm ± 0.02 mm: went" in text
    assert "gk.gauged at most 38.97 mm at most 39 mm" in text


def test_a_reason_from_another_reading_names_that_reading() -> None:
    from homolog.evaluate.finding import InterpretationUsed, Statement

    finding = open_interpretation()
    used = finding.interpretation
    assert isinstance(used, InterpretationUsed)
    plain = replace(finding, why=used.readings[1].decided[0].why)
    assert (
        "Read as material: The range in which the value can lie reaches across the limit."
        in Page(to_html(make_report(findings=(plain,)))).text
    )
    first = replace(finding, why=used.readings[0].decided[0].why)
    other = replace(finding, why=Statement(code="answers_disagree"))
    assert "Read as outer" not in Page(to_html(make_report(findings=(first, other)))).text.replace("Read as: ", "")


def test_headings_come_in_order(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_page_can_be_used_without_seeing_it(page: Page) -> None:
    assert page.all("html")[0]["lang"] == "en"
    assert all(head.get("scope") in ("col", "row") for head in page.all("th"))
    assert all(image["alt"] for image in page.all("img"))
    assert all(bar["aria-label"] for _, bar in page.elements if bar.get("role") == "img")
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [link["href"] for link in page.all("a")]
    assert links[0] == "#findings"
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert len(page.all("caption")) == len(page.all("table"))


def test_the_page_loads_nothing_and_runs_nothing(page: Page) -> None:
    assert not page.all("script")
    assert not page.all("link")
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in URL_ATTRIBUTES:
                assert value.startswith(("#", "data:image/svg+xml;base64,")), (tag, name, value)
            if name == "style":
                assert re.fullmatch(r"width: [0-9]+px", value)
    assert not re.search(r"url\(|@import|expression", "".join(page.styles))
    policy = next(meta for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("lang", ["en", "uk"])
def test_a_hostile_text_stays_a_text(text: str, lang: str) -> None:
    safe, hostile = Page(to_html(hostile_report("plain"), lang)), Page(to_html(hostile_report(text), lang))
    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in safe.elements]
    assert [sorted(attributes) for _, attributes in hostile.elements] == [sorted(attributes) for _, attributes in safe.elements]
    assert not set("".join(hostile.words)) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200f\x07\ufeff\u2028")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_its_language(lang: str) -> None:
    assert Page(to_html(full_report(), lang)).all("html")[0]["lang"] == lang


def test_a_page_of_little_leaves_the_empty_sections_out() -> None:
    text = Page(to_html(make_report())).text
    for heading in ("Pictures", "Where the uncertainty comes from", "Interpretations used", "Readings that no requirement uses"):
        assert heading not in text
    assert "What was not checked, and why" in text


def test_a_cause_that_contributes_nothing_has_no_line_on_the_page() -> None:
    from decimal import Decimal

    from homolog.scan.measurement import Budget, Contribution

    causes = (("idle", Decimal(0)), ("busy", Decimal("0.01")))
    budget = Budget(
        quantity="goalkeeper.height",
        contributions=tuple(Contribution(name=name, says="", standard_uncertainty=u) for name, u in causes),
        expanded=Decimal("0.02"),
    )
    text = Page(to_html(make_report(scan=make_scan(budgets=(budget,), closed=True)))).text
    assert "busy 0.01 mm 100 %" in text
    assert "idle" not in text
    assert "closed as it came" in text


def test_only_budgets_of_what_a_finding_used_are_shown_and_the_others_counted() -> None:
    (used,) = make_scan().budgets
    others = tuple(replace(used, quantity=f"goalkeeper.other_{number}") for number in range(8))
    bounding = replace(used, quantity="goalkeeper.reach")
    decided = make_decided(reading=make_reading(marks=("at_most goalkeeper.reach",)))
    report = make_report(findings=(make_finding(decided=(decided,)),), scan=make_scan(budgets=(used, *others, bounding)))
    text = Page(to_html(report)).text
    assert "goalkeeper.other" not in text
    assert "goalkeeper.height Expanded uncertainty" in text
    assert "goalkeeper.reach Expanded uncertainty" in text
    assert "The record holds 8 more budgets, of quantities that no requirement here used." in text
    assert len(report.record["scan"]["budgets"]) == 10
    assert "more budget" not in Page(to_html(make_report(scan=make_scan()))).text


def test_a_decision_rule_is_named_only_where_a_number_was_decided() -> None:
    rule = DecisionRule(rule="simple", interpretation="INT-decision", adoption=SHARED)
    number, silent = make_decided(), Decided(verdict=Verdict.NOT_MEASURED, why=Statement(code="no_reading"))
    named = [
        any("shared risk" in note for note in view_of(make_report(findings=(found,))).articles[0].rows[0].notes)
        for found in (make_finding(decided=(one,), decision=rule) for one in (number, silent))
    ]
    assert named == [True, False]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError):
        to_html(make_report(), "xx")
