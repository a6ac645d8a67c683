from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homolog.errors import InputRefused
from homolog.report import to_json, to_pdf
from homolog.seal.forms import decode, encode
from homolog.seal.jws import Jws, sign
from homolog.seal.key_set import KeySet
from homolog.seal.log import Receipt
from homolog.seal.log_file import LogFile
from homolog.seal.pdf import sign_pdf
from homolog.seal.verification import EXITS, Verification
from homolog.seal.verify import Asked, verify
from homolog.seal.verify_log import LogAsked, LogSilent
from tests.report.samples import make_report
from tests.seal.making import (
    ISSUER,
    NOW,
    REPORT,
    SIGNED,
    TODAY,
    bytes_of,
    certificate,
    changed,
    forged,
    key,
    keys,
    log_of,
    signed,
    status,
)

DIGEST = hashlib.sha256(REPORT).hexdigest()
OTHER = key("record", 1)
BOTH = (key().public, OTHER.public, key("pdf").public)


def verified(
    file: Any = None, *, known: KeySet | None = None, log: LogAsked | None = None, now: datetime = NOW, on: date = TODAY
) -> Verification:
    data = file if isinstance(file, bytes) else bytes_of(signed() if file is None else file)
    return verify(data, "file", Asked(known or keys(), now, on, log))


def answers(found: Verification) -> dict[str, str]:
    """Return each check's state, or its reason where it does not hold."""
    return {check.name: check.state if check.state in ("holds", "not_asked") else check.reason for check in found.checks}


ALL_GOOD = {"content": "holds", "signature": "holds", "key": "holds", "log": "holds", "state": "not_asked"}


def test_a_signed_record_in_the_log_holds() -> None:
    found = verified(log=log_of("11" * 32, DIGEST).find)
    assert answers(found) == ALL_GOOD
    assert (found.exit_code, found.kind, found.sha256, found.record) == (0, "report", DIGEST, REPORT)
    assert "Entry 2 of 2" in found.checks[3].says


def test_no_log_is_needed() -> None:
    found = verified()
    assert answers(found) == ALL_GOOD | {"log": "not_asked"}
    assert found.exit_code == 0


def test_the_receipt_that_the_file_carries_is_taken_where_no_log_is_given() -> None:
    receipt = log_of(DIGEST).find(DIGEST)
    assert receipt is not None
    found = verified(signed() | {"receipt": receipt.record()})
    assert answers(found) == ALL_GOOD
    assert "by the receipt in the file" in found.checks[3].says


@pytest.mark.parametrize("member", ["payload", "signature"])
def test_a_changed_byte_is_told(member: str) -> None:
    file = signed()
    data = bytearray(decode(file[member]))
    data[-3] ^= 1
    found = verified(file | {member: encode(bytes(data))}, log=log_of(DIGEST).find)
    assert answers(found)["content"] == answers(found)["signature"] == "changed"
    assert answers(found)["key"] == "holds"
    assert (found.exit_code, found.record, found.sha256) == (10, None, None)


def test_an_unknown_key_is_told_apart_from_a_changed_byte() -> None:
    found = verified(signed(by=OTHER))
    assert answers(found)["key"] == answers(found)["signature"] == "key_unknown"
    assert (found.exit_code, found.record, found.sha256) == (12, None, DIGEST)
    assert OTHER.public.kid in found.checks[2].says


def test_without_any_key_nothing_is_believed() -> None:
    found = verify(bytes_of(signed()), "file", Asked(None, NOW, TODAY, log_of(DIGEST).find))
    assert answers(found) == {
        "content": "key_unknown",
        "signature": "key_unknown",
        "key": "key_unknown",
        "log": "key_unknown",
        "state": "not_asked",
    }
    assert found.exit_code == 12


def test_a_kid_of_a_known_key_does_not_make_a_signature_of_it() -> None:
    made = sign(REPORT, "report", OTHER, SIGNED)
    stolen = sign(REPORT, "report", key(), SIGNED)
    found = verified({"format": "homolog-signed/1"} | made.model_copy(update={"protected": stolen.protected}).record())
    assert found.exit_code == 10


def test_a_pdf_key_does_not_sign_records_even_under_its_own_id() -> None:
    header = {"alg": "Ed25519", "kid": key("pdf").public.kid, "iat": 1773489600, "typ": "homolog-report+json"}
    assert verified(forged(header)).exit_code == 12


def test_a_record_that_is_not_in_the_log_is_told() -> None:
    found = verified(log=log_of("11" * 32).find)
    assert answers(found) == ALL_GOOD | {"log": "not_in_log"}
    assert found.exit_code == 14


