"""The words of the pages: catalogues of the same form as those of the reports, one file an area and language."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from starlette.requests import Request

from homolog.data import templates_dir

if TYPE_CHECKING:
    from homolog.report.messages import Catalogue, Forms

LANGUAGES: Final = ("en", "uk", "it")
NAMES: Final = (("en", "English"), ("uk", "Українська"), ("it", "Italiano"))
"""Each language in itself: that is how its reader finds it."""

COOKIE: Final = "homolog-lang"


@lru_cache(maxsize=len(LANGUAGES))
def words(lang: str) -> Catalogue:
    """Return the words of all pages in a language.

    Raises:
        SpecError: A file is no catalogue.
        ValueError: Two areas have the same key.
    """
    from homolog.report.messages import Catalogue, read_file

    texts: dict[str, Forms] = {}
    for area in areas():
        found, _ = read_file(templates_dir() / "pages" / "messages" / area / f"{lang}.yaml")
        twice = texts.keys() & found.keys()
        if twice:
            raise ValueError(f"two areas say {sorted(twice)[0]}")
        texts.update(found)
    return Catalogue(lang, texts)


def areas() -> list[str]:
    """Return the areas that there are files of."""
    return sorted(path.name for path in (templates_dir() / "pages" / "messages").iterdir() if path.is_dir())


def language_of(request: Request) -> str:
    """Return the language that a reader chose, or else the one that the browser likes best of ours."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    liked = [_liking(part) for part in request.headers.get("accept-language", "")[:500].split(",")]
    best = max(liked, key=lambda found: found[1], default=("en", 0.0))
    return best[0] if best[1] > 0 else "en"


def _liking(part: str) -> tuple[str, float]:
    """Return one of our languages and how much it is liked; 0 for what is none of ours."""
    name, _, weight = part.partition(";")
    code = name.strip().lower().partition("-")[0]
    value = weight.strip().removeprefix("q=").strip() if weight else "1"
    try:
        liking = float(value) if value.replace(".", "", 1).isdecimal() and value.isascii() else 0.0
    except ValueError:
        liking = 0.0
    return code, liking if code in LANGUAGES else 0.0
