from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from homolog.errors import InputRefused
from homolog.evaluate.verdict import Verdict
from homolog.report import Report, read_report, to_html, to_json, to_pdf
from tests.report.samples import SVG, full_report, make_report

Record = dict[str, Any]


def refused(data: bytes) -> InputRefused:
    with pytest.raises(InputRefused) as caught:
        read_report(data, "r.json")
    assert caught.value.exit_code == 4
    return caught.value


def changed(change: Callable[[Record], object], report: Report | None = None) -> bytes:
    record: Record = json.loads(to_json(report or full_report()))
    change(record)
    return json.dumps(record).encode()


def test_a_record_read_back_gives_the_same_bytes_in_every_form() -> None:
    report = full_report()
    again = read_report(to_json(report), "r.json")
    assert to_json(again) == to_json(report)
    assert to_html(again, "it") == to_html(report, "it")
    assert to_pdf(again) == to_pdf(report)


def test_a_record_that_was_indented_by_somebody_is_the_same_record() -> None:
    report = full_report()
    assert read_report(json.dumps(json.loads(to_json(report)), indent=2).encode()).canonical == report.canonical


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b"{}", "record_foreign"),
        (b"[]", "record_foreign"),
        (b"null", "record_foreign"),
        (b'{"format": "homolog-report/2"}', "record_foreign"),
        (b'{"format": "homolog-report/1"', "record_damaged"),
        (b'{"format": NaN}', "record_damaged"),
        (b'{"format": 1.5}', "record_damaged"),
        (b"[" * 100_000 + b"]" * 100_000, "record_damaged"),
        (b'{"format": "homolog-report/1", "format": "homolog-report/1"}', "key_duplicate"),
        (b"\xff\xfe", "text_invalid"),
        (to_json(make_report())[:-40], "record_damaged"),
    ],
)
def test_what_is_no_record_is_refused(data: bytes, code: str) -> None:
    error = refused(data)
    assert error.problems[0].code == code
    assert error.problems[0].where.startswith("r.json")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda r: r["findings"][0].update(verdict="fine"), "findings[0].verdict"),
        (lambda r: r["findings"][0]["reading"].update(value=38), "findings[0].reading.value"),
        (lambda r: r["findings"][0].pop("clause"), "findings[0].clause"),
        (lambda r: r.update(extra=1), "extra"),
        (lambda r: r["findings"][0]["reading"].update(value="1e5"), "findings[0].reading.value"),
        (lambda r: r["submission"].update(sha256="x"), "submission.sha256"),
        (lambda r: r["findings"][0].update(reading=[]), "findings[0].reading"),
        (lambda r: r["counts"].update(conform=True), "counts.conform"),
        (lambda r: r["findings"].pop(), "counts"),
        (lambda r: r["pieces"][0]["counts"].update(conform=7), "pieces[0].counts"),
        (lambda r: r["pieces"][0].update(verdict="inconclusive"), "pieces[0].verdict"),
        (lambda r: r.update(verdict="conform"), "verdict"),
        (lambda r: r.update(outcome="approve"), "outcome"),
        (lambda r: r.update(on="2026-02-30"), "on"),
        (lambda r: r["findings"][6]["interpretation"]["readings"][1]["reading"].update(hi=None),
         "findings[6].interpretation.readings[1].reading"),
    ],
)  # fmt: skip
def test_a_damaged_record_is_refused_at_its_place(change: Callable[[Record], object], where: str) -> None:
    error = refused(changed(change))
    assert any(problem.where.startswith(f"r.json: {where}") for problem in error.problems), str(error)


def test_half_a_sign_is_refused() -> None:
    data = to_json(make_report()).replace(b'"keeper.yaml"', b'"\\ud800"')
    assert refused(data).problems[0].code == "record_damaged"


