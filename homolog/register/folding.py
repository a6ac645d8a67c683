"""One spelling for all accents and alphabets, so that a name is found however it is written."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST: Final = 8
"""Letters of a word's beginning by which it is found; the rest of a longer one is compared in the rows found."""

_LETTERS = """
а a б b в v г g ґ g д d е e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ shch ъ - ы i ь -
э e ю iu я ia і i ї i є ie ё e ў u ћ ch ђ d љ l њ n џ dzh ј i ѕ z
α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ ks ο o π p ρ r σ s ς s τ t υ i φ f χ h ψ ps ω o
ø o ł l đ d ð d þ th æ ae œ oe ı i w v y i j i x ks
"""
# The last line: letters that no decomposition takes apart, and those that alphabets render in several ways.
_PAIRS = _LETTERS.split()
_TABLE: Final = str.maketrans({one: other.replace("-", "") for one, other in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)})
_APART = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """Return a text as it is compared: small letters and digits, one space between words.

    Accents are dropped; Cyrillic and Greek letters are written in Latin ones; w is v, y and j are i, x is ks, so that a name comes
    out alike from the alphabets that write it otherwise. Letters of other scripts stay as they are.
    """
    plain = unicodedata.normalize("NFKD", text).casefold().replace("kh", "h")
    # The breve and the diaeresis make other letters in Cyrillic; what they make folds as the letter without them.
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _APART.sub(" ", bare.translate(_TABLE)).strip()


def words(text: str) -> frozenset[str]:
    """Return the folded words by which a text is found; a word with the Cyrillic letter that is g or h is found by both."""
    found = fold(text).split()
    if "г" in text.casefold():
        found += fold(text.casefold().replace("г", "h")).split()
    return frozenset(found)


def beginnings(texts: frozenset[str]) -> frozenset[str]:
    """Return every beginning of the words, up to the longest that is kept."""
    return frozenset(word[:length] for word in texts for length in range(1, min(len(word), LONGEST) + 1))
