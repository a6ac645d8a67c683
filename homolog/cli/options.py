"""Options that several commands share, with the values they take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

ItemName = Literal["board", "goal", "ball", "figure", "goalkeeper", "set", "match"]
PurposeName = Literal["type_approval", "match", "self_test", "recheck"]
SourceName = Literal["structured_light", "photogrammetry", "laser", "ct", "cad"]
UnitName = Literal["mm", "cm", "m", "in"]
Language = Literal["en", "uk", "it"]

ItemMaybe = Annotated[ItemName | None, typer.Option("--item", help="What it is, where the file does not say.")]
Unit = Annotated[UnitName | None, typer.Option("--unit", help="Unit of the scan's file; decided with reasons if left out.")]
Source = Annotated[SourceName | None, typer.Option("--source", help="How the scan was made; structured_light if left out.")]
Several = Annotated[
    bool,
    typer.Option(
        "--several", help="The scan shows several figures or goalkeepers apart: each is taken by itself, numbered as one reads."
    ),
]
Purpose = Annotated[PurposeName, typer.Option("--purpose", help="Who asks: it decides who carries the doubt.")]
Lang = Annotated[Language, typer.Option("--lang", help="Language of text and reports.")]
Body = Annotated[str, typer.Option("--body", help="Whose rules.")]
Edition = Annotated[
    str | None, typer.Option("--edition", help="Edition of the rules: 4.0, or with --on the one in force that day, if left out.")
]
EditionAlone = Annotated[str | None, typer.Option("--edition", help="Edition of the rules; 4.0, or the latest, if left out.")]
On = Annotated[str | None, typer.Option("--on", metavar="DATE", help="The day that counts, as 2026-11-30; today if left out.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and everything else on stderr.")]
VerifyUrl = Annotated[
    str | None,
    typer.Option(
        "--verify-url",
        metavar="URL",
        help="Address of the page that says how the report stands, shown with a code to scan; {sha256} stands for its digest.",
    ),
]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write; the ending chooses the form.")]
