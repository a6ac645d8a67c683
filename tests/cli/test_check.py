"""`homolog check`: exit codes, records, reports, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run, finding

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def test_a_ball_inside_all_readings_conforms_and_leaves_with_0(run: Run) -> None:
    ran = run("check", EXAMPLES / "ball.json", "--json")
    assert (ran.code, ran.record["verdict"], ran.record["outcome"]) == (0, "conform", "pass")


def test_a_goalkeeper_too_high_leaves_with_1(run: Run, sheet: Callable[..., Path]) -> None:
    ran = run("check", sheet("39.06 mm"), "--json")
    assert (ran.code, ran.record["verdict"], ran.record["outcome"]) == (1, "nonconform", "fail")
    assert finding(ran.record, "gk.height")["margin"] == {"value": "-0.06", "side": "max"}


def test_a_sheet_with_one_size_is_undecided_and_leaves_with_3(run: Run, sheet: Callable[..., Path]) -> None:
    ran = run("check", sheet(), "--json")
    assert (ran.code, ran.record["verdict"], ran.record["outcome"]) == (3, "not_measured", "open")
    assert finding(ran.record, "gk.height")["verdict"] == "conform"


def test_the_default_edition_is_named_and_the_one_in_force_beside_it(run: Run, sheet: Callable[..., Path]) -> None:
    record = run("check", sheet(), "--json").record
    assert (record["spec"]["body"], record["spec"]["edition"], record["spec"]["in_force"]) == ("fistf", "4.0", "14-2014")


def test_page_one_says_that_the_edition_was_taken_by_default(run: Run) -> None:
    sheet, note = EXAMPLES / "ball.json", {"code": "edition_by_default", "params": {"edition": "4.0"}}
    says = "Nobody named an edition or a day: edition 4.0 was taken by default."
    stated, of_edition = run("check", sheet, "--json").record["notes"]
    assert (stated["code"], of_edition) == ("answers_stated", note | {"text": says})
    assert says in run("check", sheet).out
    for named in (("--edition", "4.0"), ("--on", "2020-01-01"), ("--edition", "4.0", "--on", "2020-01-01")):
        assert run("check", sheet, *named, "--json").record["notes"] == [stated]


@pytest.mark.parametrize(("on", "edition"), [("2014-05-07", "4.0"), ("2014-05-08", "14-2014")])
def test_a_day_finds_the_edition_in_force(run: Run, sheet: Callable[..., Path], on: str, edition: str) -> None:
    record = run("check", sheet(), "--on", on, "--json").record
    assert (record["spec"]["edition"], record["on"]) == (edition, on)


@pytest.mark.parametrize("item", ["ball", "board", "set", "match", "goal"])
def test_a_scan_of_an_item_that_the_edition_does_not_regulate_is_answered_so(run: Run, item: str) -> None:
    ran = run("check", EXAMPLES / "ball.stl", "--item", item, "--edition", "14-2014", "--json")
    assert (ran.code, ran.record["verdict"], ran.record["findings"]) == (3, "not_applicable", [])
    assert ran.record["spec"]["unregulated"].startswith("The circular regulates the goalkeeper only")
    assert ran.record["scan"] is None  # nothing is measured that nothing is judged by


def test_several_figures_that_the_edition_does_not_regulate_are_answered_once(run: Run, tmp_path: Path) -> None:
    call = ("check", EXAMPLES / "figure.stl", "--item", "figure", "--several", "--edition", "14-2014", "--json")
    ran = run(*call, "--resume", tmp_path / "journal")
    assert (ran.code, ran.record["verdict"]) == (3, "not_applicable")
    assert run(*call, "--resume", tmp_path / "journal").record == ran.record


def test_a_scan_of_a_set_or_a_board_is_refused_where_the_edition_regulates_it(run: Run) -> None:
    assert run("check", EXAMPLES / "ball.stl", "--item", "board").code == 2
    assert run("check", EXAMPLES / "ball.stl", "--item", "set").code == 4


def test_a_day_finds_the_edition_an_item(run: Run) -> None:
    assert run("check", EXAMPLES / "ball.json", "--on", "2020-01-01", "--json").record["spec"]["edition"] == "4.0"


def test_the_same_sheet_is_held_against_the_other_edition_too(run: Run, sheet: Callable[..., Path]) -> None:
    (other,) = run("check", sheet(), "--json").record["elsewhere"]
    assert (other["edition"], other["verdict"]) == ("14-2014", "not_measured")


def test_a_recheck_needs_judgement_while_no_transition_is_known(run: Run, sheet: Callable[..., Path]) -> None:
    ran = run("check", sheet("39.50 mm"), "--edition", "14-2014", "--purpose", "recheck", "--json")
    assert (ran.code, ran.record["verdict"], ran.record["outcome"]) == (3, "needs_judgement", "open")


def test_rules_that_are_silent_on_an_item_give_no_yes_and_no_error(run: Run) -> None:
    ran = run("check", EXAMPLES / "ball.json", "--body", "ua-amateur", "--json")
    assert (ran.code, ran.record["verdict"], ran.record["findings"]) == (3, "not_applicable", [])
    assert {one["quantity"] for one in ran.record["unused"]} == {"ball.diameter", "ball.mass"}


def test_an_adopted_decision_rule_accepts_at_shared_risk(run: Run) -> None:
    sheet = EXAMPLES / "goalkeeper.yaml"
    before = finding(run("check", sheet, "--json").record, "gk.width")
    after = finding(run("check", sheet, "--json", "--adopted", EXAMPLES / "adoptions.yaml").record, "gk.width")
    assert (before["verdict"], before["guarded"]) == ("inconclusive", "inconclusive")
    assert (after["verdict"], after["guarded"], after["decision"]["rule"]) == ("conform", "inconclusive", "simple")


def test_page_one_says_which_decision_rule_a_board_adopted(run: Run, tmp_path: Path) -> None:
    sheet = EXAMPLES / "goalkeeper.yaml"
    assert "shared risk" not in run("check", sheet).out.lower()
    adopted = " ".join(run("check", sheet, "--adopted", EXAMPLES / "adoptions.yaml").out.partition("Findings by clause")[0].split())
    assert "decides by the shared risk (INT-decision), adopted by Example board on 2026-01-15 (Minutes 3/2026, item 2)." in adopted
    path = tmp_path / "adoptions.yaml"
    told = "{interpretation: INT-decision, reading: simple, by: B, on: 2026-01-15, decision: M, requirements: [gk.width]}"
    path.write_text(f"format: homolog-adoptions/1\nadoptions: [{told}]\n")
    for_one = " ".join(run("check", sheet, "--adopted", path).out.partition("Findings by clause")[0].split())
    assert "Decided by the other rule: gk.width. Shared risk: met if the value alone lies inside the limit" in for_one


def test_an_adoption_after_the_day_decides_nothing(run: Run) -> None:
    ran = run("check", EXAMPLES / "goalkeeper.yaml", "--json", "--adopted", EXAMPLES / "adoptions.yaml", "--on", "2014-01-01")
    assert finding(ran.record, "gk.width")["verdict"] == "inconclusive"
    assert [one["in_force"] for one in ran.record["adoptions"]] == [False, False]


def test_an_adoption_for_other_requirements_is_not_said_to_decide_here(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "adoptions.yaml"
    simple = "interpretation: INT-decision, reading: simple, by: B, on: 2026-01-15, decision: M"
    told = [f"  - {{{simple}, requirements: [{name}]}}\n" for name in ("fig.height", "gk.width")]
    path.write_text("format: homolog-adoptions/1\nadoptions:\n" + "".join(told))
    day = ("--on", "2026-11-30", "--edition", "4.0")
    record = run("check", EXAMPLES / "goalkeeper.yaml", "--json", "--adopted", path, *day).record
    rules = [finding(record, name)["decision"]["rule"] for name in ("gk.height", "gk.width")]
    assert rules == ["guarded", "simple"]
    assert [one["in_force"] for one in record["adoptions"]] == [False, True]


def test_a_misspelt_adoption_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "adoptions.yaml"
    path.write_text((EXAMPLES / "adoptions.yaml").read_text().replace("INT-rod-straight", "INT-rod-strait"))
    ran = run("check", EXAMPLES / "goalkeeper.yaml", "--adopted", path)
    assert ran.code == 4
    assert "INT-rod-strait" in ran.err


def test_a_lot_gives_a_line_a_sample_and_the_worst_exit_code(run: Run) -> None:
    ran = run("check", EXAMPLES / "figure.csv", "--item", "figure", "--json")
    assert ran.code == 1
    verdicts = [finding(record, "fig.base_diameter")["verdict"] for record in ran.records]
    assert verdicts == ["conform", "conform", "nonconform"]
    assert [record["submission"]["row"] for record in ran.records] == [2, 3, 4]


def test_a_refused_input_does_not_stop_the_others(run: Run, sheet: Callable[..., Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_bytes(b"")
    ran = run("check", empty, sheet("39.50 mm"), EXAMPLES / "ball.json", "--json")
    assert ran.code == 4
    assert [record["verdict"] for record in ran.records] == ["nonconform", "conform"]
    assert "empty.yaml: the file is empty" in ran.err


def test_a_set_judges_its_composition_and_the_pieces_that_were_measured(run: Run) -> None:
    record = run("check", EXAMPLES / "set.yaml", "--json").record
    judged = [piece["name"] for piece in record["pieces"] if piece["findings"]]
    assert judged == ["figure 4", "figure 9"]
    assert {one["verdict"] for one in record["findings"] if one["verdict"] != "not_applicable"} == {"conform"}


def test_a_match_is_noted_where_something_was_not_checked(run: Run) -> None:
    ran = run("check", EXAMPLES / "board.yaml", "--purpose", "match", "--json")
    assert (ran.code, ran.record["outcome"]) == (3, "play_noted")


def test_a_match_asks_for_a_change_on_a_fault(run: Run) -> None:
    ran = run("check", EXAMPLES / "goal.yaml", "--purpose", "match", "--json")
    assert (ran.code, ran.record["outcome"]) == (1, "change")
    assert finding(ran.record, "goal.fixed_mechanically")["verdict"] == "nonconform"


def test_a_record_says_which_sample_it_is_of(run: Run, tmp_path: Path) -> None:
    lot = tmp_path / "lot.csv"
    lot.write_text("sample,figure.height[mm],figure.height.method\nk 1,35,caliper\nk 2,35,caliper\n")
    ran = run("check", lot, "--item", "figure", "--json")
    assert [record["submission"]["article"] for record in ran.records] == ["k 1", "k 2"]
    assert "Name: k 2" in run("check", lot, "--item", "figure").out


PIECE = """\
format: homolog-submission/1
item: set
pieces:
  - name: keeper
    attributes: {role: goalkeeper}
    readings: {goalkeeper.width: {value: 30 mm, U: 0.1 mm, method: caliper}}
    answers: {gk.parts: {answer: no, role: maker}}
