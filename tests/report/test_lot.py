"""The summary of a lot: what it sums up, what it refuses to sum up, and that its pages say no more."""

from __future__ import annotations

import hashlib
import io
import json
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pypdf
import pytest
import rfc8785

from homolog.data import templates_dir
from homolog.errors import InputRefused
from homolog.evaluate.verdict import Verdict
from homolog.quantity import LotSize
from homolog.report import Lot, LotTally, Report, lot_to_html, lot_to_pdf, read_lot
from homolog.report.lot_schema import json_schema
from homolog.report.lot_view import view_of_lot
from tests.report.samples import make_decided, make_finding, make_reading, make_report, make_scan

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema" / "homolog-lot-1.json"
SHIPPED = templates_dir() / "report" / "schema" / "homolog-lot-1.json"
OUTCOMES = {Verdict.CONFORM: "pass", Verdict.NONCONFORM: "fail", Verdict.INCONCLUSIVE: "borderline"}


def sample(row: int, value: str = "38.95", verdict: Verdict = Verdict.CONFORM, u: str | None = "0.03", **changes: Any) -> Report:
    """A report on one row of a sheet with one measured requirement."""
    base = json.loads(make_report().canonical)
    facts: dict[str, Any] = {"name": "lot.csv", "sha256": "aa" * 32, "format": "csv", "row": row, "article": f"k{row}"}
    reading = make_reading(value, u, evidence=f"lot.csv: row {row}")
    finding = make_finding(verdict=verdict, decided=(make_decided(verdict, reading),))
    attributes = changes.pop("attributes", {"maker": "Acme"})
    report = make_report(findings=(finding,), verdict=verdict, outcome=OUTCOMES.get(verdict, "open"), **changes)
    record = json.loads(report.canonical) | {"submission": base["submission"] | facts | {"attributes": attributes}}
    return Report(rfc8785.dumps(record))


def lot_of(*reports: Report, size: int | None = None, wanted: int | None = None, refused: int = 0) -> Lot:
    tally = LotTally()
    for report in reports:
        tally.add(report)
    for number in range(refused):
        tally.refuse(f"bad{number}.stl")
    return tally.lot(LotSize(size=size, wanted=wanted))


def good(count: int) -> list[Report]:
    return [sample(row, f"38.9{row % 5}") for row in range(1, count + 1)]


# What is said of the lot


def test_twelve_good_samples_of_five_hundred_leave_a_hundred_and_nine() -> None:
    record = lot_of(*good(12), size=500).record
    assert record["outcome"] == "no_fault_found"
    expected = {"proven": True, "good": 12, "found": 0, "undecided": 0, "at_most": 109, "share": None}
    assert record["statement"] == expected
    assert record["requirements"][0]["statement"] == expected


def test_without_a_size_a_share_is_bounded() -> None:
    statement = lot_of(*good(12)).record["statement"]
    assert (statement["at_most"], statement["share"]) == (None, "0.2210")


def test_one_faulty_sample_leaves_no_statement() -> None:
    record = lot_of(*good(11), sample(12, "39.5", Verdict.NONCONFORM), size=500).record
    assert record["outcome"] == "fault_found"
    assert (record["statement"]["proven"], record["statement"]["found"], record["statement"]["at_most"]) == (False, 1, None)


@pytest.mark.parametrize("verdict", [Verdict.INCONCLUSIVE, Verdict.NOT_MEASURED, Verdict.NEEDS_JUDGEMENT, Verdict.ERROR])
def test_an_undecided_sample_is_not_good(verdict: Verdict) -> None:
    record = lot_of(*good(11), sample(12, "38.99", verdict), size=500).record
    assert record["outcome"] == "open"
    assert record["statement"] == {
        "proven": False,
        "good": 11,
        "found": 0,
        "undecided": 1,
        "at_most": None,
        "share": None,
    }


def test_a_sample_that_was_refused_is_undecided() -> None:
    record = lot_of(*good(11), refused=1, size=500).record
    assert (record["outcome"], record["samples"]["refused"], record["statement"]["undecided"]) == ("open", 1, 1)
    assert record["requirements"][0]["statement"]["undecided"] == 1
    assert record["records"]["listed"][-1]["sample"]["file"] == "bad0.stl"


