from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from joserfc.jwk import KeySet as JoseKeySet

from homolog.errors import HomologError, InputRefused, UsageError
from homolog.seal.key import jwk_of, key_from_pem, new_key, pem_of
from homolog.seal.key_folder import KeyFolder, end_key, make_keys, open_folder
from homolog.seal.key_given import UNNAMED, read_keys
from homolog.seal.key_set import Standing, read_key_set, standing, thumbprint
from tests.seal.making import ISSUER, NOW, SIGNED, START, bytes_of, changed, key, keys


def codes(refused: pytest.ExceptionInfo[HomologError]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


@pytest.fixture
def folder(tmp_path: Path) -> KeyFolder:
    return make_keys(tmp_path / "keys", issuer=ISSUER, at=START, until=START + timedelta(days=700))


def test_the_id_of_a_key_is_its_thumbprint_as_the_standard_has_it() -> None:
    # RFC 8037, appendix A.3.
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    assert thumbprint(jwk) == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_making_keys_gives_one_for_records_and_one_for_pdfs(folder: KeyFolder) -> None:
    record, pdf = folder.public.keys
    assert (record.purpose, record.alg, pdf.purpose, pdf.alg) == ("record", "Ed25519", "pdf", "ES256")
    assert open_folder(folder.path).public == folder.public


def test_private_keys_are_for_their_owner_alone(folder: KeyFolder) -> None:
    private = list(folder.path.glob("*.pem"))
    assert len(private) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in private} == {0o600}
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder.path / "keys.json").stat().st_mode) == 0o644


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o602, 0o700])
def test_a_private_key_that_others_may_touch_is_refused(folder: KeyFolder, mode: int) -> None:
    (folder.path / f"{folder.public.keys[0].kid}.pem").chmod(mode)
    with pytest.raises(InputRefused, match=f"mode {mode:04o}") as refused:
        folder.signing_key("record", START)
    assert codes(refused) == ["key_open"]


def test_a_folder_in_which_others_may_put_keys_is_refused(folder: KeyFolder) -> None:
    folder.path.chmod(0o770)
    with pytest.raises(InputRefused, match="others may change") as refused:
        open_folder(folder.path)
    assert codes(refused) == ["key_open"]


def test_a_private_key_behind_a_link_is_refused(folder: KeyFolder) -> None:
    path = folder.path / f"{folder.public.keys[0].kid}.pem"
    path.rename(folder.path / "elsewhere")
    path.symlink_to(folder.path / "elsewhere")
    with pytest.raises(InputRefused) as refused:
        folder.signing_key("record", START)
    assert codes(refused) == ["key_invalid"]


def test_a_key_under_the_name_of_another_is_refused(folder: KeyFolder) -> None:
    other = new_key("record", issuer=ISSUER, at=START, until=None)
    path = folder.path / f"{folder.public.keys[0].kid}.pem"
    path.write_bytes(pem_of(other))
    with pytest.raises(InputRefused, match="not the one of its name"):
        folder.signing_key("record", START)


