"""Requirements on pieces, lists, the register, and alternatives."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest

from homolog.evaluate.finding import Finding
from homolog.evaluate.register import Registered, RegisterExtract
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Article
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import TODAY, finding, following, judge, make_article, make_piece, make_reading, make_spec, why

C, I_, J, M, N, X = (
    Verdict.CONFORM,
    Verdict.INCONCLUSIVE,
    Verdict.NEEDS_JUDGEMENT,
    Verdict.NOT_MEASURED,
    Verdict.NONCONFORM,
    Verdict.NOT_APPLICABLE,
)
ATTRIBUTES = """
        attributes:
          role: {what: "Role", values: [field, spare, keeper]}
          player: {what: "Player"}
          paint: {what: "Paint"}
          type: {what: "Type"}
"""


def spec_of(requirement: str) -> LoadedSpec:
    return make_spec(f"{ATTRIBUTES}        requirements: [{{id: set.pieces, clause: '1', {requirement}}}]\n")


def found(spec: LoadedSpec, *pieces: Article) -> Finding:
    return finding(spec, make_article(pieces=pieces))


def field(number: int = 1, **more: str) -> tuple[Article, ...]:
    return tuple(make_piece(f"f{index}", role="field", **more) for index in range(number))


UNKNOWN, TYPO, BLANK = make_piece("?"), make_piece("typo", role="feild"), make_piece("blank", role=" ")
KEEPER = make_piece("k", role="keeper", paint="red")


@pytest.mark.parametrize(
    ("limits", "pieces", "expected"),
    [
        ("min: 2, max: 3", field(1), N),
        ("min: 2, max: 3", field(2), C),
        ("min: 2, max: 3", field(3), C),
        ("min: 2, max: 3", field(4), N),
        ("min: 2, max: 3", (*field(2), KEEPER), C),
        ("min: 2, max: 3", (), M),
        ("min: 2, max: 3", (*field(1), UNKNOWN), M),
        ("min: 2, max: 3", (*field(2), UNKNOWN), C),
        ("min: 2, max: 3", (*field(3), UNKNOWN), M),
        ("min: 2, max: 3", (*field(3), TYPO), M),
        ("min: 2, max: 3", (*field(3), BLANK), M),
        ("min: 2, max: 3", (*field(4), UNKNOWN), N),
        ("min: 3", (UNKNOWN, KEEPER), N),
        ("min: 2", field(9), C),
        ("max: 2", (KEEPER,), C),
        ("max: 0", (KEEPER,), C),
        ("max: 0", field(1), N),
        ("max: 2", (), M),
    ],
)
def test_a_count_takes_pieces_of_unknown_kind_as_perhaps(limits: str, pieces: tuple[Article, ...], expected: Verdict) -> None:
    one = found(spec_of(f"kind: count, of: {{role: field}}, {limits}"), *pieces)
    assert one.verdict is expected
    if expected is M:
        assert (why(one), following(one)[0]) in (("no_pieces", "list_pieces"), ("missing_piece_attribute", "declare"))


def test_a_count_says_what_was_counted_and_wanted() -> None:
    one = found(spec_of("kind: count, of: {role: field}, min: 2"), *field(3))
    assert one.why is not None
    assert dict(one.why.params) == {"count": "3", "min": "2", "max": ""}


def test_pieces_of_unknown_kind_are_named() -> None:
    one = found(spec_of("kind: count, of: {role: field}, min: 1"), UNKNOWN, Article(item="figure"))
    assert following(one) == ("declare", {"attributes": "role", "pieces": "?, (unnamed)"})


UNIFORM = spec_of("kind: uniform, of: {role: field}, by: paint")


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (field(3, paint="red"), C),
        ((*field(2, paint="red"), *field(1, paint=" RED ")), C),
        ((*field(2, paint="red"), *field(1, paint="blue")), N),
        ((*field(2, paint="red"), *field(1)), M),
        ((*field(2, paint="red"), *field(1, paint="  ")), M),
        (field(2, paint=""), M),
        ((*field(1, paint="red"), *field(1, paint="blue"), UNKNOWN), N),
        ((*field(2, paint="red"), make_piece("?", paint="blue")), M),
        ((*field(2, paint="red"), TYPO), M),
        ((*field(2, paint="red"), make_piece("k", role="keeper", paint="blue")), C),
        ((KEEPER,), M),
        ((), M),
    ],
)
def test_pieces_of_a_kind_are_alike(pieces: tuple[Article, ...], expected: Verdict) -> None:
    assert found(UNIFORM, *pieces).verdict is expected


def test_unlike_pieces_say_how() -> None:
    one = found(UNIFORM, *field(1, paint="red"), *field(1, paint="Blue"))
    assert one.why is not None
    assert (one.why.code, one.why.params["found"]) == ("unlike", "red / Blue")


DIFFERS = spec_of("kind: differs, of: {role: keeper}, against: {role: [field, spare]}, by: paint")


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ((KEEPER, *field(2, paint="blue")), C),
        ((KEEPER, *field(1, paint="blue"), *field(1, paint="Red")), N),
        ((KEEPER, *field(1, paint="blue"), *field(1)), M),
        ((KEEPER, *field(1, paint="blue"), *field(1, paint="")), M),
        ((KEEPER, *field(1, paint="red"), *field(1)), N),
        ((KEEPER,), M),
        (field(2, paint="blue"), M),
        ((KEEPER, *field(1, paint="blue"), UNKNOWN), M),
        ((KEEPER, *field(1, paint="blue"), TYPO), M),
        ((make_piece("k", role="keeper"), *field(1, paint="blue")), M),
        ((), M),
    ],
)
def test_no_piece_of_one_kind_is_like_one_of_another(pieces: tuple[Article, ...], expected: Verdict) -> None:
    assert found(DIFFERS, *pieces).verdict is expected


def test_a_piece_of_both_kinds_is_not_held_against_itself() -> None:
    spec = spec_of("kind: differs, of: {role: keeper}, against: {role: [keeper, field]}, by: paint")
    other = make_piece("k2", role="keeper", paint="red")
    assert found(spec, KEEPER, *field(1, paint="blue")).verdict is C
    one = found(spec, KEEPER, *field(1, paint="blue"), other)
    assert (one.verdict, why(one)) == (N, "alike")


@pytest.mark.parametrize(
    ("declared", "expected"),
    [({"paint": "Red"}, C), ({"paint": " deep  blue"}, C), ({"paint": "green"}, N), ({}, M), ({"paint": " "}, M)],
)
def test_an_attribute_is_one_of_a_list(declared: dict[str, str], expected: Verdict) -> None:
    spec = spec_of("kind: one_of, attribute: paint, values: [red, deep blue]")
    one = finding(spec, make_article(attributes=declared))
    assert one.verdict is expected
    assert why(one) == {C: "in_list", N: "not_in_list", M: "missing_attribute"}[expected]


def test_a_value_outside_the_closed_list_fails_the_list_that_asks_for_it() -> None:
    spec = spec_of("kind: one_of, attribute: role, values: [field, spare, keeper]")
    assert finding(spec, make_article(attributes={"role": "goalie"})).verdict is N


REGISTER = RegisterExtract(
    {
        "goalkeeper": {
            "Sureshot": (Registered(since=date(2020, 1, 1)),),
            "Oldie": (
                Registered(since=date(2010, 1, 1), until=date(2015, 12, 31)),
                Registered(since=date(2025, 6, 1), until=date(2025, 6, 1)),
            ),
        },
        "ball": {"Rolling": (Registered(since=date(2020, 1, 1)),)},
    }
)
APPROVED = spec_of("kind: approved")


@pytest.mark.parametrize(
    ("name", "on", "expected", "reason"),
    [
        ("Sureshot", TODAY, C, "registered"),
        ("sureshot ", TODAY, C, "registered"),
        ("Sureshot", date(2020, 1, 1), C, "registered"),
        ("Sureshot", date(2019, 12, 31), N, "not_approved_on_day"),
        ("Oldie", date(2015, 12, 31), C, "registered"),
        ("Oldie", date(2016, 1, 1), N, "not_approved_on_day"),
        ("Oldie", date(2025, 6, 1), C, "registered"),
        ("Oldie", date(2025, 6, 2), N, "not_approved_on_day"),
        ("Newbie", TODAY, N, "not_registered"),
        ("Rolling", TODAY, N, "not_registered"),
        (None, TODAY, M, "missing_attribute"),
        ("", TODAY, M, "missing_attribute"),
    ],
)
def test_a_type_stands_in_the_register_on_the_day_that_counts(name: str | None, on: date, expected: Verdict, reason: str) -> None:
    attributes = {} if name is None else {"type": name}
    one = finding(APPROVED, make_article(attributes=attributes), on=on, register=REGISTER)
    assert (one.verdict, why(one)) == (expected, reason)


def test_a_register_is_named_by_what_it_holds_and_not_by_the_order_of_its_lines() -> None:
    spans = REGISTER.types["goalkeeper"]
    turned = {"Oldie": tuple(reversed(spans["Oldie"])), "Sureshot": spans["Sureshot"]}
    assert RegisterExtract({"ball": REGISTER.types["ball"], "goalkeeper": turned}).sha256 == REGISTER.sha256
    later = {**spans, "Sureshot": (Registered(since=date(2020, 1, 2)),)}
    assert RegisterExtract({**REGISTER.types, "goalkeeper": later}).sha256 != REGISTER.sha256
    assert RegisterExtract({"ball": {"Rolling": (Registered(since=date(2020, 1, 1)),)}}).canonical == (
        b'{"ball":{"Rolling":[["2020-01-01"]]}}'
    )


@pytest.mark.parametrize("name", ["Sureshot", "Newbie"])
def test_an_extract_proves_nothing_of_a_day_after_it(name: str) -> None:
    extract = RegisterExtract(REGISTER.types, on=date(2026, 3, 1), body="fistf", digest="0" * 64)
    article = make_article(attributes={"type": name})
    last = finding(APPROVED, article, on=date(2026, 3, 1), register=extract)
    after = finding(APPROVED, article, on=date(2026, 3, 2), register=extract)
    assert last.verdict is {"Sureshot": C, "Newbie": N}[name]
    assert (after.verdict, why(after), following(after)[0]) == (M, "register_older", "look_up_register")
    assert extract.sha256 == "0" * 64


def test_a_type_that_was_never_usable_is_known_all_the_same() -> None:
    extract = RegisterExtract({"goalkeeper": {"Never": ()}})
    one = finding(APPROVED, make_article(attributes={"type": "Never"}), register=extract)
    assert (one.verdict, why(one)) == (N, "not_approved_on_day")


def test_without_a_register_at_hand_a_type_is_not_measured() -> None:
    one = finding(APPROVED, make_article(attributes={"type": "Sureshot"}))
    assert (one.verdict, why(one), following(one)[0]) == (M, "no_register", "look_up_register")


ANY = make_spec("""
    quantities:
      goalkeeper.a: {unit: mm, what: "A", methods: [caliper]}
      goalkeeper.b: {unit: mm, what: "B", methods: [caliper]}
    requirements:
      - {id: gk.outer, kind: any_of, requirements: [gk.either, gk.c], clause: "1"}
      - {id: gk.either, kind: any_of, requirements: [gk.a, gk.b], clause: "1"}
      - {id: gk.a, kind: limit, of: goalkeeper.a, max: 10 mm, clause: "1"}
      - {id: gk.b, kind: limit, of: goalkeeper.b, max: 20 mm, clause: "1"}
      - {id: gk.c, kind: limit, of: goalkeeper.b, max: 1 mm, clause: "1", purposes: [match]}
