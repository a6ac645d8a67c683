"""Counting what people answered: an inspection by a trained person, or a panel's votes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from homolog.evaluate.finding import Statement
from homolog.evaluate.verdict import Verdict, least
from homolog.quantity import Answer, same_name
from homolog.spec.requirement import Panel, Purpose

_INSPECTORS: dict[str, tuple[str, ...]] = {"type_approval": ("laboratory",)}
# A laboratory may look at an article for a maker or a referee too; who may not prove a type for approval is its maker.
_ANYONE_TRAINED = ("laboratory", "referee", "maker")


@dataclass(frozen=True, slots=True)
class Counted:
    """The verdict of people, with the answers that counted."""

    verdict: Verdict
    answers: tuple[Answer, ...]
    why: Statement
    next: Statement | None = None


def inspection(
    answers: Sequence[Answer], *, purpose: Purpose, requirement: str, places: Collection[tuple[str, ...]] = ()
) -> Counted:
    """Return what inspecting persons answered; only the roles that may prove it for the purpose count.

    A no at one place is a no. A yes at one place speaks for that place: the whole is proven by a yes for the whole, or by
    one for every place of a list of `places`.
    """
    roles = _INSPECTORS.get(purpose, _ANYONE_TRAINED)
    counted = tuple(answer for answer in answers if answer.role in roles)
    ask = "ask_laboratory" if purpose == "type_approval" else "ask_inspector"
    params = {"roles": ", ".join(roles), "requirement": requirement}
    if not counted:
        code = "answers_of_others" if answers else "no_answer"
        return Counted(Verdict.NOT_MEASURED, (), Statement(code=code, params=params), Statement(code=ask, params=params))
    by_place: dict[str | None, set[bool]] = {}
    for answer in counted:
        by_place.setdefault(answer.place, set()).add(answer.yes)
    verdict = least(_one_place(said) for said in by_place.values())
    if verdict is Verdict.NEEDS_JUDGEMENT:
        why, step = Statement(code="answers_disagree"), Statement(code="ask_board")
        return Counted(verdict, counted, why, step)
    yes = verdict is Verdict.CONFORM
    if yes and not _speak_for_whole(by_place.keys(), places):
        params |= {"places": ", ".join(place or "" for place in by_place)}
        why = Statement(code="answers_for_places", params=params)
        return Counted(Verdict.NOT_MEASURED, counted, why, Statement(code=ask, params=params))
    saying_so = [answer for answer in counted if answer.yes is yes]
    said = {"roles": ", ".join(dict.fromkeys(answer.role for answer in saying_so))}
    if all(answer.is_proven for answer in saying_so):
        return Counted(verdict, counted, Statement(code="answered_yes" if yes else "answered_no", params=said))
    return Counted(verdict, counted, Statement(code="answered_yes_stated" if yes else "answered_no_stated", params=said))


def _speak_for_whole(answered: Collection[str | None], places: Collection[tuple[str, ...]]) -> bool:
    return None in answered or any(set(listed) <= set(answered) for listed in places)


def _one_place(said: set[bool]) -> Verdict:
    if len(said) > 1:
        return Verdict.NEEDS_JUDGEMENT
    return Verdict.CONFORM if True in said else Verdict.NONCONFORM


def vote(answers: Sequence[Answer], panel: Panel) -> Counted:
    """Return the panel's ruling: votes of the board only, one a person, however the name is written; no name is one person."""
    votes = tuple(answer for answer in answers if answer.role == "board")
    by_person: dict[str | None, set[bool]] = {}
    for answer in votes:
        by_person.setdefault(None if answer.by is None else same_name(answer.by), set()).add(answer.yes)
    yes = sum(said == {True} for said in by_person.values())
    no = sum(said == {False} for said in by_person.values())
    params = {"yes": str(yes), "no": str(no), "needed": str(panel.votes)}
    if yes + no < panel.votes or yes + no < len(by_person):
        code = "votes_missing" if votes else "no_vote"
        return Counted(
            Verdict.NEEDS_JUDGEMENT, votes, Statement(code=code, params=params), Statement(code="ask_board", params=params)
        )
    if panel.passes == "unanimous":
        verdict = Verdict.NONCONFORM if no else Verdict.CONFORM
    elif yes == no:
        return _back_to_board(votes, "votes_tied", params)
    else:
        verdict = Verdict.CONFORM if yes > no else Verdict.NONCONFORM
    is_proven = all(vote.is_proven for vote in votes)
    return Counted(verdict, votes, Statement(code="votes" if is_proven else "votes_stated", params=params))


def _back_to_board(votes: tuple[Answer, ...], code: str, params: dict[str, str]) -> Counted:
    return Counted(Verdict.NEEDS_JUDGEMENT, votes, Statement(code=code, params=params), Statement(code="ask_board", params=params))
