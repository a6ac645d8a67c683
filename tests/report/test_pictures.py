"""Pictures in a report: their dimensions in the look of what was found, in words too, and laid out so that no words meet."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from homolog.errors import InputRefused
from homolog.evaluate.verdict import Verdict
from homolog.report import Report, read_report, to_json
from homolog.report.canvas import INK, LOOKS, Dimension
from homolog.report.messages import LANGUAGES, catalogue
from homolog.report.overlay import dimensioned
from homolog.report.view import view_of
from homolog.report.view_pictures import Picture
from homolog.scan.figure_sizes import QUANTITIES, UNDERSIDE
from homolog.scan.goal_sizes import CENTRES, CLEAR, DEPTH, INNER, THICKNESS, WITH_CROSSBAR
from tests.report.samples import (
    MINUTES,
    SVG,
    adopted_interpretation,
    make_decided,
    make_finding,
    make_mark,
    make_picture,
    make_reading,
    make_report,
    make_scan,
    open_interpretation,
)

RED = LOOKS["nonconform"].colour
NAME = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 -- drawn here


def shown(report: Report, lang: str = "en") -> Picture:
    """The first picture of a report, as a page shows it."""
    return view_of(report, lang).pictures[0]


def judged(verdict: Verdict, **changes: Any) -> Report:
    scan = make_scan(pictures=(make_picture(marks=(make_mark(),), repaired=0),), **changes)
    return make_report(verdict=verdict, findings=[make_finding(verdict=verdict)], scan=scan, outcome="open")


def lines(picture: Picture, colour: str) -> list[ET.Element]:
    return [line for line in parsed(picture.svg).findall(f"{NAME}line") if line.get("stroke") == colour]


def words_of(picture: Picture) -> list[str]:
    """Everything that is written about the drawing, not in it."""
    groups = parsed(picture.svg).findall(f"{NAME}g")
    return [
        text.text or "" for group in groups if "scale" not in group.get("transform", "") for text in group.findall(f"{NAME}text")
    ]


def test_a_dimension_beyond_its_limit_is_red_dashed_and_signed() -> None:
    picture = shown(judged(Verdict.NONCONFORM))
    assert [line for line in lines(picture, RED) if line.get("stroke-dasharray")]
    assert not lines(picture, INK)
    assert words_of(picture) == ["✗", "height 38.95 ± 0.03 mm"]
    assert "Height 38.95 ± 0.03\N{NO-BREAK SPACE}mm – not met." in picture.alt


def test_a_dimension_that_is_met_is_black_and_plain_and_signed() -> None:
    picture = shown(judged(Verdict.CONFORM))
    assert lines(picture, INK)
    assert not [line for line in lines(picture, INK) if line.get("stroke-dasharray")]
    assert not lines(picture, RED)
    assert words_of(picture) == ["✓", "height 38.95 ± 0.03 mm"]


def test_no_two_verdicts_look_alike_without_their_colour() -> None:
    looks = {code: (look.dash, look.weight) for code, look in LOOKS.items() if code != "needs_judgement"}
    assert len({*looks.values(), ((), 0.07)}) == len(looks) + 1


@pytest.mark.parametrize("verdict", [Verdict.INCONCLUSIVE, Verdict.NEEDS_JUDGEMENT])
def test_an_undecided_dimension_is_neither_black_nor_red(verdict: Verdict) -> None:
    picture = shown(judged(verdict))
    assert not lines(picture, RED)
    assert not lines(picture, INK)
    assert [line for line in lines(picture, LOOKS["inconclusive"].colour) if line.get("stroke-dasharray")]


def test_a_finding_on_another_reading_says_nothing_of_the_scans() -> None:
    scanned = judged(Verdict.NONCONFORM, readings=(make_reading("38.90", evidence="scan:ab"),))
    assert words_of(shown(scanned)) == ["height 38.90 ± 0.03 mm"]
    assert not lines(shown(scanned), RED)


def test_a_quantity_without_a_reading_says_so() -> None:
    picture = shown(judged(Verdict.CONFORM, readings=()))
    assert words_of(picture) == ["○", "height not measured"]
    assert "Height not measured." in picture.alt


def test_a_length_drawn_where_it_lies_is_named_by_its_place_or_else_by_what_it_is() -> None:
    marks = (make_mark(form="within", side="right"), make_mark(form="within", side="right", place="post_left"))
    scan = make_scan(readings=(make_reading(evidence="scan:ab"),), pictures=(make_picture(marks=marks, repaired=0),))
    assert words_of(shown(make_report(scan=scan))) == ["height 38.95 ± 0.03 mm", "○", "left post not measured"]


def test_the_worst_of_several_findings_on_a_reading_counts() -> None:
    findings = [make_finding("gk.a", Verdict.CONFORM), make_finding("gk.b", Verdict.NONCONFORM)]
    scan = make_scan(pictures=(make_picture(marks=(make_mark(),)),))
    assert "✗" in words_of(shown(make_report(verdict=Verdict.NONCONFORM, outcome="fail", findings=findings, scan=scan)))


def test_a_place_has_the_verdict_of_its_own_place() -> None:
    ends = tuple(
        make_decided(verdict, make_reading(value, place=name), place=name)
        for name, verdict, value in (("end_a", Verdict.NONCONFORM, "39.5"), ("end_b", Verdict.CONFORM, "38.4"))
    )
    readings = tuple(decided.reading for decided in ends)
    marks = tuple(make_mark(place=name) for name in ("end_a", "end_b"))
    scan = make_scan(readings=readings, pictures=(make_picture(marks=marks, repaired=0),))
    finding = make_finding(verdict=Verdict.NONCONFORM, decided=ends)
    picture = shown(make_report(verdict=Verdict.NONCONFORM, outcome="fail", findings=[finding], scan=scan))
    assert words_of(picture) == ["✗", "height 39.5 ± 0.03 mm", "✓", "height 38.4 ± 0.03 mm"]
    assert "Height (end A) 39.5 ± 0.03" in picture.alt


def test_while_nobody_adopts_a_reading_one_that_fails_alone_makes_nothing_fail() -> None:
    readings = (make_reading("2750", "20"),)
    scan = make_scan(readings=readings, pictures=(make_picture(marks=(make_mark(),)),))
    report = make_report(verdict=Verdict.NEEDS_JUDGEMENT, outcome="open", findings=[open_interpretation()], scan=scan)
    assert "?" in words_of(shown(report))
    assert not lines(shown(report), RED)


def test_what_the_board_did_not_adopt_gives_no_sign() -> None:
    scan = make_scan(readings=(make_reading("2750", "20"),), pictures=(make_picture(marks=(make_mark(),), repaired=0),))
    finding = adopted_interpretation()
    assert finding.interpretation is not None
    assert finding.interpretation.adoption == MINUTES
    report = make_report(verdict=Verdict.INCONCLUSIVE, outcome="borderline", findings=[finding], scan=scan)
    assert words_of(shown(report)) == ["height 2750 ± 20 mm"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_picture_speaks_the_page_s_language(lang: str) -> None:
    words = catalogue(lang)
    picture = shown(make_report(scan=make_scan()), lang)
    assert picture.title == words.say("picture.front")
    for text in (
        words.say("pictured.goalkeeper_front"),
        words.say("quantity.goalkeeper.height")[1:],
        words.say("verdict.conform"),
        words.say("spot.cut")[1:],
        words.say("picture.hatched", {"n": "2"}),
    ):
        assert text in picture.alt
    assert words.say("picture.repaired", {"n": "2"}) in words_of(picture)
    assert words.say("spot.cut") in words_of(picture)
    assert "□" not in picture.svg


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_that_a_scan_marks_has_a_name(lang: str) -> None:
    words = catalogue(lang)
    for quantity in (*QUANTITIES, CENTRES, CLEAR, DEPTH, INNER, THICKNESS, WITH_CROSSBAR, "goalkeeper.rod_width"):
        assert words.has(f"quantity.{quantity}")


def test_everything_that_a_scan_says_of_a_place_has_words_and_the_other_way_round() -> None:
    folder = Path(__file__).parents[2] / "homolog" / "scan"
    said = set(re.findall(r"\.spot\(\s*\"([a-z_]+)\"", "".join(path.read_text() for path in folder.glob("*.py"))))
    named = {key.removeprefix("spot.") for key in catalogue("en").texts if key.startswith("spot.")}
    assert said | {UNDERSIDE} == named


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("item", "word"), [("figure", "picture.plate"), ("goalkeeper", "picture.goalkeeper_plate")])
def test_a_plate_is_titled_by_what_stands_on_it(lang: str, item: str, word: str) -> None:
    plate = make_picture(name="plate", marks=(), repaired=0, params={"number": "3", "count": "5"})
    picture = shown(make_report(item=item, scan=make_scan(pictures=(plate,))), lang)
    assert picture.title == catalogue(lang).say(word, {"number": "3", "count": "5"})
    assert picture.alt == catalogue(lang).say(f"pictured.{item}_plate", {"number": "3"})


def test_a_picture_of_before_is_shown_with_its_own_words() -> None:
    record = json.loads(to_json(make_report(scan=make_scan())))
    for key in ("marks", "repaired", "params"):
        del record["pictures"][0][key]
    picture = shown(read_report(json.dumps(record).encode()))
    assert (picture.title, picture.alt) == ("Front view", "The goalkeeper from the front, 38.95 mm high")


def test_a_drawing_of_unknown_form_is_shown_as_it_is() -> None:
    foreign = SVG.replace('viewBox="0 0 200 100"', 'viewBox="-5 0 400 100"')
    picture = shown(make_report(scan=make_scan(pictures=(make_picture(svg=foreign),))))
    assert (picture.svg, picture.is_wide) == (foreign, True)


@pytest.mark.parametrize(
    "change",
    [
        {"a": ["1e300", "0"]},
        {"a": ["9999999", "0"]},
        {"a": ["0"]},
        {"side": "inside"},
        {"form": "script"},
        {"spot": "cut"},
        {"quantity": None},
        {"more": "1"},
    ],
    ids=str,
)
def test_a_mark_that_is_none_is_refused(change: dict[str, Any]) -> None:
    record = json.loads(to_json(make_report(scan=make_scan())))
    record["pictures"][0]["marks"][0].update(change)
    with pytest.raises(InputRefused) as caught:
        read_report(json.dumps(record).encode())
    assert caught.value.problems[0].code == "record_damaged"


def test_a_hostile_number_is_a_text_and_no_markup() -> None:
    mark = make_mark(form="spot", quantity=None, spot="not_seen", number="<script>&")
    picture = shown(make_report(scan=make_scan(pictures=(make_picture(marks=(mark,)),))))
    assert "<script>" not in picture.svg
    assert any("<script>&" in text for text in words_of(picture))


def box(group: ET.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a label's ground."""
    place, *turn = group.get("transform", "").split(") ")
    x, y = (float(number) for number in place.removeprefix("translate(").rstrip(")").split())
    (rect,) = group.findall(f"{NAME}rect")
    up, width, height = (float(rect.get(key, "")) for key in ("y", "width", "height"))
    if turn:
        return x + up, y - width, x + up + height, y
    return x, y + up, x + width, y + up + height


