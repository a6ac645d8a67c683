"""A session is told by names that its owner knows."""

from __future__ import annotations

import pytest

from api.agents import agent_name


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140, Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130 Safari/537 Edg/130.0",
            "Edge 130, Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E1 Safari/604.1",
            "Safari 18, iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36",
            "Chrome 130, Android",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
        ("x" * 200, "x" * 60),
    ],
)
def test_a_browser_is_named_in_short(agent: str, name: str) -> None:
    assert agent_name(agent) == name
