"""What the record says of the spec that was used, and of the clauses that it leaves unchecked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from homolog.spec.edition import EditionFile
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Clause

# A file's place under the specs folder; anything else (a draft on somebody's disk) is not named.
SPEC_FILE = re.compile(r"[a-z0-9-]+/[A-Za-z0-9][A-Za-z0-9.-]*/[a-z]+\.yaml", re.ASCII)
_UNCHECKED = ("partly", "not_checkable", "informative")


def spec_record(spec: LoadedSpec | None, edition: EditionFile, item: str) -> dict[str, Any]:
    """Return which rules were used: their ids are null where the edition does not regulate the item."""
    head = {"edition": edition.label, "body": edition.body, "issuer": edition.issuer}
    if spec is None:
        unregulated = dict(edition.unregulated)
        return head | _NO_SPEC | {"title": edition.title, "unregulated": unregulated.get(item, "")}  # type: ignore[call-overload]
    written = spec.spec.edition
    transition = written.transition
    return head | {
        "id": spec.spec.id,
        "sha256": spec.sha256,
        "file": spec.name if SPEC_FILE.fullmatch(spec.name) else None,
        "title": spec.spec.title or edition.title,
        "source": spec.spec.source.document,
        "label": written.label,
        "status": written.status,
        "effective": {
            "from": _day(written.effective.since),
            "to": _day(written.effective.to),
            "basis": written.effective.basis,
        },
        "supersedes": written.supersedes,
        "transition": None
        if transition is None
        else {"policy": transition.policy, "until": _day(transition.until), "note": transition.note},
        "incomplete": written.incomplete,
        "unregulated": None,
    }


_NO_SPEC: dict[str, Any] = {
    "id": None,
    "sha256": None,
    "file": None,
    "source": None,
    "label": None,
    "status": None,
    "effective": None,
    "supersedes": None,
    "transition": None,
    "incomplete": None,
}


def clause_records(spec: LoadedSpec | None, clauses: Sequence[Clause] | None) -> list[dict[str, Any]]:
    """Return the clauses that the spec does not check, or checks in part, each with the reason."""
    if clauses is None:
        clauses = [] if spec is None else [clause for clause in spec.spec.clauses if clause.status in _UNCHECKED]
    return [{"clause": clause.id, "row": clause.row, "status": clause.status, "note": clause.note} for clause in clauses]


def _day(day: date | str | None) -> str | None:
    return day.isoformat() if isinstance(day, date) else day
