"""The record: one canonical JSON document that every view is made from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import rfc8785

from homolog.evaluate.finding import DecisionRule, Finding, Statement
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Reading, Unmeasured
from homolog.report.findings import (
    adoption_record,
    count_verdicts,
    decision_record,
    finding_record,
    reading_record,
    statement_record,
)
from homolog.report.inputs import AdoptionGiven, Asked, EditionNotes, Elsewhere, Engine, PieceFindings, SubmissionFacts
from homolog.report.scans import picture_records, scan_record
from homolog.report.specs import clause_records, spec_record
from homolog.spec.edition import EditionFile
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Clause

if TYPE_CHECKING:
    from homolog.scan.measurement import ScanMeasurement

FORMAT = "homolog-report/1"


@dataclass(frozen=True)
class Report:
    """One report: the canonical bytes of its record, which nothing can change afterwards."""

    canonical: bytes

    @cached_property
    def record(self) -> Mapping[str, Any]:
        """The record as read-only values: mappings, tuples, texts, whole numbers, booleans and None."""
        frozen: Mapping[str, Any] = _frozen(json.loads(self.canonical))
        return frozen

    @property
    def verdict(self) -> Verdict:
        """The verdict on the whole article."""
        return Verdict(self.record["verdict"])

    @property
    def outcome(self) -> str:
        """What the verdict means for the purpose."""
        return str(self.record["outcome"])


def to_json(report: Report) -> bytes:
    """Return the record as RFC 8785 canonical JSON."""
    return report.canonical


def build_report(
    *,
    item: str,
    verdict: Verdict,
    outcome: str,
    purpose: str,
    on: date,
    edition: EditionFile,
    spec: LoadedSpec | None,
    findings: Sequence[Finding],
    submission: SubmissionFacts,
    engine: Engine,
    pieces: Sequence[PieceFindings] = (),
    scan: ScanMeasurement | None = None,
    adoptions: Sequence[AdoptionGiven] = (),
    unused: Sequence[Reading] = (),
    unmeasured: Sequence[Unmeasured] = (),
    not_checked: Sequence[Clause] | None = None,
    register: str | None = None,
    editions: EditionNotes | None = None,
    asked: Asked | None = None,
    decision: DecisionRule | None = None,
    notes: Sequence[Statement] = (),
) -> Report:
    """Put everything that was found into one record.

    Args:
        item: What was judged, such as `goalkeeper`.
        verdict: The verdict on the whole article, its pieces included.
        outcome: What the verdict means for the purpose.
        purpose: Who asks.
        on: The day that counts; the record knows no other.
        edition: The edition that was used.
        spec: None if the edition does not regulate the item; the edition's file says why.
        findings: The article's own findings, in the spec's order.
        submission: What was sent in.
        engine: The program that judged.
        pieces: The pieces of a set or match, each with findings of its own.
        scan: What was measured of a scan.
        adoptions: The adoptions that were handed in.
        unused: Readings that no requirement of this edition uses.
        unmeasured: Attempts without a number; those that a finding names already are left out.
        not_checked: Clauses that the spec does not check; None takes them from the spec's list of clauses.
        register: Digest of the register's extract that was handed in.
        asked: Which rules were asked for; None leaves it out.
        editions: How the edition stands to the others; None says nothing of them.
        decision: How uncertainty enters in general; None takes the rule that most findings used.
        notes: Further sentences for page one.
    """
    editions = editions or EditionNotes()
    found = [finding_record(finding, spec) for finding in findings]
    parts = [_piece(piece, edition) for piece in pieces]
    everything = [*found, *(finding for part in parts for finding in part["findings"])]
    record = {
        "format": FORMAT,
        "verdict": verdict.value,
        "outcome": outcome,
        "purpose": purpose,
        "on": on.isoformat(),
        "item": item,
        "counts": count_verdicts(everything),
        "spec": spec_record(spec, edition, item) | {"in_force": editions.in_force},
        "adoptions": [_adoption(adoption) for adoption in adoptions],
        "submission": _submission(submission),
        "scan": None if scan is None else scan_record(scan),
        "engine": {"name": engine.name, "version": engine.version} | ({} if engine.build is None else {"build": engine.build}),
        "findings": found,
        "pieces": parts,
        "not_checked": clause_records(spec, not_checked),
        "unused": _unused(unused, _not_named(unmeasured, findings)),
        "pictures": [] if scan is None else picture_records(scan),
        "elsewhere": [_elsewhere(other) for other in editions.elsewhere],
        "decision_rule": _decision_rule(decision, findings, pieces),
        "notes": [statement_record(note, "note") for note in notes],
    }
    if asked is not None:
        record["asked"] = _asked(asked)
    if register is not None:  # left out otherwise, so that records from before keep their bytes
        record["register"] = {"sha256": register}
    return Report(rfc8785.dumps(record))


def _piece(piece: PieceFindings, edition: EditionFile) -> dict[str, Any]:
    found = [finding_record(finding, piece.spec) for finding in piece.findings]
    return {
        "name": piece.name,
        "item": piece.item,
        "role": piece.role,
        "attributes": dict(piece.attributes),
        "spec": spec_record(piece.spec, piece.edition or edition, piece.item),
        "verdict": piece.verdict.value,
        "counts": count_verdicts(found),
        "findings": found,
        "not_judged": piece.not_judged,
        "not_checked": clause_records(piece.spec, None),
        "unused": _unused(piece.unused, _not_named(piece.unmeasured, piece.findings)),
        "scan": None if piece.scan is None else scan_record(piece.scan),
        "pictures": [] if piece.scan is None else picture_records(piece.scan),
    }


def _asked(asked: Asked) -> dict[str, Any]:
    return {
        "body": asked.body,
        "edition": asked.edition,
        "by_default": asked.is_by_default,
        "editions": [{"edition": label, "sha256": digest} for label, digest in asked.editions.items()],
    }


def _adoption(given: AdoptionGiven) -> dict[str, Any]:
    return {
        "interpretation": given.adoption.interpretation,
        **adoption_record(given.adoption),
        "requirements": list(given.adoption.requirements),
        "body": given.adoption.body,
        "edition": given.adoption.edition,
        "in_force": given.in_force,
        "sha256": given.sha256,
    }


def _submission(submission: SubmissionFacts) -> dict[str, Any]:
    return {
        "name": submission.name,
        "sha256": submission.sha256,
        "format": submission.format,
        "row": submission.row,
        "article": submission.article,
        "attributes": dict(submission.attributes),
    }


def _not_named(unmeasured: Iterable[Unmeasured], findings: Iterable[Finding]) -> list[Unmeasured]:
    """Return the attempts that no finding has named as its reason."""
    named = set()
    for finding in findings:
        readings = () if finding.interpretation is None else finding.interpretation.readings
        for decided in (*finding.decided, *(one for reading in readings for one in reading.decided)):
            if decided.why is not None and decided.why.code == "reading_unmeasured":
                named.add(decided.why.params.get("quantity"))
    return [attempt for attempt in unmeasured if attempt.quantity not in named]


def _unused(readings: Sequence[Reading], unmeasured: Sequence[Unmeasured]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"quantity": reading.quantity, "place": reading.place, "reading": reading_record(reading), "unmeasured": None}
        for reading in readings
    ]
    return rows + [
        {"quantity": attempt.quantity, "place": attempt.place, "reading": None, "unmeasured": attempt.reason}
        for attempt in unmeasured
    ]


def _elsewhere(other: Elsewhere) -> dict[str, Any]:
    return {"edition": other.edition, "verdict": other.verdict.value, "differs": list(other.differs)}


def _decision_rule(
    given: DecisionRule | None, findings: Iterable[Finding], pieces: Iterable[PieceFindings]
) -> dict[str, Any] | None:
    """Return the general rule, and the requirements that another one decided."""
    everything = [*findings, *(finding for piece in pieces for finding in piece.findings)]
    used = [(finding.requirement, finding.decision) for finding in everything if finding.decision is not None]
    if given is None and not used:
        return None
    # Of equally many the guarded one is named first: it is ours until a board decides otherwise.
    often = Counter(str(rule.rule) for _, rule in used)
    usual = max(("guarded", "simple"), key=lambda name: often[name])
    general = given or next(rule for _, rule in used if rule.rule == usual)
    others = sorted({requirement for requirement, rule in used if rule.rule != general.rule})
    record = decision_record(general) or {}
    return record | {"except": others}


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return tuple(_frozen(inner) for inner in value)
    return value
