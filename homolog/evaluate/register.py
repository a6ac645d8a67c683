"""The extract of a register that an assessment may look into; it is handed in, never fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from homolog.evaluate.finding import Judged, Statement
from homolog.evaluate.groups import same
from homolog.evaluate.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """From when to when a type is approved; None is open."""

    since: date
    until: date | None = None


@dataclass(frozen=True, slots=True)
class RegisterExtract:
    """The approved spans of every type by its name in the register; a type that is not named is not registered."""

    types: Mapping[str, Sequence[Registered]]

    def look_up(self, name: str, on: date) -> Judged:
        """Return whether a type stands in the register on a day."""
        spans = [span for known, its in self.types.items() if same(known) == same(name) for span in its]
        params = {"type": name, "on": on.isoformat()}
        if not spans:
            return Judged(Verdict.NONCONFORM, Statement(code="not_registered", params=params))
        if any(span.since <= on and (span.until is None or on <= span.until) for span in spans):
            return Judged(Verdict.CONFORM, Statement(code="registered", params=params))
        return Judged(Verdict.NONCONFORM, Statement(code="not_approved_on_day", params=params))
