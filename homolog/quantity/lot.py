"""What is stated of the lot that samples come from."""

from __future__ import annotations

from dataclasses import dataclass

from homolog.errors import InputRefused

MOST_ARTICLES = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LotSize:
    """How many articles a lot has, and how many of them may be nonconforming at most if the samples are to be enough.

    Attributes:
        size: None if nothing is stated.
        wanted: None if nobody asked.
    """

    size: int | None = None
    wanted: int | None = None

    def agreed(self, other: LotSize, *, where: str) -> LotSize:
        """Return what two statements say together.

        Raises:
            InputRefused: They contradict each other.
        """
        for name, one, two in (("size", self.size, other.size), ("wanted", self.wanted, other.wanted)):
            if None not in (one, two) and one != two:
                what = f"the lot's {name} is stated as {one} and as {two}"
                raise InputRefused.because(what, where=where, todo="state it once", code="lot_size")
        size = self.size if self.size is not None else other.size
        return LotSize(size=size, wanted=self.wanted if self.wanted is not None else other.wanted)


NOTHING_STATED = LotSize()
