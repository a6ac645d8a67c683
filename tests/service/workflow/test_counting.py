"""How votes are counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homolog.service.workflow.counting import Choice, count
from homolog.spec.process import Counting
from tests.service.workflow.make import counting

PEOPLE = [f"p{number}" for number in range(9)]
LETTER: dict[str, Choice] = {"y": "yes", "n": "no", "a": "abstain"}


def result(votes: str, electors: int, **rule: object) -> str:
    """Count votes written as letters: y, n, a; who is left of the electors has not voted."""
    choices = {PEOPLE[place]: LETTER[letter] for place, letter in enumerate(votes)}
    return count(choices, PEOPLE[:electors], Counting.model_validate(counting(**rule))).result


@pytest.mark.parametrize(
    ("votes", "electors", "rule", "expected"),
    [
        ("yyn", 5, {}, "carried"),
        ("ynn", 5, {}, "lost"),
        ("ynna", 7, {}, "lost"),
        ("yn", 4, {"least": 2}, "tie"),
        ("yyn", 7, {}, "no_quorum"),
        ("yyna", 7, {}, "carried"),
        ("yy", 4, {}, "no_quorum"),
        ("yy", 4, {"least": 2}, "carried"),
        ("", 3, {"quorum": "0/1", "least": 1}, "no_quorum"),
        # An abstention counts for the quorum, and only where the rule says so against the proposal.
        ("yaa", 5, {}, "carried"),
        ("yaa", 5, {"of": "cast"}, "lost"),
        ("yyna", 5, {"of": "cast"}, "lost"),
        ("yyya", 5, {"of": "cast"}, "carried"),
        ("yyy", 6, {"of": "electors"}, "lost"),
        ("yyyy", 6, {"of": "electors"}, "carried"),
        ("aaa", 3, {}, "lost"),
        ("aaa", 3, {"of": "cast"}, "lost"),
        # Exactly at a share: at least is met, more than is not.
        ("yyn", 3, {"majority": "at least 2/3"}, "carried"),
        ("yyn", 3, {"majority": "more than 2/3"}, "lost"),
        ("yynn", 4, {}, "tie"),
        ("yyyynn", 6, {"majority": "at least 2/3"}, "carried"),
        ("yyynn", 6, {"majority": "at least 2/3"}, "lost"),
    ],
)
def test_a_count_is_what_the_rule_says(votes: str, electors: int, rule: dict[str, object], expected: str) -> None:
    assert result(votes, electors, **rule) == expected


def test_votes_of_who_is_no_elector_do_not_count() -> None:
    choices: dict[str, Choice] = {"p0": "yes", "p1": "yes", "p2": "no", "stranger": "no", "other": "no"}
    tally = count(choices, PEOPLE[:3], Counting.model_validate(counting()))
    assert (tally.result, tally.yes, tally.no, tally.electors) == ("carried", 2, 1, 3)


@given(
    votes=st.text("yna", max_size=9),
    more=st.integers(0, 3),
    majority=st.sampled_from(["more than 1/2", "at least 2/3", "at least 3/4"]),
    of=st.sampled_from(["yes_and_no", "cast", "electors"]),
)
def test_a_proposal_and_its_contrary_are_never_both_carried(votes: str, more: int, majority: str, of: str) -> None:
    electors = min(len(votes) + more, 9)
    contrary = votes.translate(str.maketrans("yn", "ny"))
    found = {result(one, electors, majority=majority, of=of, least=1) for one in (votes, contrary)}
    assert found != {"carried"}


@given(votes=st.text("yna", min_size=1, max_size=9), place=st.integers(0, 8))
def test_one_more_yes_never_loses_a_carried_proposal(votes: str, place: int) -> None:
    changed = votes[: place % len(votes)] + "y" + votes[place % len(votes) + 1 :]
    if result(votes, 9, quorum="1/9", least=1) == "carried":
        assert result(changed, 9, quorum="1/9", least=1) == "carried"
