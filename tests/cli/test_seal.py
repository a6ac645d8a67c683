"""Keys, signing and verifying as a person does it, and the exit codes that docs/verify.md promises."""

from __future__ import annotations

import hashlib
import json
import re
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from homolog.cli.fetch import RemoteLog
from homolog.report import to_json
from homolog.seal.log_file import read_log
from homolog.seal.verification import EXITS
from tests.cli.conftest import Run
from tests.report.samples import make_report
from tests.seal.making import CERTIFICATE

DOCS = Path(__file__).parents[2] / "docs"
RECORD = to_json(make_report())
DIGEST = hashlib.sha256(RECORD).hexdigest()


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    assert run("keys", "make", tmp_path / "keys", "--issuer", "Sample federation").code == 0
    return tmp_path / "keys"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    path.write_bytes(RECORD)
    return path


@pytest.fixture
def sealed(tmp_path: Path, run: Run, folder: Path, record: Path) -> Path:
    """Return a signed record; its log lies beside it."""
    done = run("sign", record, "--key", folder, "--log", tmp_path / "log.jsonl")
    assert (done.code, done.err) == (0, f"wrote {tmp_path / 'record.signed.json'}: report {DIGEST}\n")
    return tmp_path / "record.signed.json"


def certificate(path: Path, **members: Any) -> Path:
    path.write_text(json.dumps(CERTIFICATE | {"reports": [DIGEST]} | members), encoding="utf-8")
    return path


def word(path: Path, of: str, since: str = "2026-03-05") -> Path:
    said = {"format": "homolog-status/1", "issuer": "Sample federation", "at": f"2026-04-01T00:00:0{len(of) % 10}Z"}
    about = {"number": "HML-F-0001", "names": ["Sample figure"], "status": of, "since": since, "reports": [DIGEST]}
    path.write_text(json.dumps(said | about), encoding="utf-8")
    return path


def test_a_signed_record_holds_line_by_line(run: Run, sealed: Path, folder: Path) -> None:
    done = run("verify", sealed, "--key", folder / "keys.json", "--log", sealed.with_name("log.jsonl"))
    assert done.code == 0
    assert [line.split()[:2] for line in done.out.splitlines()] == [
        ["✓", "content:"],
        ["✓", "signature:"],
        ["✓", "key:"],
        ["✓", "log:"],
        ["–", "state:"],
    ]
    assert DIGEST in done.out


def test_the_answer_is_there_for_programs_too(run: Run, sealed: Path, folder: Path) -> None:
    done = run("verify", sealed, "--key", folder, "--json")
    (answer,) = done.records
    assert (answer["format"], answer["ok"], answer["exit_code"]) == ("homolog-verification/1", True, 0)
    assert (answer["kind"], answer["sha256"], answer["file"]) == ("report", DIGEST, "record.signed.json")
    assert [one["name"] for one in answer["checks"]] == ["content", "signature", "key", "log", "state"]
    assert {one["state"] for one in answer["checks"]} == {"holds", "not_asked"}


def test_a_pdf_is_signed_with_its_code_to_scan_and_verified(run: Run, tmp_path: Path, folder: Path, record: Path) -> None:
    target = tmp_path / "report.pdf"
    url = "https://example.org/verify/{sha256}"
    assert run("sign", record, "--key", folder, "-o", target, "--log", tmp_path / "log", "--verify-url", url).code == 0
    done = run("verify", target, "--key", folder, "--log", tmp_path / "log", "--record", tmp_path / "out.json", "--json")
    assert (done.code, done.record["sha256"]) == (0, DIGEST)
    assert (tmp_path / "out.json").read_bytes() == RECORD
    assert f"https://example.org/verify/{DIGEST}".encode() in target.read_bytes()


def test_the_record_comes_out_only_if_a_known_key_has_signed_it(run: Run, tmp_path: Path, sealed: Path, folder: Path) -> None:
    out = tmp_path / "out.json"
    assert run("verify", sealed, "--record", out).code == 12
    assert not out.exists()
    assert run("verify", sealed, "--key", folder, "--record", out).code == 0
    assert out.read_bytes() == RECORD


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_a_record_that_came_out_gives_the_bytes_of_the_first_page(
    run: Run, tmp_path: Path, sealed: Path, folder: Path, ending: str
) -> None:
    run("verify", sealed, "--key", folder, "--record", tmp_path / "out.json")
    url = ("--verify-url", "https://example.org/verify/{sha256}")
    for name in ("record", "out"):
        assert run("report", tmp_path / f"{name}.json", "-o", tmp_path / f"{name}.{ending}", *url).code == 0
    assert (tmp_path / f"out.{ending}").read_bytes() == (tmp_path / f"record.{ending}").read_bytes()