@pytest.mark.parametrize(
    "inside",
    [
        "<script>1</script>",
        '<rect onload="1"/>',
        '<image href="http://example.invalid/x.png"/>',
        '<image href="data:image/svg+xml;base64,AAAA"/>',
        '<rect fill="url(http://example.invalid/x)"/>',
        '<rect style="fill: u\\72l(x)"/>',
        "<style>@import 'x';</style>",
        "<foreignObject/>",
        '<use href="#a"/>',
        "<?php 1 ?>",
        "<rect>",
        "&unknown;",
        '<rect xmlns="http://www.w3.org/1999/xhtml"/>',
    ],
)
def test_a_picture_that_could_run_or_load_something_is_refused(inside: str) -> None:
    data = changed(lambda record: record["pictures"][0].update(svg=SVG.replace("</svg>", f"{inside}</svg>")))
    error = refused(data)
    assert (error.problems[0].code, error.problems[0].where) == ("picture_unsafe", "r.json: pictures[0].svg")


@pytest.mark.parametrize(
    "svg", ["", "text", "<html/>", f'<!DOCTYPE svg [<!ENTITY a "a">]>{SVG}', '<g xmlns="http://www.w3.org/2000/svg"/>']
)
def test_what_is_no_picture_is_refused(svg: str) -> None:
    assert refused(changed(lambda record: record["pictures"][0].update(svg=svg))).problems[0].code == "picture_unsafe"


def test_a_picture_may_refer_to_its_own_parts_and_hold_pixels() -> None:
    inside = '<style>.a{fill:url(#p)}</style><rect fill="url(#p)"/><image href="data:image/png;base64,AAAA"/><text>a \\ b</text>'
    data = changed(lambda record: record["pictures"][0].update(svg=SVG.replace("</svg>", f"{inside}</svg>")))
    assert read_report(data).record["pictures"][0]["svg"].endswith("</text></svg>")


def test_a_picture_nested_too_deep_is_refused() -> None:
    deep = "<g>" * 40 + "</g>" * 40
    data = changed(lambda record: record["pictures"][0].update(svg=SVG.replace("</svg>", f"{deep}</svg>")))
    assert "nested too deep" in str(refused(data))


RECHECK = make_report(purpose="recheck", verdict=Verdict.NEEDS_JUDGEMENT, outcome="open")  # its rules know no transition


@pytest.mark.parametrize(
    ("transition", "verdict", "outcome"),
    [
        ({"policy": "unknown", "until": None}, "needs_judgement", "open"),
        ({"policy": "immediate", "until": None}, "nonconform", "withdraw"),
        ({"policy": "grace", "until": "2030-01-01"}, "nonconform", "grace"),
        ({"policy": "grace", "until": "2020-01-01"}, "nonconform", "withdraw"),
        ({"policy": "grace", "until": "unknown"}, "nonconform", "open"),
        ({"policy": "keep", "until": None}, "nonconform", "keep"),
    ],
)
def test_a_recheck_says_what_follows_from_the_transition_that_it_names(
    transition: dict[str, Any], verdict: str, outcome: str
) -> None:
    report = full_report(purpose="recheck", outcome="withdraw")

    def stated(record: Record) -> None:
        record["spec"]["transition"] = transition | {"note": ""}
        record.update(verdict=verdict, outcome=outcome)

    assert read_report(changed(stated, report)).outcome == outcome
    for other in {"keep", "grace", "withdraw", "open"} - {outcome}:
        error = refused(changed(lambda record: (stated(record), record.update(outcome=other)), report))  # noqa: B023 -- called at once
        assert error.problems[0].where == "r.json: outcome"


def test_a_recheck_under_an_unknown_transition_is_for_people_to_decide() -> None:
    assert read_report(to_json(RECHECK)).outcome == "open"
    assert refused(changed(lambda record: record.update(verdict="conform"), RECHECK)).problems[0].where == "r.json: verdict"


def test_a_day_of_grace_that_does_not_exist_is_refused() -> None:
    def stated(record: Record) -> None:
        record["spec"]["transition"] = {"policy": "grace", "until": "2026-02-31", "note": ""}

    assert refused(changed(stated, RECHECK)).problems[0].where == "r.json: spec.transition.until"
