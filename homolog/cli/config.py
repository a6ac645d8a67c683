"""`homolog config`: what a host has chosen, and where each choice came from."""

from __future__ import annotations

import os

import typer

from homolog.cli import options, talk

app = typer.Typer(help="Look at the settings of the register.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _group() -> None:
    """Keep `show` a command of its own while it is the only one."""


@app.command("show")
def show(json: options.Json = False) -> int:
    """Print every setting with secrets masked: its variable, its value, where it came from."""
    from homolog.service.settings import ELSEWHERE, Settings

    shown = list(Settings.from_environment().shown())
    others = {name: os.environ[name] for name in sorted(ELSEWHERE) if os.environ.get(name)}
    if json:
        import json as json_text

        found = {one.variable: {"value": one.value, "source": one.source} for one in shown}
        found |= {name: {"value": value, "source": name} for name, value in others.items()}
        talk.line(json_text.dumps(found, ensure_ascii=False).encode())
        return 0
    talk.pairs([(one.variable, f"{one.value or '(none)'}  [{one.source}]  {one.about}") for one in shown])
    talk.pairs([(name, f"{value}  [{name}]") for name, value in others.items()])
    return 0