def test_a_certificate_is_signed_as_a_pdf_too(run: Run, tmp_path: Path, folder: Path) -> None:
    source = certificate(tmp_path / "c.json")
    assert run("sign", source, "--key", folder, "-o", tmp_path / "c.pdf").code == 0
    done = run("verify", tmp_path / "c.pdf", "--key", folder, "--on", "2026-12-01", "--record", tmp_path / "out.json", "--json")
    assert (done.code, done.record["kind"]) == (0, "certificate")
    assert run("verify", tmp_path / "c.pdf", "--key", folder, "--on", "2026-02-01").code == 17
    for name in ("c", "out"):
        assert run("report", tmp_path / f"{name}.json", "-o", tmp_path / f"{name}.html", "--lang", "uk").code == 0
    assert (tmp_path / "c.html").read_bytes() == (tmp_path / "out.html").read_bytes()


def test_a_lots_summary_is_signed_too(run: Run, tmp_path: Path, folder: Path) -> None:
    from tests.report.test_lot import good, lot_of

    (tmp_path / "lot.json").write_bytes(lot_of(*good(3)).canonical)
    for ending in ("json", "pdf"):
        target = tmp_path / f"signed.{ending}"
        assert run("sign", tmp_path / "lot.json", "--key", folder, "-o", target).code == 0
        done = run("verify", target, "--key", folder, "--json")
        assert (done.code, done.record["kind"]) == (0, "lot")


# What does not hold, each with its exit code.


def test_10_a_changed_byte(run: Run, sealed: Path, folder: Path) -> None:
    file = json.loads(sealed.read_bytes())
    file["payload"] = file["payload"].replace("A", "B", 1)
    sealed.write_text(json.dumps(file), encoding="utf-8")
    done = run("verify", sealed, "--key", folder)
    assert done.code == 10
    assert done.out.startswith("✗ content:   What is in the file is not what was signed.\n")


def test_11_a_record_without_a_signature(run: Run, record: Path, folder: Path) -> None:
    assert run("verify", record, "--key", folder).code == 11


def test_12_an_unknown_key(run: Run, tmp_path: Path, sealed: Path) -> None:
    run("keys", "make", tmp_path / "other", "--issuer", "Sample federation")
    assert run("verify", sealed, "--key", tmp_path / "other").code == 12
    done = run("verify", sealed)
    assert done.code == 12
    assert "give --key" in done.out


def test_13_a_revoked_key(run: Run, sealed: Path, folder: Path) -> None:
    (kid, _) = [path.stem for path in sorted(folder.glob("*.pem"), key=lambda path: path.stat().st_size)]
    assert run("keys", "retire", folder, kid[:10], "--revoked", "--reason", "The laptop was stolen.").code == 0
    done = run("verify", sealed, "--key", folder)
    assert done.code == 13
    assert "revoked since" in done.out


def test_14_a_record_that_is_not_in_the_log(run: Run, tmp_path: Path, sealed: Path, folder: Path) -> None:
    run("sign", certificate(tmp_path / "certificate.json"), "--key", folder, "--log", tmp_path / "other.jsonl")
    assert run("verify", sealed, "--key", folder, "--log", tmp_path / "other.jsonl").code == 14


def test_15_a_receipt_that_proves_nothing(run: Run, sealed: Path, folder: Path) -> None:
    file = json.loads(sealed.read_bytes())
    file["receipt"]["entry"]["at"] = "2020-01-01T00:00:00Z"
    sealed.write_text(json.dumps(file), encoding="utf-8")
    assert run("verify", sealed, "--key", folder).code == 15


@pytest.mark.parametrize(("of", "code"), [("homologated", 0), ("withdrawn", 16), ("suspended", 16), ("expired", 17)])
def test_16_and_17_a_type_that_does_not_stand(run: Run, tmp_path: Path, sealed: Path, folder: Path, of: str, code: int) -> None:
    log = tmp_path / "log.jsonl"
    assert run("sign", word(tmp_path / "word.json", of), "--key", folder, "--log", log).code == 0
    assert run("verify", sealed, "--key", folder, "--log", log).code == code
    signed = run("sign", certificate(tmp_path / "certificate.json"), "--key", folder, "--log", log)
    assert signed.code == 0
    assert run("verify", tmp_path / "certificate.signed.json", "--key", folder, "--log", log).code == code


