"""What must hold of every verdict, whatever the article."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cache, reduce
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from homolog.evaluate.finding import Finding
from homolog.evaluate.verdict import Verdict, greatest, least, under_open_readings
from homolog.quantity import Answer, Article, Reading
from homolog.spec.load import LoadedSpec
from tests.evaluate.make import finding, judge, make_answer, make_article, make_gauge, make_reading, make_spec, without_reading

settings.register_profile("evaluate", deadline=None, max_examples=80)
settings.load_profile("evaluate")

VERDICTS = st.sampled_from(list(Verdict))
APPLICABLE = st.sampled_from([one for one in Verdict if one is not Verdict.NOT_APPLICABLE])
MANY = st.lists(VERDICTS, max_size=6)


def hundredths(low: int, high: int) -> st.SearchStrategy[Decimal]:
    return st.integers(low, high).map(lambda number: Decimal(number) / 100)


VALUES, SPREADS = hundredths(2500, 4200), hundredths(0, 150)
PURPOSES = st.sampled_from(["self_test", "match", "recheck", "type_approval"])


# The order


@given(MANY, MANY)
def test_the_order_of_findings_does_not_matter(first: list[Verdict], second: list[Verdict]) -> None:
    for combine in (least, greatest, under_open_readings):
        assert combine([*first, *second]) is combine([*second, *first])


@given(MANY, MANY, MANY)
def test_findings_may_be_joined_in_groups(first: list[Verdict], second: list[Verdict], third: list[Verdict]) -> None:
    for combine in (least, greatest):
        assert combine([combine([*first, combine(second)]), *third]) is combine([*first, *second, *third])
        assert reduce(lambda one, other: combine([one, other]), [*first, *second], Verdict.NOT_APPLICABLE) is combine(
            [*first, *second]
        )


@given(VERDICTS, st.integers(1, 4))
def test_a_finding_twice_says_what_it_says_once(one: Verdict, times: int) -> None:
    for combine in (least, greatest, under_open_readings):
        assert combine([one] * times) is one


@given(st.lists(APPLICABLE, min_size=1, max_size=6), st.data())
def test_a_better_finding_never_makes_the_whole_worse(found: list[Verdict], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(found) - 1))
    better = data.draw(APPLICABLE.filter(lambda one: one >= found[index]))
    changed = [*found[:index], better, *found[index + 1 :]]
    assert least(changed) >= least(found)
    assert greatest(changed) >= greatest(found)


@given(VERDICTS, VERDICTS, VERDICTS)
def test_the_order_is_total(one: Verdict, other: Verdict, third: Verdict) -> None:
    assert (one < other) + (one is other) + (one > other) == 1
    if one <= other <= third:
        assert one <= third


@given(MANY)
def test_least_lies_under_greatest_and_open_readings_conform_only_together(found: list[Verdict]) -> None:
    assert least(found) <= greatest(found)
    applicable = [one for one in found if one is not Verdict.NOT_APPLICABLE]
    conforms = under_open_readings(found) is Verdict.CONFORM
    assert conforms == (bool(applicable) and all(one is Verdict.CONFORM for one in applicable))
    fails = under_open_readings(found) is Verdict.NONCONFORM
    assert fails == (bool(applicable) and all(one is Verdict.NONCONFORM for one in applicable))


@given(MANY, VERDICTS)
def test_one_more_reading_of_an_open_question_never_rescues_it(found: list[Verdict], more: Verdict) -> None:
    if under_open_readings(found) in (Verdict.NONCONFORM, Verdict.NEEDS_JUDGEMENT):
        assert under_open_readings([*found, more]) is not Verdict.CONFORM


# One quantity against one limit


@cache
def limit_spec(low: Decimal | None, high: Decimal | None, strict: bool, unit: str = "mm") -> LoadedSpec:
    lower = "" if low is None else f", {'above' if strict else 'min'}: {low} {unit}"
    upper = "" if high is None else f", {'below' if strict else 'max'}: {high} {unit}"
    return make_spec(f"""
        quantities:
          goalkeeper.height: {{unit: mm, what: "Height", methods: [caliper, bare, gauge]}}
        requirements: [{{id: gk.height, kind: limit, of: goalkeeper.height, clause: "1"{lower}{upper}}}]
    """)


@st.composite
def limits(draw: st.DrawFn) -> tuple[Decimal | None, Decimal | None, bool]:
    low, high, strict = draw(
        st.sampled_from([(None, 39, True), (27, None, True), (27, 39, True), (27, 39, False), (30, 30, False)])
    )
    return (None if low is None else Decimal(low), None if high is None else Decimal(high), strict and draw(st.booleans()))


def height(value: Decimal, U: Decimal | None, unit: str = "mm", **more: Any) -> Reading:
    return make_reading(str(value), None if U is None else str(U), unit=unit, method="bare", **more)


def verdict_of(spec: LoadedSpec, *readings: Reading) -> Verdict:
    return finding(spec, make_article(*readings)).verdict


@given(limits(), VALUES, SPREADS)
def test_a_guarded_yes_or_no_is_true_of_every_value_within_u(limit: tuple[Any, Any, bool], value: Decimal, U: Decimal) -> None:
    low, high, strict = limit
    spec = limit_spec(*limit)

    def holds(number: Decimal) -> bool:
        above = low is None or (number > low if strict else number >= low)
        return above and (high is None or (number < high if strict else number <= high))

    found = verdict_of(spec, height(value, U))
    ends = [holds(value - U), holds(value), holds(value + U)]
    assert (found is Verdict.CONFORM) == all(ends)
    if found is Verdict.NONCONFORM:
        assert not any(ends)


@given(limits(), VALUES, SPREADS, st.sampled_from(["cm", "m", "in"]))
def test_the_unit_of_the_sheet_never_changes_a_verdict(limit: tuple[Any, Any, bool], value: Decimal, U: Decimal, unit: str) -> None:
    size = {"cm": Decimal(10), "m": Decimal(1000), "in": Decimal("25.4")}[unit]
    spec = limit_spec(*limit)
    if unit == "in":  # inches are exact towards millimetres, so these are the values that are written
        assert verdict_of(spec, height(value / 10, U / 10, "in")) is verdict_of(spec, height(value / 10 * size, U / 10 * size))
    else:
        assert verdict_of(spec, height(value / size, U / size, unit)) is verdict_of(spec, height(value, U))


@given(limits(), VALUES, SPREADS)
def test_the_unit_of_the_limit_never_changes_a_verdict(limit: tuple[Any, Any, bool], value: Decimal, U: Decimal) -> None:
    low, high, strict = limit
    in_cm = limit_spec(None if low is None else low / 10, None if high is None else high / 10, strict, "cm")
    assert verdict_of(in_cm, height(value, U)) is verdict_of(limit_spec(*limit), height(value, U))


@given(limits(), VALUES, SPREADS, st.sampled_from([Decimal(5), Decimal("-12.34"), Decimal("0.001")]))
def test_moving_value_and_limit_together_changes_nothing(
    limit: tuple[Any, Any, bool], value: Decimal, U: Decimal, by: Decimal
) -> None:
    low, high, strict = limit
    moved = limit_spec(None if low is None else low + by, None if high is None else high + by, strict)
    one = finding(limit_spec(*limit), make_article(height(value, U)))
    other = finding(moved, make_article(height(value + by, U)))
    assert (one.verdict, one.decided[0].probability) == (other.verdict, other.decided[0].probability)
    assert one.decided[0].margin == other.decided[0].margin


@given(limits(), VALUES, SPREADS, SPREADS)
def test_more_uncertainty_never_decides_anything(limit: tuple[Any, Any, bool], value: Decimal, U: Decimal, more: Decimal) -> None:
    spec = limit_spec(*limit)
    sharp, blunt = verdict_of(spec, height(value, U)), verdict_of(spec, height(value, U + more))
    assert blunt in (sharp, Verdict.INCONCLUSIVE)


@st.composite
def readings(draw: st.DrawFn, quantity: str = "goalkeeper.height", places: tuple[str | None, ...] = (None,)) -> Reading:
    place = draw(st.sampled_from(places))
    form = draw(st.sampled_from(["value", "default", "gauge", "lo", "hi"]))
    if form == "gauge":
        size, result = draw(VALUES), draw(st.sampled_from(["go", "no_go"]))
        return make_gauge(str(size), result, quantity=quantity, place=place)
    if form in ("lo", "hi"):
        return make_reading(quantity=quantity, method="bare", place=place, **{form: str(draw(VALUES))})
    if form == "default":
        return make_reading(str(draw(VALUES)), quantity=quantity, place=place)
    return height(draw(VALUES), draw(SPREADS), quantity=quantity, place=place)


@given(limits(), st.lists(readings(), min_size=1, max_size=4), st.randoms())
def test_the_order_of_readings_does_not_matter(limit: tuple[Any, Any, bool], found: list[Reading], random: Any) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert verdict_of(limit_spec(*limit), *found) is verdict_of(limit_spec(*limit), *shuffled)


@given(limits(), st.lists(readings(), min_size=1, max_size=4), readings())
def test_one_more_reading_agrees_or_contradicts_but_never_turns_a_verdict_round(
    limit: tuple[Any, Any, bool], found: list[Reading], more: Reading
) -> None:
    spec = limit_spec(*limit)
    before, after = verdict_of(spec, *found), verdict_of(spec, *found, more)
    if before in (Verdict.CONFORM, Verdict.NONCONFORM, Verdict.ERROR):
        assert after in (before, Verdict.ERROR)


# A whole sheet: fewer words never make a better verdict

SHEET = make_spec("""
    quantities:
      goalkeeper.height: {unit: mm, what: "Height", methods: [caliper, bare, gauge], at_most: goalkeeper.reach}
      goalkeeper.reach: {unit: mm, what: "Reach", methods: [caliper, bare, gauge]}
      goalkeeper.ends: {unit: mm, what: "Ends", methods: [caliper, bare, gauge], each: [end_a, end_b]}
    derived:
      goalkeeper.rest: {op: difference, of: [goalkeeper.reach, goalkeeper.height], unit: mm, what: "Rest"}
      goalkeeper.uneven: {op: spread, of: [goalkeeper.ends], unit: mm, what: "Uneven"}
    attributes:
      family: {what: "Family", values: [none, flat]}
      paint: {what: "Paint"}
      role: {what: "Role", values: [field, keeper]}
    interpretations:
      - {id: INT-x, clause: "1", question: "?", status: proposed, readings: [
          {id: as-is, says: "A"}, {id: reach, uses: goalkeeper.reach, says: "B"}, {id: asked, ask: "?", says: "C"}]}
    requirements:
      - {id: gk.height, kind: limit, of: goalkeeper.height, max: 39 mm, clause: "1"}
      - {id: gk.ends, kind: limit, of: goalkeeper.ends, max: 39 mm, clause: "1"}
      - {id: gk.rest, kind: limit, of: goalkeeper.rest, within: 8 mm, clause: "1"}
      - {id: gk.uneven, kind: limit, of: goalkeeper.uneven, max: 5 mm, clause: "1"}
      - {id: gk.cases, kind: limit, of: goalkeeper.height, max: 36 mm, clause: "1", cases: [{when: {family: flat}, max: 39 mm}]}
      - {id: gk.flat, kind: limit, of: goalkeeper.height, max: 36 mm, clause: "1", when: {family: flat}}
      - {id: gk.open, kind: limit, of: goalkeeper.height, max: 38 mm, clause: "1", interpretation: INT-x}
      - {id: gk.straight, kind: inspect, ask: "?", clause: "1"}
      - {id: gk.body, kind: judge, ask: "?", clause: "1", panel: {votes: 1, pass: majority}}
      - {id: gk.any, kind: any_of, requirements: [gk.low, gk.high], clause: "1"}
      - {id: gk.low, kind: limit, of: goalkeeper.reach, max: 30 mm, clause: "1"}
      - {id: gk.high, kind: limit, of: goalkeeper.reach, min: 36 mm, clause: "1"}
      - {id: gk.listed, kind: one_of, attribute: paint, values: [red, blue], clause: "1"}
      - {id: set.number, kind: count, of: {role: field}, min: 1, max: 2, clause: "1"}
      - {id: set.alike, kind: uniform, of: {role: field}, by: paint, clause: "1"}
      - {id: set.unlike, kind: differs, of: {role: keeper}, against: {role: field}, by: paint, clause: "1"}
