"""What people answer: inspections and votes."""

from __future__ import annotations

import pytest

from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Answer
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import finding, following, make_answer, make_article, make_spec, why

C, M, J, N = Verdict.CONFORM, Verdict.NOT_MEASURED, Verdict.NEEDS_JUDGEMENT, Verdict.NONCONFORM
INSPECT = make_spec("""
    quantities:
      goalkeeper.height: {unit: mm, what: "Height", methods: [caliper], each: [end_a, end_b]}
      goalkeeper.width: {unit: mm, what: "Width", methods: [caliper], each: every}
    requirements:
      - {id: gk.straight, kind: inspect, ask: "Straight?", clause: "1"}
      - {id: gk.covering, kind: inspect, ask: "Fixed?", clause: "1", covers: [goalkeeper.fixed, goalkeeper.firm]}
""")


def found(spec: LoadedSpec, *answers: Answer, requirement: str | None = None, **more: object) -> Finding:
    return finding(spec, make_article(answers=answers), requirement, **more)


@pytest.mark.parametrize(
    ("purpose", "role", "counts"),
    [
        ("type_approval", "laboratory", True),
        ("type_approval", "maker", False),
        ("type_approval", "referee", False),
        ("type_approval", "board", False),
        *(
            (purpose, role, role != "board")
            for purpose in ("self_test", "match", "recheck")
            for role in ("laboratory", "referee", "maker", "board")
        ),
    ],
)
def test_an_inspection_counts_the_roles_that_may_prove_it_for_the_purpose(purpose: str, role: str, counts: bool) -> None:
    yes, no = (found(INSPECT, make_answer(said, role), purpose=purpose) for said in (True, False))
    assert (yes.verdict, no.verdict) == ((C, N) if counts else (M, M))
    if not counts:
        assert why(yes) == "answers_of_others"
        assert following(yes)[0] == ("ask_laboratory" if purpose == "type_approval" else "ask_inspector")


def test_without_an_answer_an_inspection_is_not_measured() -> None:
    one = found(INSPECT)
    assert (one.verdict, why(one), following(one)[0]) == (M, "no_answer", "ask_inspector")


def test_an_answer_of_another_role_neither_helps_nor_harms() -> None:
    one = found(INSPECT, make_answer(True, "laboratory"), make_answer(False, "maker"), purpose="type_approval")
    assert (one.verdict, len(one.answers)) == (C, 1)


def test_answers_that_disagree_go_to_the_board() -> None:
    one = found(INSPECT, make_answer(True), make_answer(False, "referee"))
    assert (one.verdict, why(one), following(one)[0]) == (J, "answers_disagree", "ask_board")


def test_the_reason_names_the_roles_that_said_so() -> None:
    one = found(INSPECT, make_answer(True, "referee"), make_answer(True, "maker"))
    assert one.why is not None
    assert (one.why.code, one.why.params["roles"]) == ("answered_yes", "referee, maker")
    assert why(found(INSPECT, make_answer(False))) == "answered_no"


def test_an_answer_whose_role_only_the_sheet_states_is_said_to_stand_so() -> None:
    stated = [found(INSPECT, make_answer(yes, is_proven=False)) for yes in (True, False)]
    assert [(one.verdict, why(one)) for one in stated] == [(C, "answered_yes_stated"), (N, "answered_no_stated")]
    mixed = found(INSPECT, make_answer(True, "laboratory"), make_answer(True, "maker", is_proven=False))
    assert why(mixed) == "answered_yes_stated"
    # Of a no at one place and a yes at another, the no alone decides.
    no_at_one_end = found(INSPECT, make_answer(False, place="end_a"), make_answer(True, place="end_b", is_proven=False))
    assert why(no_at_one_end) == "answered_no"


