"""Columns of numbers out of text tokens or packed rows, each number checked, at the speed of the standard library."""

from __future__ import annotations

import math
import re
import sys
from array import array
from collections.abc import Sequence

from homolog.gate.mesh import DAMAGED, MAX_COORDINATE, check_number, refuse

NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
INTEGER = re.compile(rb"[+-]?[0-9]{1,18}")
_NUMERIC = b"0123456789+-.eE"
_INTEGRAL = b"0123456789-"


def floats_of(tokens: Sequence[bytes]) -> list[float] | None:
    """Return tokens as numbers, or None if one of them is not a finite, plain decimal number within 10 m."""
    if b"".join(tokens).translate(None, _NUMERIC):
        return None
    try:
        values = list(map(float, tokens))
    except ValueError:
        return None
    return values if within(values) else None


def integers_of(tokens: Sequence[bytes]) -> list[int] | None:
    """Return tokens as whole numbers, or None if one of them is none or has more than 18 digits."""
    if b"".join(tokens).translate(None, _INTEGRAL) or max(map(len, tokens), default=0) > 19:
        return None
    try:
        return list(map(int, tokens))
    except ValueError:
        return None


def within(values: Sequence[float], limit: float = MAX_COORDINATE) -> bool:
    """Say whether all numbers are finite and no larger than the limit; NaN would slip through min and max alone."""
    return not values or (math.isfinite(sum(values)) and -limit <= min(values) and max(values) <= limit)


def float_at(token: bytes, where: str, *, limit: float = MAX_COORDINATE) -> float:
    """Return one token as a number.

    Raises:
        InputRefused: It is none, not finite, or too large.
    """
    if token.lower().lstrip(b"+-") in {b"nan", b"inf", b"infinity", b"1.#qnan", b"1.#inf"}:
        refuse(where, f"the number {shown(token)} is not finite", DAMAGED, "mesh_not_finite")
    if not NUMBER.fullmatch(token) or len(token) > 60:
        refuse(where, f"{shown(token)} is not a number", DAMAGED, "mesh_number")
    value = float(token)
    check_number(value, where, limit=limit)
    return value


def integer_at(token: bytes, where: str) -> int:
    """Return one token as a whole number.

    Raises:
        InputRefused: It is none.
    """
    if not INTEGER.fullmatch(token):
        refuse(where, f"{shown(token)} is not a whole number", DAMAGED, "mesh_number")
    return int(token)


def shown(token: bytes) -> str:
    """Return a token as a message may print it."""
    return repr(token[:40].decode("utf-8", "replace"))


def column(data: bytes, start: int, stride: int, count: int, letter: str, *, big: bool = False) -> array[float]:
    """Return one column of packed rows as an array.

    Args:
        data: The rows.
        start: Offset of the column in the first row.
        stride: Bytes from row to row.
        count: How many rows.
        letter: Letter of the array module for the column's type: b B h H i I f d.
        big: Whether the most significant byte comes first.
    """
    values: array[float] = array(letter)
    size = values.itemsize
    packed = bytearray(size * count)
    stop = start + stride * (count - 1) + 1 if count else start
    for byte in range(size):
        packed[byte::size] = data[start + byte : stop + byte : stride]
    values.frombytes(packed)
    if big != (sys.byteorder == "big"):
        values.byteswap()
    return values


def little(values: array[float] | array[int]) -> bytes:
    """Return an array as little-endian bytes."""
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def first_bad(values: Sequence[float], limit: float = MAX_COORDINATE) -> int:
    """Return where the first number stands that is not finite or too large; -1 if none does."""
    return next((at for at, value in enumerate(values) if not abs(value) <= limit), -1)
