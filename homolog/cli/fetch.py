"""Asking a log at an address for one receipt: bounded in time, size and in where it leads."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.parse
import urllib.request

from homolog.errors import HomologError, UsageError
from homolog.seal.forms import read_json
from homolog.seal.log import Receipt, read_receipt
from homolog.seal.verify_log import LogSilent

MAX_BYTES = 2_000_000
MAX_SECONDS = 15.0
_NOT_THERE = (404, 410)
_SCHEMES = ("http://", "https://")


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows to the same host only, and never from https to http."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        before, after = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        if after.hostname != before.hostname or (before.scheme == "https" and after.scheme != "https"):
            raise urllib.error.URLError(f"it leads on to {after.hostname}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class RemoteLog:
    """A log that answers `GET <address>/<sha256>` with a receipt, or 404."""

    def __init__(self, address: str, *, seconds: float | None = None) -> None:
        """Take the address; nothing is asked yet.

        Raises:
            UsageError: It is no address.
        """
        parts = urllib.parse.urlsplit(address)
        if not address.startswith(_SCHEMES) or not parts.hostname or parts.query or parts.fragment or not address.isascii():
            todo = "write it as https://example.org/log, without ? or #"
            raise UsageError.because(f"{address[:60]!r} is no address of a log", todo=todo, code="address_invalid")
        self._address = address.rstrip("/")
        self._seconds = MAX_SECONDS if seconds is None else seconds

    def __call__(self, sha256: str, number: str | None = None) -> Receipt | None:
        """Return the receipt of a record, or None if the log says that it does not hold it.

        Raises:
            LogSilent: It does not answer in time, or not with a receipt.
        """
        address = f"{self._address}/{sha256}"
        # Whoever asks is not told to send cookies or anything else along.
        opener = urllib.request.build_opener(_SameHost)
        request = urllib.request.Request(address, headers={"Accept": "application/json"})  # noqa: S310 -- http(s), as checked
        until = time.monotonic() + self._seconds
        try:
            with opener.open(request, timeout=self._seconds) as answer:
                data = _read(answer, until)
        except urllib.error.HTTPError as error:
            if error.code in _NOT_THERE:
                return None
            raise _silent(f"it answers {error.code}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _silent(str(getattr(error, "reason", error))[:200] or type(error).__name__) from None
        try:
            return read_receipt(read_json(data, "receipt", max_bytes=MAX_BYTES), "receipt")
        except HomologError as error:
            raise _silent(f"its answer is no receipt: {error.problems[0].what}") from None


def _read(answer: http.client.HTTPResponse, until: float) -> bytes:
    parts, size = [], 0
    while part := answer.read1(65_536):
        parts.append(part)
        size += len(part)
        if size > MAX_BYTES:
            raise _silent(f"its answer has more than {MAX_BYTES} bytes")
        if time.monotonic() > until:
            raise _silent("it takes too long")
    return b"".join(parts)


def _silent(what: str) -> LogSilent:
    return LogSilent.because(what, where="--log", todo="ask again later, or give the log as a file")
