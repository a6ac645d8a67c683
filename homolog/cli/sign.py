"""`homolog sign`: a record or a certificate, signed as JSON or as PDF, and entered in a log."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.files import address_of, check_folder, check_free, write_whole
from homolog.cli.inputs import read_bytes
from homolog.errors import UsageError

if TYPE_CHECKING:
    from homolog.report import Lot, Report
    from homolog.seal.certificate import Certificate
    from homolog.seal.jws import Kind
    from homolog.seal.key_folder import KeyFolder
    from homolog.seal.log import Receipt
    from homolog.seal.status import TypeStatus

RecordFile = Annotated[
    Path, typer.Argument(metavar="RECORD.json", help="A record of homolog check, a certificate, or a type's status.")
]
KeyFolderOption = Annotated[Path, typer.Option("--key", metavar="FOLDER", help="The folder of keys, from homolog keys make.")]
SignTo = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Where to write: .json or .pdf; RECORD.signed.json if left out."),
]
LogPath = Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Enter it in this log too; made if it is not there.")]


@dataclass(frozen=True, slots=True)
class _Record:
    """What is signed: its canonical bytes, and what it was read as."""

    canonical: bytes
    kind: Kind
    read: Report | Lot | Certificate | TypeStatus

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.canonical).hexdigest()


def sign(
    record: RecordFile,
    key: KeyFolderOption,
    output: SignTo = None,
    log: LogPath = None,
    verify_url: options.VerifyUrl = None,
    lang: options.Lang = "en",
) -> int:
    """Sign a RECORD: whoever has the public keys can then check that not a byte of it was changed."""
    from homolog.seal.key_folder import open_folder

    target = output or record.with_name(f"{record.stem}.signed.json")
    _check_outputs(target, log, record)
    found = _read(record)
    address = address_of(found.canonical, verify_url)
    folder, now = open_folder(key), datetime.now(UTC).replace(microsecond=0)
    if found.kind == "status":
        return _state(found, folder, now, log)
    if target.suffix == ".pdf":
        signed = _pdf(found, folder, now, lang, address)
        _enter(found, folder, now, log)
        write_whole(target, signed)
    else:
        write_whole(target, _json(found, folder, now, log))
    talk.note(f"wrote {target}: {found.kind} {found.sha256}")
    return 0


def _check_outputs(target: Path, log: Path | None, record: Path) -> None:
    if target.suffix not in (".json", ".pdf"):
        raise UsageError.because(f"{target.name} is no signed file's name", todo="end it in .json or .pdf")
    check_folder(target)
    check_free(target, [record])
    if log is not None:
        check_folder(log)
        check_free(log, [record, target])


def _read(path: Path) -> _Record:
    """Read what is to be signed, as strictly as if a stranger had sent it."""
    from homolog.report import read_lot, read_report
    from homolog.seal.certificate import certificate_of
    from homolog.seal.forms import format_of, read_form, read_json
    from homolog.seal.status import TypeStatus

    data = read_bytes(path)
    value = read_json(data, path.name)
    match format_of(value):
        case "homolog-certificate/1":
            certificate = certificate_of(value, path.name)
            return _Record(certificate.canonical(), "certificate", certificate)
        case "homolog-status/1":
            status = read_form(TypeStatus, value, path.name)
            return _Record(status.canonical(), "status", status)
        case "homolog-lot/1":
            lot = read_lot(data, path.name)
            return _Record(lot.canonical, "lot", lot)
        case _:
            report = read_report(data, path.name)
            return _Record(report.canonical, "report", report)


def _json(found: _Record, folder: KeyFolder, now: datetime, log: Path | None) -> bytes:
    from homolog.seal.jws import sign as sign_record
    from homolog.seal.signed_file import put_together

    signed = sign_record(found.canonical, found.kind, folder.signing_key("record", now), now)
    return put_together(signed, _enter(found, folder, now, log)).canonical() + b"\n"


def _pdf(found: _Record, folder: KeyFolder, now: datetime, lang: str, address: str | None) -> bytes:
    from homolog.report import Lot, Report, certificate_to_pdf, lot_to_pdf, to_pdf
    from homolog.seal.certificate import Certificate
    from homolog.seal.pdf import sign_pdf

    match found.read:
        case Report():
            pdf, reason = to_pdf(found.read, lang, address), "Conformity report"
        case Lot():
            pdf, reason = lot_to_pdf(found.read, lang, address), "Summary of a lot"
        case Certificate():
            pdf, reason = certificate_to_pdf(found.read, lang, address), "Certificate"
        case _:  # a status has its place in the log, and comes here never
            raise UsageError.because("a status is no document", todo="add --log FILE", code="status_without_log")
    return sign_pdf(pdf, folder.signing_key("pdf", now), at=now, issuer=folder.public.issuer, reason=reason)


def _state(found: _Record, folder: KeyFolder, now: datetime, log: Path | None) -> int:
    """Put what the register says of a type where everybody looks for it: in the log."""
    if log is None:
        raise UsageError.because("a status has its place in a log", todo="add --log FILE", code="status_without_log")
    _enter(found, folder, now, log)
    talk.note(f"entered into {log}: {found.kind} {found.sha256}")
    return 0


def _enter(found: _Record, folder: KeyFolder, now: datetime, log: Path | None) -> Receipt | None:
    if log is None:
        return None
    from homolog.seal.jws import sign as sign_record
    from homolog.seal.log import Entry
    from homolog.seal.log_file import append

    key = folder.signing_key("record", now)
    entry = Entry(at=now, kind=found.kind, sha256=found.sha256, kid=key.public.kid)  # type: ignore[arg-type]
    status = sign_record(found.canonical, found.kind, key, now) if found.kind == "status" else None
    return append(log, entry, issuer=folder.public.issuer, key=key, at=now, status=status)
