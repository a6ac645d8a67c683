"""The extract of a register that an assessment may look into; it is handed in, never fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from homolog.evaluate.finding import Judged, Statement
from homolog.evaluate.groups import same
from homolog.evaluate.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """From when to when a type is approved; None is open.

    Attributes:
        item: What the type is; a name counts for no other item. None is any.
    """

    since: date
    until: date | None = None
    item: str | None = None


@dataclass(frozen=True, slots=True)
class RegisterExtract:
    """The approved spans of every type by its name in the register; a type that is not named is not registered.

    Attributes:
        sha256: Digest of the file it was read from; None if it comes from no file.
        on: The day on which it was drawn up; of a later day it proves nothing. None proves what it says of every day.
        body: Whose register it is.
    """

    types: Mapping[str, Sequence[Registered]]
    sha256: str | None = None
    on: date | None = None
    body: str | None = None
    _spans: Mapping[str, tuple[Registered, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Gather the spans by the name as it is compared, once: a register may hold a hundred thousand types."""
        spans: dict[str, tuple[Registered, ...]] = {}
        for name, its in self.types.items():
            spans[same(name)] = (*spans.get(same(name), ()), *its)
        object.__setattr__(self, "_spans", spans)

    def look_up(self, name: str, on: date, item: str | None = None) -> Judged:
        """Return whether a type of an item stands in the register on a day."""
        spans = [span for span in self._spans.get(same(name), ()) if item is None or span.item in (None, item)]
        params = {"type": name, "on": on.isoformat()}
        if self.on is not None and self.on < on:
            why = Statement(code="register_older", params={**params, "drawn_up": self.on.isoformat()})
            return Judged(Verdict.NOT_MEASURED, why, Statement(code="look_up_register"))
        if not spans:
            return Judged(Verdict.NONCONFORM, Statement(code="not_registered", params=params))
        if any(span.since <= on and (span.until is None or on <= span.until) for span in spans):
            return Judged(Verdict.CONFORM, Statement(code="registered", params=params))
        return Judged(Verdict.NONCONFORM, Statement(code="not_approved_on_day", params=params))
