from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from joserfc import jws as jose
from joserfc.jwk import OctKey, OKPKey

from homolog.errors import InputRefused
from homolog.seal.forms import decode, encode
from homolog.seal.jws import Jws, header_of, holds, payload_of, read_jws, sign
from tests.seal.making import REPORT, SIGNED, certificate, changed, forged, key, signed


def jws_of(file: dict[str, Any]) -> Jws:
    return Jws(payload=file["payload"], protected=file["protected"], signature=file["signature"])


GOOD = sign(REPORT, "report", key(), SIGNED)


def test_what_is_signed_are_the_records_own_bytes() -> None:
    assert decode(GOOD.payload) == REPORT
    assert holds(GOOD, key().public)
    assert payload_of(GOOD, "report", "file") == (REPORT, json.loads(REPORT))


def test_the_header_names_algorithm_key_time_and_kind() -> None:
    assert json.loads(decode(GOOD.protected)) == {
        "alg": "Ed25519",
        "kid": key().public.kid,
        "iat": int(SIGNED.timestamp()),
        "typ": "homolog-report+json",
    }
    header = header_of(GOOD, "file")
    assert (header.kind, header.at) == ("report", SIGNED)


def test_equal_records_and_times_give_equal_signatures() -> None:
    assert sign(REPORT, "report", key(), SIGNED) == GOOD
    assert sign(REPORT, "report", key(), SIGNED + timedelta(seconds=1)) != GOOD


def test_the_signature_is_plain_ed25519_that_anybody_can_check() -> None:
    assert isinstance(key().private, Ed25519PrivateKey)
    key().private.public_key().verify(decode(GOOD.signature), f"{GOOD.protected}.{GOOD.payload}".encode())


@settings(max_examples=300)
@given(st.sampled_from(["payload", "protected", "signature"]), st.data())
def test_any_changed_letter_fails(member: str, data: st.DataObject) -> None:
    text = getattr(GOOD, member)
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(
        st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").filter(lambda one: one != text[at])
    )
    changed_one = GOOD.model_copy(update={member: text[:at] + letter + text[at + 1 :]})
    assert not holds(changed_one, key().public)


def test_another_spelling_of_the_same_signature_fails() -> None:
    last = GOOD.signature[-1]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    twin = GOOD.signature[:-1] + letters[letters.index(last) ^ 1]
    assert not holds(GOOD.model_copy(update={"signature": twin}), key().public)


def test_another_key_of_any_purpose_fails() -> None:
    assert not holds(GOOD, key("record", 1).public)
    assert not holds(GOOD, key("pdf").public)


def test_only_canonical_records_of_their_kind_are_signed() -> None:
    for payload, kind in ((b'{"format": "homolog-report/1"}', "report"), (REPORT, "certificate"), (b"[]", "report")):
        with pytest.raises(ValueError, match="no canonical"):
            sign(payload, kind, key(), SIGNED)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="signs no records"):
        sign(REPORT, "report", key("pdf"), SIGNED)


HEADER = {"alg": "Ed25519", "kid": key().public.kid, "iat": 1772366400, "typ": "homolog-report+json"}


