"""The public shape of a sheet, and every way in which one is refused."""

from __future__ import annotations

import hashlib
import time
from decimal import Decimal

import pytest

from homolog.quantity import Answer, Reading, Unmeasured
from homolog.submission.submission import ScanReference
from tests.submission.sheets import keeper, one_problem, read, refused

BOARD = """format: homolog-submission/1
item: board
attributes: {family: none, maker: Acme, model: "7"}
readings:
  board.playing_area_length: {value: 120 cm, U: 1 mm, method: ruler, instrument: R-2}
  board.penalty_area_depth: {end_a: {value: 150 mm, U: 0.5 mm, method: ruler}, end_b: {value: 149 mm}}
  board.fence_height: {gauge: 100.5 mm, U: 0.02 mm, result: go}
  board.line_width: {line_1: {value: 2 mm}}
answers:
  board.level: {answer: yes, by: A. Referee, role: referee}
scans: [{file: x.stl, unit: mm, source: structured_light}]
"""


def make_reading(**given: object) -> Reading:
    fields: dict[str, object] = {"quantity": "goalkeeper.height", "unit": "mm", "evidence": "sheet.yaml:4:3"}
    return Reading(**{**fields, **given})  # type: ignore[arg-type]


def test_the_public_shape_is_read_as_it_is_written() -> None:
    (submission,) = read(BOARD)
    article = submission.article
    assert (article.item, dict(article.attributes)) == ("board", {"family": "none", "maker": "Acme", "model": "7"})
    assert article.readings[0] == make_reading(
        quantity="board.playing_area_length",
        value=Decimal(1200),
        expanded_uncertainty=Decimal(1),
        method="ruler",
        instrument="R-2",
        evidence="sheet.yaml:5:3",
    )
    assert [(r.place, r.value, r.expanded_uncertainty) for r in article.readings[1:3]] == [
        ("end_a", Decimal(150), Decimal("0.5")),
        ("end_b", Decimal(149), None),
    ]
    fence = article.readings[3]
    assert (fence.gauge_size, fence.gauge_result, fence.expanded_uncertainty, fence.method) == (
        Decimal("100.5"),
        "go",
        Decimal("0.02"),
        "gauge",
    )
    assert article.readings[4].place == "line_1"
    assert article.answers == (Answer(asks="board.level", yes=True, by="A. Referee", role="referee"),)
    assert submission.scans == (ScanReference(file="x.stl", unit="mm", source="structured_light"),)
    assert (submission.format, submission.row, submission.name) == ("yaml", None, "sheet.yaml")
    assert submission.sha256 == hashlib.sha256(BOARD.encode()).hexdigest()


def test_bounds_become_open_or_closed_intervals() -> None:
    sheet = keeper("readings:", "  goalkeeper.height: [{at_least: 38 mm, at_most: 3.9 cm}, {at_most: 40 mm, method: caliper}]")
    first, second = read(sheet)[0].article.readings
    assert (first.lo, first.hi) == (Decimal(38), Decimal(39))
    assert (second.lo, second.hi, second.method) == (None, Decimal(40), "caliper")


@pytest.mark.parametrize(("word", "result"), [("go", "go"), ("no_go", "no_go"), ("no-go", "no_go")])
def test_a_gauge_says_go_or_no_go(word: str, result: str) -> None:
    sheet = keeper("readings:", f"  goalkeeper.height: {{gauge: 39 mm, result: {word}, method: snap}}")
    (reading,) = read(sheet)[0].article.readings
    assert (reading.gauge_result, reading.method) == (result, "snap")


def test_what_could_not_be_measured_keeps_its_reason() -> None:
    article = read(keeper("readings:", "  goalkeeper.height: {unmeasured: the head is broken off}"))[0].article
    assert article.unmeasured == (Unmeasured(quantity="goalkeeper.height", reason="the head is broken off"),)
    assert article.readings == ()


