"""A small OpenID provider on loopback: it signs real tokens, checks PKCE and its client, and can be told to lie."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "homolog", "client secret"


class Provider:
    """What it knows and does; a test changes `claims`, `key`, `header` or `told` to have it lie."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "one"})
        self.published = self.key
        self.codes: dict[str, dict[str, str]] = {}
        self.claims: dict[str, Any] = {"sub": "subject-1", "email": "ann@a.example", "email_verified": True}
        self.header: dict[str, Any] = {"alg": "RS256", "kid": "one"}
        self.told: dict[str, Any] = {}
        self.issuer = ""

    def configuration(self) -> dict[str, Any]:
        places = {f"{name}_endpoint": f"{self.issuer}/{name}" for name in ("authorization", "token")}
        return {"issuer": self.issuer, **places, "jwks_uri": f"{self.issuer}/keys", **self.told}

    def authorise(self, query: dict[str, str]) -> str:
        """Let the person in at once; return where the browser goes."""
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state'], 'iss': self.issuer})}"

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        asked = self.codes.pop(form.get("code", ""), None)
        expected = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '+')}".encode()).decode()
        if asked is None or authorization != f"Basic {expected}" or form["redirect_uri"] != asked["redirect_uri"]:
            return None
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if challenge != asked["code_challenge"]:
            return None
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT, "nonce": asked["nonce"], "iat": now, "exp": now + 300}
        return {"id_token": self.sign({**usual, **self.claims}), "token_type": "Bearer", "access_token": "x"}

    def sign(self, claims: dict[str, Any]) -> str:
        return jwt.encode(self.header, claims, self.key)


@contextmanager
def running() -> Iterator[Provider]:
    """Start a provider on a free port."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            match parts.path:
                case "/.well-known/openid-configuration":
                    self.answer(provider.configuration())
                case "/keys":
                    self.answer({"keys": [provider.published.as_dict(private=False)]})
                case "/authorization":
                    self.send_response(302)
                    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                    self.send_header("Location", provider.authorise(query))
                    self.end_headers()
                case _:
                    self.send_error(404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            token = provider.token(form, self.headers.get("Authorization", ""))
            if token is None:
                self.send_error(400)
            else:
                self.answer(token)

        def answer(self, value: Any) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        def log_message(self, *_: Any) -> None:
            """Keep the tests' output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
