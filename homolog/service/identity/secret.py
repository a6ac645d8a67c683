"""Secrets that we give out: made by chance, kept as digests."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

BYTES: Final = 32
"""256 bits: nobody guesses one, so that a plain digest keeps it."""


def new_secret() -> str:
    """Return a new secret, base64url."""
    return secrets.token_urlsafe(BYTES)


def digest_of(secret: str) -> str:
    """Return what is stored of a secret: its SHA-256, hexadecimal."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def form_token(secret: str) -> str:
    """Return what a page puts into its forms: made from the cookie's secret, which a foreign site cannot read."""
    return hmac.new(secret.encode("utf-8", "surrogatepass"), b"homolog form", hashlib.sha256).hexdigest()


def is_form_token(secret: str, token: str) -> bool:
    """Whether a form comes from a page of whoever has the secret."""
    return hmac.compare_digest(form_token(secret).encode(), token.encode("utf-8", "surrogatepass"))
