"""The gate for 3MF packages: the parts found by their relations, the objects that the build places, and the unit."""

from __future__ import annotations

from xml.parsers import expat

from homolog.gate.affine import check_placement, product
from homolog.gate.assembly import check_total, count_load
from homolog.gate.mesh import DAMAGED, IDENTITY, MAX_COORDINATE, Matrix, MeshFile, Placement, RawMesh, part_name, refuse
from homolog.gate.numbers import little
from homolog.gate.three_mf_model import UNITS, Model, ModelObject, Reference, read_model
from homolog.gate.zip import Archive, check_zip

_RELATIONS = "_rels/.rels"
_START = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_MAX_RELATIONS = 100_000
_Key = tuple[str, int]


def check_3mf(data: bytes, *, name: str) -> MeshFile:
    """Take a 3MF package whole, or refuse it.

    Args:
        data: The file's bytes.
        name: What the messages call the file.

    Raises:
        InputRefused: The archive or its XML is unsound, the unit or an extension is unknown, objects refer to
            themselves or stand for too much, or something else than the model is to be built.
    """
    archive = check_zip(data, name)
    start = _start(archive)
    models = _models(archive, start)
    root = models[start]
    objects = {(path, number): item for path, model in models.items() for number, item in model.objects.items()}
    for path, model in models.items():
        if model.unit != root.unit:
            refuse(f"{name}: {path}", "the parts are in different units", "export the package in one unit", "three_mf_unit")
        if path != start and model.items:
            refuse(f"{name}: {path}", "a part that is not the first one places objects", DAMAGED, "three_mf_object")
    roots = [_target(item, objects, f"{name}: {start} build") for item in root.items]
    if not roots:
        refuse(f"{name}: {start}", "the build places no object", "export the model, not only its objects", "mesh_empty")
    children = {key: tuple(_target(part, objects, _place(name, key)) for part in item.components) for key, item in objects.items()}
    own = {key: (len(item.corners) // 3, len(item.points) // 3) for key, item in objects.items()}
    load = count_load(roots, children, own, lambda key: _place(name, key), name=name)
    check_total(load, name)
    unit, factor = UNITS[root.unit]
    meshes, placements = _placed(root.items, objects, name, MAX_COORDINATE / factor)
    return MeshFile(format="3mf", unit=unit, triangles=load.triangles, points=load.points, meshes=meshes, placements=placements)


def _place(name: str, key: _Key) -> str:
    return f"{name}: {key[0]} object {key[1]}"


def _start(archive: Archive) -> str:
    """Return the path of the first model part."""
    if _RELATIONS not in archive.members or "[Content_Types].xml" not in archive.members:
        refuse(archive.name, "the archive is no 3MF package", "export it anew as 3MF", "three_mf_package")
    found: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(" ")[2] == "Relationship" and attributes.get("Type") == _START:
            if attributes.get("TargetMode", "Internal") != "Internal":
                refuse(archive.name, "the model lies outside the package", "export it anew as 3MF", "three_mf_package")
            found.append(attributes.get("Target", "").lstrip("/"))

    def doctype(*_: object) -> None:
        refuse(f"{archive.name}: {_RELATIONS}", "a document type is declared", "export it anew as 3MF", "three_mf_doctype")

    parser = expat.ParserCreate(None, " ")
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    text = archive.read(_RELATIONS)
    try:
        parser.Parse(text[:_MAX_RELATIONS], True)
    except expat.ExpatError:
        refuse(f"{archive.name}: {_RELATIONS}", "the part is not well-formed XML", DAMAGED, "three_mf_xml")
    if len(found) != 1 or found[0] not in archive.members:
        refuse(archive.name, f"the package names {len(found)} first models, or one that is not there", DAMAGED, "three_mf_package")
    return found[0]


def _models(archive: Archive, start: str) -> dict[str, Model]:
    """Read the first model part and all that it refers to."""
    models: dict[str, Model] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path in models:
            continue
        if path not in archive.members:
            refuse(archive.name, f"the package has no part {path[:100]!r}", DAMAGED, "three_mf_package")
        model = read_model(archive.read(path), f"{archive.name}: {path}", path)
        models[path] = model
        references = [*model.items, *(part for item in model.objects.values() for part in item.components)]
        waiting.extend({reference.path for reference in references} - models.keys())
    return models


def _target(reference: Reference, objects: dict[_Key, ModelObject], where: str) -> _Key:
    key = (reference.path, reference.object_id)
    if key not in objects:
        refuse(where, f"object {reference.object_id} is not there", DAMAGED, "three_mf_object")
    return key


def _placed(
    items: list[Reference], objects: dict[_Key, ModelObject], name: str, limit: float
) -> tuple[tuple[RawMesh, ...], tuple[Placement, ...]]:
    meshes: list[RawMesh] = []
    index: dict[_Key, int] = {}
    placements: list[Placement] = []
    stack: list[tuple[Reference, Matrix, str]] = [(item, IDENTITY, "") for item in reversed(items)]
    while stack:
        reference, above, outer = stack.pop()
        key = (reference.path, reference.object_id)
        item = objects[key]
        where = _place(name, key)
        if item.kind != "model":
            what = f"the package also builds an object of type {item.kind[:40]!r}"
            refuse(where, what, "export the model alone, without supports", "mesh_kind")
        matrix = product(above, reference.matrix)
        title = item.name or outer
        if item.has_mesh:
            if key not in index:
                index[key] = len(meshes)
                meshes.append(RawMesh(points=little(item.points), corners=little(item.corners)))
            check_placement(matrix, where, limit=max(limit, MAX_COORDINATE))
            label = part_name(title, where, len(placements) + 1)
            placements.append(Placement(mesh=index[key], matrix=matrix, name=label))
        stack.extend((part, matrix, title) for part in reversed(item.components))
    return tuple(meshes), tuple(placements)
