"""`homolog verify`: what holds of a signed file, one line a question."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.days import read_day
from homolog.cli.files import check_folder, check_free, write_whole
from homolog.errors import InputRefused

if TYPE_CHECKING:
    from homolog.seal.key_set import KeySet
    from homolog.seal.verification import Verification
    from homolog.seal.verify_log import LogAsked

SignedFile = Annotated[Path, typer.Argument(metavar="FILE", help="A signed record (.json), a signed PDF, or a bare record.")]
Keys = Annotated[
    Path | None,
    typer.Option("--key", metavar="PUB", help="The issuer's key set, a public key as JSON or PEM, or a folder of keys."),
]
LogGiven = Annotated[
    str | None, typer.Option("--log", metavar="LOG", help="The issuer's log: a file, or the address of a log that answers.")
]
DayAsked = Annotated[
    str | None, typer.Option("--on", metavar="DATE", help="The day for which the type's state is asked; today if left out.")
]
TakenOut = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Write the record here, if a known key has signed it.")
]
_MAX_BYTES = 200_000_000
_MAX_LOG = 100_000_000
_MARKS = {"holds": "✓", "fails": "✗", "unknown": "?", "not_asked": "–"}


def verify(
    file: SignedFile,
    key: Keys = None,
    log: LogGiven = None,
    on: DayAsked = None,
    record: TakenOut = None,
    json: options.Json = False,
) -> int:
    """Say what holds of a FILE: content, signature, key, log and the type's state. Without a network, unless --log is an address.

    Exit code: 0 if all holds; 10 changed, 11 unsigned, 12 unknown key, 13 key not valid then, 14 not in the log, 15 the log
    does not hold, 16 type withdrawn or suspended, 17 expired, 18 the log does not answer; 4 if the file is none of ours.
    """
    from homolog.seal.verify import Asked
    from homolog.seal.verify import verify as verify_file

    if record is not None:
        check_folder(record)
        check_free(record, [file])
    day = date.today() if on is None else read_day(on, "--on")  # noqa: DTZ011 -- the day of the person who asks
    asked = Asked(_keys(key), datetime.now(UTC), day, _log(log))
    found = verify_file(_read(file, _MAX_BYTES), file.name, asked)
    if record is not None and found.record is not None:
        write_whole(record, found.record)
        talk.note(f"wrote {record}")
    _show(found, is_json=json)
    return found.exit_code


def _show(found: Verification, *, is_json: bool) -> None:
    if is_json:
        import rfc8785

        talk.line(rfc8785.dumps(found.document()))
        return
    for check in found.checks:
        print(f"{_MARKS[check.state]} {check.name + ':':<10} {check.says}")


def _keys(path: Path | None) -> KeySet | None:
    if path is None:
        return None
    from homolog.seal.key_given import read_keys

    if path.is_dir():
        path = path / "keys.json"
    return read_keys(_read(path, _MAX_BYTES), path.name)


def _log(given: str | None) -> LogAsked | None:
    if given is None:
        return None
    if given.startswith(("http://", "https://")):
        from homolog.cli.fetch import RemoteLog

        return RemoteLog(given)
    from homolog.seal.log_file import read_log

    path = Path(given)
    return read_log(_read(path, _MAX_LOG), path.name).find


def _read(path: Path, most: int) -> bytes:
    try:
        if path.stat().st_size > most:
            raise InputRefused.because(f"the file is larger than {most} bytes", where=path.name, code="file_too_large")
        return path.read_bytes()
    except OSError as error:
        what = f"the file cannot be read: {error.strerror or 'it is damaged'}"
        raise InputRefused.because(what, where=path.name, code="file_unreadable") from None
