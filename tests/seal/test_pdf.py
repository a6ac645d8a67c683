from __future__ import annotations

import asyncio
import io
import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pypdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from homolog.report import to_json, to_pdf
from homolog.seal.key import SigningKey, new_key
from homolog.seal.pdf import sign_pdf
from homolog.seal.pdf_read import Broken, PdfSeal, read_pdf, record_of
from tests.report.samples import make_report
from tests.seal.making import ISSUER, SIGNED, START, key

REPORT = make_report()


def sealed(by: SigningKey | None = None, seconds: int = 0) -> bytes:
    return sign_pdf(PLAIN, by or key("pdf"), at=SIGNED + timedelta(seconds=seconds), issuer=ISSUER, reason="Conformity report")


PLAIN = to_pdf(REPORT)
GOOD = sealed()


def place(data: bytes) -> tuple[int, int]:
    found = re.search(rb"/ByteRange \[0 (\d+) (\d+) (\d+)\]", data)
    assert found is not None
    return int(found[1]), int(found[2])


def test_a_signed_pdf_holds_and_says_who_signed_when() -> None:
    seal = read_pdf(GOOD, "report.pdf")
    assert seal is not None
    assert (seal.kid, seal.at) == (key("pdf").public.kid, SIGNED)
    assert seal.is_by(key("pdf").public)
    assert not seal.is_by(key("pdf", 1).public)
    assert record_of(seal) == to_json(REPORT)


def test_the_document_before_the_signature_stands_byte_for_byte() -> None:
    assert GOOD.startswith(PLAIN)


def test_equal_documents_and_times_give_equal_bytes() -> None:
    assert sealed() == GOOD
    assert sealed(seconds=1) != GOOD


def test_a_pdf_is_signed_while_a_servers_loop_is_running() -> None:
    async def serving() -> bytes:
        return sealed()

    assert asyncio.run(serving()) == GOOD


def test_another_program_finds_the_signature_good_and_of_all_the_file() -> None:
    reader = PdfFileReader(io.BytesIO(GOOD))
    (embedded,) = reader.embedded_signatures
    from asn1crypto import x509

    trusted = x509.Certificate.load(key("pdf").public.certificate() or b"")
    found = validate_pdf_signature(embedded, ValidationContext(trust_roots=[trusted], moment=SIGNED))
    assert found.intact
    assert found.valid
    assert found.coverage.name == "ENTIRE_FILE"
    assert embedded.sig_object["/SubFilter"] == "/ETSI.CAdES.detached"


def test_poppler_finds_the_signature_good(tmp_path: Path) -> None:
    program = shutil.which("pdfsig")
    if program is None:
        pytest.skip("poppler-utils is not installed, so no reader of others was asked")
    (tmp_path / "signed.pdf").write_bytes(GOOD)
    told = subprocess.run([program, tmp_path / "signed.pdf"], capture_output=True, text=True, check=False).stdout
    assert "Signature Validation: Signature is Valid." in told
    assert "Total document signed" in told
    assert "ETSI.CAdES.detached" in told


def test_the_signature_is_baseline_b_without_what_pades_forbids() -> None:
    from asn1crypto import cms

    start, end = place(GOOD)
    info = cms.ContentInfo.load(bytes.fromhex(GOOD[start + 1 : end - 1].decode()))["content"]["signer_infos"][0]
    kinds = {attribute["type"].dotted for attribute in info["signed_attrs"]}
    assert kinds == {"1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4", "1.2.840.113549.1.9.16.2.47"}


def test_it_stays_what_it_declares() -> None:
    before, after = pypdf.PdfReader(io.BytesIO(PLAIN)), pypdf.PdfReader(io.BytesIO(GOOD))
    assert after.pdf_header == before.pdf_header == "%PDF-1.7"
    root = after.trailer["/Root"]
    assert "/Version" not in root
    assert "/Extensions" not in root
    assert after.xmp_metadata is not None
    assert before.xmp_metadata is not None
    assert after.xmp_metadata.stream.get_data() == before.xmp_metadata.stream.get_data()
    assert after.metadata == before.metadata
    assert root["/AF"][0]["/AFRelationship"] == "/Source"
    assert root["/AcroForm"]["/SigFlags"] == 3
    (field,) = root["/AcroForm"]["/Fields"]
    widget = field.get_object()
    # Printable, not hidden, without a size and so without an appearance; named for who listens to the page.
    assert int(widget["/F"]) & 0b100 == 0b100
    assert int(widget["/F"]) & 0b100011 == 0
    assert [int(number) for number in widget["/Rect"]] == [-10, -10, -10, -10]
    assert widget["/TU"] == f"Conformity report, {ISSUER}"
    assert [page.extract_text() for page in after.pages] == [page.extract_text() for page in before.pages]


