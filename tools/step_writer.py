"""A writer of small sound STEP files for tests: bodies of flat faces, a cylinder, and assemblies of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tools.mesh_writers import Body, Point

UNITS = {
    "mm": "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )",
    "cm": "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.CENTI.,.METRE.) )",
    "m": "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )",
}
HEAD = (
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('made for tests; it''s whole'),'2;1');\n"
    "FILE_NAME('t','2020-01-01',(''),(''),'','','');\n"
    "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n"
)
FOOT = "ENDSEC;\nEND-ISO-10303-21;\n"


@dataclass
class Writer:
    """Entities as they are added; each gets the next number."""

    lines: list[str] = field(default_factory=list)

    def add(self, text: str) -> int:
        """Add an entity and return its number."""
        self.lines.append(text)
        return len(self.lines)

    def point(self, point: Sequence[float]) -> int:
        """Add a point."""
        return self.add(f"CARTESIAN_POINT('',({_numbers(point)}))")

    def direction(self, direction: Sequence[float]) -> int:
        """Add a direction."""
        return self.add(f"DIRECTION('',({_numbers(direction)}))")

    def axes(self, at: Point, up: Point, along: Point) -> int:
        """Add a frame."""
        where, z, x = self.point(at), self.direction(up), self.direction(along)
        return self.add(f"AXIS2_PLACEMENT_3D('',#{where},#{z},#{x})")

    def text(self) -> bytes:
        """Return the file."""
        body = "".join(f"#{at}={line};\n" for at, line in enumerate(self.lines, start=1))
        return (HEAD + body + FOOT).encode()


def _numbers(values: Sequence[float]) -> str:
    return ",".join(text if "." in (text := repr(float(value))) else text.replace("e", ".e") for value in values).replace("e", "E")


def _unit(vector: Sequence[float]) -> Point:
    length = sum(value * value for value in vector) ** 0.5
    x, y, z = (value / length for value in vector)
    return x, y, z


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def add_flat_body(writer: Writer, body: Body) -> int:
    """Add a body of flat faces; return its solid."""
    places = [writer.point(point) for point in body.points]
    vertices = [writer.add(f"VERTEX_POINT('',#{place})") for place in places]
    edges: dict[tuple[int, int], int] = {}
    faces = []
    for face in body.faces:
        loop = []
        for a, b in pairwise((*face, face[0])):
            low, high = min(a, b), max(a, b)
            if (low, high) not in edges:
                span = _minus(body.points[high], body.points[low])
                vector = writer.add(f"VECTOR('',#{writer.direction(_unit(span))},1.)")
                line = writer.add(f"LINE('',#{places[low]},#{vector})")
                edges[low, high] = writer.add(f"EDGE_CURVE('',#{vertices[low]},#{vertices[high]},#{line},.T.)")
            loop.append(writer.add(f"ORIENTED_EDGE('',*,*,#{edges[low, high]},.{'T' if a == low else 'F'}.)"))
        bound = writer.add(f"EDGE_LOOP('',({','.join(f'#{edge}' for edge in loop)}))")
        outer = writer.add(f"FACE_OUTER_BOUND('',#{bound},.T.)")
        fan = [
            _cross(_minus(body.points[b], body.points[face[0]]), _minus(body.points[c], body.points[face[0]]))
            for b, c in pairwise(face[1:])
        ]
        normal = _unit([sum(part) for part in zip(*fan, strict=True)])
        along = _unit(_minus(body.points[face[1]], body.points[face[0]]))
        plane = writer.add(f"PLANE('',#{writer.axes(body.points[face[0]], normal, along)})")
        faces.append(writer.add(f"ADVANCED_FACE('',(#{outer}),#{plane},.T.)"))
    shell = writer.add(f"CLOSED_SHELL('',({','.join(f'#{face}' for face in faces)}))")
    return writer.add(f"MANIFOLD_SOLID_BREP('body',#{shell})")


def add_cylinder(writer: Writer, radius: float, height: float) -> int:
    """Add a round bar along z from the origin; return its solid."""
    x, z, down = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
    ends = [writer.add(f"VERTEX_POINT('',#{writer.point((radius, 0.0, level))})") for level in (0.0, height)]
    rims = []
    for end, level in zip(ends, (0.0, height), strict=True):
        circle = writer.add(f"CIRCLE('',#{writer.axes((0.0, 0.0, level), z, x)},{radius!r})")
        rims.append(writer.add(f"EDGE_CURVE('',#{end},#{end},#{circle},.T.)"))
    vector = writer.add(f"VECTOR('',#{writer.direction(z)},1.)")
    line = writer.add(f"LINE('',#{writer.point((radius, 0.0, 0.0))},#{vector})")
    seam = writer.add(f"EDGE_CURVE('',#{ends[0]},#{ends[1]},#{line},.T.)")
    faces = []
    for edges, surface in (
        (((rims[0], "T"), (seam, "T"), (rims[1], "F"), (seam, "F")), f"CYLINDRICAL_SURFACE('',#{{}},{radius!r})"),
        (((rims[0], "F"),), "PLANE('',#{})"),
        (((rims[1], "T"),), "PLANE('',#{})"),
    ):
        steps = [writer.add(f"ORIENTED_EDGE('',*,*,#{edge},.{way}.)") for edge, way in edges]
        loop = writer.add(f"EDGE_LOOP('',({','.join(f'#{step}' for step in steps)}))")
        outer = writer.add(f"FACE_OUTER_BOUND('',#{loop},.T.)")
        at, up = [((0.0, 0.0, 0.0), z), ((0.0, 0.0, 0.0), down), ((0.0, 0.0, height), z)][len(faces)]
        faces.append(writer.add(f"ADVANCED_FACE('',(#{outer}),#{writer.add(surface.format(writer.axes(at, up, x)))},.T.)"))
    shell = writer.add(f"CLOSED_SHELL('',({','.join(f'#{face}' for face in faces)}))")
    return writer.add(f"MANIFOLD_SOLID_BREP('bar',#{shell})")


def add_context(writer: Writer, unit: str) -> int:
    """Add the units; return the context of the shapes."""
    if unit == "in":
        basic = writer.add(UNITS["mm"])
        powers = writer.add("DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)")
        inch = writer.add(f"LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#{basic})")
        length = writer.add(f"( CONVERSION_BASED_UNIT('INCH',#{inch}) LENGTH_UNIT() NAMED_UNIT(#{powers}) )")
    else:
        length = writer.add(UNITS[unit])
    angle = writer.add("( NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.) )")
    solid = writer.add("( NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT() )")
    blur = writer.add(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),#{length},'distance_accuracy_value','')")
    return writer.add(
        f"( GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#{blur}))"
        f" GLOBAL_UNIT_ASSIGNED_CONTEXT((#{length},#{angle},#{solid})) REPRESENTATION_CONTEXT('','') )"
    )


def add_product(writer: Writer, name: str, items: Sequence[int], context: int, *, solids: bool) -> tuple[int, int]:
    """Add a product with its shape; return its definition and its representation."""
    application = writer.add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')")
    writer.add(f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#{application})")
    product_context = writer.add(f"PRODUCT_CONTEXT('',#{application},'mechanical')")
    product = writer.add(f"PRODUCT('{name}','{name}','',(#{product_context}))")
    formation = writer.add(f"PRODUCT_DEFINITION_FORMATION('','',#{product})")
    design = writer.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',#{application},'design')")
    definition = writer.add(f"PRODUCT_DEFINITION('design','',#{formation},#{design})")
    shape = writer.add(f"PRODUCT_DEFINITION_SHAPE('','',#{definition})")
    kind = "ADVANCED_BREP_SHAPE_REPRESENTATION" if solids else "SHAPE_REPRESENTATION"
    representation = writer.add(f"{kind}('',({','.join(f'#{item}' for item in items)}),#{context})")
    writer.add(f"SHAPE_DEFINITION_REPRESENTATION(#{shape},#{representation})")
    return definition, representation


def step_of(body: Body, *, unit: str = "mm") -> bytes:
    """Write one body of flat faces."""
    writer = Writer()
    axes = writer.axes((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    solid = add_flat_body(writer, body)
    add_product(writer, "body", (axes, solid), add_context(writer, unit), solids=True)
    return writer.text()


def step_cylinder(radius: float, height: float, *, unit: str = "mm") -> bytes:
    """Write one round bar."""
    writer = Writer()
    axes = writer.axes((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    solid = add_cylinder(writer, radius, height)
    add_product(writer, "bar", (axes, solid), add_context(writer, unit), solids=True)
    return writer.text()


def step_assembly(body: Body, places: Sequence[Point], *, unit: str = "mm", levels: int = 1, extra: Sequence[str] = ()) -> bytes:
    """Write a body that is placed several times, on several levels one in the other."""
    writer = Writer()
    z, x = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    context = add_context(writer, unit)
    axes = writer.axes((0.0, 0.0, 0.0), z, x)
    definition, representation = add_product(writer, "body", (axes, add_flat_body(writer, body)), context, solids=True)
    for level in range(levels):
        frames = [writer.axes(place, z, x) for place in places]
        above, whole = add_product(writer, f"set{level}", (axes, *frames), context, solids=False)
        for at, frame in enumerate(frames):
            use = writer.add(f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('{level}-{at}','','',#{above},#{definition},$)")
            shape = writer.add(f"PRODUCT_DEFINITION_SHAPE('','',#{use})")
            move = writer.add(f"ITEM_DEFINED_TRANSFORMATION('','',#{axes},#{frame})")
            relation = writer.add(
                f"( REPRESENTATION_RELATIONSHIP('','',#{representation},#{whole})"
                f" REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#{move}) SHAPE_REPRESENTATION_RELATIONSHIP() )"
            )
            writer.add(f"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#{relation},#{shape})")
        definition, representation = above, whole
    for line in extra:
        writer.add(line)
    return writer.text()