def test_sub_quantities_and_derived_ones_can_be_stated() -> None:
    sheet = keeper(
        "readings:",
        "  goalkeeper.volume.outer: {value: 2.6 cm3, method: displacement}",
        "  goalkeeper.volume.material: {value: 2 ml}",
        "  goalkeeper.height_minus_width: {value: -3 mm}",
        "  goalkeeper.offset: {value: -1 mm}",
    )
    assert [(r.quantity, r.value, r.unit) for r in read(sheet)[0].article.readings] == [
        ("goalkeeper.volume.outer", Decimal(2600), "mm3"),
        ("goalkeeper.volume.material", Decimal(2000), "mm3"),
        ("goalkeeper.height_minus_width", Decimal(-3), "mm"),
        ("goalkeeper.offset", Decimal(-1), "mm"),
    ]


def test_votes_are_answers_of_the_board() -> None:
    sheet = keeper("answers:", "  gk.human_body: {votes: [{answer: yes, by: A}, {answer: no, by: B}, {answer: YES, by: C}]}")
    answers = read(sheet)[0].article.answers
    assert [(answer.yes, answer.by, answer.role) for answer in answers] == [
        (True, "A", "board"),
        (False, "B", "board"),
        (True, "C", "board"),
    ]


def test_an_answer_may_name_the_reading_it_was_given_for_and_a_place() -> None:
    sheet = keeper(
        "answers:", "  goalkeeper.complete: [{answer: no, role: maker, reading: strict}, {answer: yes, role: maker, place: end_a}]"
    )
    first, second = read(sheet)[0].article.answers
    assert (first.asks, first.reading, second.place) == ("goalkeeper.complete", "strict", "end_a")


def test_what_is_empty_is_not_stated() -> None:
    sheet = keeper(
        "name:",
        "attributes:",
        "  family:",
        "readings:",
        "  goalkeeper.height:",
        "    value:",
        "    U:",
        "answers:",
        "  gk.complete:",
        "    answer:",
        "    role:",
    )
    article = read(sheet)[0].article
    assert (article.name, dict(article.attributes), article.readings, article.answers) == (None, {}, (), ())


def test_a_set_lists_its_pieces_with_their_own_fields() -> None:
    text = """format: homolog-submission/1
item: set
pieces:
  - attributes: {role: field_figure, base_colour: red}
    readings: {figure.height: {value: 35 mm}}
    scans: [{file: one.stl}]
  - item: goalkeeper
    name: keeper
    attributes: {role: goalkeeper, family: flat}
    answers: {gk.complete: {answer: yes, role: maker}}
"""
    (submission,) = read(text)
    figure, goalkeeper = submission.article.pieces
    assert (figure.item, dict(figure.attributes), figure.readings[0].value) == (
        "figure",
        {"role": "field_figure", "base_colour": "red"},
        Decimal(35),
    )
    assert (goalkeeper.item, goalkeeper.name, goalkeeper.answers[0].asks) == ("goalkeeper", "keeper", "gk.complete")
    assert submission.scans == (ScanReference(file="one.stl", piece=(0,)),)


def test_a_lot_is_many_samples_that_share_what_is_said_once() -> None:
    sheet = keeper(
        "attributes: {maker: Acme}",
        "samples:",
        "  - {name: s1, readings: {goalkeeper.height: {value: 38 mm}}}",
        "  - {name: s2, attributes: {family: none}}",
    )
    first, second = read(sheet)
    assert (first.row, first.article.name, dict(first.article.attributes)) == (1, "s1", {"maker": "Acme"})
    assert (second.row, dict(second.article.attributes)) == (2, {"maker": "Acme", "family": "none"})
    assert first.sha256 == second.sha256


