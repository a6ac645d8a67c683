"""Empty sheets to fill in: XLSX, CSV and YAML with the same questions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import Any

from homolog.errors import UsageError
from homolog.gate.csv_text import MAX_COLUMNS
from homolog.gate.xlsx import SHEET
from homolog.quantity import UNITS
from homolog.quantity.article import ROLES
from homolog.spec.load import LoadedSpec
from homolog.submission.blank import Blank, QuestionRow, blank_of
from homolog.submission.form import NOTE, PIECES, SECTIONS
from homolog.submission.form_scans import SCANNED
from homolog.submission.submission import MATERIALS, SCAN_SOURCES, SCAN_UNITS, SUBMISSION_FORMAT

FORMATS = ("xlsx", "csv", "yaml")
PIECE_ROWS = 12
_CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""Fixed, so that one spec gives the same bytes at any time."""
_MAX_LIST = 255
_HELP = (
    "Fill in what you measured and answered; leave the rest empty. A quantity wants value and U, or gauge and result; "
    "U is the expanded uncertainty (k = 2)."
)
_FORMULA = ("=", "+", "-", "@", "\t")
_WIDTHS = {"quantity": 34, "place": 14, "value": 12, "meaning": 60, "limit": 44, "methods": 30, "unmeasured": 24}
_SCANNED = {
    "scanner": (
        "A scanner with its calibration: its name, source, U as 0.02 mm and 0.4 mm/m, the day as 2026-05-01, and the certificate.",
        1,
    ),
    "scan": (
        "The bare name of a file beside this sheet; the scanner's name under instrument; temperature as 22.5 degC with its U.",
        1,
    ),
    "reference": (
        "Reference balls scanned in the same session: the file, diameter and U with their unit, as 25.000 mm and 0.002 mm.",
        2,
    ),
}
"""What is to be known of scans: a line of help, and how many rows stand empty."""
_SCANNERS = tuple(source for source in SCAN_SOURCES if source != "cad")
_EMPTY = ("value", "unit", "U", "method", "instrument", "gauge", "result", "at_least", "at_most", "unmeasured")
_ANSWERED = ("answer", "role", "by", "reading", "place")

Line = tuple[str, ...]


def write_template(loaded: LoadedSpec, target: str | FilePath, *, pieces: Iterable[LoadedSpec] = ()) -> bytes:
    """Return an empty sheet for a spec's item.

    Args:
        loaded: The spec whose quantities, units and limits the sheet shows.
        target: `xlsx`, `csv` or `yaml`, or a path that ends so.
        pieces: For a set or match, the specs of its pieces.

    Raises:
        UsageError: There is no template of that format.
    """
    told = str(target).rpartition(".")[2].lower()
    blank = blank_of(loaded, pieces)
    match {"yml": "yaml"}.get(told, told):
        case "xlsx":
            return _xlsx(blank)
        case "csv":
            return _csv(blank)
        case "yaml":
            return _yaml(blank)
        case _:
            raise UsageError.because(f"there is no template as {told!r}", todo=f"use one of {', '.join(FORMATS)}", code="usage")


def _lines(blank: Blank) -> list[Line]:
    """Return the form's rows."""
    lines: list[Line] = [("format", SUBMISSION_FORMAT), ("item", blank.item), ("name", "")]
    lines += [(f"{NOTE} {blank.title}",), (f"{NOTE} {_HELP}",)]
    if blank.quantities:
        lines += [(), SECTIONS["quantity"]]
        for row in blank.quantities:
            told = {
                "quantity": row.quantity,
                "place": row.place,
                "unit": row.unit,
                "meaning": row.meaning,
                "limit": row.limit,
                "methods": ", ".join(row.methods),
            }
            lines.append(tuple(told.get(column, "") for column in SECTIONS["quantity"]))
    if blank.questions:
        lines += [(), SECTIONS["question"]]
        for question in blank.questions:
            told = {
                "question": question.question,
                "meaning": question.meaning,
                "readings": ", ".join(question.readings),
                "clause": question.clause,
            }
            lines.append(tuple(told.get(column, "") for column in SECTIONS["question"]))
    if blank.attributes:
        lines += [(), SECTIONS["attribute"]]
        lines += [(row.attribute, "", row.meaning, ", ".join(row.allowed)) for row in blank.attributes]
    for kind, (help_, empty) in _SCANNED.items():
        lines += [(), SECTIONS[kind], (f"{NOTE} {help_}",), *[("",) * len(SECTIONS[kind])] * empty]
    if blank.piece_columns:
        columns = blank.piece_columns[: MAX_COLUMNS - 1]
        lines += [(), (PIECES, *columns)]
        lines += [(str(number),) for number in range(1, PIECE_ROWS + 1)]
    return lines


def _csv(blank: Blank) -> bytes:
    lines = _lines(blank)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for line in lines:
        # A spreadsheet would take a text that begins so for a formula.
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in line])
    return text.getvalue().encode("utf-8-sig")