@pytest.mark.parametrize(
    "header",
    [
        HEADER | {"alg": "none"},
        HEADER | {"alg": "None"},
        HEADER | {"alg": "HS256"},
        HEADER | {"alg": "EdDSA"},
        HEADER | {"alg": "ES256"},
        HEADER | {"alg": "Ed448"},
        HEADER | {"alg": None},
        {name: value for name, value in HEADER.items() if name != "alg"},
        HEADER | {"jwk": key("record", 1).public.jwk()},
        HEADER | {"jku": "https://example.org/keys.json"},
        HEADER | {"x5c": ["AAAA"]},
        HEADER | {"crit": ["b64"], "b64": False},
        HEADER | {"b64": False},
        HEADER | {"zip": "DEF"},
    ],
    ids=range(14),  # a key is made anew for each run, and a name with it would be another one each time
)
def test_what_could_lead_to_another_algorithm_or_key_is_refused(header: dict[str, Any]) -> None:
    with pytest.raises(InputRefused) as refused:
        header_of(jws_of(forged(header)), "file")
    assert [problem.code for problem in refused.value.problems] == ["jws_refused"]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (HEADER | {"kid": "../../keys"}, "seal_damaged"),
        (HEADER | {"kid": ["a"]}, "seal_damaged"),
        (HEADER | {"typ": "JWT"}, "seal_damaged"),
        (HEADER | {"iat": -1}, "seal_damaged"),
        (HEADER | {"iat": 10**15}, "seal_damaged"),
        (HEADER | {"iat": "1772366400"}, "seal_damaged"),
        (HEADER | {"iat": True}, "seal_damaged"),
        (b'{"alg":"Ed25519","alg":"none"}', "key_duplicate"),
        (b"[]", "jws_refused"),
        (b"{", "json_invalid"),
        (b"\xff", "text_invalid"),
        (b'{"alg":' + b"[" * 400 + b"]" * 400 + b"}", "json_depth"),
    ],
    ids=lambda said: said if isinstance(said, str) else "header",
)
def test_a_header_that_says_what_is_not_known_is_refused(header: dict[str, Any] | bytes, code: str) -> None:
    with pytest.raises(InputRefused) as refused:
        header_of(jws_of(forged(header)), "file")
    assert {problem.code for problem in refused.value.problems} == {code}


def test_a_public_key_does_not_serve_as_a_secret() -> None:
    secret = OctKey.import_key(decode(key().public.x))
    made = jose.serialize_json({"protected": {"alg": "HS256", "kid": key().public.kid}}, REPORT, secret, algorithms=["HS256"])
    found = Jws.model_construct(**made)
    with pytest.raises(InputRefused, match="'HS256' is not taken"):
        header_of(found, "file")
    assert not holds(found, key().public)


def test_a_signature_over_one_kind_is_none_over_another() -> None:
    private = OKPKey.import_key(key().private)  # type: ignore[arg-type]
    registry = jose.JWSRegistry(algorithms=["Ed25519"], strict_check_header=False)
    made = jose.serialize_json({"protected": HEADER | {"typ": "homolog-status+json"}}, REPORT, private, registry=registry)
    found = jws_of(dict(made))
    assert holds(found, key().public)
    with pytest.raises(InputRefused, match="the payload is another document"):
        payload_of(found, header_of(found, "file").kind, "file")


def test_a_payload_that_is_not_canonical_is_refused() -> None:
    for payload in (b'{"verdict":"conform","format":"homolog-report/1"}', REPORT + b"\n", b'{"format":"homolog-report/1","a":1e1}'):
        with pytest.raises(InputRefused):
            payload_of(jws_of(forged(HEADER, payload)), "report", "file")


@pytest.mark.parametrize("extra", [{"signatures": []}, {"header": {"alg": "none"}}], ids=str)
def test_two_signatures_or_an_unsigned_header_are_refused(extra: dict[str, Any]) -> None:
    file = signed()
    parts = {"payload": file["payload"], "protected": file["protected"], "signature": file["signature"]}
    assert read_jws(parts, "file") == GOOD
    with pytest.raises(InputRefused, match="several signatures") as refused:
        read_jws(parts | extra, "file")
    assert [problem.code for problem in refused.value.problems] == ["jws_refused"]


def test_a_long_record_is_signed_and_checked_too() -> None:
    payload = certificate(decision={"outcome": "homologated", "by": "The board", "on": "2026-03-01", "reasons": "x" * 2_000_000})
    made = sign(payload, "certificate", key(), SIGNED)
    assert holds(made, key().public)


def test_base64url_has_one_spelling() -> None:
    assert decode(encode(b"\xff\xfe")) == b"\xff\xfe"
    for wrong in ("_-4=", "__9", "a", "a b", "ä", "//4"):
        with pytest.raises(ValueError, match=r"it is no|ASCII"):
            decode(wrong)


def test_a_key_without_a_curve_that_is_known_holds_nothing() -> None:
    assert not holds(GOOD, changed(key("pdf"), x5c=None))