def test_a_log_that_does_not_answer_leaves_the_question_open() -> None:
    def silent(*_: object) -> Receipt | None:
        raise LogSilent.because("it answers 503")

    found = verified(log=silent)
    assert answers(found) == ALL_GOOD | {"log": "log_silent"}
    assert found.checks[3].state == "unknown"
    assert found.exit_code == 18


def test_a_receipt_of_another_record_proves_nothing() -> None:
    other = log_of("11" * 32).find("11" * 32)
    found = verified(log=lambda *_: other)
    assert answers(found)["log"] == "log_false"
    assert found.exit_code == 15


def spoiled_receipts() -> dict[str, Receipt]:
    receipt = log_of("11" * 32, DIGEST, "22" * 32).find(DIGEST)
    assert receipt is not None
    foreign = log_of(DIGEST, by=key("record", 2)).find(DIGEST)
    assert foreign is not None
    signature = receipt.head.signature
    broken = receipt.head.model_copy(update={"signature": ("A" if signature[0] != "A" else "B") + signature[1:]})
    return {
        "path": receipt.model_copy(update={"path": ("00" * 32, *receipt.path[1:])}),
        "index": receipt.model_copy(update={"index": 0}),
        "entry": receipt.model_copy(update={"entry": receipt.entry.model_copy(update={"at": SIGNED - timedelta(days=1)})}),
        "head": receipt.model_copy(update={"head": broken}),
        "no head": receipt.model_copy(update={"head": status()}),
        "other head": receipt.model_copy(update={"head": log_of(DIGEST).heads[-1][0]}),
    }


@pytest.mark.parametrize("name", ["path", "index", "entry", "head", "no head", "other head"])
def test_a_proof_that_does_not_lead_to_a_signed_head_is_told(name: str) -> None:
    receipt = spoiled_receipts()[name]
    found = verified(log=lambda *_: receipt)
    assert answers(found) == ALL_GOOD | {"log": "log_false"}
    assert found.exit_code == 15


def test_a_head_by_an_unknown_key_proves_nothing() -> None:
    found = verified(log=log_of(DIGEST, by=key("record", 2)).find)
    assert answers(found)["log"] == "key_unknown"
    assert found.exit_code == 12


def test_a_head_by_a_revoked_key_proves_nothing() -> None:
    known = keys(key().public, changed(OTHER, status="revoked", since=NOW))
    found = verified(known=known, log=log_of(DIGEST, by=OTHER).find)
    assert answers(found)["log"] == "log_false"


def test_the_log_of_another_issuer_proves_nothing() -> None:
    found = verified(known=keys(*BOTH, issuer="Somebody else"), log=log_of(DIGEST).find)
    assert answers(found)["log"] == "log_false"


# Keys: known, retired, revoked, out of their time.


@pytest.mark.parametrize(
    ("members", "reason", "exit_code"),
    [
        ({"status": "retired", "since": SIGNED}, "holds", 0),
        ({"status": "retired", "since": SIGNED - timedelta(seconds=1)}, "key_not_valid", 13),
        ({"status": "revoked", "since": SIGNED}, "key_revoked", 13),
        ({"status": "revoked", "since": SIGNED + timedelta(days=1)}, "key_revoked", 13),
        ({"valid_until": SIGNED - timedelta(seconds=1)}, "key_not_valid", 13),
        ({"valid_until": SIGNED}, "holds", 0),
        ({"valid_from": SIGNED + timedelta(seconds=1)}, "key_not_valid", 13),
    ],
)
def test_how_the_key_stood_decides(members: dict[str, Any], reason: str, exit_code: int) -> None:
    found = verified(known=keys(changed(key(), **members)))
    assert (answers(found)["key"], found.exit_code) == (reason, exit_code)


def test_what_a_revoked_key_signed_stands_if_another_keys_log_proves_it_older() -> None:
    known = keys(changed(key(), status="revoked", since=SIGNED + timedelta(days=1)), OTHER.public)
    found = verified(known=known, log=log_of(DIGEST, by=OTHER).find)
    assert answers(found) == ALL_GOOD
    assert "revoked later, but the log proves" in found.checks[2].says


def test_what_a_revoked_key_signed_falls_if_the_log_has_it_too_late_or_only_the_key_itself_says_so() -> None:
    revoked = SIGNED + timedelta(days=1)
    known = keys(changed(key(), status="revoked", since=revoked), OTHER.public)
    late = verified(known=known, log=log_of(DIGEST, by=OTHER, at=revoked).find)
    own = verified(known=known, log=log_of(DIGEST).find)
    assert answers(late)["key"] == answers(own)["key"] == "key_revoked"
    assert answers(own)["log"] == "log_false"


def test_a_signature_from_the_future_does_not_hold() -> None:
    soon = verified(now=SIGNED - timedelta(minutes=5))
    assert answers(soon)["key"] == "holds"
    future = verified(now=SIGNED - timedelta(hours=1))
    assert answers(future)["key"] == "key_not_valid"
    assert "in the future" in future.checks[2].says


