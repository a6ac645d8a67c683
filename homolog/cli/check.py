"""`homolog check`: judge sheets and scans, print what was found, write reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.codes import exit_code, worst
from homolog.cli.files import check_reports, write_report
from homolog.cli.inputs import Choice, cases, groups, labels_of, read_bytes
from homolog.errors import HomologError, UsageError

if TYPE_CHECKING:
    from homolog.check import Question
    from homolog.report import Report

Inputs = Annotated[list[Path], typer.Argument(metavar="INPUT...", help="Sheets (yaml, json, jsonl, csv, xlsx) and scans (stl).")]
Reports = Annotated[
    list[Path] | None, typer.Option("--report", metavar="PATH", help="Write a report: .json, .html or .pdf; repeatable.")
]
Adopted = Annotated[Path | None, typer.Option("--adopted", metavar="FILE", help="The board's adoptions of interpretations.")]

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Output:
    """Where results go: records on stdout, or words; and report files."""

    json: bool
    reports: tuple[Path, ...]
    lang: str
    is_numbered: bool


def check(
    inputs: Inputs,
    item: options.ItemMaybe = None,
    body: options.Body = "fistf",
    edition: options.Edition = None,
    on: options.On = None,
    source: options.Source = None,
    purpose: options.Purpose = "self_test",
    unit: options.Unit = None,
    adopted: Adopted = None,
    json: options.Json = False,
    report: Reports = None,
    lang: options.Lang = "en",
) -> int:
    """Judge each INPUT clause by clause; one sheet and one scan together are one submission.

    Exit code: 0 conform, 1 nonconform, 3 undecided, 2 usage, 4 input refused, 5 internal fault; the worst of several.
    """
    check_reports(report or (), [*inputs, *([adopted] if adopted else [])])
    question = _question(body=body, edition=edition, on=on, purpose=purpose, adopted=adopted)
    pairs = groups(inputs)
    labels = labels_of([sheet for sheet, _ in pairs])
    output = _Output(json, tuple(report or ()), lang, is_numbered=len(pairs) > 1)
    choice = Choice(item, unit, source)
    codes = [
        code
        for label, (sheet, scan) in zip(labels, pairs, strict=True)
        for code in _one_input(sheet, scan, choice, question, output, label)
    ]
    return worst(codes)


def _one_input(sheet: Path, scan: Path | None, choice: Choice, question: Question, output: _Output, label: str) -> Iterator[int]:
    """Judge everything in one input; a refused input does not stop the others."""
    from homolog.check import check as judge
    from homolog.check import vocabulary_of

    try:
        for number, case in enumerate(cases(sheet, scan, choice, vocabulary_of(question.library)), 1):
            with talk.progress(f"measuring {case.scan.name}" if case.scan is not None else None):
                found = judge(case.submission, question, case.scan)
            _write(found, output, f"{label}-{number}")
            _show(found, output)
            yield exit_code(found.verdict.value)
    except UsageError:
        raise
    except HomologError as error:
        talk.problems(error)
        yield error.exit_code


def _show(report: Report, output: _Output) -> None:
    if output.json:
        talk.line(report.canonical)
    else:
        talk.findings(report, output.lang)


def _write(report: Report, output: _Output, label: str) -> None:
    for path in output.reports:
        target = path.with_name(f"{path.stem}-{label}{path.suffix}") if output.is_numbered or not label.endswith("-1") else path
        write_report(report, target, output.lang)
        talk.note(f"wrote {target}")


def _question(*, body: str, edition: str | None, on: str | None, purpose: str, adopted: Path | None) -> Question:
    """Put the question together; the day and the files are read here, at the edge."""
    from homolog.check import Question, default_edition, with_adoptions
    from homolog.spec.library import Library

    library = Library()
    day = date.today() if on is None else _day(on)  # noqa: DTZ011 -- the day of the person who asks
    is_by_default = edition is None and on is None
    label = default_edition(library, body, day) if is_by_default else edition
    question = Question(
        on=day,
        body=body,
        edition=label,
        purpose=purpose,  # type: ignore[arg-type]
        is_by_default=is_by_default,
        library=library,
    )
    if adopted is None:
        return question
    return with_adoptions(question, read_bytes(adopted), adopted.name)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else _bad_day(text)
    except ValueError:
        return _bad_day(text)


def _bad_day(text: str) -> date:
    raise UsageError.because(f"--on {text[:20]!r} is not a date", todo="write as 2026-11-30")
