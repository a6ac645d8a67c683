"""What the geometry of a STEP file may refer to: a vector to a direction, an edge to two vertices and a curve, and so on.

A CAD kernel trusts these references; one that leads to something of another kind ends it or hangs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from homolog.gate.mesh import DAMAGED, refuse

_Test = Callable[[bytes], bool]
_COMPLEX = b""
"""The keyword of an entity that is written as several at once: rational splines mostly. It fits everywhere."""


def _one_of(*keywords: bytes) -> _Test:
    allowed = {*keywords, _COMPLEX}
    return lambda keyword: keyword in allowed


def _curve(keyword: bytes) -> bool:
    known = {b"LINE", b"CIRCLE", b"ELLIPSE", b"PARABOLA", b"HYPERBOLA", b"POLYLINE", b"PCURVE", _COMPLEX}
    return keyword in known or (b"CURVE" in keyword and not keyword.startswith(b"EDGE"))


def _surface(keyword: bytes) -> bool:
    return keyword in (b"PLANE", _COMPLEX) or b"SURFACE" in keyword


_point, _direction, _vector = _one_of(b"CARTESIAN_POINT"), _one_of(b"DIRECTION"), _one_of(b"VECTOR")
_frame = _one_of(b"AXIS2_PLACEMENT_3D", b"AXIS2_PLACEMENT_2D")
_vertex, _edge, _oriented = _one_of(b"VERTEX_POINT"), _one_of(b"EDGE_CURVE", b"ORIENTED_EDGE"), _one_of(b"ORIENTED_EDGE")
_loop, _bound = _one_of(b"EDGE_LOOP", b"VERTEX_LOOP", b"POLY_LOOP"), _one_of(b"FACE_OUTER_BOUND", b"FACE_BOUND")
_face = _one_of(b"ADVANCED_FACE", b"FACE_SURFACE", b"ORIENTED_FACE")
_closed = _one_of(b"CLOSED_SHELL", b"ORIENTED_CLOSED_SHELL")
_shell = _one_of(b"CLOSED_SHELL", b"ORIENTED_CLOSED_SHELL", b"OPEN_SHELL", b"ORIENTED_OPEN_SHELL")

# First tests in the order of the references, then the test of all further ones, then how many there are at least.
_RULES: dict[bytes, tuple[tuple[_Test, ...], _Test | None, int]] = {
    b"CARTESIAN_POINT": ((), None, 0),
    b"DIRECTION": ((), None, 0),
    b"VECTOR": ((_direction,), None, 1),
    b"LINE": ((_point, _vector), None, 2),
    b"AXIS1_PLACEMENT": ((_point, _direction), None, 1),
    b"AXIS2_PLACEMENT_2D": ((_point, _direction), None, 1),
    b"AXIS2_PLACEMENT_3D": ((_point, _direction, _direction), None, 1),
    **dict.fromkeys((b"CIRCLE", b"ELLIPSE", b"PARABOLA", b"HYPERBOLA", b"PLANE"), ((_frame,), None, 1)),
    **dict.fromkeys((b"CYLINDRICAL_SURFACE", b"CONICAL_SURFACE", b"SPHERICAL_SURFACE"), ((_frame,), None, 1)),
    **dict.fromkeys((b"TOROIDAL_SURFACE", b"DEGENERATE_TOROIDAL_SURFACE"), ((_frame,), None, 1)),
    **dict.fromkeys((b"B_SPLINE_CURVE_WITH_KNOTS", b"B_SPLINE_SURFACE_WITH_KNOTS", b"POLYLINE"), ((), _point, 2)),
    b"SURFACE_OF_LINEAR_EXTRUSION": ((_curve, _vector), None, 2),
    b"SURFACE_OF_REVOLUTION": ((_curve, _one_of(b"AXIS1_PLACEMENT")), None, 2),
    b"VERTEX_POINT": ((_point,), None, 1),
    b"EDGE_CURVE": ((_vertex, _vertex, _curve), None, 3),
    b"ORIENTED_EDGE": ((_edge,), None, 1),
    b"EDGE_LOOP": ((), _oriented, 1),
    b"VERTEX_LOOP": ((_vertex,), None, 1),
    b"POLY_LOOP": ((), _point, 3),
    b"FACE_BOUND": ((_loop,), None, 1),
    b"FACE_OUTER_BOUND": ((_loop,), None, 1),
    b"CLOSED_SHELL": ((), _face, 1),
    b"OPEN_SHELL": ((), _face, 1),
    b"ORIENTED_CLOSED_SHELL": ((_closed,), None, 1),
    b"MANIFOLD_SOLID_BREP": ((_closed,), None, 1),
    b"FACETED_BREP": ((_closed,), None, 1),
    b"BREP_WITH_VOIDS": ((_closed,), _closed, 2),
    b"SHELL_BASED_SURFACE_MODEL": ((), _shell, 1),
}
_FACES = (b"ADVANCED_FACE", b"FACE_SURFACE")
RULED = frozenset((*_RULES, *_FACES))
"""Keywords whose references are checked."""


def check_references(keyword: bytes, references: Sequence[int], kinds: dict[int, bytes], where: str) -> None:
    """See that what an entity of the geometry refers to is of the kind that it needs.

    Args:
        keyword: What the entity is.
        references: The numbers that it refers to, in order.
        kinds: The keyword of every entity.
        where: The entity's place.

    Raises:
        InputRefused: It refers to too little, too much or something of another kind.
    """
    found = [kinds[number] for number in references]
    if keyword in _FACES:
        fits = len(found) >= 2 and all(map(_bound, found[:-1])) and _surface(found[-1])
    else:
        first, further, least = _RULES[keyword]
        fits = len(found) >= least and (further is not None or len(found) <= len(first))
        fits = fits and all(test(kind) for test, kind in zip(first, found, strict=False))
        fits = fits and (further is None or all(map(further, found[len(first) :])))
    if not fits:
        what = f"{keyword.decode()} refers to something else than it needs"
        refuse(where, what, DAMAGED, "step_reference")