# The type's state.


def of_type(*statuses: Jws, on: date = TODAY, known: KeySet | None = None, **members: Any) -> Verification:
    payload = certificate(**members)
    log = log_of(hashlib.sha256(payload).hexdigest(), statuses=statuses)
    return verified(signed(payload, "certificate"), log=log.find, on=on, known=known)


def test_a_certificate_whose_type_stands_holds() -> None:
    found = of_type(status("homologated"))
    assert answers(found) == ALL_GOOD | {"state": "holds"}
    assert found.kind == "certificate"
    assert "HML-F-0001 (Sample figure) stands since 2026-03-05" in found.checks[4].says


@pytest.mark.parametrize(("of", "exit_code"), [("withdrawn", 16), ("suspended", 16), ("expired", 17)])
def test_a_type_that_does_not_stand_is_told(of: str, exit_code: int) -> None:
    found = of_type(status(of, says="The base came out 0.2 mm wider.", until="2026-12-31"))
    assert answers(found) == ALL_GOOD | {"state": of}
    assert found.exit_code == exit_code
    assert "The base came out 0.2 mm wider." in found.checks[4].says


def test_a_grace_date_is_said() -> None:
    assert "may be played until 2026-12-31" in of_type(status(until="2026-12-31")).checks[4].says


def test_of_several_words_the_latest_counts() -> None:
    earlier, later = status("withdrawn"), status("homologated", at=SIGNED + timedelta(days=1))
    for order in ((earlier, later), (later, earlier)):
        assert of_type(*order).exit_code == 0
    back = status("homologated"), status("withdrawn", at=SIGNED + timedelta(days=1))
    assert of_type(*back).exit_code == 16


def test_of_two_words_at_one_moment_the_graver_counts() -> None:
    assert of_type(status("withdrawn"), status("homologated")).exit_code == 16


def test_a_word_counts_from_its_day_on() -> None:
    words = status("homologated"), status("withdrawn", at=SIGNED + timedelta(days=1), since="2026-09-01")
    assert of_type(*words, on=date(2026, 8, 31)).exit_code == 0
    assert of_type(*words, on=date(2026, 9, 1)).exit_code == 16


def test_a_status_by_an_unknown_key_is_left_out_and_said() -> None:
    found = of_type(status("withdrawn", by=OTHER))
    assert (answers(found)["state"], found.checks[4].state, found.exit_code) == ("key_unknown", "unknown", 12)


def test_a_status_by_a_revoked_key_is_left_out_and_said() -> None:
    known = keys(key().public, changed(OTHER, status="revoked", since=NOW))
    found = of_type(status("homologated", by=OTHER), known=known)
    assert (answers(found)["state"], found.exit_code) == ("log_false", 15)


def test_a_status_of_another_type_says_nothing() -> None:
    payload = certificate()
    log = log_of(hashlib.sha256(payload).hexdigest(), statuses=(status(number="HML-F-0002"),))
    receipt = log.find(hashlib.sha256(payload).hexdigest(), "HML-F-0002")
    found = verified(signed(payload, "certificate"), log=lambda *_: receipt)
    assert answers(found)["state"] == "holds"


def test_a_report_is_found_by_its_digest_in_what_the_register_says() -> None:
    log: LogFile = log_of(DIGEST, statuses=(status(reports=[DIGEST]),))
    assert verified(log=log.find).exit_code == 16


@pytest.mark.parametrize(
    ("valid_from", "valid_until", "reason"),
    [
        ("2026-03-01", None, "holds"),
        ("2026-03-01", "2026-06-09", "holds"),
        ("2026-03-01", "2026-06-08", "expired"),
        ("2026-06-09", None, "holds"),
        ("2026-06-10", None, "not_yet_valid"),
    ],
)
def test_a_certificate_counts_from_its_first_day_to_its_last(valid_from: str, valid_until: str | None, reason: str) -> None:
    found = of_type(valid_from=valid_from, valid_until=valid_until)
    assert answers(found)["state"] == reason
    assert found.exit_code == (0 if reason == "holds" else 17)


def test_a_provisional_homologation_ends() -> None:
    word = status("provisional", until="2026-06-09")
    assert of_type(word).exit_code == 0
    assert of_type(word, on=date(2026, 6, 10)).exit_code == 17


# PDFs.

RECORD = make_report()
PDF = sign_pdf(to_pdf(RECORD), key("pdf"), at=SIGNED, issuer=ISSUER, reason="Conformity report")
FILE = bytes_of(signed())
OF_PDF = hashlib.sha256(to_json(RECORD)).hexdigest()