def test_a_requirement_that_applies_to_none_is_not_proven_of_the_lot() -> None:
    statement = lot_of(sample(1, verdict=Verdict.NOT_APPLICABLE)).record["requirements"][0]["statement"]
    assert (statement["proven"], statement["good"]) == (False, 0)


def test_a_sample_to_which_a_requirement_does_not_apply_is_not_outside_it() -> None:
    statement = lot_of(*good(3), sample(4, verdict=Verdict.NOT_APPLICABLE), size=20).record["requirements"][0]["statement"]
    assert (statement["proven"], statement["good"]) == (True, 4)


def test_who_looked_at_all_knows_all() -> None:
    assert lot_of(*good(12), size=12).record["statement"]["at_most"] == 0


def test_more_samples_than_articles_are_refused() -> None:
    with pytest.raises(InputRefused) as caught:
        lot_of(*good(12), size=11)
    assert caught.value.problems[0].code == "lot_size"


def test_the_plan_names_what_was_wanted() -> None:
    plan = {step["at_most"]: step["samples"] for step in lot_of(*good(2), size=500, wanted=109).record["plan"]}
    assert plan[109] == 12
    assert plan[0] == 476
    shares = {step["share"]: step["samples"] for step in lot_of(*good(2)).record["plan"]}
    assert (shares["0.0500"], shares["0.0100"]) == (59, 299)


# What was measured


def quantity(lot: Lot) -> dict[str, Any]:
    (found,) = lot.record["quantities"]
    result: dict[str, Any] = found
    return result


def test_mean_spread_and_extremes_with_their_samples() -> None:
    found = quantity(lot_of(*(sample(row, value) for row, value in enumerate(("38.90", "38.94", "38.96"), 1))))
    assert (found["n"], found["mean"], found["standard_deviation"]) == (3, "38.9333", "0.0306")
    assert found["smallest"] == {"value": "38.90", "sample": {"file": "lot.csv", "row": 1, "article": "k1"}}
    assert found["largest"]["sample"]["row"] == 3
    assert found["U"] == {"smallest": "0.03", "largest": "0.03"}


def test_the_offset_of_an_instrument_does_not_average_out() -> None:
    found = quantity(lot_of(*(sample(row, f"38.9{row % 2}") for row in range(1, 201))))
    assert found["common"] == {"standard_uncertainty": "0.0150", "from": "U"}
    assert Decimal(found["mean_U"]) >= Decimal("0.03")


def test_of_a_scan_all_but_the_noise_is_taken_as_common() -> None:
    def scanned(row: int) -> Report:
        record = json.loads(sample(row, f"38.9{row}").canonical)
        record["findings"][0]["reading"]["evidence"] = "scan:abc"
        lines = [("offset", "0.004"), ("scale", "0.003"), ("noise", "0.5")]
        contributions = [{"name": name, "says": "", "standard_uncertainty": u} for name, u in lines]
        scan = json.loads(make_report(scan=make_scan(sha256=f"{row:064x}")).canonical)["scan"]
        scan["budgets"] = [{"quantity": "goalkeeper.height", "contributions": contributions, "expanded": "1.1"}]
        return Report(rfc8785.dumps(record | {"scan": scan}))

    assert quantity(lot_of(scanned(1), scanned(2)))["common"] == {"standard_uncertainty": "0.00500", "from": "budget"}
    assert quantity(lot_of(scanned(1), scanned(2), sample(3)))["common"] == {"standard_uncertainty": "0.0150", "from": "both"}


def test_one_reading_has_no_spread_and_its_mean_no_uncertainty() -> None:
    found = quantity(lot_of(sample(1)))
    assert (found["mean"], found["standard_deviation"], found["mean_U"]) == ("38.9500", None, None)


def test_where_a_reading_has_no_uncertainty_the_mean_has_none() -> None:
    found = quantity(lot_of(sample(1), sample(2, u=None)))
    assert (found["without_U"], found["mean_U"], found["U"]["largest"]) == (1, None, "0.03")
    assert quantity(lot_of(sample(1, u=None), sample(2, u=None)))["common"] is None


