"""`homolog keys`: the folder of signing keys, and the public set that everybody checks with."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.days import read_day
from homolog.cli.files import check_folder, write_whole
from homolog.errors import UsageError

app = typer.Typer(help="Make, list, retire and publish signing keys.", no_args_is_help=True, rich_markup_mode=None)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of keys; private ones are for its owner alone.")]
Issuer = Annotated[str | None, typer.Option("--issuer", metavar="NAME", help="Who signs, such as the federation; asked once.")]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="The last day to sign; two years if left out.")]
KeyIdOption = Annotated[str, typer.Argument(metavar="KEY", help="The key's id, or as much of it as is needed.")]
Revoked = Annotated[bool, typer.Option("--revoked", help="Somebody may have stolen it: only what a log proves older stands.")]
Reason = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why; published with the key.")]
PublishTo = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write; stdout if left out.")]
_YEARS = 2


@app.command("make")
def make(folder: Folder, issuer: Issuer = None, until: Until = None) -> int:
    """Make a key for records and one for PDFs; those that signed until now are retired, and what they signed stands."""
    from homolog.seal.key_folder import make_keys

    now = _now()
    end = _end(until, now)
    made = make_keys(folder, issuer=issuer, at=now, until=end)
    for key in made.public.keys[-2:]:
        talk.note(f"made the {key.purpose} key {key.kid}, to sign until {end.date()}")
    retired = [key for key in made.public.keys if key.status == "retired" and key.since == now]
    for key in retired:
        talk.note(f"retired the {key.purpose} key {key.kid}")
    talk.note(f"publish {folder / 'keys.json'}, and keep the .pem files to yourself")
    return 0


@app.command("list")
def list_keys(folder: Folder, json_: options.Json = False) -> int:
    """Show all keys with their lives."""
    from homolog.seal.key_folder import open_folder
    from homolog.seal.key_set import said

    found = open_folder(folder).public
    if json_:
        talk.line(found.canonical())
        return 0
    print(f"Keys of {found.issuer}:")
    for key in found.keys:
        print(f"{key.kid}  {key.purpose:<6}  {said(key)}" + (f" ({key.reason})" if key.reason else ""))
    return 0


@app.command("retire")
def retire(folder: Folder, key: KeyIdOption, revoked: Revoked = False, reason: Reason = None) -> int:
    """Sign nothing more with a KEY; with --revoked, distrust it too."""
    from homolog.seal.key_folder import end_key, open_folder

    found = open_folder(folder)
    changed = end_key(found, key, at=_now(), is_revoked=revoked, reason=reason)
    (ended,) = [one for one in changed.public.keys if one not in found.public.keys]
    talk.note(f"{ended.status} {ended.kid}; publish {folder / 'keys.json'} again")
    return 0


@app.command("publish")
def publish(folder: Folder, output: PublishTo = None) -> int:
    """Write the public key set: a JSON Web Key Set in which every key has its life."""
    from homolog.seal.key_folder import open_folder

    data = json.dumps(open_folder(folder).public.record(), indent=1, ensure_ascii=False).encode() + b"\n"
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return 0
    check_folder(output)
    write_whole(output, data)
    talk.note(f"wrote {output}")
    return 0


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _end(until: str | None, now: datetime) -> datetime:
    if until is None:
        # The 29th of February has no match two years on; a day earlier does no harm.
        day = min(now.day, 28) if now.month == 2 else now.day
        return now.replace(year=now.year + _YEARS, day=day)
    end = datetime.combine(read_day(until, "--until"), time(23, 59, 59), UTC)
    if end <= now:
        raise UsageError.because(f"--until {until} is over", todo="write a later day")
    return end
