"""One measuring for many questions, and what a report names of its register."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from homolog.check import Measured, Question, ScanFile, Told, check, judge, measure, scan_alone, vocabulary_of
from homolog.check.question import PieceScan, Scan
from homolog.errors import InputRefused
from homolog.evaluate.register import Registered, RegisterExtract
from homolog.quantity import Article, ReferenceLengths
from homolog.report import Report, read_report, to_html
from homolog.scan import ReferenceFile
from homolog.spec.library import Library
from homolog.submission.read import read_submissions

EXAMPLES = Path(__file__).parents[2] / "examples"
LIBRARY = Library()
DAY = date(2026, 11, 30)
SHEET = b"""
format: homolog-submission/1
item: goalkeeper
attributes: {type: Zeugo 3}
"""


def asked(register: RegisterExtract | None) -> Report:
    (submission,) = read_submissions(SHEET, "sheet.yaml", vocabulary_of(LIBRARY))
    return judge(submission, Question(on=DAY, purpose="match", register=register, library=LIBRARY))


def of_type(report: Report) -> str:
    (found,) = (finding for finding in report.record["findings"] if finding["requirement"] == "gk.type_approved")
    return str(found["verdict"])


def test_a_scan_measured_once_is_judged_under_any_edition_as_if_it_were_measured_anew() -> None:
    file = ScanFile(name="keeper.stl", data=(EXAMPLES / "goalkeeper.stl").read_bytes())
    submission, scan = scan_alone(file, "goalkeeper", Told(unit="mm"), vocabulary_of(LIBRARY))
    measured = measure(submission.article, scan)
    old, new = (Question(on=DAY, edition=edition, library=LIBRARY) for edition in ("4.0", "14-2014"))
    assert judge(submission, old, measured) == check(submission, old, scan)
    reports = [judge(submission, question, measured) for question in (old, new, old)]
    assert reports[0] == reports[2]
    assert [report.record["spec"]["edition"] for report in reports[:2]] == ["4.0", "14-2014"]
    assert reports[1].record["scan"] == reports[0].record["scan"]


def test_a_broken_reference_of_the_last_piece_is_refused_before_any_article_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr("homolog.scan.door.run_job", lambda *_, name, **__: started.append(name))
    lengths = ReferenceLengths(diameter=Decimal(25), diameter_u=Decimal("0.002"))
    broken = ReferenceFile(name="ball.stl", data=b"%PDF-1.7 no ball", lengths=lengths)
    scan = Scan(name="figure.stl", data=(EXAMPLES / "goalkeeper.stl").read_bytes())
    pieces = [
        PieceScan(scan=scan, pieces=(0,)),
        PieceScan(scan=replace(scan, references=(broken,)), pieces=(1,)),
    ]
    article = Article(item="set", pieces=(Article(item="figure"), Article(item="figure")))
    with pytest.raises(InputRefused, match=r"ball\.stl"):
        measure(article, None, pieces)
    assert started == []


def with_new_edition(folder: Path) -> Library:
    """A library into which FISTF has published one more edition, in force on the day."""
    root = folder / "specs"
    shutil.copytree(LIBRARY.root, root)
    old, new = root / "fistf" / "4.0", root / "fistf" / "9.0"
    new.mkdir()
    sheet = (old / "goalkeeper.yaml").read_text().replace('label: "4.0"', 'label: "9.0"', 1)
    sheet = re.sub(r"effective: \{.*?\}", "effective: {from: 2026-01-01, basis: stated}", sheet, count=1)
    (new / "goalkeeper.yaml").write_text(sheet)
    edition = "format: homolog-edition/1\nbody: fistf\nlabel: '9.0'\ntitle: Later rules\nissuer: FISTF\n"
    digest = hashlib.sha256(sheet.encode()).hexdigest()
    edition += f"files:\n  goalkeeper: {{file: goalkeeper.yaml, sha256: {digest}}}\n"
    (new / "edition.yaml").write_text(edition)
    return Library(root)


@pytest.mark.parametrize("label", ["4.0", None])
def test_an_edition_published_later_does_not_change_what_an_old_record_derives_to(tmp_path: Path, label: str | None) -> None:
    (submission,) = read_submissions(SHEET, "sheet.yaml", vocabulary_of(LIBRARY))
    then = judge(submission, Question(on=DAY, edition=label, library=LIBRARY))
    asked = then.record["asked"]
    assert asked["edition"] == label
    later = with_new_edition(tmp_path)
    assert judge(submission, Question(on=DAY, edition=label, library=later)).canonical != then.canonical
    known = frozenset((asked["body"], one["edition"]) for one in asked["editions"])
    again = Question(on=DAY, edition=label, library=Library(later.root, only=known))
    assert judge(submission, again).canonical == then.canonical


def test_a_record_says_whether_its_edition_was_named_or_came_by_the_day() -> None:
    (submission,) = read_submissions(SHEET, "sheet.yaml", vocabulary_of(LIBRARY))
    named, by_day = (judge(submission, Question(on=DAY, edition=label, library=LIBRARY)) for label in ("14-2014", None))
    assert named.record["spec"] == by_day.record["spec"]
    assert (named.record["asked"]["edition"], by_day.record["asked"]["edition"]) == ("14-2014", None)
    assert "edition 14-2014, by its name" in to_html(named).decode()
    assert "the one in force on 2026-11-30, for each item" in to_html(by_day).decode()


VOTED = b"""
format: homolog-submission/1
item: goalkeeper
answers:
  gk.human_body:
    votes: [{answer: yes, by: A}, {answer: yes, by: B}, {answer: yes, by: C}]