R = "  goalkeeper.height: "
REFUSALS = [
    ("an unknown key", ["reading: {}"], "3:1", "key_unknown"),
    ("an unknown quantity", ["readings:", "  goalkeeper.hieght: {value: 1 mm}"], "4:3", "quantity_unknown"),
    ("a quantity of another item", ["readings:", "  figure.base_diameter: {value: 1 mm}"], "4:3", "quantity_unknown"),
    ("an unknown field", ["readings:", R + "{value: 1 mm, uncertainty: 1 mm}"], "4:36", "key_unknown"),
    ("a plain number", ["readings:", R + "{value: 38.9}"], "4:23", "number_without_unit"),
    ("underscores", ["readings:", R + "{value: 1_000 mm}"], "4:23", "number_invalid"),
    ("an exponent", ["readings:", R + "{value: 1e1 mm}"], "4:23", "number_invalid"),
    ("Arabic digits", ["readings:", R + "{value: ٣٨ mm}"], "4:23", "number_invalid"),
    ("NaN", ["readings:", R + "{value: NaN mm}"], "4:23", "number_invalid"),
    ("infinity", ["readings:", R + "{value: .inf mm}"], "4:23", "number_invalid"),
    ("an unknown unit", ["readings:", R + "{value: 38 mn}"], "4:23", "unit_unknown"),
    ("a unit of another dimension", ["readings:", R + "{value: 38 g}"], "4:23", "unit_dimension"),
    ("a negative U", ["readings:", R + "{value: 38 mm, U: -0.1 mm}"], "4:37", "size_impossible"),
    ("a negative length", ["readings:", R + "{value: -38 mm}"], "4:23", "size_impossible"),
    ("a size above 10 m", ["readings:", R + "{value: 10.001 m}"], "4:23", "size_impossible"),
    ("half a count", ["readings:", "  goalkeeper.players: {value: 1.5 count}"], "4:24", "size_impossible"),
    ("a thousand separator", ["readings:", R + '{value: "1,200 mm"}'], "4:23", "number_ambiguous"),
    ("a comma that cuts a number", ["readings:", R + "{unmeasured: x, 9 mm}"], "4:38", "key_unknown"),
    ("a place where there is none", ["readings:", R + "{end_a: {value: 38 mm}}"], "4:23", "place_unknown"),
    ("a reading that is a text", ["readings:", R + "38 mm"], "4:3", "shape"),
    ("an empty reading", ["readings:", R + "{}"], "4:3", "reading_form"),
    ("U without a value", ["readings:", R + "{U: 1 mm, value: }"], "4:3", "reading_form"),
    ("a value and a gauge", ["readings:", R + "{value: 1 mm, gauge: 1 mm, result: go}"], "4:3", "reading_form"),
    ("a gauge without result", ["readings:", R + "{gauge: 1 mm}"], "4:23", "reading_form"),
    ("a result without gauge", ["readings:", R + "{result: go}"], "4:23", "reading_form"),
    ("an unknown method", ["readings:", R + "{value: 38 mm, method: calipers}"], "4:37", "method_unknown"),
    ("an unknown result", ["readings:", R + "{gauge: 1 mm, result: maybe}"], "4:36", "result_unknown"),
    ("bounds with U", ["readings:", R + "{at_most: 1 mm, U: 1 mm}"], "4:38", "reading_form"),
    ("bounds that cross", ["readings:", R + "{at_least: 2 mm, at_most: 1 mm}"], "4:23", "reading_form"),
    ("unmeasured with a value", ["readings:", R + "{unmeasured: lost, value: 1 mm}"], "4:41", "reading_form"),
    ("an unknown attribute", ["attributes: {familly: none}"], "3:14", "attribute_unknown"),
    ("an attribute out of its list", ["attributes: {family: flatt}"], "3:14", "attribute_value"),
    ("an unknown question", ["answers:", "  gk.humanbody: {answer: yes, role: board}"], "4:3", "question_unknown"),
    ("an answer without a role", ["answers:", "  gk.human_body: {answer: yes, by: A}"], "4:3", "answer_form"),
    ("an unknown role", ["answers:", "  gk.human_body: {answer: yes, role: judge}"], "4:32", "role_unknown"),
    ("an answer that is no answer", ["answers:", "  gk.human_body: {answer: true, role: board}"], "4:19", "answer_form"),
    ("an answer that is a text", ["answers:", "  gk.human_body: yes"], "4:3", "answer_form"),
    ("a vote without a name", ["answers:", "  gk.human_body: {votes: [{answer: yes}]}"], "4:27", "answer_form"),
    ("a vote of the maker", ["answers:", "  gk.human_body: {role: maker, votes: [{answer: yes, by: A}]}"], "4:19", "answer_form"),
    (
        "a second vote of one person",
        [
            "answers:",
            "  gk.human_body:",
            "    votes: [{answer: yes, by: A. B}]",
            "  gk.complete:",
            "    - {answer: no, role: board, by: A. B}",
            '    - {answer: yes, role: maker, by: "a.  b"}',
        ],
        "8:7",
        "vote_twice",
    ),
    (
        "a second vote under a name that looks the same",
        ["answers:", "  gk.human_body:", "    votes: [{answer: yes, by: Anna Rossi}, {answer: yes, by: АNNА  Rоssi}]"],
        "5:44",
        "vote_twice",
    ),
    (
        "two answers of nobody",
        ["answers:", "  gk.complete: [{answer: no, role: maker}, {answer: yes, role: maker}]"],
        "4:44",
        "vote_nameless",
    ),
    (
        "a reading that an answer cannot name",
        ["answers:", "  gk.complete: {answer: no, role: maker, reading: lax}"],
        "4:42",
        "reading_unknown",
    ),
    (
        "a reading where nothing turns on one",
        ["answers:", "  gk.human_body: {answer: no, role: board, reading: a}"],
        "4:44",
        "reading_unknown",
    ),
    ("a place that is no label", ["readings:", R + "{end a: 38 mm}"], "4:23", "key_unknown"),
    ("a nested value", ["readings:", R + "{value: [38 mm]}"], "4:23", "shape"),
    ("a list in place of a mapping", ["readings: [a]"], "3:1", "shape"),
    ("a text in place of a list", ["scans: x.stl"], "3:1", "shape"),
    ("a list in place of a name", ["name: [x]"], "3:1", "shape"),
    ("an answer without its answer", ["answers:", "  gk.complete: {role: maker}"], "4:3", "answer_form"),
    ("an empty answer", ["answers:", "  gk.complete: {}"], "4:3", "answer_form"),
    ("too many scans", [f"scans: [{', '.join(['{file: x.stl}'] * 101)}]"], "3:1", "too_many_scans"),
    ("a misspelt bound", ["readings:", R + "{hi: 38 mm, method: gauge}"], "4:23", "key_unknown"),
    ("a scan in a folder", ["scans: [{file: ../x.stl}]"], "3:10", "scan_file"),
    ("a scan without a file", ["scans: [{unit: mm}]"], "3:9", "scan_file"),
    ("a scan in an unknown unit", ["scans: [{file: x.stl, unit: ft}]"], "3:23", "unit_unknown"),
    ("a scan from an unknown source", ["scans: [{file: x.stl, source: kinect}]"], "3:23", "scan_source"),
    ("pieces of a goalkeeper", ["pieces: [{item: figure}]"], "3:1", "piece_item"),
    ("a duplicate key", ["readings:", R + "{value: 1 mm}", R + "{value: 2 mm}"], "5:3", "key_duplicate"),
    ("an alias", ["name: &a x", "attributes: {maker: *a}"], "3:7", "yaml_alias"),
    ("a tag", ["name: !!str x"], "3:7", "yaml_tag"),
    ("a name that cannot be printed", ["name: x\u202ey"], "3:1", "text_unprintable"),
    ("a name that is too long", [f"name: {'x' * 201}"], "3:1", "text_unprintable"),
]