""")


@st.composite
def attributes(draw: st.DrawFn) -> dict[str, str]:
    drawn = {
        "family": draw(st.sampled_from(["", "none", "flat", "falt", "Flat"])),
        "paint": draw(st.sampled_from(["", "red", "blue", "green"])),
        "role": draw(st.sampled_from(["", "field", "keeper", "feild"])),
    }
    return {name: value for name, value in drawn.items() if draw(st.integers(0, 3))}


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    return make_answer(
        draw(st.booleans()),
        draw(st.sampled_from(["maker", "laboratory", "board"])),
        asks=draw(st.sampled_from(["gk.straight", "gk.body", "gk.open"])),
        by=draw(st.sampled_from([None, "A", "B"])),
        reading=draw(st.sampled_from([None, None, "asked"])),
        place=draw(st.sampled_from([None, None, "end_a", "end_b"])),
    )


def of_quantity(quantity: str) -> st.SearchStrategy[Reading]:
    return readings(quantity, (None, "end_a", "end_b") if quantity == "goalkeeper.ends" else (None,))


SHEETS = st.builds(
    lambda found, said, its, pieces: make_article(
        *found,
        answers=tuple(said),
        attributes=its,
        pieces=tuple(Article(item="figure", name="p", attributes=piece) for piece in pieces),
    ),
    st.lists(st.sampled_from(["goalkeeper.height", "goalkeeper.reach", "goalkeeper.ends"]).flatmap(of_quantity), max_size=5),
    st.lists(answers(), max_size=4),
    attributes(),
    st.lists(attributes(), max_size=3),
)


def by_id(article: Article, purpose: str) -> dict[str, Finding]:
    return {found.requirement: found for found in judge(SHEET, article, purpose=purpose).findings}


def contradicts_itself(found: Finding) -> bool:
    """Whether the sheet says two things of one: taking one of them away settles it, one way or the other."""
    codes = [found.why] + [decided.why for decided in found.decided]
    codes += [one.why for outcome in (found.interpretation.readings if found.interpretation else ()) for one in outcome.decided]
    return any(
        why is not None and why.code in ("contradiction", "answers_disagree", "votes_missing", "votes_tied", "votes")
        for why in codes
    )


def no_better(article: Article, smaller: Article, purpose: str) -> None:
    before, after = by_id(article, purpose), by_id(smaller, purpose)
    # A larger quantity's readings bound a smaller one's too, so that their contradiction is not seen in its own finding.
    assume(not any(one.why is not None and one.why.code == "contradiction" for one in before.values()))
    for name, found in after.items():
        if found.verdict is Verdict.CONFORM and not contradicts_itself(before[name]):
            assert before[name].verdict is Verdict.CONFORM, name


@given(SHEETS, PURPOSES, st.data())
def test_removing_a_reading_never_turns_a_verdict_into_conform(article: Article, purpose: str, data: st.DataObject) -> None:
    assume(article.readings)
    no_better(article, without_reading(article, data.draw(st.integers(0, len(article.readings) - 1))), purpose)


@given(SHEETS, PURPOSES, st.data())
def test_removing_an_answer_that_nobody_contradicts_never_turns_a_verdict_into_conform(
    article: Article, purpose: str, data: st.DataObject
) -> None:
    assume(article.answers)
    index = data.draw(st.integers(0, len(article.answers) - 1))
    gone = article.answers[index]
    others = article.answers[:index] + article.answers[index + 1 :]
    # A no beside a yes of the same question is a contradiction, also where one of them speaks of a single place.
    assume(gone.yes or not any(one.asks == gone.asks and one.yes for one in others))
    no_better(article, replace(article, answers=others), purpose)


@given(SHEETS, PURPOSES, st.data())
def test_removing_an_attribute_never_turns_a_verdict_into_conform(article: Article, purpose: str, data: st.DataObject) -> None:
    assume(article.attributes)
    gone = data.draw(st.sampled_from(sorted(article.attributes)))
    left = {name: value for name, value in article.attributes.items() if name != gone}
    no_better(article, replace(article, attributes=left), purpose)


@given(SHEETS, PURPOSES, st.data())
def test_removing_a_pieces_attribute_never_turns_a_verdict_into_conform(
    article: Article, purpose: str, data: st.DataObject
) -> None:
    assume(any(piece.attributes for piece in article.pieces))
    index = data.draw(st.sampled_from([index for index, piece in enumerate(article.pieces) if piece.attributes]))
    piece = article.pieces[index]
    gone = data.draw(st.sampled_from(sorted(piece.attributes)))
    poorer = replace(piece, attributes={name: value for name, value in piece.attributes.items() if name != gone})
    no_better(article, replace(article, pieces=(*article.pieces[:index], poorer, *article.pieces[index + 1 :])), purpose)


@given(SHEETS, PURPOSES)
def test_an_empty_sheet_conforms_to_nothing_and_no_sheet_is_a_crash(article: Article, purpose: str) -> None:
    assessment = judge(SHEET, article, purpose=purpose)
    assert [one.requirement for one in assessment.findings] == [requirement.id for requirement in SHEET.spec.requirements]
    counting = [one.verdict for one in assessment.findings if one.alternative_of is None]
    assert assessment.verdict is least(counting)
    for one in assessment.findings:
        if one.verdict not in (Verdict.CONFORM, Verdict.NONCONFORM, Verdict.NOT_APPLICABLE):
            assert one.next is not None, one
        assert one.why is not None
    assert all(one.verdict is not Verdict.CONFORM for one in judge(SHEET, make_article(), purpose=purpose).findings)


@given(SHEETS, PURPOSES, st.randoms())
def test_the_order_of_the_sheet_does_not_matter(article: Article, purpose: str, random: Any) -> None:
    found, said = list(article.readings), list(article.answers)
    random.shuffle(found)
    random.shuffle(said)
    other = by_id(replace(article, readings=tuple(found), answers=tuple(said)), purpose)
    assert {name: one.verdict for name, one in by_id(article, purpose).items()} == {
        name: one.verdict for name, one in other.items()
    }


# Open questions

READINGS = [
    "{id: r%d, max: 30 mm, says: S}",
    "{id: r%d, max: 39 mm, says: S}",
    "{id: r%d, demands: nothing, says: S}",
    "{id: r%d, ask: A, says: S}",
]


@cache
def open_spec(kinds: tuple[int, ...]) -> LoadedSpec:
    listed = ", ".join(READINGS[kind] % number for number, kind in enumerate(kinds))
    return make_spec(f"""
        interpretations: [{{id: INT-x, clause: "1", question: "?", status: proposed, readings: [{listed}]}}]
        requirements: [{{id: gk.height, kind: limit, of: goalkeeper.height, clause: "1", interpretation: INT-x}}]
    """)


KINDS = st.lists(st.integers(0, 3), min_size=2, max_size=4).map(tuple)


@given(KINDS, st.integers(0, 3), VALUES, st.booleans())
def test_a_proposed_interpretation_conforms_only_where_every_reading_does(
    kinds: tuple[int, ...], more: int, value: Decimal, answered: bool
) -> None:
    said = (make_answer(True, asks="gk.height"),) if answered else ()
    article = make_article(make_reading(str(value), "0.1"), answers=said)
    one = finding(open_spec(kinds), article)
    assert one.interpretation is not None
    each = [outcome.verdict for outcome in one.interpretation.readings]
    assert (one.verdict is Verdict.CONFORM) == all(found is Verdict.CONFORM for found in each)
    if one.verdict in (Verdict.NONCONFORM, Verdict.NEEDS_JUDGEMENT):
        assert finding(open_spec((*kinds, more)), article).verdict is not Verdict.CONFORM


# Derived quantities


@cache
def derived_spec(op: str, limit: str) -> LoadedSpec:
    unit = "count" if op == "ratio" else "mm"
    return make_spec(f"""
        quantities:
          goalkeeper.a: {{unit: mm, what: "A", methods: [bare]}}
          goalkeeper.b: {{unit: mm, what: "B", methods: [bare]}}
        derived: {{goalkeeper.d: {{op: {op}, of: [goalkeeper.a, goalkeeper.b], unit: {unit}, what: "D"}}}}
        requirements: [{{id: gk.d, kind: limit, of: goalkeeper.d, clause: "1", {limit} {unit}}}]
    """)


DERIVED = st.sampled_from(
    [("difference", "within: 3"), ("sum", "max: 6"), ("distance", "max: 5"), ("ratio", "max: 1.2"), ("spread", "max: 2")]
)
SMALL, BLUR = hundredths(1, 600), hundredths(0, 60)


@given(DERIVED, SMALL, SMALL, BLUR, BLUR, BLUR, st.booleans())
def test_more_uncertainty_of_a_part_never_decides_a_derived_quantity(
    rule: tuple[str, str], a: Decimal, b: Decimal, a_u: Decimal, b_u: Decimal, more: Decimal, shared: bool
) -> None:
    tool = "T" if shared else None
    spec = derived_spec(*rule)

    def found(u: Decimal) -> Verdict:
        return verdict_of(
            spec, height(a, u, quantity="goalkeeper.a", instrument=tool), height(b, b_u, quantity="goalkeeper.b", instrument=tool)
        )

    sharp, blunt = found(a_u), found(a_u + more)
    assert blunt in (sharp, Verdict.INCONCLUSIVE, Verdict.NOT_MEASURED)


@given(DERIVED, SMALL, SMALL, BLUR, BLUR)
def test_one_instrument_is_never_sharper_than_two(
    rule: tuple[str, str], a: Decimal, b: Decimal, a_u: Decimal, b_u: Decimal
) -> None:
    spec = derived_spec(*rule)
    one, two = (
        verdict_of(
            spec, height(a, a_u, quantity="goalkeeper.a", instrument="T"), height(b, b_u, quantity="goalkeeper.b", instrument=tool)
        )
        for tool in ("T", "V")
    )
    assert one in (two, Verdict.INCONCLUSIVE)
