"""Numbers as the record writes them: plain decimal text."""

from __future__ import annotations

from decimal import Decimal

from homolog.quantity import round_up

_MOST_DIGITS_OF_U = 3


def plain(number: Decimal | None) -> str | None:
    """Return a number without exponent, digit for digit as it was judged."""
    if number is None:
        return None
    return format(number if number else abs(number), "f")  # no "-0"


def plain_uncertainty(number: Decimal | None) -> str | None:
    """Return U without exponent; more than three significant digits are rounded up to two, never down."""
    if number is None:
        return None
    digits = len(number.normalize().as_tuple().digits)
    if digits <= _MOST_DIGITS_OF_U:
        return plain(number)
    return plain(round_up(round_up(number)))  # again, as 0.0999 carries to 0.100