@pytest.mark.parametrize(("lines", "place", "code"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS])
def test_a_sheet_is_refused_at_the_place_of_its_fault(lines: list[str], place: str, code: str) -> None:
    assert one_problem(refused(keeper(*lines))) == (f"sheet.yaml:{place}", code)


def test_a_question_has_one_name_in_a_sheet() -> None:
    problems = refused(
        keeper("answers:", "  gk.complete: {answer: yes, role: maker}", "  goalkeeper.complete: {answer: yes, role: maker}")
    )
    assert one_problem(problems) == ("sheet.yaml:5:3", "answer_two_names")


def test_bounds_are_the_submitters_word_and_a_gauge_is_not() -> None:
    bounds, gauge = "{at_most: 38 mm, method: caliper}", "{gauge: 38 mm, U: 0.02 mm, result: go}"
    (found,) = read(keeper("readings:", R + f"[{bounds}, {gauge}]"))
    assert [reading.bounds_are_stated for reading in found.article.readings] == [True, False]


def test_a_misspelt_method_comes_with_the_nearest_one_that_any_quantity_of_the_item_knows() -> None:
    (problem,) = refused(keeper("readings:", R + "{value: 38 mm, method: displacment}"))
    assert (problem.what, problem.todo) == ("the method 'displacment' is not known", "did you mean displacement?")
    (found,) = read(keeper("readings:", R + "{value: 38 mm, method: displacement}"))
    assert found.article.readings[0].method == "displacement"  # known, though no method of a height: that is judged


