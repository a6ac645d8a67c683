"""Reading a record back: nothing that is foreign, damaged or ambiguous is shown as a report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import rfc8785
from pydantic import ValidationError

from homolog.errors import InputRefused, Problem
from homolog.evaluate.outcome import outcome_of, recheck_verdict
from homolog.evaluate.verdict import Verdict, least
from homolog.gate.text import decode_text
from homolog.report.drawings import refuse_unsafe_drawing
from homolog.report.findings import count_verdicts
from homolog.report.record import FORMAT, Report
from homolog.report.schema import RecordForm
from homolog.spec.model import Transition

MAX_BYTES = 50_000_000
_MOST_PROBLEMS = 20


def read_report(data: bytes, name: str = "record") -> Report:
    """Return the report of a record; its canonical form gives the same pages as the first run.

    Raises:
        InputRefused: The bytes are no record, hold a key twice, or contradict themselves.
    """
    record = parse_record(data, name)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InputRefused.because(
            f"the file is no {FORMAT} record", where=name, todo="send the JSON that a check has written", code="record_foreign"
        )
    try:
        RecordForm.model_validate(record)
    except ValidationError as error:
        raise InputRefused(*problems_of(error, name)) from None
    _refuse_contradictions(record, name)
    for where, holder in (("", record), *((f"pieces[{at}].", piece) for at, piece in enumerate(record["pieces"]))):
        for index, picture in enumerate(holder.get("pictures", ())):
            refuse_unsafe_drawing(picture["svg"], f"{name}: {where}pictures[{index}].svg")
    return Report(rfc8785.dumps(record))


class _Twice(ValueError):
    """A key stands twice in one object."""


def parse_record(data: bytes, name: str) -> Any:
    """Return the JSON of a record.

    Raises:
        InputRefused: It is none, holds a key twice, or a number that is not written as text.
    """
    text = decode_text(data, name, max_bytes=MAX_BYTES)
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_no_float)
    except json.JSONDecodeError as error:
        where = f"{name}:{error.lineno}:{error.colno}"
        what = f"not valid JSON: {error.msg}"
        raise InputRefused.because(what, where=where, todo="send the whole file", code="record_damaged") from None
    except _Twice as error:
        raise InputRefused.because(str(error), where=name, todo="keep one of them", code="key_duplicate") from None
    except (ValueError, RecursionError) as error:
        what = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        raise InputRefused.because(what, where=name, todo="send the JSON that a check has written", code="record_damaged") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Twice(f"the key {key[:60]!r} is there twice")
        found[key] = value
    return found


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number of a record")


def _no_float(text: str) -> Any:
    raise ValueError(f"the number {text[:40]} is not written as text")


def problems_of(error: ValidationError, name: str) -> tuple[Problem, ...]:
    """Return what does not fit the form, each at its place."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)[:_MOST_PROBLEMS]
    return tuple(
        Problem(f"{name}: {_path(fault['loc'])}", fault["msg"].removeprefix("Value error, "), "", "record_damaged")
        for fault in faults
    )


_FORMS = ("ValueReading", "BoundsReading", "GaugeReading")  # a reading's form is no key of the record


def _path(location: tuple[str | int, ...]) -> str:
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part not in _FORMS:
            path += f".{part}" if path else part
    return path or "the record"


def _refuse_contradictions(record: dict[str, Any], name: str) -> None:
    """Refuse a record whose head does not fit its findings: somebody has cut or changed it."""
    everything = list(record["findings"])
    for index, piece in enumerate(record["pieces"]):
        everything += piece["findings"]
        if count_verdicts(piece["findings"]) != piece["counts"]:
            raise _contradiction(f"{name}: pieces[{index}].counts")
    if count_verdicts(everything) != record["counts"]:
        raise _contradiction(f"{name}: counts")
    _refuse_other_answers(record, _day(record["on"], f"{name}: on"), name)


def _day(text: str, where: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputRefused.because("there is no such day", where=where, code="record_damaged") from None


def _refuse_other_answers(record: dict[str, Any], day: date, name: str) -> None:
    """Refuse a verdict or an outcome that does not follow from what is counted below it."""
    for index, piece in enumerate(record["pieces"]):
        if piece["verdict"] != _least(piece["counts"]).value:
            raise _contradiction(f"{name}: pieces[{index}].verdict", "the verdict does not fit")
    verdict, transition = _least(record["counts"]), _transition(record["spec"]["transition"], name)
    if record["purpose"] == "recheck":
        verdict = recheck_verdict(verdict, transition)
    if record["verdict"] != verdict.value:
        raise _contradiction(f"{name}: verdict", "the verdict does not fit")
    found = [Verdict(given) for given, count in record["counts"].items() if count]
    if record["outcome"] != outcome_of(verdict, found, record["purpose"], transition=transition, on=day):
        raise _contradiction(f"{name}: outcome", "the outcome does not fit")


def _transition(written: Mapping[str, Any] | None, name: str) -> Transition | None:
    if written is None:
        return None
    until = written["until"]
    if until not in (None, "unknown"):
        until = _day(until, f"{name}: spec.transition.until")
    return Transition(policy=written["policy"], until=until)


def _least(counts: dict[str, int]) -> Verdict:
    return least(Verdict(verdict) for verdict, count in counts.items() if count)


def _contradiction(where: str, what: str = "the counts do not fit") -> InputRefused:
    todo = "send the record as the check wrote it"
    return InputRefused.because(f"{what} the findings", where=where, todo=todo, code="record_damaged")
