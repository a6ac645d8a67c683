"""Owns what may be said with a step: each value against what the step asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from pydantic import ValidationError

from homolog.errors import Problem
from homolog.spec.process import Asked, Counting, Step

MAX_TEXT = 20_000
MAX_NAME = 200
MAX_ENTRIES = 100
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_VARIANT = ("name", "colour", "material")
# Controls and what turns the direction of writing: they hide in a name what it says.
_HIDDEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]")


def faults_of(step: Step, data: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return everything that is wrong with what is said with a step: what is missing, unknown or of another kind."""
    return tuple(_faults(step, data))


def _faults(step: Step, data: Mapping[str, Any]) -> Iterator[Problem]:
    asked = {one.name: one for one in step.asks}
    for name in data:
        if name not in asked:
            known = ", ".join(asked) or "nothing"
            yield Problem(str(name)[:60], f"{step.id} does not ask for it", f"leave it out; it asks for {known}", "step_value")
    for name, one in asked.items():
        if name in data:
            wrong = _wrong(one, data[name])
            if wrong is not None:
                yield Problem(name, wrong[0], wrong[1], "step_value")
        elif one.need == "must":
            yield Problem(name, f"{one.what}: it is missing", "add it", "step_incomplete")


def _wrong(asked: Asked, value: Any) -> tuple[str, str] | None:
    """Return what is wrong with one value, and what to write."""
    if asked.kind == "choice":
        return None if value in asked.values else ("it is none of the choices", f"write one of {', '.join(asked.values)}")
    test, todo = _TESTS[asked.kind]
    return None if test(value) else (f"it is no {asked.kind}", todo)


def is_text(value: Any, most: int = MAX_TEXT) -> bool:
    """Whether a value is a text that says something, of bearable length and without hidden characters."""
    return isinstance(value, str) and len(value.strip()) > 0 and len(value) <= most and not _HIDDEN.search(value)


def _is_name(value: Any) -> bool:
    return is_text(value, MAX_NAME) and "\n" not in value


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and _DAY.fullmatch(value) is not None and date.fromisoformat(value) is not None
    except ValueError:
        return False


def _is_moment(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= 1_000_000


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _listed(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def is_list(value: Any) -> bool:
        if not isinstance(value, list | tuple) or not 0 < len(value) <= MAX_ENTRIES or not all(test(one) for one in value):
            return False
        return all(one not in value[:place] for place, one in enumerate(value))

    return is_list


def _is_variant(value: Any) -> bool:
    return isinstance(value, Mapping) and "name" in value and set(value) <= set(_VARIANT) and all(map(_is_name, value.values()))


def _is_reason(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"clause", "text"} and _is_name(value["clause"]) and is_text(value["text"])


def _is_counting(value: Any) -> bool:
    try:
        rule = Counting.model_validate(value)
    except ValidationError:
        return False
    majority = Fraction(rule.majority.rpartition(" ")[2])
    # A majority of less than half would let a proposal and its contrary both be carried.
    is_fair = majority >= Fraction(1, 2) if rule.majority.startswith("more than") else majority > Fraction(1, 2)
    return is_fair and majority <= 1 and Fraction(rule.quorum) <= 1 and rule.least >= 1 and _can_pass(rule, majority)


def _can_pass(rule: Counting, majority: Fraction) -> bool:
    return not (rule.majority.startswith("more than") and majority == 1)


_TESTS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "name": (_is_name, f"write one line of at most {MAX_NAME} characters"),
    "text": (is_text, f"write a text of at most {MAX_TEXT} characters"),
    "day": (_is_day, "write as 2026-11-30"),
    "moment": (_is_moment, "write as 2026-11-30T18:00:00+00:00"),
    "whole": (_is_whole, "write a whole number from 1"),
    "digest": (_is_digest, "write the sha256 of a file that was sent, 64 hexadecimal digits"),
    "digests": (_listed(_is_digest), "write a list of sha256 digests, none twice"),
    "organisation": (_is_id, "write an organisation's id"),
    "account": (_is_id, "write an account's id"),
    "accounts": (_listed(_is_id), "write a list of accounts' ids, none twice"),
    "application": (_is_id, "write an application's id"),
    "event": (_is_whole, "write the number of the event"),
    "variants": (_listed(_is_variant), "write a list of variants, each with name, colour and material"),
    "reasons": (_listed(_is_reason), "write a list of reasons, each with clause and text"),
    "counting": (_is_counting, "write quorum, least, majority (more than half), of and secret"),
}
