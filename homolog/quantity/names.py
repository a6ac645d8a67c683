"""When two names that people wrote are the same name."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# Small letters of other alphabets that nobody can tell from Latin ones: the same name typed on two keyboards is one name.
# No two letters of one alphabet become one.
_LOOKS_LIKE = str.maketrans("аеорсухіјѕһԁοϲ", "aeopcyxijshdoc")


@lru_cache(maxsize=256)
def same_name(name: str) -> str:
    """Return a name as it is compared: letters of one case and one form, one space between words."""
    # Twice: folding the case can leave letters apart that belong together.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.translate(_LOOKS_LIKE).split())