def test_bounds_do_not_enter_the_mean_and_are_counted() -> None:
    reading = make_reading(None, None, hi=Decimal("38.5"))
    bounded = json.loads(sample(3).canonical)
    record = json.loads(make_report(findings=(make_finding(decided=(make_decided(reading=reading),)),)).canonical)
    bounded["findings"] = record["findings"]
    found = quantity(lot_of(sample(1, "38.90"), sample(2, "38.92"), Report(rfc8785.dumps(bounded))))
    assert (found["n"], found["bounded"], found["mean"], found["mean_U"]) == (2, 1, "38.9100", None)
    alone = quantity(lot_of(Report(rfc8785.dumps(bounded))))
    assert (alone["n"], alone["mean"], alone["smallest"], alone["U"]) == (0, None, None, None)


# What is no lot


def changed(report: Report, **changes: Any) -> Report:
    return Report(rfc8785.dumps(json.loads(report.canonical) | changes))


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (sample(1), "lot_twice"),
        (sample(2, attributes={"maker": "Other"}), "lot_mixed"),
        (changed(sample(2), item="ball"), "lot_mixed"),
        (changed(sample(2), purpose="recheck"), "lot_mixed"),
        (changed(sample(2), on="2026-03-02"), "lot_mixed"),
        (changed(sample(2), item="set"), "lot_item"),
        (sample(2, scan=make_scan(source="cad")), "lot_design"),
    ],
)
def test_what_does_not_belong_together_is_refused(second: Report, code: str) -> None:
    with pytest.raises(InputRefused) as caught:
        lot_of(sample(1), second)
    assert caught.value.problems[0].code == code


def test_one_scan_under_two_rows_is_one_sample() -> None:
    scan = make_scan()
    with pytest.raises(InputRefused) as caught:
        lot_of(sample(1, scan=scan), sample(2, scan=scan))
    assert caught.value.problems[0].code == "lot_twice"
    lot_of(sample(1, scan=scan), sample(2, scan=replace(scan, sha256="bb" * 32)))


def test_a_lot_of_refusals_only_is_no_lot() -> None:
    with pytest.raises(InputRefused) as caught:
        lot_of(refused=2)
    assert caught.value.problems[0].code == "lot_empty"


def test_only_what_all_samples_declare_is_said_of_the_lot() -> None:
    second = sample(2, attributes={"maker": "Acme", "colour": "red"})
    assert lot_of(sample(1, attributes={"maker": "Acme", "colour": "blue"}), second).record["attributes"] == {"maker": "Acme"}
    assert lot_of(sample(1, attributes={"maker": "Acme"}), sample(2, attributes={})).record["attributes"] == {}


# The record


@pytest.mark.parametrize("path", [PUBLISHED, SHIPPED], ids=["published", "shipped"])
def test_the_schema_file_is_the_one_that_the_types_give(path: Path) -> None:
    expected = json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"
    assert path.read_text(encoding="utf-8") == expected, "write it again: python -m homolog.report.lot_schema > " + path.name


LOTS = {
    "good": lot_of(*good(12), size=500, wanted=7),
    "any size": lot_of(*good(3)),
    "fault": lot_of(*good(3), sample(4, "40", Verdict.NONCONFORM), size=9),
    "open": lot_of(sample(1, "39", Verdict.INCONCLUSIVE), sample(2, u=None), refused=2),
}


@pytest.mark.parametrize("lot", LOTS.values(), ids=LOTS)
def test_records_fit_the_schema_and_read_back_to_the_byte(lot: Lot) -> None:
    schema = json.loads(PUBLISHED.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(lot.record)
    assert read_lot(json.dumps(lot.record, indent=2).encode()).canonical == lot.canonical == rfc8785.dumps(lot.record)


def cut(path: str, value: Any) -> bytes:
    record = json.loads(LOTS["good"].canonical)
    *way, last = path.split(".")
    part: Any = record
    for step in way:
        part = part[int(step)] if isinstance(part, list) else part[step]
    part[last] = value
    return json.dumps(record).encode()


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("statement.at_most", 3, "statement"),
        ("samples.total", 13, "samples"),
        ("records.left_out", 1, "samples"),
        ("outcome", "open", "outcome"),
        ("lot.size", 11, "lot"),
        ("lot.size", 600, "statement"),
        ("lot.wanted", 501, "lot"),
        ("requirements.0.statement.at_most", 3, "requirements[0]"),
        ("plan.0.samples", 3, "plan"),
        ("on", "2026-02-31", "on"),
        ("quantities.0.mean", 38.9, ""),
        ("extra", 1, "extra"),
        ("format", "homolog-report/1", ""),
    ],
)
def test_a_record_that_was_changed_is_refused(path: str, value: Any, where: str) -> None:
    with pytest.raises(InputRefused) as caught:
        read_lot(cut(path, value), "lot.json")
    assert where in caught.value.problems[0].where