"""


def test_nothing_of_a_piece_is_passed_over_in_silence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(PIECE)
    record = run("check", path, "--on", "2014-05-08", "--json").record
    (piece,) = record["pieces"]
    assert [(row["quantity"], row["reading"]["value"]) for row in piece["unused"]] == [("goalkeeper.width", "30")]
    assert [(note["code"], note["params"]) for note in record["notes"]] == [("answers_unused", {"answers": "gk.parts (keeper)"})]


def test_answers_on_what_the_rules_are_silent_on_are_named(run: Run) -> None:
    record = run("check", EXAMPLES / "ball.json", "--body", "ua-amateur", "--on", "2026-11-30", "--json").record
    assert [note["params"]["answers"] for note in record["notes"]] == ["ball.empty_plastic_sphere"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("ending", ["json", "csv"])
def test_a_file_name_that_is_no_text_is_no_fault(run: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"b\udcfc.{ending}"
    path.write_text(
        (EXAMPLES / "ball.json").read_text() if ending == "json" else "sample,ball.mass[g],ball.mass.method\n1,1.5,scale\n"
    )
    ran = run("check", path, "--item", "ball", "--json")
    assert (ran.code, ran.record["submission"]["name"]) == (0 if ending == "json" else 3, f"b\ufffd.{ending}")


def test_a_table_that_tabs_separate_is_read(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lot.tsv"
    path.write_text("sample\tball.mass[g]\tball.mass.method\n1\t1.5\tscale\n")
    assert run("check", path, "--item", "ball", "--json").record["submission"]["format"] == "csv"


# Reports


def test_the_three_reports_are_written_and_a_record_gives_the_same_bytes_again(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / f"report{ending}" for ending in (".json", ".html", ".pdf")]
    run("check", EXAMPLES / "goalkeeper.yaml", *(part for path in paths for part in ("--report", path)))
    assert paths[1].read_bytes().startswith(b"<!doctype html>")
    assert paths[2].read_bytes().startswith(b"%PDF-")
    for path in paths[1:]:
        again = tmp_path / f"again{path.suffix}"
        assert run("report", paths[0], "-o", again).code == 0
        assert again.read_bytes() == path.read_bytes()


def test_a_misspelt_item_is_refused_without_a_library_s_words(run: Run) -> None:
    ran = run("check", EXAMPLES / "goalkeeper.stl", "--item", "goalkeepr")
    assert (ran.code, "Value error" in ran.err, "'goalkeepr' is not one of" in ran.err) == (2, False, True)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["check", "x.stl", "--item", "goalkeper"], "goalkeeper"),
        (["check", "x.stl", "--purpose", "TYP_approval"], "type_approval"),
        (["check", "x.stl", "--source", "fotogrammetry"], "photogrammetry"),
        (["template", "golkeeper"], "goalkeeper"),
        (["check", "x.stl", "--item", "racket"], None),
    ],
)
def test_a_misspelt_choice_is_told_the_nearest_one(run: Run, arguments: list[str], near: str | None) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert (f"Did you mean '{near}'?" in ran.err) is (near is not None)


def test_a_scan_alone_is_told_what_it_cannot_show(run: Run) -> None:
    ran = run("check", EXAMPLES / "goalkeeper.stl", "--item", "goalkeeper", "--attribute", "pose=upright", "--json")
    assert ran.record["submission"]["attributes"]["pose"] == "upright"
    assert (
        "pose" not in run("check", EXAMPLES / "goalkeeper.stl", "--item", "goalkeeper", "--json").record["submission"]["attributes"]
    )


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (["pose=uprigth"], "did you mean upright?"),
        (["posee=upright"], "did you mean pose?"),
        (["pose"], "write NAME=VALUE"),
        (["pose=upright", "pose=bent"], "state it once"),
    ],
)
def test_what_a_scan_is_told_is_held_to_the_words_of_a_sheet(run: Run, said: list[str], answer: str) -> None:
    options = [word for one in said for word in ("--attribute", one)]
    ran = run("check", EXAMPLES / "goalkeeper.stl", "--item", "goalkeeper", *options)
    assert (ran.code, answer in ran.err) == (4, True)


def test_a_sheet_says_its_attributes_itself(run: Run, sheet: Callable[..., Path]) -> None:
    ran = run("check", sheet(), "--attribute", "pose=upright")
    assert (ran.code, "write it in the sheet" in ran.err) == (2, True)


def test_several_inputs_get_a_report_each(run: Run, sheet: Callable[..., Path], tmp_path: Path) -> None:
    run("check", sheet(name="a.yaml"), sheet(name="b.yaml"), "--report", tmp_path / "r.html")
    assert sorted(path.name for path in tmp_path.glob("*.html")) == ["r-a-1.html", "r-b-1.html"]


@pytest.mark.parametrize(
    ("rows", "names"),
    [(1, ["r.json"]), (2, ["r-lot-1.json", "r-lot-2.json"]), (3, ["r-lot-1.json", "r-lot-2.json", "r-lot-3.json"])],
)
def test_no_report_of_one_sample_is_named_as_if_it_were_the_lot(run: Run, tmp_path: Path, rows: int, names: list[str]) -> None:
    lot = tmp_path / "lot.csv"
    lot.write_text("sample,goalkeeper.height [mm]\n" + "".join(f"S{row},38\n" for row in range(rows)))
    assert run("check", lot, "--item", "goalkeeper", "--report", tmp_path / "r.json").code == 3
    assert sorted(path.name for path in tmp_path.glob("*.json")) == names
    samples = [json.loads((tmp_path / name).read_bytes())["submission"]["article"] for name in names]
    assert samples == [f"S{row}" for row in range(rows)]


def test_inputs_of_one_name_get_a_report_each(run: Run, sheet: Callable[..., Path], tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    run("check", sheet(name="a/x.yaml"), sheet("40 mm", name="b/x.yaml"), "--report", tmp_path / "r.json")
    verdicts = {path.name: json.loads(path.read_bytes())["verdict"] for path in tmp_path.glob("*.json")}
    assert verdicts == {"r-x-1.json": "not_measured", "r-x_2-1.json": "nonconform"}


def test_a_report_never_replaces_what_it_is_made_from(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ball.json"
    path.write_bytes((EXAMPLES / "ball.json").read_bytes())
    ran = run("check", path, "--report", tmp_path / ".." / tmp_path.name / "ball.json")
    assert (ran.code, ran.out) == (2, "")
    assert path.read_bytes() == (EXAMPLES / "ball.json").read_bytes()


def test_a_report_named_twice_is_a_usage_error(run: Run, sheet: Callable[..., Path], tmp_path: Path) -> None:
    assert run("check", sheet(), "--report", tmp_path / "r.json", "--report", tmp_path / "r.json").code == 2


def test_a_template_of_a_set_has_columns_for_its_pieces(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    run("template", "set", "-o", path)
    header = next(line for line in path.read_text("utf-8-sig").splitlines() if line.startswith("pieces,"))
    assert {"attribute.role", "figure.height[mm]", "goalkeeper.rod_width.method"} <= set(header.split(","))
    assert run("check", path).code == 3


@pytest.mark.parametrize("item", ["board", "goal", "ball", "figure", "goalkeeper", "set", "match"])
def test_a_template_with_every_question_answered_is_taken(run: Run, tmp_path: Path, item: str) -> None:
    path = tmp_path / f"{item}.yaml"
    run("template", item, "-o", path)
    answered = re.sub(r"answer:  # yes or no", "answer: yes", path.read_text("utf-8"))
    text = re.sub(r"(    role:)  # (\w+)", r"\1 \2  #", answered)
    path.write_text(text, "utf-8")
    ran = run("check", path, "--purpose", "match", "--json")
    assert ran.err == ""
    assert any(finding["answers"] for finding in ran.record["findings"])


def test_a_template_never_replaces_a_sheet_that_was_filled_in(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "keeper.csv"
    assert run("template", "goalkeeper", "-o", path).code == 0
    assert run("template", "goalkeeper", "-o", path).code == 0
    path.write_bytes(path.read_bytes() + b"filled in\r\n")
    ran = run("template", "goalkeeper", "-o", path)
    assert (ran.code, "is there already" in ran.err) == (2, True)
    assert path.read_bytes().endswith(b"filled in\r\n")


def test_a_report_of_an_unknown_form_is_a_usage_error_before_any_work(run: Run, sheet: Callable[..., Path], tmp_path: Path) -> None:
    ran = run("check", sheet(), "--report", tmp_path / "r.docx")
    assert (ran.code, ran.out) == (2, "")
    assert "r.docx" in ran.err


def test_what_the_answer_rests_on_stands_before_the_findings(run: Run) -> None:
    out = " ".join(run("check", EXAMPLES / "goal.yaml", "--purpose", "match").out.split())
    failing = "What the answer rests on ✗ III-2.1 Held on the board by mechanical means. Findings by clause"
    assert failing in out


def test_who_has_to_answer_is_shown_the_question_and_its_name(run: Run) -> None:
    out = " ".join(run("check", EXAMPLES / "board.yaml", "--purpose", "match").out.split())
    assert "not measured: The board is level. (III-1.1.1, board.level) Read as ball-rests: Nobody has answered." in out
    assert "and on each penalty spot stay where it is? ✓" in out


def test_what_has_to_be_measured_is_named_as_a_sheet_names_it(run: Run) -> None:
    out = " ".join(run("check", EXAMPLES / "board.yaml", "--purpose", "match").out.split())
    assert "Measure it at end A, left corner; end A, right corner: board.diagonal." in out


def test_words_go_to_stdout_and_talk_to_stderr(run: Run, sheet: Callable[..., Path], tmp_path: Path) -> None:
    ran = run("check", sheet(), "--report", tmp_path / "r.json")
    assert "At most 39 mm high" in ran.out
    assert f"wrote {tmp_path / 'r.json'}" in ran.err
    indented = [line for line in ran.out.splitlines() if line.startswith("  ")]
    assert indented
    assert all(line == line.rstrip() for line in indented)


@pytest.mark.parametrize("name", ["r.pdf", "sheet.yaml", "r"])
def test_what_is_no_record_by_its_name_is_refused_with_what_to_name(run: Run, tmp_path: Path, name: str) -> None:
    ran = run("report", tmp_path / name, "-o", tmp_path / "r.html")
    assert (ran.code, ran.out) == (4, "")
    assert "name the .json that homolog check --report has written" in ran.err


# Usage


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "x.yaml", "--purpose", "fun"],
        ["check", str(EXAMPLES / "ball.json"), "--body", "fifa"],
        ["check", str(EXAMPLES / "ball.json"), "--edition", "9.9"],
        ["check", str(EXAMPLES / "ball.json"), "--on", "yesterday"],
        ["check", str(EXAMPLES / "ball.json"), "--on", "2014-13-01"],
        ["check", str(EXAMPLES / "ball.json"), "--on", "2014-W19-4"],
        ["check", str(EXAMPLES / "ball.json"), "--unit", "cm"],
        ["check", str(EXAMPLES / "ball.json"), "--source", "cad"],
        ["nonsense"],
    ],
)
def test_a_wrong_call_leaves_with_2_and_says_why(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_a_fault_inside_leaves_with_5_and_no_stack_trace(
    run: Run, sheet: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("homolog.check.pipeline.build_report", broken)
    ran = run("check", sheet(), "--json")
    assert (ran.code, ran.out) == (5, "")
    assert "Traceback" not in ran.err
    assert "ZeroDivisionError" in ran.err


# Bad input: refused with the place, exit code 4, within a second, nothing written

GOOD = "format: homolog-submission/1\nitem: goalkeeper\nreadings:\n"
BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
BAD: dict[str, tuple[str, bytes, str]] = {
    "an empty file": ("bad.yaml", b"", "bad.yaml"),
    "a decimal comma beside a decimal point": (
        "bad.yaml",
        (
            GOOD + "  goalkeeper.height: {value: '38,9 mm', U: 0.05 mm, method: caliper}\n"
            "  goalkeeper.width: {value: 20.9 mm, U: 0.05 mm, method: caliper}\n"
        ).encode(),
        "bad.yaml:4",
    ),
    "a duplicate key": (
        "bad.yaml",
        (GOOD + "  goalkeeper.height: {value: 38 mm, value: 39 mm}\n").encode(),
        "bad.yaml:4",
    ),
    "an unknown quantity": (
        "bad.yaml",
        (GOOD + "  goalkeeper.hight: {value: 38 mm, U: 0.1 mm, method: caliper}\n").encode(),
        "bad.yaml:4",
    ),
    "a YAML alias bomb": ("bad.yaml", BOMB.encode(), "bad.yaml:1"),
    "a number with an underscore": (
        "bad.yaml",
        (GOOD + "  goalkeeper.height: {value: 1_000 mm, U: 0.1 mm, method: caliper}\n").encode(),
        "bad.yaml:4",
    ),
    "a number that is not one": (
        "bad.yaml",
        (GOOD + "  goalkeeper.height: {value: NaN mm, U: 0.1 mm, method: caliper}\n").encode(),
        "bad.yaml:4",
    ),
    "a unit of another dimension": (
        "bad.yaml",
        (GOOD + "  goalkeeper.height: {value: 38 g, U: 0.1 mm, method: caliper}\n").encode(),
        "bad.yaml:4",
    ),
    "a cut STL": ("bad.stl", b"\0" * 80 + (100).to_bytes(4, "little") + b"\0" * 60, "bad.stl"),
    "an empty STL": ("bad.stl", b"", "bad.stl"),
    "a file of an unknown kind": ("bad.docx", b"x", "bad.docx"),
    "a file that is not there": ("", b"", "nowhere.yaml"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_refused_at_its_place_within_a_second_and_nothing_is_written(run: Run, tmp_path: Path, kind: str) -> None:
    name, data, place = BAD[kind]
    path = tmp_path / (name or "nowhere.yaml")
    if name:
        path.write_bytes(data)
    start = time.process_time()
    ran = run("check", path, "--item", "goalkeeper", "--json", "--report", tmp_path / "r.json", "--report", tmp_path / "r.pdf")
    assert time.process_time() - start < 1
    assert (ran.code, ran.out) == (4, "")
    assert place in ran.err
    assert {entry.name for entry in tmp_path.iterdir()} <= {path.name}


def test_all_faults_of_a_sheet_are_named_at_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(GOOD + "  goalkeeper.hight: {value: 38 mm, U: 0.1 mm}\n  goalkeeper.width: {value: 21 g, U: 1e3 mm}\n")
    ran = run("check", path)
    assert ran.code == 4
    assert ran.err.count("bad.yaml:") >= 3


# As a shell runs it


def _shell(*arguments: str, stdin: bytes = b"") -> Ran:
    command = [sys.executable, "-m", "homolog.cli.main", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, input=stdin, check=False)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_the_program_prints_one_canonical_line(sheet: Callable[..., Path]) -> None:
    ran = _shell("check", str(sheet()), "--json")
    assert ran.code == 3
    assert ran.out == json.dumps(ran.record, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def test_help_loads_no_large_library() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "homolog.cli.main", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"numpy", "scipy", "trimesh", "manifold3d", "pydantic", "jinja2", "typst", "fastapi"}


def test_checking_a_sheet_loads_no_mesh_library_and_no_page_maker(sheet: Callable[..., Path]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "homolog.cli.main", "check", str(sheet()), "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"numpy", "scipy", "trimesh", "manifold3d", "jinja2", "typst", "fastapi"}


def test_a_reader_that_goes_away_is_no_fault_and_no_yes(tmp_path: Path) -> None:
    report = tmp_path / "ball.json"
    command = f"{sys.executable} -u -m homolog.cli.main check examples/ball.json --report {report} | true"
    shell = ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert json.loads(report.read_bytes())["verdict"] == "conform"


def _redirected(arguments: str, redirections: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m homolog.cli.main {arguments} {redirections}"
    return subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_a_closed_stream_changes_no_exit_code(closed: str) -> None:
    done = _redirected("check examples/ball.json --json", closed)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) is (closed == "2>&-")


def test_with_stderr_closed_talk_does_not_fall_into_the_record(tmp_path: Path) -> None:
    done = _redirected(f"check examples/ball.json --json --report {tmp_path / 'r.json'}", "2>&-")
    assert json.loads(done.stdout)["verdict"] == "conform"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("form", ["", "--json"])
def test_output_that_finds_no_room_is_no_answer_and_no_fault_inside(form: str) -> None:
    done = _redirected(f"check examples/ball.json {form}", "> /dev/full")
    assert (done.returncode, done.stderr) == (
        141,
        "the output cannot be written: No space left on device; nothing of it is an answer.\n",
    )


def test_signs_that_the_terminal_lacks_are_replaced() -> None:
    done = _redirected("check examples/ball.json --lang uk", "", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "22,04 ? 0,03" in done.stdout


REGISTER = (
    '{"format": "homolog-register/1", "body": "fistf", "on": "2026-11-01", "types": '
    '[{"number": "HML-B-0001", "item": "ball", "names": ["Tango"], "usable": [{"since": "2026-01-01"}]}]}'
)


@pytest.mark.parametrize(
    ("name", "day", "verdict"),
    [
        ("tango", "2026-11-01", "conform"),
        ("HML-B-0001", "2026-10-31", "conform"),
        ("Tango", "2025-12-31", "nonconform"),
        ("Tangerine", "2026-11-01", "nonconform"),
        ("Tango", "2026-11-02", "not_measured"),
        ("Tangerine", "2026-11-02", "not_measured"),
    ],
)
def test_a_type_is_looked_up_in_the_registers_extract(run: Run, tmp_path: Path, name: str, day: str, verdict: str) -> None:
    sheet, register = tmp_path / "ball.yaml", tmp_path / "register.json"
    sheet.write_text(f"format: homolog-submission/1\nitem: ball\nattributes: {{type: {name}}}\n")
    register.write_text(REGISTER)
    words = ("check", sheet, "--json", "--purpose", "match", "--on", day)
    assert finding(run(*words).record, "ball.type_homologated")["verdict"] == "not_measured"
    ran = run(*words, "--register", register)
    assert finding(ran.record, "ball.type_homologated")["verdict"] == verdict
    notes = {note["code"]: note["params"] for note in ran.record["notes"]}
    assert notes["register_extract"] == {"on": "2026-11-01"}
    canonical = json.dumps(json.loads(REGISTER), sort_keys=True, separators=(",", ":"))
    assert ran.record["register"] == {"sha256": hashlib.sha256(canonical.encode()).hexdigest()}


def test_the_register_of_another_body_is_refused(run: Run, tmp_path: Path) -> None:
    register = tmp_path / "register.json"
    register.write_text(REGISTER.replace("fistf", "other"))
    ran = run("check", EXAMPLES / "ball.yaml", "--register", register)
    assert ran.code == 4
    assert "register of other" in ran.err
