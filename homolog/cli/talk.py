"""What the program says to a person: findings on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from homolog.errors import HomologError

if TYPE_CHECKING:
    from homolog.report import Report

_STYLES = {
    "conform": "green",
    "nonconform": "bold red",
    "error": "bold red",
    "inconclusive": "yellow",
    "needs_judgement": "yellow",
    "not_measured": "dim",
    "not_applicable": "dim",
}


def line(data: bytes) -> None:
    """Write one record as a line of its own on stdout."""
    sys.stdout.flush()
    rest = memoryview(data + b"\n")
    while rest:  # under PYTHONUNBUFFERED the stream takes only a part where a signal comes in between
        rest = rest[sys.stdout.buffer.write(rest) :]


def note(text: str) -> None:
    """Say something beside the result."""
    print(text, file=sys.stderr)


def problems(error: HomologError) -> None:
    """Say everything that is wrong with an input."""
    for problem in error.problems:
        note(str(problem))


@contextmanager
def progress(text: str | None) -> Iterator[None]:
    """Show that work is going on; on a terminal with a moving sign, elsewhere by one line."""
    if text is None:
        yield
    elif sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"{text} ..."):
            yield
    else:
        note(f"{text} ...")
        yield


@contextmanager
def waiting(done: int, total: int) -> Iterator[None]:
    """Show how far a batch is, on a terminal; elsewhere a line says so when an input is done."""
    if total == 1 or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Gone before anything is printed: the results may go to the same terminal.
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task("", total=total, completed=done)
        yield


def findings(report: Report, lang: str) -> None:
    """Print the answer in one sentence, then what was found, requirement by requirement."""
    from rich.console import Console
    from rich.text import Text

    from homolog.report.view import view_of

    view = view_of(report, lang)
    console = Console(highlight=False)
    console.print(Text(view.sentence, style="bold"))
    for fact in view.facts:
        console.print(Text(f"{fact.name}: {fact.value}"))
    for sentence in view.notes:
        console.print(Text(sentence))
    if view.pointers:
        console.print(Text(f"\n{view.words['section.pointers']}", style="bold"))
    for pointer in view.pointers:
        console.print(Text(f"{pointer.verdict.symbol} {pointer.text}", style=_STYLES.get(pointer.verdict.code, "")))
    if view.more_pointers:
        console.print(Text(view.more_pointers))
    for article in view.articles:
        console.print(Text(f"\n{article.heading}", style="bold"))
        for row in article.rows:
            style = _STYLES.get(row.verdict.code, "")
            console.print(Text(f"{row.verdict.symbol} {row.verdict.word}: {row.says} ({row.clause}, {row.id})", style=style))
            said = [row.measured if row.measured != "—" else "", row.why, row.next]
            below = Text(" ".join(_sentence(part) for part in said if part), style="dim")
            for wrapped in below.wrap(console, max(console.width - 2, 1)):
                wrapped.rstrip()
                console.print(Text("  ") + wrapped)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def pairs(rows: list[tuple[str, Any]]) -> None:
    """Print names and values in two columns."""
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
