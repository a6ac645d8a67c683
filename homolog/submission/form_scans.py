"""The form's sections on scanning: scanners, the scans that name them, and the references that were scanned beside those."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homolog.gate.csv_text import Row
from homolog.gate.yaml_text import Path, Value
from homolog.submission.columns import cell_name
from homolog.submission.scans import read_instruments, read_scans
from homolog.submission.sheet import Sheet
from homolog.submission.submission import ScanReference

_LENGTHS = ("diameter", "U", "distance", "distance_U")
SCANNED: dict[str, tuple[str, ...]] = {
    "scanner": ("source", "offset_U", "scale_U", "calibrated", "certificate"),
    "scan": ("unit", "source", "instrument", "temperature", "temperature_U", "material"),
    "reference": ("unit", *_LENGTHS, "with"),
}
"""The columns of each section behind the first, which holds the name of the scanner or of the file."""

Cells = dict[str, tuple[int, str]]


class FormScans:
    """Reads the rows as a YAML sheet would have them, so that one set of rules holds for both."""

    def __init__(self, sheet: Sheet, name: str) -> None:
        """Keep where problems go, and what the file is called."""
        self.sheet, self.name = sheet, name
        self.places: dict[Path, tuple[Row, Cells]] = {}

    def read(self, tables: Mapping[str, Iterable[tuple[Row, Cells]]]) -> tuple[ScanReference, ...]:
        """Return the scans of the article and their references.

        Args:
            tables: Rows by section, each with its cells by header.
        """
        scanners: dict[str, Value] = {}
        scans: list[Value] = []
        for kind in SCANNED:
            for row, cells in tables[kind]:
                told: dict[str, Value] = {header: cell for header, (_, cell) in cells.items()}
                subject = str(told.pop(kind, "")).strip()
                if not subject:
                    self._fault(row, kind, f"the row names no {kind}", f"write it in the column {kind}", "row_nameless")
                elif kind == "scanner" and subject in scanners:
                    self._fault(row, kind, f"the scanner {subject!r} is there twice", "keep one of them", "key_duplicate")
                elif kind == "scanner":
                    self.places["instruments", subject] = (row, cells)
                    scanners[subject] = {"kind": "scanner", **told}
                else:
                    self.places["scans", len(scans)] = (row, cells)
                    lengths: dict[str, Value] = {header: told.pop(header) for header in _LENGTHS if header in told}
                    scans.append({"file": subject, **told, **({"reference": lengths} if kind == "reference" else {})})
        sheet = self.sheet.at(self._locate)
        sheet.instruments = read_instruments(sheet, scanners, ("instruments",))
        return read_scans(sheet, scans, ("scans",))

    def _fault(self, row: Row, kind: str, what: str, todo: str, code: str) -> None:
        self.sheet.problems.add(cell_name(self.name, row.number, 0, kind), what, todo, code)

    def _locate(self, path: Path) -> str:
        if path[:2] not in self.places:  # there are too many of them
            return f"{self.name}: the {path[0]}"
        row, cells = self.places[path[:2]]
        key = next((str(part) for part in reversed(path[2:]) if part in cells), next(iter(cells)))
        return cell_name(self.name, row.number, cells[key][0], key)
