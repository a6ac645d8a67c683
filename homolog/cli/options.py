"""Options that several commands share, with the values they take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click
import typer

from homolog.cli.inputs import SOURCES

ITEMS = ("board", "goal", "ball", "figure", "goalkeeper", "set", "match")
PURPOSES = ("type_approval", "match", "self_test", "recheck")
UNITS = ("mm", "cm", "m", "in")
LANGUAGES = ("en", "uk", "it")

Item = Annotated[str, typer.Option("--item", click_type=click.Choice(ITEMS), help="What the article is.")]
ItemMaybe = Annotated[
    str | None, typer.Option("--item", click_type=click.Choice(ITEMS), help="What it is, where the file does not say.")
]
Unit = Annotated[
    str | None,
    typer.Option("--unit", click_type=click.Choice(UNITS), help="Unit of the scan's file; decided with reasons if left out."),
]
Source = Annotated[
    str | None,
    typer.Option("--source", click_type=click.Choice(SOURCES), help="How the scan was made; structured_light if left out."),
]
Purpose = Annotated[
    str, typer.Option("--purpose", click_type=click.Choice(PURPOSES), help="Who asks: it decides who carries the doubt.")
]
Lang = Annotated[str, typer.Option("--lang", click_type=click.Choice(LANGUAGES), help="Language of text and reports.")]
Body = Annotated[str, typer.Option("--body", help="Whose rules.")]
Edition = Annotated[
    str | None, typer.Option("--edition", help="Edition of the rules: 4.0, or with --on the one in force that day, if left out.")
]
On = Annotated[str | None, typer.Option("--on", metavar="DATE", help="The day that counts, as 2026-11-30; today if left out.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and everything else on stderr.")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write; the ending chooses the form.")]