def _yaml(blank: Blank) -> bytes:
    lines = [f"# {blank.title}", f"# {_HELP}", f"format: {SUBMISSION_FORMAT}", f"item: {blank.item}", "name:", "attributes:"]
    for attribute in blank.attributes:
        allowed = f"; one of {', '.join(attribute.allowed)}" if attribute.allowed else ""
        lines.append(f"  {attribute.attribute}:  # {attribute.meaning}{allowed}")
    lines.append("readings:")
    last = ""
    for row in blank.quantities:
        deep = "      " if row.place else "    "
        if row.quantity != last:
            lines += [f"  # {row.meaning}", f"  # limit: {row.limit or 'none'}; methods: {', '.join(row.methods) or 'none'}"]
            lines.append(f"  {row.quantity}:")
        if row.place:
            lines.append(f'    "{row.place}":' if row.place.isdecimal() else f"    {row.place}:")
        lines += [f"{deep}value:  # {row.unit}", f"{deep}U:  # {row.unit}", f"{deep}method:", f"{deep}instrument:"]
        last = row.quantity
    lines.append("answers:")
    for question in blank.questions:
        readings = f"; reading: one of {', '.join(question.readings)}" if question.readings else ""
        lines += [f"  # {question.meaning} ({question.clause}){readings}", f"  {question.question}:"]
        lines += ["    answer:  # yes or no", f"    role:  # {', '.join(_roles(question))}", "    by:"]
    lines += [
        "# instruments: {SC-1: {kind: scanner, source: structured_light, offset_U: 0.02 mm, scale_U: 0.4 mm/m,",
        "#   calibrated: 2026-05-01, certificate: K-1}}",
        "instruments:",
        "# scans: a list of {file, unit, source, instrument: SC-1, temperature: 22.5 degC, temperature_U: 2 degC,",
        "#   material: pla}, and of reference balls {file, reference: {diameter: 25.000 mm, U: 0.002 mm}, with: file}",
        "scans:",
    ]
    if blank.piece_columns:
        lines += ["# pieces: a list of {item, attributes, readings, answers}", "pieces:"]
    return ("\n".join(lines) + "\n").encode()


def _roles(question: QuestionRow) -> list[str]:
    """Return whose answers may count: the board votes on notions, everything else is for who has looked at the article."""
    return [role for role in ROLES if (role == "board") is question.is_judged]


def _xlsx(blank: Blank) -> bytes:
    import xlsxwriter  # here, because it takes longer to load than a sheet to read

    data = io.BytesIO()
    workbook = xlsxwriter.Workbook(data, {"in_memory": True})
    workbook.set_properties({"created": _CREATED, "title": blank.title})
    sheet = workbook.add_worksheet(SHEET)
    styles = {
        "plain": workbook.add_format({"valign": "top"}),
        "help": workbook.add_format({"valign": "top", "text_wrap": True, "font_color": "#555555"}),
        "head": workbook.add_format({"bold": True, "bottom": 1}),
        "fill": workbook.add_format({"valign": "top", "bg_color": "#FFF8DC", "border": 4}),
        # As text, or a spreadsheet would make a date of what is typed here.
        "day": workbook.add_format({"valign": "top", "bg_color": "#FFF8DC", "border": 4, "num_format": "@"}),
    }
    for column, name in enumerate(SECTIONS["quantity"]):
        sheet.set_column(column, column, _WIDTHS.get(name, 12))
    header: Line = ()
    for number, line in enumerate(_lines(blank)):
        if line and (line in SECTIONS.values() or line[0] == PIECES):
            header = line
        _write_line(sheet, styles, number, line, header)
    _add_lists(sheet, blank)
    workbook.close()
    return data.getvalue()


def _write_line(sheet: Any, styles: dict[str, Any], number: int, line: Line, header: Line) -> None:
    is_header = line == header
    for column, cell in enumerate(line):
        name = header[column] if column < len(header) else ""
        if is_header:
            style = "head"
        elif name in ("meaning", "limit", "methods", "readings", "allowed"):
            style = "help"
        else:
            is_of_scan = bool(header) and name in (header[0], *SCANNED.get(header[0], ())) and header[0] in SCANNED
            style = "fill" if name in (*_EMPTY, *_ANSWERED) or is_of_scan else "plain"
        # Always as text: no cell of a template is a formula, whatever it begins with.
        if cell:
            sheet.write_string(number, column, cell, styles[style])
        elif style == "fill":
            sheet.write_blank(number, column, None, styles["day" if name == "calibrated" else style])


def _add_lists(sheet: Any, blank: Blank) -> None:
    """Offer the closed lists in the cells that take them; another entry is warned of, and judged when it is read."""
    lines = _lines(blank)
    quantities = {(row.quantity, row.place): row for row in blank.quantities}
    questions = {row.question: row for row in blank.questions}
    attributes = {row.attribute: row for row in blank.attributes}
    header: Line = ()
    for number, line in enumerate(lines):
        if line in SECTIONS.values() or (line and line[0] == PIECES):
            header = line
            continue
        if not line or not header or line[0].startswith(NOTE):
            continue
        if header == SECTIONS["quantity"]:
            row = quantities[line[0], line[1]]
            units = [unit.name for unit in UNITS.values() if unit.dimension == UNITS[row.unit].dimension]
            choices = {"unit": units, "method": list(row.methods), "result": ["go", "no_go"]}
        elif header == SECTIONS["question"]:
            choices = {"answer": ["yes", "no"], "role": _roles(questions[line[0]]), "reading": list(questions[line[0]].readings)}
        elif header == SECTIONS["attribute"]:
            choices = {"value": list(attributes[line[0]].allowed)}
        elif header == SECTIONS["scanner"]:
            choices = {"source": list(_SCANNERS)}
        elif header == SECTIONS["scan"]:
            choices = {"unit": list(SCAN_UNITS), "source": list(SCAN_SOURCES), "material": list(MATERIALS)}
        elif header == SECTIONS["reference"]:
            choices = {"unit": list(SCAN_UNITS)}
        else:
            choices = {f"attribute.{key}": list(values) for key, values in (blank.piece_choices or {}).items()}
        for name, values in choices.items():
            if values and len(",".join(values)) <= _MAX_LIST and name in header:
                column = header.index(name)
                sheet.data_validation(
                    number, column, number, column, {"validate": "list", "source": values, "error_type": "warning"}
                )
