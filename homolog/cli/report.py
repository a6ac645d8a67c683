"""`homolog report`: a record as a page or a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.files import check_report, write_report
from homolog.cli.inputs import read_bytes

RecordFile = Annotated[Path, typer.Argument(metavar="RECORD.json", help="A record that homolog check wrote.")]


def report(record: RecordFile, output: options.Output, lang: options.Lang = "en") -> int:
    """Write a RECORD as .html or .pdf: the same bytes that the check itself would have written."""
    from homolog.report import read_report

    check_report(output)
    write_report(read_report(read_bytes(record), record.name), output, lang)
    talk.note(f"wrote {output}")
    return 0