def test_the_digest_chains_every_sample_and_the_first_are_named() -> None:
    reports = [sample(row) for row in range(1, 251)]
    records = lot_of(*reports).record["records"]
    assert (len(records["listed"]), records["left_out"]) == (200, 50)
    chain = hashlib.sha256()
    for row, report in enumerate(reports, 1):
        entry = {
            "sample": {"file": "lot.csv", "row": row, "article": f"k{row}"},
            "verdict": "conform",
            "sha256": hashlib.sha256(report.canonical).hexdigest(),
        }
        chain.update(rfc8785.dumps(entry) + b"\n")
    assert records["sha256"] == chain.hexdigest()


def test_a_lot_is_summed_up_in_constant_memory() -> None:
    tally, base = LotTally(), json.loads(sample(1).canonical)

    def add(first: int, count: int) -> None:
        for row in range(first, first + count):
            base["submission"]["row"] = row
            base["findings"][0]["reading"]["value"] = f"38.{row % 97:02d}"
            tally.add(Report(json.dumps(base).encode()))

    add(1, 500)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        add(501, 3000)
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()
    assert tally.total == 3500


# The pages


@pytest.mark.parametrize("lang", ["en", "uk", "it"])
@pytest.mark.parametrize("lot", LOTS.values(), ids=LOTS)
def test_the_page_says_the_sentence_in_every_language(lot: Lot, lang: str) -> None:
    page = lot_to_html(lot, lang).decode()
    view = view_of_lot(lot, lang)
    assert view.sentence in page.replace("&#39;", "'")
    assert page == lot_to_html(lot, lang).decode()
    assert "…" not in view.sentence
    assert "<script" not in page


def test_the_sentences_say_what_the_counts_say() -> None:
    said = {name: view_of_lot(lot).sentence for name, lot in LOTS.items()}
    assert said["good"] == "No fault found in 12 of 500; with 95 % confidence at most 109 of 500 are outside."
    assert said["any size"].endswith("at most 63.16\N{NO-BREAK SPACE}% of the lot are outside, whatever its size.")
    assert said["fault"] == "Faults found: 1 of 4 samples are shown not to conform."
    assert said["open"] == "No fault found, but 3 of 4 samples are undecided, so nothing is proven of the lot."
    assert "63,16\N{NO-BREAK SPACE}%" in view_of_lot(LOTS["any size"], "it").sentence


def test_no_page_calls_a_lot_conform() -> None:
    for lot in LOTS.values():
        view = view_of_lot(lot)
        assert not {"approved", "passed", "conforms", "accepted"} & set(view.sentence.replace(",", " ").split())


@pytest.mark.parametrize("lang", ["en", "uk"])
def test_the_pdf_holds_the_record_and_is_the_same_twice(lang: str) -> None:
    data = lot_to_pdf(LOTS["open"], lang)
    assert data == lot_to_pdf(LOTS["open"], lang)
    reader = pypdf.PdfReader(io.BytesIO(data))
    assert reader.attachments["lot.json"][0] == LOTS["open"].canonical
    assert reader.metadata is not None
    assert reader.metadata.title == view_of_lot(LOTS["open"], lang).title


def test_what_people_wrote_cannot_steer_the_page() -> None:
    report = json.loads(sample(1).canonical)
    report["submission"] |= {"article": "<b>\u202ex", "name": "a&b.csv"}
    page = lot_to_html(lot_of(Report(rfc8785.dumps(report)))).decode()
    assert "&lt;b&gt;□x, a&amp;b.csv" in page
    assert "\u202e" not in page
