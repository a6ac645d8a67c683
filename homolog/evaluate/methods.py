"""What a method allows a reading to claim: default, floor and ceiling of U, and gauges turned into bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from homolog.evaluate.finding import Statement
from homolog.quantity import UNITS, Measure, Reading
from homolog.spec.model import Method, MethodUse, Quantity, Spec

DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Allowed:
    """A method as it applies to one quantity, in the quantity's unit."""

    name: str
    form: str
    is_of_design: bool
    measures: str | None
    default_u: Decimal | None
    floor_u: Decimal | None
    ceiling_u: Decimal | None


@dataclass(frozen=True, slots=True)
class Ready:
    """A reading that can be judged.

    Attributes:
        may_share_risk: Whether U is within the method's ceiling, so that the simple rule may be used.
        sources: Of a derived reading, what it was worked out from: readings and instruments, by name.
    """

    reading: Reading
    may_share_risk: bool
    sources: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reading that proves nothing, and why: an error of the sheet, or evidence of the wrong thing."""

    reading: Reading
    why: Statement
    is_error: bool


def allowed_methods(spec: Spec, quantity: str) -> dict[str, Allowed]:
    """Return the methods that may prove a quantity; a derived one may be measured directly by any of the file's."""
    unit = unit_of(spec, quantity)
    known = declared(spec, quantity)
    uses = tuple(spec.methods) if known is None else known.methods
    found = {}
    for entry in uses:
        use = entry if isinstance(entry, MethodUse) else MethodUse.model_construct(method=entry)
        method = spec.methods.get(use.method) or Method(says=use.method, form="go_no_go" if use.method == "gauge" else "value")
        found[use.method] = Allowed(
            name=use.method,
            form=method.form,
            is_of_design=method.evidence == "design",
            measures=use.measures,
            default_u=_in_unit(use.default_U or method.default_U, unit),
            floor_u=_in_unit(use.floor_U or method.floor_U, unit),
            ceiling_u=_in_unit(use.ceiling_U or method.ceiling_U, unit),
        )
    return found


def unit_of(spec: Spec, quantity: str) -> str:
    """Return the unit that a spec gives a quantity."""
    known = declared(spec, quantity)
    return spec.derived[_declared_name(spec, quantity)].unit if known is None else known.unit


def declared(spec: Spec, quantity: str) -> Quantity | None:
    """Return a quantity's declaration, or None for a derived one.

    A reading's quantity need not be declared where it only narrows another one: `goalkeeper.volume.outer` is measured
    like `goalkeeper.volume`.
    """
    return spec.quantities.get(_declared_name(spec, quantity))


def _declared_name(spec: Spec, quantity: str) -> str:
    name = quantity
    while name not in spec.quantities and name not in spec.derived and "." in name:
        name = name.rpartition(".")[0]
    return name


def _in_unit(measure: Measure | None, unit: str) -> Decimal | None:
    """Return a method's U in the quantity's unit; a method shared by lengths and volumes states it for its own dimension only."""
    if measure is None or not measure.fits(unit):
        return None
    return measure.to(unit)


def in_unit(reading: Reading, unit: str) -> Reading:
    """Return the same reading in another unit of its dimension.

    Raises:
        NumberError: The dimensions differ.
    """
    if reading.unit == unit:
        return reading

    def turned(number: Decimal | None) -> Decimal | None:
        return None if number is None else Measure(number, UNITS[reading.unit]).to(unit)

    return replace(
        reading,
        unit=unit,
        value=turned(reading.value),
        expanded_uncertainty=turned(reading.expanded_uncertainty),
        lo=turned(reading.lo),
        hi=turned(reading.hi),
        gauge_size=turned(reading.gauge_size),
    )


def prepare(
    reading: Reading, *, allowed: dict[str, Allowed], feature: str, design_proves: bool, statements_prove: bool
) -> Ready | Unusable:
    """Return the reading with its U settled, or why it proves nothing.

    Args:
        reading: In the quantity's unit.
        allowed: The quantity's methods by name.
        feature: Whether a gauge goes over the quantity or into it.
        design_proves: Whether a drawing proves something of the article.
        statements_prove: Whether bounds that a submitter states without U do.
    """
    if reading.method is None:
        return Unusable(reading, Statement(code="method_missing", params={"quantity": reading.quantity}), is_error=True)
    method = allowed.get(reading.method)
    if method is None:
        params = {"method": reading.method, "allowed": ", ".join(allowed)}
        return Unusable(reading, Statement(code="method_not_allowed", params=params), is_error=True)
    if method.is_of_design and not design_proves:
        return Unusable(reading, Statement(code="design_not_article", params={"method": method.name}), is_error=False)
    if not _has_form(reading, method):
        return Unusable(reading, Statement(code="form_wrong", params={"method": method.name, "form": method.form}), is_error=True)
    if reading.bounds_are_stated:
        if not statements_prove:
            return Unusable(reading, Statement(code="bounds_stated", params={"method": method.name}), is_error=False)
        return Ready(replace(reading, marks=(*reading.marks, "stated_bounds")), may_share_risk=False)
    if reading.value is None and reading.gauge_size is None:
        return Ready(reading, may_share_risk=False)
    return _with_uncertainty(reading, method, feature)


def _has_form(reading: Reading, method: Allowed) -> bool:
    """Whether the reading is what its method gives, with nothing beside it that would be passed over.

    A gauge gives its size and whether it went; bounds hold their uncertainty already, so that a U beside them says nothing.
    """
    if method.form == "go_no_go":
        return reading.gauge_size is not None and reading.lo is None and reading.hi is None
    return reading.gauge_size is None and (reading.value is not None or reading.expanded_uncertainty is None)


def _with_uncertainty(reading: Reading, method: Allowed, feature: str) -> Ready | Unusable:
    stated, marks = reading.expanded_uncertainty, reading.marks
    if stated is None:
        if method.default_u is None:
            return Unusable(reading, Statement(code="uncertainty_missing", params={"method": method.name}), is_error=True)
        stated, marks = method.default_u, (*marks, "default_U")
    if method.floor_u is not None and stated < method.floor_u:
        stated, marks = method.floor_u, (*marks, "raised_to_floor")
    within = method.ceiling_u is not None and stated <= method.ceiling_u
    if method.ceiling_u is not None and not within:
        marks = (*marks, "above_ceiling")
    if not stated:
        marks = (*marks, "zero_U")
    if reading.gauge_size is None:
        return Ready(replace(reading, expanded_uncertainty=stated, marks=marks), may_share_risk=within)
    return Ready(_gauge_bounds(reading, stated, marks, feature), may_share_risk=False)


def _gauge_bounds(reading: Reading, uncertainty: Decimal, marks: tuple[str, ...], feature: str) -> Reading:
    """Turn go/no-go into a bound: over a body, go proves "at most"; into a gap, go proves "at least"."""
    size = reading.gauge_size or Decimal(0)
    proves_at_most = (reading.gauge_result == "go") == (feature == "external")
    if proves_at_most:
        return replace(reading, expanded_uncertainty=uncertainty, marks=marks, hi=size + uncertainty)
    return replace(reading, expanded_uncertainty=uncertainty, marks=marks, lo=size - uncertainty)
