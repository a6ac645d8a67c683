"""Names and texts that people may send, and that no page may obey."""

from __future__ import annotations

from homolog.evaluate.finding import Statement
from homolog.evaluate.verdict import Verdict
from homolog.quantity import Answer
from homolog.report import PieceFindings, Report, SubmissionFacts
from tests.report.samples import LOADED, bare_finding, full_report, make_finding, make_reading, make_scan

TEXTS = {
    "script": "<script>alert(1)</script>",
    "image": '"><img src=x onerror=alert(1)>',
    "jinja": "{{ 7 * 7 }} {% raw %}",
    "typst": '#read("/etc/passwd") $x^2$ *bold* @cite <label> #(1+1) \\ `raw` //c',
    "right_to_left": "\u202eabc\u202c שלום",
    "emoji": "👩‍🚀 😀 漢字 ไทย العربية",
    "marks": "Z̸̢͓a̵l̶g̴o̷ а́ ו̃",
    "long": "W" * 200,
    "controls": "a\tb\nc\x07d\u2028e\ufeff",
    "formula": "=HYPERLINK(1)",
    "entities": "&lt;b&gt; &amp; &#60;",
}


def hostile_report(text: str) -> Report:
    """A report in which a text stands wherever people's texts can stand."""
    piece = PieceFindings(
        name=text, item="ball", role=text, verdict=Verdict.CONFORM, spec=LOADED, findings=(make_finding(),), attributes={text: text}
    )
    refused = PieceFindings(name=text, item="ball", verdict=Verdict.NOT_APPLICABLE, not_judged=text)
    why = Statement(code="in_list", params={"value": text, "values": text, "attribute": text})
    finding = bare_finding(
        "gk.one",
        "one_of",
        Verdict.CONFORM,
        "in_list",
        why=why,
        answers=(Answer(asks="x", yes=True, role="board", by=text, place=text),),
    )
    return full_report(
        submission=SubmissionFacts(
            name=text, sha256="cd" * 32, format="yaml", attributes={"maker": text, "model": text, text: text}
        ),
        findings=(make_finding(), finding, make_finding("gk.two", decided=())),
        pieces=(piece, refused),
        unused=(make_reading("1", quantity=text, place=text, method=text, instrument=text),),
        scan=make_scan(unit_reason=text, facts={text: text}),
        notes=(Statement(code="never_heard", params={"x": text}),),
    )