def test_a_signed_pdf_is_its_record() -> None:
    found = verified(PDF, log=log_of(OF_PDF).find)
    assert answers(found) == ALL_GOOD
    assert (found.kind, found.sha256, found.record) == ("report", OF_PDF, to_json(RECORD))


def test_a_pdf_with_content_after_its_signature_is_told() -> None:
    found = verified(PDF + b"\n2 0 obj\n<<>>\nendobj\n%%EOF")
    assert answers(found)["signature"] == "changed"
    assert "were added after it was signed" in found.checks[1].says
    assert found.exit_code == 10


def test_a_changed_pdf_is_told() -> None:
    assert verified(PDF[:5000] + b"!" + PDF[5001:]).exit_code == 10
    assert verified(PDF[:-5]).exit_code == 10


def test_a_pdf_that_no_known_key_has_signed_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object) -> bytes:
        raise AssertionError("a stranger's PDF was opened")

    monkeypatch.setattr("homolog.seal.verify.record_of", opened)
    found = verified(PDF, known=keys(key().public))
    assert answers(found)["signature"] == "holds"
    assert (found.exit_code, found.sha256) == (12, None)


def test_a_pdf_without_a_signature_is_told() -> None:
    found = verified(to_pdf(RECORD))
    assert answers(found)["signature"] == "unsigned"
    assert found.exit_code == 11


def test_a_pdf_by_a_revoked_key_is_told() -> None:
    known = keys(key().public, changed(key("pdf"), status="revoked", since=SIGNED + timedelta(days=1)))
    assert verified(PDF, known=known).exit_code == 13
    assert verified(PDF, known=known, log=log_of(OF_PDF).find).exit_code == 0


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_spoiled_file_is_believed_or_does_harm(data: st.DataObject) -> None:
    whole = FILE if data.draw(st.booleans()) else PDF
    start = data.draw(st.integers(0, len(whole) - 1))
    put_in = data.draw(st.binary(max_size=8))
    spoiled = whole[:start] + put_in + whole[data.draw(st.integers(start, min(len(whole), start + 8))) :]
    try:
        found = verified(spoiled)
    except InputRefused as refused:
        assert all(problem.code for problem in refused.problems)  # noqa: PT017 -- most changed files are refused, and some are answered
        return
    # Blanks between the parts of JSON are nobody's; whatever else is different must be seen.
    assert found.exit_code != 0 or spoiled == whole or (found.record == REPORT and whole is FILE)


# Bare records and what is none.


def test_a_bare_record_is_unsigned_and_may_be_in_the_log() -> None:
    found = verified(REPORT, log=log_of(DIGEST).find)
    assert answers(found) == {
        "content": "unsigned",
        "signature": "unsigned",
        "key": "not_asked",
        "log": "holds",
        "state": "not_asked",
    }
    assert found.exit_code == 11


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b"\x00\x01", "text_invalid"),
        (b"hello", "json_invalid"),
        (b"[]", "seal_foreign"),
        (b'{"format":"homolog-spec/1"}', "seal_foreign"),
        (b'{"format":"homolog-signed/1"}', "seal_damaged"),
        (bytes_of(signed())[:-20], "json_invalid"),
        (bytes_of(signed() | {"extra": 1}), "seal_damaged"),
        (bytes_of(signed() | {"signatures": []}), "jws_refused"),
        (bytes_of(signed() | {"header": {}}), "jws_refused"),
        (bytes_of(signed() | {"receipt": {}}), "seal_damaged"),
        (bytes_of(signed())[:-1] + b',"payload":"AAAA"}', "key_duplicate"),
        (b'{"a":' * 100 + b"1" + b"}" * 100, "json_depth"),
        (b"[" + b"1," * 300_000 + b"1]", "json_size"),
        (b" " * 100_000_001 + b"{}", "file_too_large"),
        (bytes_of({"format": "homolog-signed/1"} | status().record()), "seal_foreign"),
        (bytes_of(signed(REPORT) | {"payload": signed(certificate(), "certificate")["payload"]}), None),
        (b"%PDF-2.0\n%%EOF", "seal_foreign"),
    ],
    ids=range(18),
)
def test_what_cannot_be_verified_is_refused_clearly(data: bytes, code: str | None) -> None:
    if code is None:
        assert verified(data).exit_code == 10
        return
    with pytest.raises(InputRefused) as refused:
        verified(data)
    assert {problem.code for problem in refused.value.problems} == {code}


def test_a_certificate_with_a_member_that_is_not_known_is_refused_though_it_is_signed() -> None:
    with pytest.raises(InputRefused):
        verified(signed(certificate(extra="1"), "certificate"))


def test_the_gravest_answer_gives_the_exit_code() -> None:
    known = keys(changed(key(), status="revoked", since=SIGNED), OTHER.public)
    found = of_type(status(), known=known)
    assert found.exit_code == 13
    assert next(iter(EXITS.values())) == 10
