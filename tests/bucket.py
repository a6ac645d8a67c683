"""A small S3 server on the loopback: what the store's client asks for, over real HTTP, in this process' memory."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import time
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

KEY_ID = "workshop"


@dataclass
class Bucket:
    """What one bucket holds: bytes and when they came, by their key."""

    name: str
    objects: dict[str, tuple[bytes, float]] = field(default_factory=dict)
    parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bucket: Bucket

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", headers.pop("size", str(len(body))))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _asked(self) -> tuple[str, dict[str, str], bytes] | None:
        """Return key, question and body; None where this is not our bucket, or not our user."""
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        name, _, key = unquote(url.path).removeprefix("/").partition("/")
        if f"Credential={KEY_ID}/" not in (self.headers.get("Authorization") or ""):
            self._answer(403, b"<Error><Code>AccessDenied</Code></Error>")
            return None
        if name != self.bucket.name:
            self._answer(404, b"<Error><Code>NoSuchBucket</Code></Error>")
            return None
        return key, {word: values[0] for word, values in parse_qs(url.query, keep_blank_values=True).items()}, body

    def do_PUT(self) -> None:
        if (asked := self._asked()) is None:
            return
        key, question, body = asked
        if "uploadId" in question:
            self.bucket.parts[question["uploadId"]][int(question["partNumber"])] = body
        else:
            self.bucket.objects[key] = (body, time())
        self._answer(200, ETag=f'"{hashlib.md5(body).hexdigest()}"')  # noqa: S324 -- S3's own

    def do_POST(self) -> None:
        if (asked := self._asked()) is None:
            return
        key, question, _ = asked
        if "uploads" in question:
            upload = f"u{len(self.bucket.parts)}"
            self.bucket.parts[upload] = {}
            reply = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
        else:
            parts = self.bucket.parts.pop(question["uploadId"])
            self.bucket.objects[key] = (b"".join(parts[number] for number in sorted(parts)), time())
            reply = '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>'
        self._answer(200, reply.encode())

    def do_GET(self) -> None:
        if (asked := self._asked()) is None:
            return
        key, question, _ = asked
        if "list-type" in question:
            self._answer(200, self._list(question.get("prefix", "")).encode())
            return
        found = self.bucket.objects.get(key)
        if found is None:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        body, since = found
        told = {"ETag": '"x"', "Last_Modified": formatdate(since, usegmt=True)}
        begin = (self.headers.get("Range") or "").removeprefix("bytes=").partition("-")[0]
        if begin:
            place = f"bytes {begin}-{len(body) - 1}/{len(body)}"
            self._answer(206, body[int(begin) :], Content_Range=place, **told)
        else:
            self._answer(200, body, **told)

    do_HEAD = do_GET  # noqa: N815 -- the library's name

    def do_DELETE(self) -> None:
        if (asked := self._asked()) is None:
            return
        self.bucket.objects.pop(asked[0], None)
        self._answer(204)

    def _list(self, prefix: str) -> str:
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(body)}</Size><ETag>x</ETag>"
            f"<LastModified>{datetime.fromtimestamp(since, UTC):%Y-%m-%dT%H:%M:%S.000Z}</LastModified></Contents>"
            for key, (body, since) in sorted(self.bucket.objects.items())
            if key.startswith(prefix)
        )
        return f"<ListBucketResult><IsTruncated>false</IsTruncated>{rows}</ListBucketResult>"


@contextmanager
def bucket_server(name: str = "register") -> Iterator[Bucket]:
    """Start a server with one bucket; its `options` say how a client reaches it."""
    bucket = Bucket(name)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"bucket": bucket}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    bucket.options = {"endpoint": endpoint, "region": "us-east-1", "access_key_id": KEY_ID, "secret_access_key": "x"}
    try:
        yield bucket
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
