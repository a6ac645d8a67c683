"""`homolog template`: an empty sheet for an item of an edition."""

from __future__ import annotations

from typing import Annotated

import typer

from homolog.cli import options, talk
from homolog.cli.files import check_folder, write_whole
from homolog.errors import UsageError

ENDINGS = (".xlsx", ".csv", ".yaml")
ItemArgument = Annotated[options.ItemName, typer.Argument(metavar="ITEM", help="What the sheet is for.")]


def template(
    item: ItemArgument,
    output: options.Output,
    body: options.Body = "fistf",
    edition: options.EditionAlone = None,
) -> int:
    """Write an empty sheet for an ITEM, with the quantities, units, limits and methods of the edition."""
    from homolog.check import empty_sheet
    from homolog.spec.library import Library

    if output.suffix not in ENDINGS:
        raise UsageError.because(f"{output.name} is no sheet's name", todo=f"end it in one of {', '.join(ENDINGS)}")
    check_folder(output)
    data = empty_sheet(Library(), item, output.suffix.lstrip("."), body=body, edition=edition)
    if output.exists() and not (output.is_file() and output.read_bytes() == data):
        raise UsageError.because(f"{output} is there already, perhaps filled in", todo="choose another name, or move it away")
    write_whole(output, data)
    talk.note(f"wrote {output}")
    return 0