"""


def voted(**asked: Any) -> tuple[dict[str, Any], dict[str, str]]:
    (submission,) = read_submissions(VOTED, "sheet.yaml", vocabulary_of(LIBRARY))
    record = judge(submission, Question(on=DAY, purpose="type_approval", library=LIBRARY, **asked)).record
    (found,) = (finding for finding in record["findings"] if finding["requirement"] == "gk.human_body")
    return dict(found), {note["code"]: note["text"] for note in record["notes"]}


def test_votes_in_a_sheet_of_whom_nobody_is_known_stand_as_the_sheet_states_them() -> None:
    found, notes = voted()
    assert found["why"]["text"] == "As the sheet states, the board voted: 3 yes, 0 no."
    assert [answer["stated"] for answer in found["answers"]] == [True, True, True]
    assert notes["answers_stated"].endswith("has not proven it: gk.human_body.")


def test_votes_for_a_board_that_the_sender_may_not_speak_for_do_not_count() -> None:
    found, notes = voted(roles=frozenset({"maker"}))
    assert (found["verdict"], found["answers"], found["why"]["code"]) == ("needs_judgement", (), "no_vote")
    expected = "Answers of roles that the sender may not speak for do not count (the sender speaks for: maker): gk.human_body."
    assert notes["answers_not_senders"] == expected
    assert "answers_stated" not in notes


def test_votes_that_the_sender_may_bring_are_not_marked() -> None:
    found, notes = voted(roles=frozenset({"board"}))
    assert (found["verdict"], found["why"]["code"]) == ("conform", "votes")
    assert [answer["stated"] for answer in found["answers"]] == [False, False, False]
    assert not {"answers_stated", "answers_not_senders"} & notes.keys()


def test_a_proven_answer_counts_whoever_brings_the_rest() -> None:
    (submission,) = read_submissions(VOTED, "sheet.yaml", vocabulary_of(LIBRARY))
    known = tuple(replace(answer, is_proven=True) for answer in submission.article.answers)
    submission = replace(submission, article=replace(submission.article, answers=known))
    question = Question(on=DAY, purpose="type_approval", roles=frozenset({"laboratory"}), library=LIBRARY)
    (found,) = (one for one in judge(submission, question).record["findings"] if one["requirement"] == "gk.human_body")
    assert (found["why"]["code"], found["answers"][0]["stated"]) == ("votes", False)


def test_nothing_measured_is_judged_by_the_sheet_alone() -> None:
    (submission,) = read_submissions(SHEET, "sheet.yaml", vocabulary_of(LIBRARY))
    question = Question(on=DAY, library=LIBRARY)
    assert measure(submission.article) == Measured()
    assert judge(submission, question) == check(submission, question)


def test_a_report_names_the_register_that_it_looked_into() -> None:
    register = RegisterExtract({"goalkeeper": {"Zeugo 3": (Registered(since=date(2020, 1, 1)),)}})
    report = asked(register)
    assert of_type(report) == "conform"
    assert report.record["register"]["sha256"] == register.sha256
    again = read_report(report.canonical)
    assert again == report
    assert f"<code>{register.sha256}</code>" in to_html(again).decode()


def test_an_empty_register_is_named_and_no_register_is_not() -> None:
    empty, without = asked(RegisterExtract({})), asked(None)
    assert (of_type(empty), of_type(without)) == ("nonconform", "not_measured")
    assert "register" in empty.record
    assert "register" not in without.record


def test_a_name_in_the_register_of_another_item_approves_nothing() -> None:
    ball = RegisterExtract({"ball": {"Zeugo 3": (Registered(since=date(2020, 1, 1)),)}})
    assert of_type(asked(ball)) == "nonconform"


SET = b"""
format: homolog-submission/1
item: set
pieces:
  - {name: one, attributes: {role: field_figure}, readings: {figure.height: {value: 35 mm, U: 0.05 mm, method: caliper}}}
  - {name: keeper, attributes: {role: goalkeeper}, readings: {goalkeeper.width: {value: 18 mm, U: 0.05 mm, method: caliper}}}
"""


def test_a_piece_that_another_edition_is_in_force_for_is_named_on_page_one() -> None:
    (submission,) = read_submissions(SET, "set.yaml", vocabulary_of(LIBRARY))

    def said(edition: str | None, on: date) -> list[dict[str, str]]:
        notes = judge(submission, Question(on=on, edition=edition, library=LIBRARY)).record["notes"]
        return [dict(note["params"]) for note in notes if note["code"] == "piece_edition"]

    assert said("4.0", DAY) == [{"on": "2026-11-30", "edition": "14-2014", "used": "4.0", "pieces": "keeper"}]
    assert said("4.0", date(2014, 5, 7)) == []
    assert said(None, DAY) == []


def test_the_same_bytes_come_out_whenever_it_is_asked() -> None:
    (submission,) = read_submissions(SHEET, "sheet.yaml", vocabulary_of(Library()))
    question = Question(on=DAY, library=Library())
    first = check(submission, question)
    assert check(replace(submission), replace(question, library=Library())).canonical == first.canonical
    assert json.loads(first.canonical)["on"] == "2026-11-30"
