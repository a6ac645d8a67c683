"""Open questions: judged under every reading until a board adopts one."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import permutations

import pytest

from homolog.errors import InputRefused
from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Adoption, Answer, Reading
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import (
    TODAY,
    finding,
    following,
    judge,
    make_answer,
    make_article,
    make_decision,
    make_reading,
    make_spec,
    why,
)

C, Q, J, M, E, N = (
    Verdict.CONFORM,
    Verdict.INCONCLUSIVE,
    Verdict.NEEDS_JUDGEMENT,
    Verdict.NOT_MEASURED,
    Verdict.ERROR,
    Verdict.NONCONFORM,
)

PROPOSED = "status: proposed"
ADOPTED = 'status: adopted, adoption: {reading: wide, by: "The board", on: 2024-05-01, decision: "7/2024"}'
WITHDRAWN = "status: withdrawn"
WIDE_AND_NARROW = '[{id: narrow, max: 30 mm, says: "N"}, {id: wide, max: 39 mm, says: "W"}]'


def spec_of(
    readings: str = WIDE_AND_NARROW,
    *,
    status: str = PROPOSED,
    kind: str = "kind: limit, of: goalkeeper.height",
    limit: str = "",
    more: str = "",
) -> LoadedSpec:
    return make_spec(f"""
        quantities:
          goalkeeper.height: {{unit: mm, what: "Height", methods: [caliper, bare, gauge]}}
          goalkeeper.reach: {{unit: mm, what: "Reach", methods: [caliper, bare]}}
          goalkeeper.ends: {{unit: mm, what: "Ends", methods: [caliper], each: [end_a, end_b]}}
        interpretations:
          - {{id: INT-x, clause: "1", question: "How high?", {status}, readings: {readings}}}
        requirements:
          - {{id: gk.straight, {kind}, clause: "1", interpretation: INT-x, basis: interpreted{limit}}}{more}
    """)


def high(value: str, U: str = "0.1", **more: str) -> Reading:
    return make_reading(value, U, **more)


def found(spec: LoadedSpec, *readings: Reading, answers: tuple[Answer, ...] = (), **more: object) -> Finding:
    return finding(spec, make_article(*readings, answers=answers), **more)


def under(one: Finding) -> dict[str, Verdict]:
    assert one.interpretation is not None
    return {outcome.id: outcome.verdict for outcome in one.interpretation.readings}


@pytest.mark.parametrize(
    ("value", "narrow", "wide", "together"),
    [
        ("29", C, C, C),
        ("30", Q, C, Q),
        ("35", N, C, J),
        ("39", N, Q, J),
        ("40", N, N, N),
    ],
)
def test_an_open_question_is_judged_under_every_reading(value: str, narrow: Verdict, wide: Verdict, together: Verdict) -> None:
    one = found(spec_of(), high(value))
    assert (under(one), one.verdict) == ({"narrow": narrow, "wide": wide}, together)
    assert one.interpretation is not None
    assert (one.interpretation.status, one.interpretation.adoption) == ("proposed", None)


def test_what_turns_on_the_question_says_so_and_asks_for_an_adoption() -> None:
    one = found(spec_of(), high("35"))
    assert (why(one), following(one)[0]) == ("turns_on_interpretation", "adopt_interpretation")
    assert one.why is not None
    assert one.why.params["readings"] == "narrow: nonconform; wide: conform"


def test_what_does_not_turn_on_the_question_gives_the_reason_of_the_least_reading() -> None:
    assert why(found(spec_of(), high("30"))) == "within_uncertainty"
    assert why(found(spec_of(), high("40"))) == "outside_by"


def test_the_first_readings_result_is_shown_while_the_question_is_open() -> None:
    one = found(spec_of(), high("35"))
    assert one.decided[0].limit is not None
    assert one.decided[0].limit.max == 30


QUANTITIES = (
    '[{id: height, max: 39 mm, says: "H"}, {id: reach, uses: goalkeeper.reach, says: "R"}, {id: free, demands: nothing, says: "F"}]'
)


@pytest.mark.parametrize(
    ("height", "reach", "together"),
    [
        ("38", "19", C),
        ("38", None, M),
        (None, "19", M),
        ("39", None, M),
        ("40", None, J),
        ("40", "21", J),  # demands: nothing holds even then
        ("38", "20", Q),
    ],
)
def test_readings_may_use_other_quantities_or_ask_nothing(height: str | None, reach: str | None, together: Verdict) -> None:
    spec = spec_of(QUANTITIES, limit=", max: 20 mm")
    readings = [high(height)] if height else []
    readings += [high(reach, quantity="goalkeeper.reach")] if reach else []
    one = found(spec, *readings)
    assert one.verdict is together
    assert under(one)["free"] is C


def test_a_reading_with_a_limit_of_its_own_leaves_the_requirements_limit_aside() -> None:
    one = found(spec_of('[{id: own, max: 39 mm, says: "O"}, {id: plain, says: "P"}]', limit=", max: 30 mm"), high("35"))
    assert under(one) == {"own": C, "plain": N}


def test_an_error_in_the_sheet_is_an_error_under_every_reading() -> None:
    assert found(spec_of(), high("35", method="guess")).verdict is E


def test_readings_of_an_interpretation_see_places() -> None:
    spec = spec_of('[{id: a, uses: goalkeeper.ends, max: 39 mm, says: "A"}, {id: b, demands: nothing, says: "B"}]')
    ends = [high(value, quantity="goalkeeper.ends", place=place) for value, place in (("38", "end_a"), ("40", "end_b"))]
    assert under(found(spec, *ends)) == {"a": N, "b": C}
    assert under(found(spec, ends[0])) == {"a": M, "b": C}


ASKED = '[{id: by-eye, ask: "Straight?", says: "E"}, {id: measured, uses: goalkeeper.reach, max: 0.4 mm, says: "M"}]'


@pytest.mark.parametrize("kind", ["kind: limit, of: goalkeeper.reach", 'kind: inspect, ask: "Straight?"'])
@pytest.mark.parametrize(
    ("answer", "reach", "outcomes", "together"),
    [
        (True, "0.2", {"by-eye": C, "measured": C}, C),
        (True, None, {"by-eye": C, "measured": M}, M),
        (None, "0.2", {"by-eye": M, "measured": C}, M),
        (True, "0.9", {"by-eye": C, "measured": N}, J),
        (False, "0.9", {"by-eye": N, "measured": N}, N),
    ],
)
def test_one_reading_may_be_answered_and_another_measured(
    kind: str, answer: bool | None, reach: str | None, outcomes: dict[str, Verdict], together: Verdict
) -> None:
    answers = () if answer is None else (make_answer(answer),)
    readings = [] if reach is None else [high(reach, quantity="goalkeeper.reach")]
    one = found(spec_of(ASKED, kind=kind), *readings, answers=answers)
    assert (under(one), one.verdict, one.answers) == (outcomes, together, answers)


def test_an_adopted_answer_decides_with_those_who_gave_it() -> None:
    answers = (make_answer(True, "laboratory", by="L"),)
    one = found(spec_of(ASKED), answers=answers, decisions=[make_decision("by-eye")], purpose="type_approval")
    assert (one.verdict, one.answers, why(one), one.decided) == (C, answers, "answered_yes", ())


def test_where_people_answer_yes_or_no_no_decision_rule_decides() -> None:
    answered, measured = spec_of(ASKED), high("0.2", quantity="goalkeeper.reach")
    yes = (make_answer(True),)
    by_eye = found(answered, measured, answers=yes, decisions=[make_decision("by-eye")])
    by_number = found(answered, measured, answers=yes, decisions=[make_decision("measured")])
    assert (by_eye.verdict, by_eye.decision) == (C, None)
    assert by_number.decision is not None
    assert by_number.decision.rule == "guarded"
    assert found(spec_of(TWO_ASKED), answers=yes).decision is None


TWO_ASKED = '[{id: strict, ask: "With a handle?", says: "S"}, {id: loose, ask: "With or without?", says: "L"}]'


@pytest.mark.parametrize(
    ("answers", "outcomes"),
    [
        ((make_answer(True),), {"strict": C, "loose": M}),
        ((make_answer(False), make_answer(True, reading="loose")), {"strict": N, "loose": C}),
        ((make_answer(True, reading="loose"),), {"strict": M, "loose": C}),
        ((make_answer(True), make_answer(False, reading="strict")), {"strict": J, "loose": M}),
        ((make_answer(True, reading="misspelt"),), {"strict": M, "loose": M}),
        ((make_answer(True, "board"),), {"strict": M, "loose": M}),
    ],
)
def test_an_answer_serves_the_reading_that_it_names_and_a_plain_one_the_first(
    answers: tuple[Answer, ...], outcomes: dict[str, Verdict]
) -> None:
    assert under(found(spec_of(TWO_ASKED, kind='kind: inspect, ask: "Whole?"'), answers=answers)) == outcomes


def test_an_inspection_whose_readings_ask_nothing_new_takes_a_plain_answer_for_the_first() -> None:
    spec = spec_of('[{id: strict, says: "S"}, {id: loose, says: "L"}]', kind='kind: inspect, ask: "Whole?"')
    assert under(found(spec, answers=(make_answer(True),))) == {"strict": C, "loose": M}


def test_a_reading_without_a_number_leaves_it_to_people() -> None:
    one = found(spec_of('[{id: a, max: 39 mm, says: "A"}, {id: b, says: "B"}]'), high("38"))
    assert (under(one), one.verdict, why(one)) == ({"a": C, "b": J}, J, "limit_open")


# Adoption


def test_the_specs_own_adoption_decides_from_its_day_on() -> None:
    spec = spec_of(status=ADOPTED)
    assert found(spec, high("35"), on=date(2024, 4, 30)).verdict is J
    one = found(spec, high("35"), on=date(2024, 5, 1))
    assert one.verdict is C
    assert one.interpretation is not None
    assert one.interpretation.status == "adopted"
    adoption = one.interpretation.adoption
    assert adoption is not None
    assert (adoption.reading, adoption.by, adoption.on, adoption.decision) == ("wide", "The board", date(2024, 5, 1), "7/2024")
    assert one.decided[0].limit is not None
    assert one.decided[0].limit.max == 39


def test_all_readings_are_shown_beside_the_adopted_one() -> None:
    assert under(found(spec_of(status=ADOPTED), high("35"))) == {"narrow": N, "wide": C}


@pytest.mark.parametrize("status", [PROPOSED, ADOPTED])
def test_a_decision_handed_in_comes_before_the_specs_own_word(status: str) -> None:
    one = found(spec_of(status=status), high("35"), decisions=[make_decision("narrow")])
    assert (one.verdict, one.decision is not None and one.decision.rule) == (N, "guarded")


def test_a_decision_dated_later_does_not_hold_yet() -> None:
    tomorrow = [make_decision("narrow", on=TODAY + timedelta(days=1))]
    assert found(spec_of(), high("35"), decisions=tomorrow).verdict is J
    assert found(spec_of(status=ADOPTED), high("35"), decisions=tomorrow).verdict is C
    assert found(spec_of(), high("35"), decisions=[make_decision("narrow", on=TODAY)]).verdict is N


def test_a_decision_on_another_question_says_nothing() -> None:
    assert found(spec_of(), high("35"), decisions=[make_decision("narrow", interpretation="INT-y")]).verdict is J


def test_a_decision_for_named_requirements_holds_for_those() -> None:
    assert found(spec_of(), high("35"), decisions=[make_decision("wide", requirements=["gk.straight"])]).verdict is C
    assert found(spec_of(), high("35"), decisions=[make_decision("wide", requirements=["gk.other"])]).verdict is J


DECISIONS = (
    make_decision("narrow", on=date(2024, 1, 1)),
    make_decision("wide", on=date(2025, 1, 1)),
    make_decision("narrow", on=date(2026, 1, 1)),
)


@pytest.mark.parametrize("decisions", list(permutations(DECISIONS)))
def test_the_latest_decision_in_force_wins_whatever_the_order(decisions: tuple[Adoption, ...]) -> None:
    assert found(spec_of(), high("35"), decisions=decisions).verdict is C


def test_a_narrow_decision_comes_before_a_later_general_one() -> None:
    narrow = make_decision("narrow", on=date(2024, 1, 1), requirements=["gk.straight"])
    assert found(spec_of(), high("35"), decisions=[make_decision("wide"), narrow]).verdict is N


def test_two_decisions_of_one_day_that_differ_are_refused_and_two_that_agree_are_not() -> None:
    with pytest.raises(InputRefused, match=r"two decisions of 2025-01-01 on INT-x differ: narrow, wide"):
        found(spec_of(), high("35"), decisions=[make_decision("wide"), make_decision("narrow")])
    assert found(spec_of(), high("35"), decisions=[make_decision("wide"), make_decision("wide")]).verdict is C


def test_a_decision_for_a_reading_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputRefused, match=r"'tall' is no reading of INT-x; write one of narrow, wide"):
        found(spec_of(), high("35"), decisions=[make_decision("tall")])


# Withdrawn


def test_a_withdrawn_question_no_longer_counts_even_for_a_decision() -> None:
    spec = spec_of(status=WITHDRAWN, limit=", max: 20 mm")
    one = found(spec, high("35"), decisions=[make_decision("wide")])
    assert (one.verdict, one.interpretation) == (N, None)


def test_a_bare_nominal_whose_question_was_withdrawn_is_left_to_people_and_never_conforms() -> None:
    spec = spec_of(
        status=WITHDRAWN, more='\n          - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}'
    )
    article = make_article(high("35"))
    one = finding(spec, article)
    assert (one.verdict, why(one), following(one)[0]) == (J, "limit_open", "ask_board")
    assert judge(spec, article).verdict is J


def test_an_inspection_whose_question_was_withdrawn_is_a_plain_one() -> None:
    spec = spec_of(TWO_ASKED, status=WITHDRAWN, kind='kind: inspect, ask: "Whole?"')
    assert found(spec, answers=(make_answer(True),)).verdict is C
