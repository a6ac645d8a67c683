"""The answer in one sentence: no more than what was found, for the purpose that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homolog.report.messages import Catalogue
from homolog.report.wording import clean

# Outcomes that tell how many failed, and how many were not proven; the others tell how many were met.
_OF_FAILED = ("refuse", "change", "fail", "withdraw")
_OF_UNPROVEN = ("open", "play_noted", "ask", "borderline", "grace")


def say_verdict(words: Catalogue, record: Mapping[str, Any]) -> str:
    """Return the answer; it never says more than the counts do, and names what it leaves out."""
    return _with_pieces(words, _with_edition(words, _answer(words, record), record), record)


def _with_edition(words: Catalogue, answer: str, record: Mapping[str, Any]) -> str:
    """Name the edition where another one is in force on the day: the answer is no answer by that one."""
    spec = record["spec"]
    if spec["in_force"] is None:
        return answer
    params = {"answer": answer.removesuffix("."), "edition": clean(spec["edition"]), "on": record["on"]}
    return words.say("sentence.not_in_force", params)


def _with_pieces(words: Catalogue, answer: str, record: Mapping[str, Any]) -> str:
    """Say of a set or match how many of its pieces nobody measured: their rules are not in the answer."""
    silent = sum(piece["not_judged"] == "no_readings" for piece in record["pieces"])
    if not silent:
        return answer
    params = {"answer": answer.removesuffix("."), "n": str(silent), "total": str(len(record["pieces"]))}
    return words.say("sentence.pieces_silent", params)


def _answer(words: Catalogue, record: Mapping[str, Any]) -> str:
    spec, counts = record["spec"], record["counts"]
    if spec["id"] is None and not any(counts.values()):
        params = {"item": record["item"], "reason": clean(spec["unregulated"] or "").rstrip(".")}
        return words.say("sentence.unregulated", params)
    total = sum(number for verdict, number in counts.items() if verdict != "not_applicable")
    if not total:
        return words.say("sentence.nothing_applies")
    failed, met = counts["nonconform"], counts["conform"]
    code, number = _form(record, failed=failed, met=met, total=total)
    return words.say(f"sentence.{code}", {"n": str(number), "total": str(total)})


def _form(record: Mapping[str, Any], *, failed: int, met: int, total: int) -> tuple[str, int]:
    outcome, code = record["outcome"], f"{record['purpose']}_{record['outcome']}"
    if outcome in _OF_FAILED and failed:
        return code, failed
    if record["purpose"] == "recheck" and outcome in ("grace", "open"):
        return code, total - met
    if outcome in _OF_UNPROVEN and not failed and met < total:
        return code, total - met
    if outcome not in (*_OF_FAILED, *_OF_UNPROVEN) and met == total:
        return code, met
    # The outcome says something that the counts alone do not carry, so only the counts are said.
    if failed:
        return "nonconform", failed
    return ("conform", met) if met == total else ("undecided", total - met)
