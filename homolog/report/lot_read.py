"""Reading a lot's record back: what is foreign, damaged or contradicts itself is not shown as a summary."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import rfc8785
from pydantic import ValidationError

from homolog.errors import InputRefused
from homolog.quantity.lot import LotSize
from homolog.report.lot import FORMAT, Lot
from homolog.report.lot_schema import LotForm
from homolog.report.lot_statement import outcome_of_lot, plan_of, statement_of
from homolog.report.read import parse_record, problems_of


def read_lot(data: bytes, name: str = "record") -> Lot:
    """Return the summary of a record; its canonical form gives the same pages as the first run.

    Raises:
        InputRefused: The bytes are no such record, hold a key twice, or contradict themselves.
    """
    record = parse_record(data, name)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        todo = "send the JSON that a check has written"
        raise InputRefused.because(f"the file is no {FORMAT} record", where=name, todo=todo, code="record_foreign")
    try:
        LotForm.model_validate(record)
    except ValidationError as error:
        raise InputRefused(*problems_of(error, name)) from None
    _refuse_contradictions(record, name)
    return Lot(rfc8785.dumps(record))


def _refuse_contradictions(record: Mapping[str, Any], name: str) -> None:
    """Refuse what does not follow from the counts: somebody has cut or changed it."""
    samples, size, listed = record["samples"], record["lot"]["size"], record["records"]
    refused, total = samples["refused"], samples["total"]
    try:
        date.fromisoformat(record["on"])
    except ValueError:
        raise InputRefused.because("there is no such day", where=f"{name}: on", code="record_damaged") from None
    if sum(samples["counts"].values()) + refused != total or len(listed["listed"]) + listed["left_out"] != total:
        raise _contradiction(f"{name}: samples")
    if size is not None and max(total, record["lot"]["wanted"] or 0) > size:
        raise _contradiction(f"{name}: lot")
    if record["statement"] != statement_of(samples["counts"], refused, size):
        raise _contradiction(f"{name}: statement")
    if record["outcome"] != outcome_of_lot(record["statement"]):
        raise _contradiction(f"{name}: outcome")
    for at, row in enumerate(record["requirements"]):
        if sum(row["counts"].values()) + refused != total or row["statement"] != statement_of(row["counts"], refused, size):
            raise _contradiction(f"{name}: requirements[{at}]")
    if record["plan"] != plan_of(LotSize(**record["lot"])):
        raise _contradiction(f"{name}: plan")


def _contradiction(where: str) -> InputRefused:
    todo = "send the record as the check wrote it"
    return InputRefused.because("it does not fit the counts", where=where, todo=todo, code="record_damaged")
