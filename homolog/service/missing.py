"""Owns the one answer to what is not there, or is not for the one who asks: both sound alike."""

from __future__ import annotations

from homolog.errors import HomologError


class Missing(HomologError):
    """There is no such thing, or it is not for whoever asks."""

    code = "missing"
    exit_code = 2
