"""Which of the forms that can be given is wanted: the header Accept, as RFC 9110 has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from api.problems import Failure

JSON = "application/json"
JSON_LINES = "application/jsonl"
NDJSON = "application/x-ndjson"
HTML = "text/html"
PDF = "application/pdf"
YAML = "application/yaml"

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 -- a word of a header, no secret
_RANGE = re.compile(rf"(?P<main>{_TOKEN})/(?P<sub>{_TOKEN})")
_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")


@dataclass(frozen=True, slots=True)
class _Wanted:
    main: str
    sub: str
    weight: float

    def fits(self, offer: str) -> int:
        """Return how exactly the range names an offer: 3 exactly, 2 its family, 1 anything, 0 not at all."""
        main, _, sub = offer.partition("/")
        if (self.main, self.sub) == (main, sub):
            return 3
        if (self.main, self.sub) == (main, "*"):
            return 2
        return 1 if (self.main, self.sub) == ("*", "*") else 0


def choose(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the best of the offers, the first of equally wanted ones; None if none is wanted.

    Args:
        accept: The header's value; None or blank wants anything. A range that cannot be read wants nothing.
        offers: Media types without parameters, the usual one first.
    """
    if accept is None or not accept.strip():
        return offers[0]
    ranges = [wanted for part in accept.split(",") if (wanted := _range_of(part)) is not None]
    best, best_weight = None, 0.0
    for offer in offers:
        weight = _weight_of(offer, ranges)
        if weight > best_weight:
            best, best_weight = offer, weight
    return best


def chosen(accept: str | None, offers: Sequence[str]) -> str:
    """Return the best of the offers.

    Raises:
        Failure: None is wanted.
    """
    found = choose(accept, offers)
    if found is None:
        detail = f"This address gives {', '.join(offers)}; the request accepts none of them."
        raise Failure("not_acceptable", detail, more={"available": list(offers)})
    return found


def _weight_of(offer: str, ranges: Sequence[_Wanted]) -> float:
    """Return the weight of the range that names the offer most exactly."""
    fitting = [(wanted.fits(offer), wanted.weight) for wanted in ranges if wanted.fits(offer)]
    return max(fitting)[1] if fitting else 0.0


def _range_of(text: str) -> _Wanted | None:
    kind, *parameters = (part.strip() for part in text.split(";"))
    match = _RANGE.fullmatch(kind)
    if match is None or (match["main"] == "*" and match["sub"] != "*"):
        return None
    weight = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            if _WEIGHT.fullmatch(value.strip()) is None:
                return None
            weight = float(value)
    return _Wanted(match["main"].lower(), match["sub"].lower(), weight)