def labels(svg: str) -> list[tuple[float, float, float, float]]:
    groups = parsed(svg).findall(f"{NAME}g")
    return [box(group) for group in groups if group.find(f"{NAME}text") is None and group.find(f"{NAME}rect") is not None]


def drawing(width: float, height: float) -> str:
    box = f'viewBox="0 0 {width} {height}" width="{width * 4}" height="{height * 4}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img"></svg>'


def crowd(width: float, height: float, letters: int) -> list[Dimension]:
    """Things on every side, with words of so many letters."""
    text = "w" * letters
    ends = {"left": ((0.0, 0.0), (0.0, height)), "above": ((0.0, 0.0), (width, 0.0))}
    found = []
    for side in ("left", "right", "above", "below"):
        a, b = ends["left" if side in ("left", "right") else "above"]
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        found += [
            Dimension("beside", side, a, b, text, "✓"),
            Dimension("beside", side, a, middle, text),
            Dimension("beside", side, middle, b, text),
        ]
    for k in range(4):
        at = (width * (k + 1) / 5, height / 2)
        found.append(Dimension("spot", "left" if k % 2 else "right", at, at, text))
        found.append(Dimension("within", "left" if k % 2 else "right", at, (at[0] + 1, at[1]), text, "✗"))
    return found


@pytest.mark.parametrize("letters", [3, 20, 45])
@pytest.mark.parametrize(("width", "height"), [(20.0, 35.0), (150.0, 25.0), (22.0, 22.0), (2.0, 60.0)])
def test_no_words_meet_and_all_lie_within_the_picture(width: float, height: float, letters: int) -> None:
    svg, _ = dimensioned(drawing(width, height), crowd(width, height, letters), "legend")
    found = labels(svg)
    assert len(found) == 21
    for at, one in enumerate(found):
        for other in found[at + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    left, top, wide, high = (float(number) for number in (parsed(svg).get("viewBox") or "").split())
    assert all(left <= one[0] and top <= one[1] and one[2] <= left + wide and one[3] <= top + high for one in found)


def test_arrows_point_at_the_ends_of_what_is_measured() -> None:
    item = Dimension("beside", "below", (3.0, 5.0), (17.0, 8.0), "w")
    svg, _ = dimensioned(drawing(20, 30), [item])
    tips = sorted(float((shape.get("points") or "").split(",")[0]) for shape in parsed(svg).findall(f"{NAME}polygon"))
    assert tips == [3.0, 17.0]


def test_a_long_thing_wants_the_whole_width_of_a_page() -> None:
    assert dimensioned(drawing(150, 25), [])[1]
    assert not dimensioned(drawing(20, 35), [])[1]


def test_one_picture_always_gives_the_same_bytes() -> None:
    first, second = (shown(make_report(scan=make_scan())) for _ in range(2))
    assert first == second


def test_bounds_are_shown_as_bounds() -> None:
    reading = make_reading(None, None, lo=Decimal("38.1"))
    picture = shown(judged(Verdict.CONFORM, readings=(reading,)))
    assert words_of(picture) == ["height at least 38.1 mm"]
