"""`homolog check`: judge sheets and scans, print what was found, write reports and a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.batch import Interrupts, cores, in_order
from homolog.cli.codes import worst
from homolog.cli.days import read_day
from homolog.cli.files import check_folder, check_free, check_reports, write_report, write_whole
from homolog.cli.inputs import Choice, groups, is_scan, labels_of, read_bytes
from homolog.cli.journal import Journal
from homolog.cli.judge import Input, Judge
from homolog.cli.lot import LotOutput
from homolog.cli.results import Result, digest_of_question
from homolog.cli.table import Row, check_table, row_of, write_rows
from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_kind
from homolog.gate.text import shown_name
from homolog.quantity.lot import MOST_ARTICLES

if TYPE_CHECKING:
    from homolog.check import Question

Inputs = Annotated[
    list[Path],
    typer.Argument(
        metavar="INPUT...", help="Sheets (yaml, json, jsonl, csv, xlsx) and scans (stl, obj, ply, off, glb, 3mf, step, xyz)."
    ),
]
Reports = Annotated[
    list[Path] | None, typer.Option("--report", metavar="PATH", help="Write a report: .json, .html or .pdf; repeatable.")
]
TablePath = Annotated[
    Path | None, typer.Option("--table", metavar="PATH", help="Write a table of all inputs: .csv, .jsonl or .xlsx.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", min=1, max=256, help="How many inputs to judge at once; all processors if left out.")
]
Resume = Annotated[
    Path | None,
    typer.Option("--resume", metavar="FILE", help="Keep what is finished in FILE; a run that was cut off goes on there."),
]
Lots = Annotated[
    list[Path] | None,
    typer.Option("--lot", metavar="PATH", help="Sum all inputs up as samples of one lot: .json, .html or .pdf; repeatable."),
]
LotArticles = Annotated[int | None, typer.Option("--lot-size", min=1, max=MOST_ARTICLES, help="How many articles the lot has.")]
LotWanted = Annotated[
    int | None, typer.Option("--lot-wanted", min=0, help="Say how many samples would show that at most so many are outside.")
]
Attributes = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute", metavar="NAME=VALUE", help="What a scan alone cannot show, as family=flat or pose=upright; repeatable."
    ),
]
Adopted = Annotated[Path | None, typer.Option("--adopted", metavar="FILE", help="The board's adoptions of interpretations.")]
RegisterFile = Annotated[
    Path | None, typer.Option("--register", metavar="FILE", help="The register's extract, in which types are looked up.")
]


@dataclass(frozen=True, slots=True)
class _Output:
    """Where results go: records on stdout, or words; and report files."""

    json: bool
    reports: tuple[Path, ...]
    lang: str
    table: Path | None
    lot: LotOutput


def check(
    inputs: Inputs,
    item: options.ItemMaybe = None,
    body: options.Body = "fistf",
    edition: options.Edition = None,
    on: options.On = None,
    source: options.Source = None,
    purpose: options.Purpose = "self_test",
    unit: options.Unit = None,
    several: options.Several = False,
    attribute: Attributes = None,
    adopted: Adopted = None,
    register: RegisterFile = None,
    json: options.Json = False,
    report: Reports = None,
    table: TablePath = None,
    lot: Lots = None,
    lot_size: LotArticles = None,
    lot_wanted: LotWanted = None,
    jobs: Jobs = None,
    resume: Resume = None,
    lang: options.Lang = "en",
) -> int:
    """Judge each INPUT clause by clause; one sheet and the scans beside it are one submission.

    Exit code: 0 conform, 1 nonconform, 3 undecided, 2 usage, 4 input refused, 5 internal fault; the worst of several.
    """
    files = [*inputs, *(path for path in (adopted, register) if path)]
    written = [*(report or ()), *(lot or ())]
    check_reports(written, files)
    _check_outputs(table, resume, [*files, *written])
    of_lot = LotOutput(lot or (), lot_size, lot_wanted, lang)
    _get_ready(inputs, item)
    question = _question(body=body, edition=edition, on=on, purpose=purpose, adopted=adopted, register=register)
    together = groups(inputs)
    labels = labels_of([sheet for sheet, _ in together])
    work = [Input(label, sheet, scans) for label, (sheet, scans) in zip(labels, together, strict=True)]
    output = _Output(json, tuple(report or ()), lang, table=table, lot=of_lot)
    digest = "" if resume is None else digest_of_question(question, b"" if adopted is None else read_bytes(adopted))
    with Journal(resume) as journal:
        return _hand_out(
            work,
            Judge(Choice(item, unit, source, several, tuple(attribute or ())), question, journal, digest),
            output,
            jobs or cores(),
        )


def _hand_out(work: list[Input], judge: Judge, output: _Output, jobs: int) -> int:
    """Judge all inputs, several at once, and hand the results out in their order; return the exit code."""
    from homolog.scan import abandoned

    interrupts = Interrupts()
    rows: list[Row] = []
    codes: list[int] = []
    is_batch = len(work) > 1
    judged = in_order(work, partial(judge.all_of, is_batch=is_batch), jobs if is_batch else 1, abandon=abandoned)
    with interrupts.watched(), closing(judged):
        for number, one in enumerate(work, 1):
            with talk.waiting(number - 1, len(work)):
                results = next(judged)
            words = []
            for result, is_one_of_several in _told_apart(results):
                with interrupts.held():
                    _write(result, output, one.label, has_number=is_batch or is_one_of_several)
                    _show(result, output)
                    if output.table is not None:
                        rows.append(row_of(result))
                    output.lot.add(result)
                codes.append(result.code)
                words.append(result.word)
            if is_batch:
                talk.note(f"{number} of {len(work)}: {one.sheet.name}: {_in_short(words)}")
        if output.table is not None:
            with interrupts.held():
                write_whole(output.table, write_rows(rows, output.table.suffix))
                talk.note(f"wrote {output.table}")
        with interrupts.held():
            output.lot.write()
    return worst(codes)


def _told_apart(results: Iterable[Result]) -> Iterator[tuple[Result, bool]]:
    """Yield the results of one input, each with whether there are several; the first waits for the second, to be named like it."""
    coming = iter(results)
    waiting = next(coming, None)
    several = False
    while waiting is not None:
        following = next(coming, None)
        several = several or following is not None
        yield waiting, several
        waiting = following


def _check_outputs(table: Path | None, resume: Path | None, others: list[Path]) -> None:
    """Refuse a table or journal that cannot be written, or that would replace another file of the call."""
    if table is not None:
        check_table(table)
        check_free(table, others)
    if resume is not None:
        check_folder(resume)
        check_free(resume, [*others, *([table] if table else [])])


def _get_ready(inputs: list[Path], item: str | None) -> None:
    """Have measuring made ready for the first scan while the rules are read, unless a glance at the file refuses it already."""
    first = next((path for path in inputs if is_scan(path)), None)
    if first is None:
        return
    with suppress(InputRefused):
        check_kind(read_bytes(first), name=first.name)
        from homolog.scan import get_ready

        get_ready("figure" if item == "set" else item or "goalkeeper", first.name)


def _in_short(words: list[str]) -> str:
    """Return the verdicts on one input: each once, with how often."""
    if len(words) == 1:
        return words[0]
    return ", ".join(f"{words.count(word)} {word}" for word in sorted(set(words))) or "nothing in it"


def _show(result: Result, output: _Output) -> None:
    if result.report is None:
        for problem in result.problems:
            talk.note(str(problem))
    elif output.json:
        talk.line(result.report.canonical)
    else:
        talk.findings(result.report, output.lang)


def _write(result: Result, output: _Output, label: str, *, has_number: bool) -> None:
    if result.report is None:
        return
    for path in output.reports:
        target = path.with_name(f"{path.stem}-{label}-{result.number}{path.suffix}") if has_number else path
        write_report(result.report, target, output.lang)
        talk.note(f"wrote {target}")


def _question(
    *, body: str, edition: str | None, on: str | None, purpose: str, adopted: Path | None, register: Path | None
) -> Question:
    """Put the question together; the day and the files are read here, at the edge."""
    from homolog.check import Question, default_edition, with_adoptions, with_register
    from homolog.spec.library import Library

    library = Library()
    day = date.today() if on is None else read_day(on, "--on")  # noqa: DTZ011 -- the day of the person who asks
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
    if register is not None:
        question = with_register(question, read_bytes(register), shown_name(register.name))
    if adopted is None:
        return question
    return with_adoptions(question, read_bytes(adopted), shown_name(adopted.name))