def found_of(data: bytes) -> PdfSeal | str | None:
    try:
        return read_pdf(data, "report.pdf")
    except Broken as broken:
        return str(broken)


def test_a_byte_changed_anywhere_is_found() -> None:
    start, end = place(GOOD)
    # All of the update but the noughts behind the signature, and a sample of the rest.
    update = [at for at in range(len(PLAIN), len(GOOD)) if not start + 1500 < at < end - 2]
    for at in (*range(9, len(PLAIN), 4_999), *update[::19], *range(start + 1500, end, 501)):
        spoiled = GOOD[:at] + bytes([GOOD[at] ^ 1]) + GOOD[at + 1 :]
        assert not is_good(found_of(spoiled)), at


def is_good(found: PdfSeal | str | None) -> bool:
    return isinstance(found, PdfSeal) and found.is_by(key("pdf").public)


def test_another_spelling_of_the_signature_is_found() -> None:
    start, end = place(GOOD)
    lower = GOOD[:start] + GOOD[start:end].lower() + GOOD[end:]
    assert found_of(lower) == "its signature was changed: it is not spelled as it was made"
    behind = GOOD[: end - 3] + b"41" + GOOD[end - 1 :]
    assert found_of(behind) == "its signature was changed: it is not spelled as it was made"


@pytest.mark.parametrize("added", [b"\n", b"%", b"\n1 0 obj\n<<>>\nendobj\nstartxref\n0\n%%EOF"])
def test_bytes_after_the_signature_are_found(added: bytes) -> None:
    assert found_of(GOOD + added) == f"{len(added)} bytes were added after it was signed"


def test_an_update_that_shows_another_page_is_found() -> None:
    writer = IncrementalPdfFileWriter(io.BytesIO(GOOD))
    page = writer.root["/Pages"]["/Kids"].raw_get(0).get_object()
    page["/Rotate"] = writer.root["/AcroForm"]["/SigFlags"]
    writer.update_container(page)
    out = io.BytesIO()
    writer.write(out)
    assert out.getvalue().startswith(GOOD)
    assert "were added after it was signed" in str(found_of(out.getvalue()))


def test_a_second_signature_is_found() -> None:
    twice = sign_pdf(GOOD, key("pdf", 1), at=SIGNED, issuer="Somebody else", reason="Conformity report", field="Other")
    assert "a further signature was added" in str(found_of(twice))


@pytest.mark.parametrize("length", [100, len(PLAIN) - 1, len(PLAIN) + 300, len(GOOD) - 700, len(GOOD) - 100, len(GOOD) - 1])
def test_a_file_cut_short_is_found(length: int) -> None:
    found = found_of(GOOD[:length])
    assert isinstance(found, str)
    assert "cut short" in found


def test_a_pdf_without_a_signature_carries_none() -> None:
    assert found_of(PLAIN) is None


def test_a_key_that_nobody_knows_signs_for_itself_alone() -> None:
    other = new_key("pdf", issuer=ISSUER, at=START, until=None)
    found = found_of(sealed(other))
    assert isinstance(found, PdfSeal)
    assert found.kid == other.public.kid
    assert not found.is_by(key("pdf").public)


def test_the_certificate_must_be_the_published_one() -> None:
    from homolog.seal.key import _certificate, key_from_pem, pem_of
    from tests.seal.making import changed

    mine = key("pdf")
    import base64

    twin = base64.b64encode(_certificate(mine.private, mine.public.kid, "Somebody else", START, None)).decode()  # type: ignore[arg-type]
    found = found_of(sealed(key_from_pem(pem_of(mine), changed(mine, x5c=[twin]), "key")))
    assert isinstance(found, PdfSeal)
    assert found.kid == mine.public.kid
    assert not found.is_by(mine.public)


def test_only_a_pdf_key_signs_pdfs() -> None:
    with pytest.raises(ValueError, match="signs no PDFs"):
        sealed(key())


@pytest.mark.parametrize("range_", [b"[0 1 2 3]", b"[0 9 10 9999999999]", b"[0 0 0 0]", b"[-1 5 9 3]", b"[0 5 9]", b"<<>>"])
def test_a_range_that_leads_astray_is_refused_without_harm(range_: bytes) -> None:
    found = found_of(b"%PDF-1.7\n/ByteRange " + range_ + b"\n%%EOF")
    assert found is None or isinstance(found, str)
    assert not is_good(found)


def test_the_words_of_a_range_elsewhere_do_no_harm() -> None:
    assert is_good(found_of(sign_pdf(PLAIN, key("pdf"), at=SIGNED, issuer="/ByteRange [0 1 2 3]", reason="/ByteRange [0 9 99 9]")))
