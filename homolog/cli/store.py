"""`homolog migrate`, `backup`, `restore` and `store`: looking after what the register holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain as chain_of
from pathlib import Path
from typing import Annotated

import typer

from homolog.cli import options, talk

app = typer.Typer(help="Look after what is stored: check, sweep, extract.", no_args_is_help=True, rich_markup_mode=None)

FOUND_FAULTS = 1

Target = Annotated[Path, typer.Argument(metavar="TARGET", help="A new folder, or a new file whose name ends in .tar.")]
Source = Annotated[Path, typer.Argument(metavar="SOURCE", help="What homolog backup wrote.")]
WithKeys = Annotated[bool, typer.Option("--keys", help="Put the signing keys in too: whoever has the backup can then sign.")]
LeaveDamaged = Annotated[
    bool, typer.Option("--leave-damaged", help="Leave out files that homolog store check names, and go on without them.")
]
Hours = Annotated[int, typer.Option("--hours", min=1, help="How old a file without a row must be.")]


def migrate() -> int:
    """Bring the database's tables to those of this version of the program."""
    from homolog.register.migrate import migrate as bring
    from homolog.service.settings import Settings
    from homolog.service.stores import open_stores

    with open_stores(Settings.from_environment(), must_be_current=False) as stores:
        before, after = bring(stores.database)
        what = f"is at {after} already" if before == after else f"went from {before or 'empty'} to {after}"
        talk.note(f"{stores.database.shown} {what}")
    return 0


def backup(target: Target, keys: WithKeys = False, leave_damaged: LeaveDamaged = False) -> int:
    """Write a backup of the register to TARGET; the service may run meanwhile.

    Exit code: 0 written, 1 written without damaged files, 2 usage, 4 the audit log does not hold, 5 a stored file is damaged or the
    database does not answer.
    """
    from homolog.register.backup import backup as write
    from homolog.service.settings import Settings
    from homolog.service.stores import open_stores

    settings = Settings.from_environment()
    with open_stores(settings) as stores, talk.progress("writing the backup"):
        folder = Path(settings.keys) if keys else None
        done = write(stores.database, stores.files, target, now=datetime.now(UTC), keys=folder, leave_damaged=leave_damaged)
    kept = f"{done.keys} keys: keep it as safe as these" if keys else "no keys (--keys puts them in)"
    talk.note(f"wrote {target}: {done.rows} rows, {done.files} files of {done.size} bytes, {kept}")
    return _without(done.damaged)


def restore(source: Source) -> int:
    """Bring SOURCE back into an empty register: whole, byte for byte, or not at all.

    Exit code: 0 restored, 1 restored but for files that were damaged before, 2 usage, 4 the backup is damaged or the register is
    not empty, 5 the database does not answer.
    """
    from homolog.register.backup import restore as bring
    from homolog.service.settings import Settings
    from homolog.service.stores import open_stores

    settings = Settings.from_environment()
    with open_stores(settings, must_be_current=False) as stores, talk.progress("restoring"):
        done = bring(source, stores.database, stores.files, keys=Path(settings.keys))
        shown = stores.database.shown
    talk.note(
        f"restored into {shown}: {done.rows} rows, {done.files} files of {done.size} bytes, {done.keys} keys, all as backed up"
    )
    return 0


def _without(damaged: Sequence[str]) -> int:
    for digest in damaged:
        talk.note(f"without the damaged file {digest}")
    return FOUND_FAULTS if damaged else 0


@app.command("check")
def check() -> int:
    """Look at every stored file, the logs of audit and of seals, and every history of an application or a type; say what is wrong.

    Exit code: 0 all is as it was stored, 1 something is not.
    """
    from homolog.register import audit
    from homolog.register.files import check as faults_of
    from homolog.service.consistency import check as faults_of_histories
    from homolog.service.desk import open_desk
    from homolog.service.log_check import check as faults_of_log
    from homolog.service.settings import Settings

    faults = 0
    with open_desk(Settings.from_environment()) as desk:
        for fault in chain_of(faults_of(desk.database, desk.files), faults_of_histories(desk), faults_of_log(desk)):
            typer.echo(fault)
            faults += 1
        with desk.database.read() as session:
            chain = audit.check(session)
    if chain.broken_at is not None:
        typer.echo(f"The audit log does not hold from entry {chain.broken_at} on.")
        faults += 1
    talk.note(f"{faults} faults; the audit log has {chain.entries} entries that hold, the last of them {chain.head}")
    return FOUND_FAULTS if faults else 0


@app.command("extract")
def extract(output: options.Output) -> int:
    """Write the register's extract of today, as homolog check --register reads it."""
    from homolog.cli.files import write_whole
    from homolog.service.desk import open_desk
    from homolog.service.exports import extract as extract_of
    from homolog.service.settings import Settings

    with open_desk(Settings.from_environment()) as desk:
        write_whole(output, extract_of(desk, day=date.today()))  # noqa: DTZ011 -- the day of the people who use it
    talk.note(f"wrote {output}")
    return 0


@app.command("sweep")
def sweep(hours: Hours = 24) -> int:
    """Remove files that no row names: those of people who went away between sending and storing."""
    from homolog.register.files import sweep as take
    from homolog.service.settings import Settings
    from homolog.service.stores import open_stores

    with open_stores(Settings.from_environment()) as stores:
        swept = take(stores.database, stores.files, now=datetime.now(UTC), grace=timedelta(hours=hours))
    talk.note(f"removed {swept.files} files of {swept.size} bytes that no row named, and {swept.spooled} half received")
    return 0