def test_17_a_certificate_that_is_over(run: Run, tmp_path: Path, folder: Path) -> None:
    run("sign", certificate(tmp_path / "c.json", valid_until="2026-12-31"), "--key", folder)
    verify = ("verify", tmp_path / "c.signed.json", "--key", folder, "--on")
    assert [run(*verify, day).code for day in ("2026-02-28", "2026-03-01", "2026-12-31", "2027-01-01")] == [17, 0, 0, 17]


Answer = tuple[int, bytes]


@contextmanager
def log_at(answer: Callable[[str], Answer], slow: float = 0.0, to: str = "") -> Iterator[str]:
    """Serve a log on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            code, data = answer(self.path)
            self.send_response(code)
            if to:
                self.send_header("Location", to)
            self.end_headers()
            try:
                for start in range(0, len(data), 1000):
                    time.sleep(slow)
                    self.wfile.write(data[start : start + 1000])
            except OSError:
                return

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/log"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def receipt_of(sealed: Path) -> bytes:
    receipt = read_log(sealed.with_name("log.jsonl").read_bytes(), "log").find(DIGEST)
    assert receipt is not None
    return receipt.canonical()


def test_a_log_at_an_address_is_asked_for_one_receipt(run: Run, sealed: Path, folder: Path) -> None:
    asked = []

    def answer(path: str) -> Answer:
        asked.append(path)
        return 200, receipt_of(sealed)

    with log_at(answer) as address:
        done = run("verify", sealed, "--key", folder, "--log", address)
    assert done.code == 0
    assert asked == [f"/log/{DIGEST}"]
    assert "(by the log)" in done.out


def test_an_address_that_knows_no_such_record_says_so(run: Run, sealed: Path, folder: Path) -> None:
    with log_at(lambda _: (404, b"")) as address:
        assert run("verify", sealed, "--key", folder, "--log", address).code == 14


@pytest.mark.parametrize(
    "given", [(500, b""), (200, b"<html>"), (200, b"{}"), (200, b"[" * 100_000), (200, b" " * 2_100_000), (200, b"")], ids=range(6)
)
def test_18_a_log_that_answers_with_something_else(run: Run, sealed: Path, folder: Path, given: Answer) -> None:
    with log_at(lambda _: given) as address:
        done = run("verify", sealed, "--key", folder, "--log", address)
    assert done.code == 18
    assert "? log:       The log did not answer:" in done.out


def test_18_nobody_there_too_slow_or_sent_elsewhere(run: Run, sealed: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homolog.cli.fetch.RemoteLog", partial(RemoteLog, seconds=1.0))
    with log_at(lambda _: (200, b" " * 50_000), slow=0.1) as address:
        began = time.monotonic()
        assert run("verify", sealed, "--key", folder, "--log", address).code == 18
        assert time.monotonic() - began < 4
    assert run("verify", sealed, "--key", folder, "--log", address).code == 18  # it is closed now
    with log_at(lambda _: (302, b""), to="http://localhost:1/") as address:
        done = run("verify", sealed, "--key", folder, "--log", address)
    assert done.code == 18
    assert "it leads on to localhost" in done.out


def test_2_an_address_that_is_none(run: Run, sealed: Path, folder: Path) -> None:
    for address in ("http://", "https://example.org/log?x=1", "https://example.org/lög"):
        assert run("verify", sealed, "--key", folder, "--log", address).code == 2
    assert run("verify", sealed, "--key", folder, "--log", "ftp://example.org/log").code == 4  # taken for a file


@pytest.mark.parametrize(
    "data", [b"", b"hello", b'{"format":"homolog-signed/1"}', b'{"a":1,"a":2}', b"\xff\xfe", b'{"a":' * 50_000], ids=range(6)
)
def test_4_a_file_that_is_none_of_ours(run: Run, tmp_path: Path, folder: Path, data: bytes) -> None:
    (tmp_path / "x.json").write_bytes(data)
    done = run("verify", tmp_path / "x.json", "--key", folder)
    assert (done.code, done.out) == (4, "")
    assert "x.json" in done.err


def test_4_a_damaged_log_and_keys_that_are_none(run: Run, sealed: Path, folder: Path) -> None:
    log = sealed.with_name("log.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"kind":"report"', b'"kind":"lot"'))
    assert run("verify", sealed, "--key", folder, "--log", log).code == 4
    assert run("verify", sealed, "--key", sealed).code == 4
    assert run("verify", sealed, "--key", sealed.with_name("nothing.json")).code == 4
    private = next(folder.glob("*.pem"))
    done = run("verify", sealed, "--key", private)
    assert done.code == 4
    assert "holds a private key" in done.err


# Signing.


def test_only_what_is_a_record_is_signed(run: Run, tmp_path: Path, folder: Path, record: Path) -> None:
    record.write_bytes(RECORD.replace(b'"verdict":"conform"', b'"verdict":"nonconform"', 1))
    assert run("sign", record, "--key", folder).code == 4
    record.write_bytes(b'{"format":"homolog-status/1"}')
    assert run("sign", record, "--key", folder).code == 4
    assert not (tmp_path / "record.signed.json").exists()


def test_nothing_is_signed_with_a_key_that_others_can_read(run: Run, tmp_path: Path, folder: Path, record: Path) -> None:
    for path in folder.glob("*.pem"):
        path.chmod(0o644)
    done = run("sign", record, "--key", folder)
    assert done.code == 4
    assert "chmod 600" in done.err
    assert not (tmp_path / "record.signed.json").exists()


def test_wrong_calls_are_said_before_anything_is_written(run: Run, tmp_path: Path, folder: Path, record: Path) -> None:
    assert run("sign", record, "--key", tmp_path / "nowhere").code == 2
    assert run("sign", record, "--key", folder, "-o", tmp_path / "x.html").code == 2
    assert run("sign", record, "--key", folder, "-o", record).code == 2
    assert run("sign", record, "--key", folder, "--log", record).code == 2
    assert run("sign", record, "--key", folder, "-o", tmp_path / "x.pdf", "--verify-url", "javascript:alert(1)").code == 2
    assert run("sign", word(tmp_path / "w.json", "withdrawn"), "--key", folder).code == 2
    assert run("verify", record, "--on", "tomorrow").code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["keys", "record.json", "w.json"]


# Keys.


def test_new_keys_take_over_and_old_reports_still_hold(run: Run, tmp_path: Path, sealed: Path, folder: Path, record: Path) -> None:
    time.sleep(1.1)  # keys live in whole seconds
    done = run("keys", "make", folder)
    assert done.code == 0
    assert len(re.findall("^retired the", done.err, re.MULTILINE)) == 2
    assert run("verify", sealed, "--key", folder, "--log", tmp_path / "log.jsonl").code == 0
    again = run("sign", record, "--key", folder, "-o", tmp_path / "again.json", "--log", tmp_path / "log.jsonl")
    assert again.code == 0
    assert run("verify", tmp_path / "again.json", "--key", folder, "--log", tmp_path / "log.jsonl").code == 0
    assert json.loads((tmp_path / "again.json").read_bytes())["protected"] != json.loads(sealed.read_bytes())["protected"]


def test_keys_are_listed_and_published_without_what_is_private(run: Run, tmp_path: Path, folder: Path) -> None:
    listed = run("keys", "list", folder)
    assert (listed.code, len(listed.out.splitlines())) == (0, 3)
    assert run("keys", "publish", folder, "-o", tmp_path / "published.json").code == 0
    published = json.loads((tmp_path / "published.json").read_bytes())
    assert published == json.loads((folder / "keys.json").read_bytes()) == run("keys", "list", folder, "--json").record
    assert json.loads(run("keys", "publish", folder).out) == published
    private = b"".join(path.read_bytes() for path in folder.glob("*.pem")).split()
    assert not any(line in (tmp_path / "published.json").read_bytes() for line in private if b"-" not in line)


def test_a_key_says_until_when_it_signs(run: Run, tmp_path: Path) -> None:
    assert run("keys", "make", tmp_path / "k", "--issuer", "X", "--until", "2020-01-01").code == 2
    assert run("keys", "make", tmp_path / "k", "--until", "2099-12-31").code == 2
    assert not list(tmp_path.glob("k/*"))
    assert run("keys", "make", tmp_path / "k", "--issuer", "X", "--until", "2099-12-31").code == 0
    assert "until 2099-12-31T23:59:59Z" in run("keys", "list", tmp_path / "k").out
    assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o700


def test_every_exit_code_stands_in_the_docs() -> None:
    text = (DOCS / "verify.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| ([0-9]+) \|", text, re.MULTILINE))
    assert rows == {reason: str(code) for reason, code in EXITS.items()}
