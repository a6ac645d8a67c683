"""What a check of a file answers: one line a question, a stable word a reason, and the exit code that follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

FORMAT = "homolog-verification/1"
CheckName = Literal["content", "signature", "key", "log", "state"]
State = Literal["holds", "fails", "unknown", "not_asked"]

# Exit codes by reason, the gravest first: what was changed is worth nothing, whoever signed it.
EXITS = {
    "changed": 10,
    "unsigned": 11,
    "key_unknown": 12,
    "key_revoked": 13,
    "key_not_valid": 13,
    "log_false": 15,
    "not_in_log": 14,
    "withdrawn": 16,
    "suspended": 16,
    "expired": 17,
    "not_yet_valid": 17,
    "log_silent": 18,
}


@dataclass(frozen=True, slots=True)
class Check:
    """One question and its answer.

    Attributes:
        reason: A key of `EXITS`; `good` if it holds, `not_asked` if there was nothing to ask.
        says: The answer for a person, a whole sentence.
    """

    name: CheckName
    state: State
    reason: str
    says: str


@dataclass(frozen=True, slots=True)
class Verification:
    """All answers about one file.

    Attributes:
        kind: What was signed: `report`, `lot`, `certificate`; None if that cannot be said.
        sha256: Of the canonical record; None if none could be taken out.
        record: The record's bytes, if a known key has signed them.
    """

    file: str
    kind: str | None
    sha256: str | None
    checks: tuple[Check, ...]
    record: bytes | None = field(default=None, repr=False)

    @property
    def exit_code(self) -> int:
        """0 if nothing fails and nothing that was asked stays open; else that of the gravest reason."""
        reasons = {check.reason for check in self.checks if check.state in ("fails", "unknown")}
        return next((code for reason, code in EXITS.items() if reason in reasons), 0)

    def document(self) -> dict[str, Any]:
        """Return the answers as plain JSON values."""
        return {
            "format": FORMAT,
            "file": self.file,
            "kind": self.kind,
            "sha256": self.sha256,
            "ok": self.exit_code == 0,
            "exit_code": self.exit_code,
            "checks": [{"name": one.name, "state": one.state, "reason": one.reason, "says": one.says} for one in self.checks],
        }


def good(name: CheckName, says: str) -> Check:
    """Return an answer that holds."""
    return Check(name, "holds", "good", says)


def fails(name: CheckName, reason: str, says: str) -> Check:
    """Return an answer that does not hold."""
    return Check(name, "fails", reason, says)


def unknown(name: CheckName, reason: str, says: str) -> Check:
    """Return an answer that could not be given."""
    return Check(name, "unknown", reason, says)


def not_asked(name: CheckName, says: str) -> Check:
    """Return that there was nothing to ask."""
    return Check(name, "not_asked", "not_asked", says)
