from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.json import JSONSnapshotExtension

from homolog.evaluate.finding import DecisionRule
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Unmeasured
from homolog.report import AdoptionGiven, Report, to_json
from homolog.report.numbers import plain, plain_uncertainty
from homolog.report.view import view_of
from tests.report.samples import (
    EDITION,
    GUARDED,
    LOADED,
    MINUTES,
    adopted_interpretation,
    bare_finding,
    every_form,
    full_report,
    make_decided,
    make_finding,
    make_reading,
    make_report,
    open_interpretation,
)

HEAD = {
    "format", "verdict", "outcome", "purpose", "on", "item", "counts", "spec", "adoptions", "submission", "scan", "engine",
    "findings", "pieces", "not_checked", "unused", "pictures", "elsewhere", "decision_rule", "notes",
}  # fmt: skip


def record_of(report: Report) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(to_json(report))
    return record


def first(report: Report) -> dict[str, Any]:
    finding: dict[str, Any] = record_of(report)["findings"][0]
    return finding


def test_an_adoption_is_recorded_with_all_that_it_is_limited_to() -> None:
    narrow = replace(MINUTES, requirements=("gk.volume",), body="fistf", edition="4.0")
    given = [AdoptionGiven(adoption=one, in_force=True, sha256="ef" * 32) for one in (MINUTES, narrow)]
    report = make_report(adoptions=given)
    scopes = [(one["requirements"], one["body"], one["edition"]) for one in record_of(report)["adoptions"]]
    assert scopes == [([], None, None), (["gk.volume"], "fistf", "4.0")]
    said = [fact.value for fact in view_of(report).provenance if fact.name == "Adoptions"]
    assert [("only for fistf, 4.0, gk.volume" in one) for one in said] == [False, True]


def test_the_record_of_everything_is_as_it_was(snapshot: SnapshotAssertion) -> None:
    assert record_of(full_report()) == snapshot(extension_class=JSONSnapshotExtension)


def test_the_head_has_its_keys_and_no_other() -> None:
    assert set(record_of(full_report())) == HEAD | {"asked", "register"}
    assert set(record_of(make_report())) == HEAD


def test_a_finding_reads_as_the_published_example() -> None:
    finding = first(make_report())
    assert {
        key: finding[key] for key in ("requirement", "clause", "verdict", "margin", "probability", "interpretation", "next")
    } == {
        "requirement": "gk.height",
        "clause": "1",
        "verdict": "conform",
        "margin": {"value": "0.05", "side": "max"},
        "probability": "0.9995",
        "interpretation": None,
        "next": None,
    }
    shown = {key: finding["reading"][key] for key in ("quantity", "value", "U", "unit", "method")}
    assert shown == {"quantity": "goalkeeper.height", "value": "38.95", "U": "0.03", "unit": "mm", "method": "caliper"}
    assert {key: finding["limit"][key] for key in ("min", "max", "unit")} == {"min": None, "max": "39", "unit": "mm"}


def test_bounds_stand_in_place_of_value_and_u() -> None:
    reading = first(
        make_report(findings=(make_finding(decided=(make_decided(reading=make_reading(None, None, hi=Decimal(3))),)),))
    )["reading"]
    assert (reading["lo"], reading["hi"]) == (None, "3")
    assert not {"value", "U"} & set(reading)


def test_a_finding_shows_the_adopted_reading() -> None:
    finding = first(make_report(findings=(adopted_interpretation(),)))
    assert finding["reading"]["hi"] == "2770"
    assert finding["interpretation"]["status"] == "adopted"
    assert finding["interpretation"]["adoption"]["by"] == "The board"


def test_an_open_interpretation_shows_the_first_reading_and_says_them_all() -> None:
    finding = first(make_report(findings=(open_interpretation(),)))
    assert finding["reading"]["value"] == "2750"
    readings = finding["interpretation"]["readings"]
    assert [(reading["id"], reading["verdict"]) for reading in readings] == [("outer", "nonconform"), ("material", "inconclusive")]
    assert readings[1]["says"] == "the material only"
    assert readings[1]["reading"]["hi"] == "2770"


def test_several_places_are_listed_the_worst_first() -> None:
    finding = next(finding for finding in record_of(full_report())["findings"] if finding["requirement"] == "gk.places")
    assert [place["place"] for place in finding["places"]] == ["end_b", "end_a"]
    assert finding["why"]["params"]["place"] == "end_b"


def test_what_counts_through_another_requirement_is_not_counted_itself() -> None:
    findings = (
        bare_finding("gk.one", "one_of", Verdict.NONCONFORM, "not_in_list", alternative_of="gk.any"),
        bare_finding("gk.any", "any_of", Verdict.CONFORM, "one_holds"),
    )
    counts = record_of(make_report(findings=findings))["counts"]
    assert counts == {name: int(name == "conform") for name in counts}
    assert len(counts) == len(Verdict)


def test_the_head_counts_the_pieces_too() -> None:
    record = record_of(full_report())
    assert sum(record["counts"].values()) == len(every_form()) - 1 + 1  # less the alternative, plus the piece's one
    assert record["pieces"][0]["counts"]["conform"] == 1


def test_an_item_that_is_not_regulated_has_no_rules() -> None:
    edition = EDITION.model_copy(update={"unregulated": {"ball": "The sheet holds no ball."}})
    spec = record_of(
        make_report(item="ball", spec=None, findings=(), verdict=Verdict.NOT_APPLICABLE, outcome="open", edition=edition)
    )["spec"]
    assert (spec["id"], spec["sha256"], spec["edition"], spec["unregulated"]) == (None, None, "1", "The sheet holds no ball.")


