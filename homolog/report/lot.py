"""The record of a lot: what the reports of its samples say together, gathered one at a time in constant memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import rfc8785

from homolog.errors import InputRefused
from homolog.evaluate.verdict import Verdict
from homolog.quantity.lot import LotSize
from homolog.report.lot_quantities import Key, QuantityTally, budgets_of_scan, readings_of
from homolog.report.lot_statement import CONFIDENCE_TEXT, outcome_of_lot, plan_of, statement_of
from homolog.report.record import Report

FORMAT = "homolog-lot/1"
TYPE = ("maker", "model", "type", "family")
"""What makes articles one type, where it is declared."""
MOST_LISTED = 200
_SAME = ("item", "purpose", "on", "engine", "adoptions")
_WITH_PIECES = ("set", "match")


@dataclass(frozen=True)
class Lot:
    """One lot's summary: the canonical bytes of its record."""

    canonical: bytes

    @cached_property
    def record(self) -> Mapping[str, Any]:
        """The record as plain JSON values; not to be changed."""
        found: Mapping[str, Any] = json.loads(self.canonical)
        return found


class LotTally:
    """Gathers the samples of one lot."""

    def __init__(self) -> None:
        """Begin without samples."""
        self._head: dict[str, Any] | None = None
        self._declared: dict[str, str] = {}
        self._common: dict[str, str] = {}
        self._counts = {verdict.value: 0 for verdict in Verdict}
        self._refused = 0
        self._requirements: dict[str, dict[str, Any]] = {}
        self._quantities: dict[Key, QuantityTally] = {}
        self._digest = hashlib.sha256()
        self._listed: list[dict[str, Any]] = []
        self._rows: dict[str, int] = {}
        self._scans: set[str] = set()

    @property
    def total(self) -> int:
        """How many samples there were, those that were refused included."""
        return sum(self._counts.values()) + self._refused

    def add(self, report: Report) -> None:
        """Take in one sample's report.

        Raises:
            InputRefused: It is of another item, type or question than the samples before it, of a set or a match, or it has been
                there before.
        """
        record: dict[str, Any] = json.loads(report.canonical)
        sent = record["submission"]
        sample = {"file": sent["name"], "row": sent["row"], "article": sent["article"]}
        readings = readings_of(record)
        self._check(record, sample)
        _refuse_drawing(record, readings, sample)
        self._counts[record["verdict"]] += 1
        for finding in record["findings"]:
            self._count(finding)
        budgets = budgets_of_scan(record)
        for key, reading in readings.items():
            self._quantities.setdefault(key, QuantityTally()).add(reading, sample, budgets)
        self._list(sample, record["verdict"], hashlib.sha256(report.canonical).hexdigest())

    def refuse(self, name: str, row: int | None = None) -> None:
        """Take in a sample for which there is no report: it is not decided, and the lot says so."""
        self._refused += 1
        self._list({"file": name, "row": row, "article": None}, None, None)

    def lot(self, size: LotSize) -> Lot:
        """Return the summary.

        Raises:
            InputRefused: There is no sample, or there are more samples than articles in the lot.
        """
        if self._head is None:
            todo = "send samples that can be judged"
            raise InputRefused.because("no sample of the lot could be judged", todo=todo, code="lot_empty")
        if size.size is not None and self.total > size.size:
            what = f"there are {self.total} samples, and the lot has {size.size} articles"
            raise InputRefused.because(what, todo="state the size of the whole lot, its samples included", code="lot_size")
        statement = statement_of(self._counts, self._refused, size.size)
        record = {
            "format": FORMAT,
            **self._head,
            "attributes": self._common,
            "lot": {"size": size.size, "wanted": size.wanted},
            "confidence": CONFIDENCE_TEXT,
            "outcome": outcome_of_lot(statement),
            "statement": statement,
            "samples": {"total": self.total, "refused": self._refused, "counts": self._counts},
            "plan": plan_of(size),
            "requirements": [
                row | {"statement": statement_of(row["counts"], self._refused, size.size)} for row in self._requirements.values()
            ],
            "quantities": [tally.record(key) for key, tally in self._quantities.items()],
            "records": {
                "sha256": self._digest.hexdigest(),
                "listed": self._listed,
                "left_out": self.total - len(self._listed),
            },
        }
        return Lot(rfc8785.dumps(record))

    def _check(self, record: Mapping[str, Any], sample: Mapping[str, Any]) -> None:
        where = _where(sample)
        if record["item"] in _WITH_PIECES:
            what, todo = f"a lot is of single articles, not of a {record['item']}", "sum up the pieces by themselves"
            raise InputRefused.because(what, where=where, todo=todo, code="lot_item")
        head = {name: record[name] for name in (*_SAME, "spec")}
        if self._head is None:
            self._head = head
            self._common = dict(record["submission"]["attributes"])
        for name, value in head.items():
            if value != self._head[name]:
                what = f"the samples differ in {name}, and a lot is of one item judged by one question"
                raise InputRefused.because(what, where=where, todo="sum them up apart", code="lot_mixed")
        self._check_type(record["submission"]["attributes"], where)
        self._check_new(record, sample, where)

    def _check_type(self, attributes: Mapping[str, str], where: str) -> None:
        for name in TYPE:
            told = attributes.get(name)
            if told is not None and self._declared.setdefault(name, told) != told:
                what = f"the samples are of two types: {name} is {self._declared[name]!r} and {told!r}"
                raise InputRefused.because(what, where=where, todo="sum up each type by itself", code="lot_mixed")
        self._common = {name: text for name, text in self._common.items() if attributes.get(name) == text}

    def _check_new(self, record: Mapping[str, Any], sample: Mapping[str, Any], where: str) -> None:
        """Refuse a sample that is there twice: it would count for two. The rows of a file come in their order."""
        row = sample["row"] or 0
        sheet, scan = record["submission"]["sha256"], None if record["scan"] is None else record["scan"]["sha256"]
        # One scan may show several samples of a sheet side by side, each under its number.
        shown = None if scan is None else f"{scan} {record['scan']['facts'].get('part', '')}"
        is_twice = self._rows.get(sheet, -1) >= row or (scan != sheet and shown in self._scans)
        if is_twice:
            todo = "leave it out, or send the other article's own scan or sheet"
            raise InputRefused.because("this sample is there twice", where=where, todo=todo, code="lot_twice")
        self._rows[sheet] = row
        if shown is not None:
            self._scans.add(shown)

    def _count(self, finding: Mapping[str, Any]) -> None:
        row = self._requirements.setdefault(
            finding["requirement"],
            {
                "requirement": finding["requirement"],
                "clause": finding["clause"],
                "says": finding["says"],
                "ask": finding["ask"],
                "alternative_of": finding["alternative_of"],
                "counts": {verdict.value: 0 for verdict in Verdict},
            },
        )
        row["counts"][finding["verdict"]] += 1

    def _list(self, sample: Mapping[str, Any], verdict: str | None, digest: str | None) -> None:
        """Chain the sample to those before it; the first ones are named one by one."""
        entry = {"sample": dict(sample), "verdict": verdict, "sha256": digest}
        self._digest.update(rfc8785.dumps(entry) + b"\n")
        if len(self._listed) < MOST_LISTED:
            self._listed.append(entry)


def _where(sample: Mapping[str, Any]) -> str:
    return str(sample["file"]) if sample["row"] is None else f"{sample['file']}, row {sample['row']}"


def _refuse_drawing(record: Mapping[str, Any], readings: Mapping[Key, Mapping[str, Any]], sample: Mapping[str, Any]) -> None:
    """Refuse a design as a sample: it was never drawn from the lot, and says nothing of its articles."""
    is_drawn = record["scan"] is not None and record["scan"]["source"] == "cad"
    if is_drawn or any(reading["method"] == "cad" for reading in readings.values()):
        what, todo = "a drawing is no sample of a lot", "measure or scan articles of the lot"
        raise InputRefused.because(what, where=_where(sample), todo=todo, code="lot_design")