""")


@pytest.mark.parametrize(
    ("a", "b", "either"),
    [
        ("9", "25", C),
        ("12", "19", C),
        ("12", "25", N),
        ("12", None, M),
        ("10", "25", I_),
        ("10", None, I_),
        (None, None, M),
        ("9", None, C),
    ],
)
def test_one_of_several_is_as_good_as_the_best_of_them(a: str | None, b: str | None, either: Verdict) -> None:
    readings = [make_reading(value, "0.1", quantity=f"goalkeeper.{name}") for name, value in (("a", a), ("b", b)) if value]
    assessment = judge(ANY, make_article(*readings))
    one = {found.requirement: found for found in assessment.findings}
    assert (one["gk.either"].verdict, one["gk.outer"].verdict, assessment.verdict) == (either, either, either)
    assert why(one["gk.either"]) == ("one_holds" if either is C else "none_holds")
    assert [one[name].alternative_of for name in ("gk.outer", "gk.either", "gk.a", "gk.b", "gk.c")] == [
        None,
        "gk.outer",
        "gk.either",
        "gk.either",
        "gk.outer",
    ]


def test_alternatives_of_which_none_applies_do_not_apply() -> None:
    spec = make_spec("""
        requirements:
          - {id: gk.either, kind: any_of, requirements: [gk.a, gk.b], clause: "1"}
          - {id: gk.a, kind: limit, of: goalkeeper.height, max: 10 mm, clause: "1", purposes: [match]}
          - {id: gk.b, kind: limit, of: goalkeeper.height, max: 20 mm, clause: "1", purposes: [match]}
    """)
    assessment = judge(spec, make_article(make_reading("9", "0.1")))
    assert [one.verdict for one in assessment.findings] == [X, X, X]
    assert assessment.verdict is X


def test_what_is_open_in_the_best_alternative_is_the_next_step() -> None:
    one = finding(ANY, make_article(make_reading("9.95", "0.1", quantity="goalkeeper.a")), "gk.either")
    assert following(one) == ("measure_again", {"U": "0.050 mm"})


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_pieces_does_not_matter(order: tuple[int, ...]) -> None:
    pieces = (*field(1, paint="red"), make_piece("x", role="field", paint="blue"), UNKNOWN)
    assert found(UNIFORM, *(pieces[index] for index in order)).verdict is N


def sets(*each: tuple[str | None, int, str]) -> tuple[Article, ...]:
    """Return field figures as (player, number, paint)."""
    return tuple(
        make_piece(f"{player}{index}", role="field", paint=paint, **({} if player is None else {"player": player}))
        for player, number, paint in each
        for index in range(number)
    )


@pytest.mark.parametrize(
    ("pieces", "count", "alike"),
    [
        (sets(("a", 2, "red"), ("b", 2, "blue")), C, C),
        (sets(("a", 2, "red"), ("A ", 1, "red"), ("b", 2, "blue")), N, C),
        (sets(("a", 2, "red"), ("b", 3, "blue")), N, C),
        (sets(("a", 2, "red"), ("b", 1, "blue"), ("b", 1, "red")), C, N),
        (sets((None, 2, "red")), C, C),  # a sheet that names no player is one player's
        (sets((None, 3, "red")), N, C),
        (sets(("a", 2, "red"), (None, 2, "blue")), M, M),
        (sets(("a", 3, "red"), (" ", 2, "blue")), M, M),
        ((*sets(("a", 2, "red")), make_piece("?", player="b")), N, M),
        ((), M, M),
    ],
)
def test_each_players_pieces_are_judged_apart(pieces: tuple[Article, ...], count: Verdict, alike: Verdict) -> None:
    assert found(spec_of("kind: count, of: {role: field}, each: player, min: 2, max: 2"), *pieces).verdict is count
    assert found(spec_of("kind: uniform, of: {role: field}, each: player, by: paint"), *pieces).verdict is alike


def test_each_players_keeper_differs_from_that_players_figures() -> None:
    spec = spec_of("kind: differs, of: {role: keeper}, against: {role: field}, each: player, by: paint")
    keepers = [
        make_piece(f"k{player}", role="keeper", player=player, paint=paint) for player, paint in (("a", "blue"), ("b", "red"))
    ]
    figures = sets(("a", 2, "red"), ("b", 2, "blue"))
    assert found(spec, *figures, *keepers).verdict is C
    assert found(spec, *figures, keepers[0], make_piece("kb", role="keeper", player="b", paint="blue")).verdict is N
    assert found(spec, *figures, keepers[0]).verdict is M
