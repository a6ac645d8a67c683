"""What one spec says of its quantities, prepared once a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from homolog.evaluate.methods import Allowed, allowed_methods, declared
from homolog.spec.load import LoadedSpec
from homolog.spec.model import Spec
from homolog.spec.rows import answer_names


@dataclass(frozen=True)
class Vocabulary:
    """What one spec says of its quantities, prepared once a spec."""

    spec: Spec
    methods: Mapping[str, dict[str, Allowed]]
    places: Mapping[str, tuple[str, ...] | None]
    place_lists: frozenset[tuple[str, ...]]
    answer_names: Mapping[str, tuple[str, ...]]

    def feature(self, quantity: str) -> str:
        """Return whether a gauge goes over the quantity or into it."""
        known = declared(self.spec, quantity)
        return "external" if known is None else known.feature


def vocabulary_of(loaded: LoadedSpec) -> Vocabulary:
    """Return a spec's vocabulary; kept for the specs used last."""
    return _vocabulary(_Key(loaded))


@dataclass(frozen=True, slots=True)
class _Key:
    """A loaded spec as a cache key: by its digest, not its content."""

    loaded: LoadedSpec = field(compare=False)
    digest: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", self.loaded.sha256)


@lru_cache(maxsize=64)
def _vocabulary(key: _Key) -> Vocabulary:
    spec = key.loaded.spec
    used = (reading.uses for question in spec.interpretations for reading in question.readings if reading.uses)
    names = dict.fromkeys((*spec.quantities, *spec.derived, *used))
    places = {name: _places(spec, name) for name in names}
    return Vocabulary(
        spec=spec,
        methods={name: allowed_methods(spec, name) for name in names},
        places=places,
        place_lists=frozenset(listed for listed in places.values() if listed),
        answer_names=answer_names(spec.requirements),
    )


def _places(spec: Spec, quantity: str) -> tuple[str, ...] | None:
    """Return the places of a quantity: none, a list, or an empty list for "every"; a derived one has its parts'."""
    rule = spec.derived.get(quantity)
    if rule is not None:
        parts = () if rule.op == "spread" else tuple(_places(spec, operand) for operand in rule.of)
        return next((places for places in parts if places is not None), None)
    known = declared(spec, quantity)
    each = None if known is None else known.each
    return () if each == "every" else each
