"""`homolog serve`: the web service, in this process from then on."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from homolog.cli import talk

Host = Annotated[str, typer.Option("--host", help="Address to listen on.")]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")]
Processes = Annotated[int, typer.Option("--processes", min=1, max=64, help="How many processes answer.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=0, max=64, help="How many processes work beside it; left out, 1 on SQLite and none on PostgreSQL."
    ),
]


def serve(host: Host = "127.0.0.1", port: Port = 8000, processes: Processes = 1, workers: Workers = None) -> int:
    """Start the pages and the interface for programs, and on SQLite a worker that ends with them.

    Without settings, everything lies in ./homolog-data, its tables are made, and keys to sign with. A database that was chosen
    needs `homolog migrate`.
    """
    from homolog.service.desk import open_desk
    from homolog.service.sealing import prepare_keys
    from homolog.service.seeding import seed
    from homolog.service.settings import Settings
    from homolog.service.stores import prepare

    settings = Settings.from_environment()
    revision = prepare(settings)
    if revision is not None:
        talk.note(f"made the tables of {settings.data} (revision {revision})")
    with open_desk(settings) as desk:
        entered = seed(desk, now=datetime.now(UTC))
    if entered:
        talk.note(f"entered the {len(entered)} types that the rules of {settings.body} name")
    made = prepare_keys(settings, now=datetime.now(UTC))
    if made is not None:
        talk.note(f"made keys to sign with in {settings.keys}, as {made!r}: make others with homolog keys make")
    if workers is None:
        workers = 1 if settings.database.startswith("sqlite:") else 0
    if workers:
        # A child of what this process becomes: it is told to end with it, and begins anew where it ends by itself.
        words = [sys.executable, "-m", "homolog.cli.main", "work", "--kept", "--parent", str(os.getpid())]
        subprocess.Popen([*words, "--processes", str(workers)])  # noqa: S603 -- this very program
    # The engine knows no web framework: the server takes this process over, and signals reach it as if it had been started so.
    words = [sys.executable, "-m", "uvicorn", "api.app:app", "--host", host, "--port", str(port), "--workers", str(processes)]
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, words)  # noqa: S606 -- no shell, and no word from outside
