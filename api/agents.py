"""What a browser calls itself, in words that its owner knows."""

from __future__ import annotations

import re

# In this order: each but the last also says the names of those after it.
_BROWSERS = (
    ("Edge", r"Edg(?:e|A|iOS)?/(\d+)"),
    ("Opera", r"OPR/(\d+)"),
    ("Firefox", r"(?:Firefox|FxiOS)/(\d+)"),
    ("Chrome", r"(?:HeadlessChrome|Chrome|CriOS)/(\d+)"),
    ("Safari", r"Version/(\d+)[\d.]* (?:Mobile/\S+ )?Safari/"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X"),
    ("ChromeOS", "CrOS"),
    ("Linux", "Linux"),
)


def agent_name(agent: str) -> str:
    """Return the browser and the system, as `Firefox 140, Linux`; of what is not known the first word."""
    found = next(((name, match[1]) for name, pattern in _BROWSERS if (match := re.search(pattern, agent))), None)
    if found is None:
        return agent.split(" ")[0][:60]
    system = next((name for name, mark in _SYSTEMS if mark in agent), "")
    browser = f"{found[0]} {found[1]}"
    return f"{browser}, {system}" if system else browser