def test_an_unknown_name_comes_with_the_nearest_known_one() -> None:
    (problem,) = refused(keeper("readings:", "  goalkeeper.hieght: {value: 1 mm}"))
    assert str(problem) == "sheet.yaml:4:3: the quantity 'goalkeeper.hieght' is not known; did you mean goalkeeper.height?"


def test_a_comma_beside_a_point_is_refused_with_both_places() -> None:
    sheet = keeper("readings:", '  goalkeeper.height: {value: "3,9 cm"}', "  goalkeeper.width: {value: 3.9 cm}")
    (problem,) = refused(sheet)
    assert (problem.where, problem.code) == ("sheet.yaml:4:23", "decimal_mixed")
    assert "sheet.yaml:5:22" in problem.what


def test_a_comma_through_the_whole_sheet_is_a_decimal_sign() -> None:
    sheet = keeper("readings:", '  goalkeeper.height: {value: "3,9 cm", U: "0,05 mm"}', '  goalkeeper.width: {value: "1,200 cm"}')
    height, width = read(sheet)[0].article.readings
    assert (height.value, height.expanded_uncertainty, width.value) == (Decimal(39), Decimal("0.05"), Decimal(12))


def test_an_unquoted_comma_in_braces_is_explained() -> None:
    problems = refused(keeper("readings:", "  goalkeeper.height: {value: 38,9 mm}"))
    assert [problem.code for problem in problems] == ["key_unknown", "number_without_unit"]
    assert 'value: "38,9 mm"' in problems[0].todo


def test_all_problems_of_a_sheet_come_at_once_in_its_order() -> None:
    sheet = keeper(
        "readings:", "  goalkeeper.height: {value: 38}", "  goalkeeper.width: {value: 3 kg}", "attributes: {family: x}", "extra: y"
    )
    assert {(problem.where, problem.code) for problem in refused(sheet)} == {
        ("sheet.yaml:7:1", "key_unknown"),
        ("sheet.yaml:4:23", "number_without_unit"),
        ("sheet.yaml:5:22", "unit_unknown"),
        ("sheet.yaml:6:14", "attribute_value"),
    }


@pytest.mark.parametrize(
    ("text", "item", "place", "code"),
    [
        ("item: board\n", None, "sheet.yaml:1:1", "format_unknown"),
        ("format: homolog-submission/2\nitem: board\n", None, "sheet.yaml:1:1", "format_unknown"),
        ("format: homolog-submission/1\n", None, "sheet.yaml:1:1", "item_missing"),
        ("format: homolog-submission/1\nitem: bord\n", None, "sheet.yaml:2:1", "item_unknown"),
        ("format: homolog-submission/1\nitem: board\n", "goal", "sheet.yaml:2:1", "item_conflict"),
        ("- a\n", None, "sheet.yaml:1:1", "shape"),
        ("", None, "sheet.yaml", "file_empty"),
        ("a: [b\n", None, "sheet.yaml:2:1", "yaml_invalid"),
        ("format: homolog-submission/1\nitem: board\nsamples: []\n", None, "sheet.yaml:3:1", "shape"),
        ("format: homolog-submission/1\nitem: set\npieces: [{name: x}]\n", None, "sheet.yaml:3:10", "piece_item"),
        (
            "format: homolog-submission/1\nitem: set\npieces: [{item: figure, attributes: {role: goalkeeper}}]\n",
            None,
            "sheet.yaml:3:11",
            "piece_item",
        ),
        ("format: homolog-submission/1\nitem: set\npieces: [{item: figure, sample: x}]\n", None, "sheet.yaml:3:25", "key_unknown"),
    ],
)
def test_the_head_of_a_sheet_is_needed(text: str, item: str | None, place: str, code: str) -> None:
    assert one_problem(refused(text, item=item)) == (place, code)


