"""The summary of a lot, gathered while its samples are judged and written at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from homolog.cli import talk
from homolog.cli.files import write_lot
from homolog.cli.results import Result
from homolog.errors import UsageError
from homolog.quantity.lot import LotSize

if TYPE_CHECKING:
    from homolog.report import LotTally


class LotOutput:
    """Where the summary goes, and what was said of the lot; without a path it does nothing."""

    def __init__(self, paths: Sequence[Path], size: int | None, wanted: int | None, lang: str) -> None:
        """Take what the command line says.

        Raises:
            UsageError: A size is given without a summary, or a wanted number without a lot that could have it.
        """
        if not paths and (size is not None or wanted is not None):
            raise UsageError.because("the size of a lot is for its summary", todo="add --lot and a path")
        if size is not None and wanted is not None and wanted > size:
            raise UsageError.because(f"{wanted} of {size} cannot be wanted", todo="want fewer than the lot has")
        self._paths, self._lang = tuple(paths), lang
        self._size = LotSize(size=size, wanted=wanted)
        self._tally: LotTally | None = None

    def add(self, result: Result) -> None:
        """Take in one sample.

        Raises:
            InputRefused: It does not belong to the samples before it.
        """
        if not self._paths:
            return
        from homolog.report import LotTally

        self._tally = self._tally or LotTally()
        self._size = self._size.agreed(result.lot, where=result.name)
        if result.report is None:
            self._tally.refuse(Path(result.name).name)
        else:
            self._tally.add(result.report)

    def write(self) -> None:
        """Write the summary, and say what it says.

        Raises:
            InputRefused: There is no sample, or more than the lot has articles.
            UsageError: A wanted number stands without the lot's size, or a file cannot be written.
        """
        if not self._paths or self._tally is None:
            return
        from homolog.report.lot_view import say_lot
        from homolog.report.messages import catalogue

        if self._size.wanted is not None and self._size.size is None:
            raise UsageError.because("a wanted number of articles needs the lot's size", todo="add --lot-size")
        lot = self._tally.lot(self._size)
        talk.note(say_lot(catalogue(self._lang), lot.record))
        for path in self._paths:
            write_lot(lot, path, self._lang)
            talk.note(f"wrote {path}")
