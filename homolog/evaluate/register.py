"""The extract of a register that an assessment may look into; it is handed in, never fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import rfc8785

from homolog.evaluate.finding import Judged, Statement
from homolog.evaluate.verdict import Verdict
from homolog.quantity import same_name


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
        on: The day on which it was drawn up; of a later day it proves nothing. None proves what it says of every day.
        body: Whose register it is.
        digest: SHA-256 of the canonical form of the document that it was read from; None if it comes from none.
    """

    types: Mapping[str, Mapping[str, Sequence[Registered]]]
    on: date | None = None
    body: str | None = None
    digest: str | None = None
    _spans: Mapping[tuple[str, str], tuple[Registered, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Gather the spans by the name as it is compared, once: a register may hold a hundred thousand types."""
        found: dict[tuple[str, str], tuple[Registered, ...]] = {}
        for item, named in self.types.items():
            for name, spans in named.items():
                found[item, same_name(name)] = (*found.get((item, same_name(name)), ()), *spans)
        object.__setattr__(self, "_spans", found)

    @property
    def canonical(self) -> bytes:
        """The extract as RFC 8785 canonical JSON; the order in which it was put together does not show."""
        return rfc8785.dumps(
            {item: {name: sorted(map(_span, spans)) for name, spans in named.items()} for item, named in self.types.items()}
        )

    @property
    def sha256(self) -> str:
        """Digest by which a report names the extract: of the document it was read from, else of what it holds."""
        return self.digest or hashlib.sha256(self.canonical).hexdigest()

    def look_up(self, item: str, name: str, on: date) -> Judged:
        """Return whether an item's type stands in the register on a day."""
        params = {"type": name, "on": on.isoformat()}
        if self.on is not None and self.on < on:
            why = Statement(code="register_older", params={**params, "drawn_up": self.on.isoformat()})
            return Judged(Verdict.NOT_MEASURED, why, Statement(code="look_up_register"))
        spans = self._spans.get((item, same_name(name)))
        if spans is None:
            return Judged(Verdict.NONCONFORM, Statement(code="not_registered", params=params))
        if any(span.since <= on and (span.until is None or on <= span.until) for span in spans):
            return Judged(Verdict.CONFORM, Statement(code="registered", params=params))
        return Judged(Verdict.NONCONFORM, Statement(code="not_approved_on_day", params=params))


def _span(span: Registered) -> list[str]:
    return [span.since.isoformat(), *([] if span.until is None else [span.until.isoformat()])]
