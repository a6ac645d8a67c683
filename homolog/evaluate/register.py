"""The extract of a register that an assessment may look into; it is handed in, never fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import rfc8785

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
    """The approved types; one that is not named is not registered.

    Attributes:
        types: The approved spans by item, and by the type's name: a ball and a goalkeeper may share a name.
    """

    types: Mapping[str, Mapping[str, Sequence[Registered]]]

    @property
    def canonical(self) -> bytes:
        """The extract as RFC 8785 canonical JSON; the order in which it was put together does not show."""
        return rfc8785.dumps(
            {item: {name: sorted(map(_span, spans)) for name, spans in named.items()} for item, named in self.types.items()}
        )

    @property
    def sha256(self) -> str:
        """Digest of the canonical form, by which a report names the extract."""
        return hashlib.sha256(self.canonical).hexdigest()

    def look_up(self, item: str, name: str, on: date) -> Judged:
        """Return whether an item's type stands in the register on a day."""
        named = self.types.get(item, {})
        spans = [span for known, its in named.items() if same(known) == same(name) for span in its]
        params = {"type": name, "on": on.isoformat()}
        if not spans:
            return Judged(Verdict.NONCONFORM, Statement(code="not_registered", params=params))
        if any(span.since <= on and (span.until is None or on <= span.until) for span in spans):
            return Judged(Verdict.CONFORM, Statement(code="registered", params=params))
        return Judged(Verdict.NONCONFORM, Statement(code="not_approved_on_day", params=params))


def _span(span: Registered) -> list[str]:
    return [span.since.isoformat(), *([] if span.until is None else [span.until.isoformat()])]