@pytest.mark.parametrize("data", [b"", b"nothing", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_private_key_is_refused(data: bytes) -> None:
    with pytest.raises(InputRefused) as refused:
        key_from_pem(data, key().public, "key.pem")
    assert codes(refused) == ["key_invalid"]


def test_a_key_does_not_print_itself() -> None:
    assert "private" not in repr(key())
    assert "Ed25519PrivateKey" not in repr(key())


def test_the_published_set_holds_nothing_private_and_is_a_jwk_set(folder: KeyFolder) -> None:
    text = (folder.path / "keys.json").read_text(encoding="utf-8")
    published = json.loads(text)
    assert not any("d" in one for one in published["keys"])
    found = JoseKeySet.import_key_set(
        {"keys": [{k: v for k, v in one.items() if k in ("kty", "crv", "x", "y", "kid", "use")} for one in published["keys"]]}
    )
    assert [one.thumbprint() for one in found.keys] == [one["kid"] for one in published["keys"]]


def test_the_certificate_of_a_pdf_key_is_its_own(folder: KeyFolder) -> None:
    pdf = folder.public.keys[1]
    certificate = x509.load_der_x509_certificate(pdf.certificate() or b"")
    public = certificate.public_key()
    assert isinstance(public, EllipticCurvePublicKey)
    assert jwk_of(public) == pdf.jwk()
    assert certificate.subject == certificate.issuer
    assert (certificate.not_valid_before_utc, certificate.not_valid_after_utc) == (pdf.valid_from, pdf.valid_until)
    certificate.verify_directly_issued_by(certificate)


def test_new_keys_retire_the_old_ones_and_lose_none(folder: KeyFolder) -> None:
    later = START + timedelta(days=300)
    rotated = make_keys(folder.path, issuer=None, at=later, until=None)
    assert [one.status for one in rotated.public.keys] == ["retired", "retired", "active", "active"]
    assert rotated.public.keys[0].kid == folder.public.keys[0].kid
    assert rotated.signing_key("record", later).public.kid == rotated.public.keys[2].kid
    assert standing(rotated.public.keys[0], later - timedelta(seconds=1)) is Standing.GOOD
    assert standing(rotated.public.keys[0], later + timedelta(seconds=1)) is Standing.RETIRED


def test_keys_of_another_issuer_do_not_enter_a_folder(folder: KeyFolder) -> None:
    with pytest.raises(UsageError, match="not of 'Somebody else'") as refused:
        make_keys(folder.path, issuer="Somebody else", at=START, until=None)
    assert codes(refused) == ["key_issuer"]


def test_the_first_key_says_who_signs(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        make_keys(tmp_path / "keys", issuer=None, at=START, until=None)
    assert codes(refused) == ["key_issuer"]


def test_nothing_is_signed_before_after_or_without_a_valid_key(folder: KeyFolder) -> None:
    for at in (START - timedelta(seconds=1), START + timedelta(days=701)):
        with pytest.raises(UsageError) as refused:
            folder.signing_key("record", at)
        assert codes(refused) == ["key_none"]
    ended = end_key(folder, folder.public.keys[0].kid, at=SIGNED, is_revoked=False, reason=None)
    with pytest.raises(UsageError):
        ended.signing_key("record", SIGNED)
    assert ended.signing_key("pdf", SIGNED).public.purpose == "pdf"


def test_a_retired_key_can_be_revoked_and_a_revoked_one_stays_so(folder: KeyFolder) -> None:
    kid = folder.public.keys[0].kid
    retired = end_key(folder, kid[:8], at=SIGNED, is_revoked=False, reason=None)
    revoked = end_key(retired, kid, at=NOW, is_revoked=True, reason="The laptop was stolen.")
    found = open_folder(folder.path).public.keys[0]
    assert (found.status, found.since, found.reason) == ("revoked", NOW, "The laptop was stolen.")
    for is_revoked in (True, False):
        with pytest.raises(UsageError) as refused:
            end_key(revoked, kid, at=NOW, is_revoked=is_revoked, reason=None)
        assert codes(refused) == ["key_ended"]


def test_which_key_is_meant_must_be_clear(folder: KeyFolder) -> None:
    for unclear in ("", "nothing-like-this"):
        with pytest.raises(UsageError) as refused:
            end_key(folder, unclear, at=NOW, is_revoked=True, reason=None)
        assert codes(refused) == ["key_none"]


@pytest.mark.parametrize(
    ("members", "at", "expected"),
    [
        ({}, START, Standing.GOOD),
        ({}, START + timedelta(days=700), Standing.GOOD),
        ({}, START - timedelta(seconds=1), Standing.NOT_YET),
        ({}, START + timedelta(days=700, seconds=1), Standing.OVER),
        ({"status": "retired", "since": NOW}, NOW, Standing.GOOD),
        ({"status": "retired", "since": NOW}, NOW + timedelta(seconds=1), Standing.RETIRED),
        ({"status": "revoked", "since": NOW}, NOW, Standing.REVOKED_BEFORE),
        ({"status": "revoked", "since": NOW}, NOW - timedelta(seconds=1), Standing.REVOKED_LATER),
    ],
)
def test_how_a_key_stood_when_it_signed(members: dict[str, object], at: object, expected: Standing) -> None:
    assert standing(changed(key(), **members), at) is expected  # type: ignore[arg-type]


def spoiled(**members: object) -> dict[str, object]:
    return keys().record() | {"keys": [keys().record()["keys"][0] | members]}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({}, "keys_invalid"),
        ([], "keys_invalid"),
        (keys().record() | {"format": "homolog-keys/2"}, "keys_invalid"),
        (keys().record() | {"keys": [keys().record()["keys"][0]] * 2}, "seal_damaged"),
        (keys().record() | {"extra": 1}, "seal_damaged"),
        (spoiled(d="AAAA"), "key_private"),
        (spoiled(kid=key("pdf").public.kid), "seal_damaged"),
        (spoiled(x=key("record", 1).public.x), "seal_damaged"),
        (spoiled(x="AAAA"), "seal_damaged"),
        (spoiled(purpose="pdf"), "seal_damaged"),
        (spoiled(alg="ES256"), "seal_damaged"),
        (spoiled(alg="none"), "seal_damaged"),
        (spoiled(kty="oct"), "seal_damaged"),
        (spoiled(use="enc"), "seal_damaged"),
        (spoiled(status="revoked"), "seal_damaged"),
        (spoiled(since="2026-03-01T12:00:00Z"), "seal_damaged"),
        (spoiled(valid_until="2026-01-01T00:00:00Z"), "seal_damaged"),
        (spoiled(valid_from="2026-03-01"), "seal_damaged"),
        (spoiled(valid_from="2026-03-01T12:00:00+00:00"), "seal_damaged"),
        (spoiled(valid_from=1772366400), "seal_damaged"),
    ],
)
def test_a_key_set_that_is_none_is_refused(value: object, code: str) -> None:
    with pytest.raises(InputRefused) as refused:
        read_key_set(bytes_of(value), "keys.json")
    assert set(codes(refused)) == {code}


def test_one_key_in_any_usual_form_will_do() -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    signing = key()
    pem = signing.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    issued = x509.load_der_x509_certificate(key("pdf").public.certificate() or b"").public_bytes(Encoding.PEM)
    for data, expected in ((pem, signing), (bytes_of(signing.public.jwk()), signing), (issued, key("pdf"))):
        found = read_keys(data, "key")
        assert found.issuer == UNNAMED
        assert [one.kid for one in found.keys] == [expected.public.kid]
    assert read_keys(keys().canonical(), "keys.json") == keys()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (pem_of(key()), "key_private"),
        (bytes_of({"kty": "OKP", "crv": "Ed25519", "x": key().public.x, "d": "AAAA"}), "key_private"),
        (bytes_of({"kty": "oct", "k": "AAAA"}), "seal_damaged"),
        (bytes_of({"kty": "OKP", "crv": "X25519", "x": key().public.x}), "seal_damaged"),
        (bytes_of({"kty": "RSA", "n": "AQAB", "e": "AQAB"}), "seal_damaged"),
        (b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "keys_invalid"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "keys_invalid"),
        (b'{"format": "homolog-report/1"}', "keys_invalid"),
        (b"[1]", "keys_invalid"),
    ],
    ids=range(9),
)
def test_what_is_no_public_key_of_ours_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InputRefused) as refused:
        read_keys(data, "key")
    assert set(codes(refused)) == {code}


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        make_keys(tmp_path / "file", issuer=ISSUER, at=START, until=None)
    with pytest.raises(UsageError, match="no folder of keys"):
        open_folder(tmp_path)


def test_a_crash_leaves_the_old_set_whole(folder: KeyFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(UsageError):
        end_key(replace(folder), folder.public.keys[0].kid, at=NOW, is_revoked=True, reason=None)
    monkeypatch.undo()
    assert open_folder(folder.path).public == folder.public
    assert not list(folder.path.glob(".keys-*"))