def test_an_answer_to_one_requirement_proves_no_other_that_shares_its_row() -> None:
    spec = make_spec("""
        requirements:
          - {id: board.distinct, kind: inspect, ask: "Distinct?", clause: "1"}
          - {id: board.not_similar, kind: inspect, ask: "Not similar?", clause: "1", covers: [board.distinct]}
    """)
    answer = make_answer(True, asks="board.distinct")
    assert found(spec, answer, requirement="board.distinct").verdict is C
    assert found(spec, answer, requirement="board.not_similar").verdict is M


def test_an_answer_is_keyed_by_the_requirement_or_by_its_row() -> None:
    assert found(INSPECT, make_answer(True, asks="goalkeeper.straight")).verdict is C
    assert found(INSPECT, make_answer(True, asks="goalkeeper.firm"), requirement="gk.covering").verdict is C
    assert found(INSPECT, make_answer(True, asks="goalkeeper.covering"), requirement="gk.covering").verdict is C
    assert found(INSPECT, make_answer(True, asks="gk.other")).verdict is M


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({None: True}, C),
        ({"end_a": True, "end_b": True}, C),
        ({"end_a": True, "end_b": False}, N),
        ({"end_a": True}, M),
        ({"end_a": False}, N),
        ({"bar_1": True, "bar_2": True}, M),
        ({None: True, "end_b": False}, N),
        ({None: True, "end_b": True}, C),
    ],
)
def test_a_yes_at_one_place_speaks_for_that_place_alone(said: dict[str | None, bool], expected: Verdict) -> None:
    one = found(INSPECT, *(make_answer(yes, place=place) for place, yes in said.items()))
    assert one.verdict is expected
    if expected is M:
        assert (why(one), following(one)[0]) == ("answers_for_places", "ask_inspector")


def panel(votes: int, passes: str) -> LoadedSpec:
    return make_spec(f"""
        requirements: [{{id: gk.straight, kind: judge, ask: "A body?", clause: "1", panel: {{votes: {votes}, pass: {passes}}}}}]
    """)


def vote(text: str) -> list[Answer]:
    """Return the votes of a text as `yes:A no:B`."""
    parts = [part.split(":") for part in text.split()]
    return [make_answer(said == "yes", "board", by=name or None) for said, name in parts]


@pytest.mark.parametrize(
    ("votes", "majority", "unanimous", "reason"),
    [
        ("", J, J, "no_vote"),
        ("yes:A yes:B", J, J, "votes_missing"),
        ("no:A no:B", J, J, "votes_missing"),
        ("yes:A yes:B yes:C", C, C, "votes"),
        ("yes:A yes:B no:C", C, N, "votes"),
        ("yes:A no:B no:C", N, N, "votes"),
        ("no:A no:B no:C", N, N, "votes"),
        ("yes:A yes:B no:C no:D", J, N, "votes_tied"),
        ("yes:A yes:B yes:C no:D no:E", C, N, "votes"),
        ("yes:A yes:A yes:B", J, J, "votes_missing"),  # one vote a person
        ("yes:A yes:a yes:B", J, J, "votes_missing"),  # however the name is written
        ("yes:A yes:A yes:B yes:C", C, C, "votes"),
        ("yes:A yes:B yes:C yes:D no:D", J, J, "votes_missing"),  # who votes both ways has not voted yet
        ("yes: yes: yes:", J, J, "votes_missing"),  # nobody can tell three unnamed votes from one
        ("yes: yes:B yes:C", C, C, "votes"),
    ],
)
def test_a_panel_rules_by_its_votes(votes: str, majority: Verdict, unanimous: Verdict, reason: str) -> None:
    for passes, expected in (("majority", majority), ("unanimous", unanimous)):
        one = found(panel(3, passes), *vote(votes))
        assert one.verdict is expected
        if passes == "majority":
            assert why(one) == reason
        assert (one.next is None) == (expected is not J)


@pytest.mark.parametrize("role", ["laboratory", "referee", "maker"])
def test_only_the_board_votes(role: str) -> None:
    one = found(panel(1, "majority"), make_answer(True, role, by="A"))  # type: ignore[arg-type]
    assert (one.verdict, why(one), one.answers) == (J, "no_vote", ())
