"""`homolog spec`: the rules themselves: list, show, lint, diff, schema, coverage."""

from __future__ import annotations

import typer

app = typer.Typer(help="Look at the rules: list, show, lint, diff, schema, coverage.", no_args_is_help=True, rich_markup_mode=None)