def test_the_spec_is_named_by_digest_and_place() -> None:
    spec = record_of(make_report())["spec"]
    assert (spec["id"], spec["edition"], spec["sha256"]) == ("sample.goalkeeper", "1", LOADED.sha256)
    assert spec["file"] == "sample/1/goalkeeper.yaml"
    assert spec["effective"] == {"from": "unknown", "to": "2030-12-31", "basis": "inferred"}


def test_clauses_without_a_check_are_named_with_the_reason() -> None:
    assert record_of(make_report())["not_checked"] == [
        {"clause": "2", "row": "goalkeeper.rod_length", "status": "partly", "note": "What the length counts is not said."},
        {"clause": "9", "row": None, "status": "informative", "note": "A rule of play."},
    ]


def test_an_attempt_that_a_finding_names_is_not_called_unused() -> None:
    why = full_report_reason("goalkeeper.width")
    attempt = (Unmeasured(quantity="goalkeeper.width", reason="A hole."), Unmeasured(quantity="goalkeeper.other", reason="A hole."))
    unused = record_of(make_report(findings=(why,), unmeasured=attempt))["unused"]
    assert [row["quantity"] for row in unused] == ["goalkeeper.other"]


def full_report_reason(quantity: str) -> Any:
    from homolog.evaluate.finding import Decided, Statement

    why = Statement(code="reading_unmeasured", params={"quantity": quantity, "reason": "A hole."})
    return make_finding(verdict=Verdict.NOT_MEASURED, decided=(Decided(verdict=Verdict.NOT_MEASURED, why=why),))


def test_the_general_decision_rule_is_the_usual_one_and_names_the_others() -> None:
    other = make_finding("gk.other", decision=DecisionRule(rule="simple", interpretation="INT-decision"))
    rule = record_of(make_report(findings=(make_finding(), make_finding("gk.second"), other)))["decision_rule"]
    assert (rule["rule"], rule["except"]) == ("guarded", ["gk.other"])


def test_of_two_rules_used_equally_often_the_guarded_one_is_general() -> None:
    other = make_finding("gk.other", decision=DecisionRule(rule="simple", interpretation="INT-decision"))
    assert record_of(make_report(findings=(other, make_finding())))["decision_rule"]["rule"] == "guarded"


def test_the_decision_rule_can_be_said_outright() -> None:
    assert record_of(make_report(findings=(), decision=GUARDED))["decision_rule"]["rule"] == "guarded"
    assert record_of(make_report(findings=()))["decision_rule"] is None


@pytest.mark.parametrize(
    ("number", "text"),
    [("1E+3", "1000"), ("1E-7", "0.0000001"), ("-0", "0"), ("-0.00", "0.00"), ("39.00", "39.00"), ("-0.5", "-0.5")],
)
def test_numbers_are_plain_and_keep_their_digits(number: str, text: str) -> None:
    assert plain(Decimal(number)) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [("0.05", "0.05"), ("0.125", "0.125"), ("12.345", "13"), ("0.10001", "0.11"), ("88.1", "88.1"), ("1234", "1300"), ("0", "0"),
     ("0.0999001", "0.10"), ("1000.0", "1000.0")],
)  # fmt: skip
def test_u_is_rounded_up_and_never_down(number: str, text: str) -> None:
    assert plain_uncertainty(Decimal(number)) == text
    assert Decimal(text) >= Decimal(number)


def test_a_report_cannot_be_changed() -> None:
    report = make_report()
    with pytest.raises(TypeError):
        report.record["verdict"] = "nonconform"  # type: ignore[index]
    with pytest.raises(TypeError):
        report.record["findings"][0]["verdict"] = "nonconform"
    with pytest.raises(FrozenInstanceError):
        report.canonical = b""  # type: ignore[misc]
    assert report.verdict is Verdict.CONFORM
    assert report.outcome == "pass"


def test_the_record_is_canonical_json() -> None:
    data = to_json(full_report())
    assert data == json.dumps(json.loads(data), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert b"." not in bytes(json.dumps(numbers_in(json.loads(data))), "ascii")


def numbers_in(value: Any) -> list[int | float]:
    match value:
        case dict():
            return [number for inner in value.values() for number in numbers_in(inner)]
        case list():
            return [number for inner in value for number in numbers_in(inner)]
        case bool() | None | str():
            return []
        case _:
            return [value]


_ALL_VIEWS = """
import hashlib, sys
from homolog.report import to_html, to_json, to_pdf
from tests.report.samples import full_report
report = full_report()
for data in (to_json(report), to_html(report, "uk"), to_pdf(report, "it")):
    print(hashlib.sha256(data).hexdigest())
"""


def test_two_processes_with_other_hash_seeds_write_the_same_bytes() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", _ALL_VIEWS], env={"PYTHONHASHSEED": seed, "TZ": zone}, check=True, capture_output=True, text=True
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].split()) == 3


def test_a_record_alone_loads_no_library_of_a_view() -> None:
    code = (
        "import sys; from tests.report.samples import make_report; make_report(); "
        "print([name for name in ('jinja2', 'typst', 'markupsafe', 'trimesh', 'manifold3d') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.strip() == "[]"
