"""The `homolog` program: its commands, and every error turned into a message with an exit code."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from homolog.cli import check, measure, report, spec, template
from homolog.errors import HomologError

USAGE, INTERNAL, INTERRUPTED, BROKEN_PIPE = 2, 5, 130, 141

app = typer.Typer(
    name="homolog",
    help="Check the equipment of sports table football against the federation's rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("check")(check.check)
app.command("measure")(measure.measure)
app.command("template")(template.template)
app.command("report")(report.report)
app.add_typer(spec.app, name="spec")


@app.callback(invoke_without_command=True)
def _root(
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        from homolog.version import VERSION

        typer.echo(f"homolog {VERSION}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main() -> NoReturn:
    """Run the program and leave with its exit code; no error ends in a stack trace."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        _show(error)
        code = USAGE
    except typer.Abort:
        code = INTERRUPTED
    except HomologError as error:
        for problem in error.problems:
            typer.echo(str(problem), err=True)
        code = error.exit_code
    except (BrokenPipeError, SystemExit):  # typer itself turns a broken pipe into exit code 1, our "nonconform"
        # The reader of our output has gone; point stdout elsewhere so that the interpreter's own flush stays quiet.
        # Not 0: a script must not take an answer that nobody read for "conform".
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = BROKEN_PIPE
    except Exception as error:
        code = _internal(error)
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: TyperException) -> None:
    show = getattr(error, "show", None)
    if show is None:
        typer.echo(error.format_message(), err=True)
    else:
        show()


def _internal(error: Exception) -> int:
    if os.environ.get("HOMOLOG_DEBUG"):
        import traceback

        traceback.print_exception(error)
    typer.echo(
        f"homolog failed inside: {type(error).__name__}: {error}. Nothing was judged. "
        "Run again with HOMOLOG_DEBUG=1 and report what it prints.",
        err=True,
    )
    return INTERNAL


if __name__ == "__main__":
    main()