def test_the_caller_may_name_the_item() -> None:
    assert read("format: homolog-submission/1\n", item="ball")[0].article.item == "ball"


def test_an_attribute_is_stated_for_the_lot_or_for_a_sample() -> None:
    sheet = keeper("attributes: {maker: A}", "samples:", "  - {attributes: {maker: B}}")
    assert one_problem(refused(sheet)) == ("sheet.yaml:5:19", "key_duplicate")


def test_an_alias_bomb_is_refused_within_a_second() -> None:
    bomb = "a: &a [x, x]\n" + "\n".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]" for n in range(24))
    begin = time.process_time()
    assert one_problem(refused(bomb))[1] == "yaml_alias"
    assert time.process_time() - begin < 1


def test_a_flood_of_unknown_keys_ends_at_a_thousand_problems_within_a_second() -> None:
    begin = time.process_time()
    problems = refused(keeper("readings:", *(f"  goalkeeper.height_{n}: {{value: 1 mm}}" for n in range(3_000))))
    assert time.process_time() - begin < 1.5
    assert len(problems) == 1_001
    assert problems[-1].code == "too_many_problems"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("sheet.txt", b"x", "format_unknown"),
        ("sheet.yaml", b"PK\x03\x04", "format_conflict"),
        ("sheet.xlsx", b"format: x", "format_conflict"),
        ("sheet.csv", b" \n", "file_empty"),
        ("sheet.yaml", b"\xff\xfea", "text_invalid"),
        ("sheet.yaml", b"a: \x00", "text_invalid"),
    ],
)
def test_a_file_is_what_its_ending_says(name: str, data: bytes, code: str) -> None:
    assert one_problem(refused(data, name))[1] == code


@pytest.mark.parametrize(
    ("reading", "place", "code"),
    [
        ("board.penalty_area_depth: {end_c: {value: 1 mm}}", "4:30", "place_unknown"),
        ("board.penalty_area_depth: {end_a: 150 mm}", "4:30", "shape"),
        ("board.penalty_area_depth: {end_a: {value: 1 mm}, value: 1 mm}", "4:30", "key_unknown"),
        ("board.line_width: {Line 1: {value: 1 mm}}", "4:22", "place_unknown"),
        ("board.line_width: {U: {value: 1 mm}}", "4:22", "shape"),
    ],
)
def test_a_place_is_one_of_the_quantitys(reading: str, place: str, code: str) -> None:
    text = f"format: homolog-submission/1\nitem: board\nreadings:\n  {reading}\n"
    assert (f"sheet.yaml:{place}", code) in [(problem.where, problem.code) for problem in refused(text)]


def test_a_reading_without_a_place_is_of_every_place() -> None:
    text = "format: homolog-submission/1\nitem: board\nreadings:\n  board.penalty_area_depth: {value: 150 mm}\n"
    assert read(text)[0].article.readings[0].place is None


@pytest.mark.parametrize(("count", "is_good"), [(1_000, True), (1_001, False)])
def test_a_set_has_a_thousand_pieces_at_most(count: int, is_good: bool) -> None:
    text = "format: homolog-submission/1\nitem: set\npieces:\n" + "  - {item: figure}\n" * count
    if is_good:
        assert len(read(text)[0].article.pieces) == count
    else:
        assert one_problem(refused(text)) == ("sheet.yaml:3:1", "too_many_pieces")
        table = "item\n" + "figure\n" * count
        assert one_problem(refused(table, "set.csv", "set")) == ("set.csv: row 1002", "too_many_pieces")


def test_an_item_that_the_caller_misspells_is_refused() -> None:
    assert one_problem(refused("format: homolog-submission/1\n", item="bord"))[1] == "item_unknown"


def test_a_document_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homolog.submission.read.MAX_DOCUMENT_BYTES", 100)
    assert one_problem(refused(keeper("name: " + "x" * 100))) == ("sheet.yaml", "file_too_large")
