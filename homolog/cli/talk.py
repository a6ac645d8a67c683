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
    sys.stdout.buffer.write(data + b"\n")


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


def findings(report: Report, lang: str) -> None:
    """Print the answer in one sentence and a row a finding."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from homolog.report.view import view_of

    view = view_of(report, lang)
    console = Console(highlight=False)
    console.print(Text(view.sentence, style="bold"))
    console.print(Text(view.heading))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in view.columns:
        table.add_column(name, overflow="fold")
    for row in view.rows:
        table.add_row(*(Text(cell) for cell in row.cells[:-1]), Text(row.cells[-1]), style=_STYLES.get(row.verdict, ""))
    console.print(table)


def pairs(rows: list[tuple[str, Any]]) -> None:
    """Print names and values in two columns."""
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
