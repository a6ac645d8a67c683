"""`homolog report`: a record as a page or a document."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.files import address_of, check_report, write_certificate, write_lot, write_report
from homolog.cli.inputs import read_bytes
from homolog.errors import InputRefused

# Which reader is to judge the file; both look at its form themselves.
_CERTIFICATE = re.compile(rb'"format"\s*:\s*"homolog-certificate/')
_LOT = re.compile(rb'"format"\s*:\s*"homolog-lot/')

RecordFile = Annotated[Path, typer.Argument(metavar="RECORD.json", help="A record that homolog check wrote.")]


def report(record: RecordFile, output: options.Output, lang: options.Lang = "en", verify_url: options.VerifyUrl = None) -> int:
    """Write a RECORD, a lot's record or a certificate as .html or .pdf: the same bytes that the check itself would write."""
    from homolog.report import read_lot, read_report

    check_report(output)
    if record.suffix.lower() != ".json":
        todo = "name the .json that homolog check --report has written; a PDF holds it as its attachment report.json"
        raise InputRefused.because(
            f"a record does not end in {record.suffix or 'nothing'}", where=record.name, todo=todo, code="record_foreign"
        )
    data = read_bytes(record)
    if _LOT.search(data):
        lot = read_lot(data, record.name)
        write_lot(lot, output, lang, address_of(lot.canonical, verify_url))
    elif _CERTIFICATE.search(data):
        from homolog.seal.certificate import read_certificate

        certificate = read_certificate(data, record.name)
        write_certificate(certificate, output, lang, address_of(certificate.canonical(), verify_url))
    else:
        found = read_report(data, record.name)
        write_report(found, output, lang, address_of(found.canonical, verify_url))
    talk.note(f"wrote {output}")
    return 0
