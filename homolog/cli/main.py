"""The `homolog` program: its commands, and every error turned into a message with an exit code."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from pathlib import Path
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from homolog.cli import admin, check, config, edition, keys, measure, report, serve, sign, spec, store, template, verify, work
from homolog.errors import HomologError

USAGE, INTERNAL, INTERRUPTED, BROKEN_PIPE = 2, 5, 130, 141
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

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
app.command("sign")(sign.sign)
app.command("verify")(verify.verify)
app.add_typer(keys.app, name="keys")
app.add_typer(spec.app, name="spec")
app.add_typer(edition.app, name="edition")
app.command("serve")(serve.serve)
app.add_typer(admin.app, name="admin")
app.command("work")(work.work)
app.command("migrate")(store.migrate)
app.command("backup")(store.backup)
app.command("restore")(store.restore)
app.add_typer(store.app, name="store")
app.add_typer(config.app, name="config")


@app.callback(invoke_without_command=True)
def _root(
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        from homolog.check.build import build_digest
        from homolog.version import VERSION

        typer.echo(f"homolog {VERSION}, build {build_digest()}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def main() -> NoReturn:
    """Run the program and leave with its exit code; no error ends in a stack trace."""
    _steady_streams()
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
        code = _unread()
    except OSError as error:
        code = _not_written(error) if error.errno in _NO_ROOM and error.filename is None else _internal(error)
    except Exception as error:
        code = _internal(error)
    sys.exit(code if isinstance(code, int) else 0)


def _steady_streams() -> None:
    """Let no stream that is closed, or that lacks our signs, stand between a verdict and its exit code."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller; its number must not fall to a file that is opened later
            setattr(sys, name, Path(os.devnull).open("w" if number else "r", encoding="utf-8"))  # noqa: SIM115
        elif number and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _unread() -> int:
    """Say by the exit code that nobody read the output: a script must not take it for "conform"."""
    # Pointed elsewhere, so that the interpreter's own flush at the end stays quiet.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def _not_written(error: OSError) -> int:
    typer.echo(f"the output cannot be written: {error.strerror}; nothing of it is an answer.", err=True)
    return _unread()


def _show(error: TyperException) -> None:
    show = getattr(error, "show", None)
    if isinstance(getattr(error, "message", None), str):
        message = error.message.replace("Value error, ", "")  # a word of the library that checks the values
        error.message = _suggest(message)
    if show is None:
        typer.echo(error.format_message(), err=True)
    else:
        show()


def _suggest(message: str) -> str:
    """Return the message on a value that is none of an option's choices with the nearest of them."""
    found = re.fullmatch(r"'(.*)' is not one of ('.*')\.", message, re.DOTALL)
    if found is None:
        return message
    from difflib import get_close_matches

    near = get_close_matches(found[1].casefold(), found[2].strip("'").split("', '"), n=1)
    return f"{message} Did you mean {near[0]!r}?" if near else message


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
