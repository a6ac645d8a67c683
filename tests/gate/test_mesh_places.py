"""What the gates refuse, with the place and the code that the messages give: one line a rule."""

from __future__ import annotations

import struct

import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from tools import hostile_packed, hostile_text
from tools.hostile_meshes import Case

CASES: dict[str, Case] = {case.name: case for module in (hostile_text, hostile_packed) for case in module.cases()}

PLACES = [
    # OBJ: indices, numbers, groups, one face's corners, other text
    ("obj-index-zero.obj", "obj-index-zero.obj:9", "mesh_index"),
    ("obj-index-below.obj", "obj-index-below.obj:9", "mesh_index"),
    ("obj-index-above.obj", "obj-index-above.obj:9", "mesh_index"),
    ("obj-index-huge.obj", "obj-index-huge.obj:9", "mesh_index"),
    ("obj-index-digits.obj", "obj-index-digits.obj:9", "mesh_number"),
    ("obj-number-nan.obj", "obj-number-nan.obj:1", "mesh_not_finite"),
    ("obj-number-1e999.obj", "obj-number-1e999.obj:1", "mesh_not_finite"),
    ("obj-number-far.obj", "obj-number-far.obj:1", "mesh_far"),
    ("obj-number-underscore.obj", "obj-number-underscore.obj:1", "mesh_number"),
    ("obj-number-arabic.obj", "obj-number-arabic.obj:1", "mesh_number"),
    ("obj-last-qnan.obj", "obj-last-qnan.obj:1", "mesh_not_finite"),
    ("obj-normal-nan.obj", "obj-normal-nan.obj:5", "mesh_number"),
    ("obj-groups.obj", "obj-groups.obj:9001", "mesh_parts"),
    ("obj-group-name.obj", "obj-group-name.obj:1", "mesh_name"),
    ("obj-ngon-long.obj", "obj-ngon-long.obj:5", "mesh_face"),
    ("obj-continuation.obj", "obj-continuation.obj:5", "mesh_face"),
    ("obj-curve.obj", "obj-curve.obj:9", "obj_line"),
    ("obj-lines.obj", "obj-lines.obj:9", "mesh_kind"),
    ("obj-nul.obj", "obj-nul.obj:5", "text_invalid"),
    ("obj-latin-1.obj", "obj-latin-1.obj:1", "text_invalid"),
    ("obj-three-faces.obj", "obj-three-faces.obj", "mesh_empty"),
    ("obj-materials.obj", "obj-materials.obj:1000005", "mesh_large"),
    ("off-lines.off", "off-lines.off", "mesh_large"),
    ("xyz-lines.xyz", "xyz-lines.xyz", "cloud_size"),
    ("obj-too-many-points.obj", "obj-too-many-points.obj", "mesh_large"),
    # PLY: counts, lists, indices, numbers, header
    ("ply-points-2g.ply", "ply-points-2g.ply", "mesh_large"),
    ("ply-points-five.ply", "ply-points-five.ply: face 1", "mesh_face"),
    ("ply-points-text-five.ply", "ply-points-text-five.ply", "mesh_count"),
    ("ply-points-negative.ply", "ply-points-negative.ply:3", "ply_header"),
    ("ply-list-4g.ply", "ply-list-4g.ply: face 1", "mesh_face"),
    ("ply-list-negative.ply", "ply-list-negative.ply: face 1", "mesh_face"),
    ("ply-two-corners.ply", "ply-two-corners.ply:17", "mesh_face"),
    ("ply-index-negative.ply", "ply-index-negative.ply: face 4", "mesh_index"),
    ("ply-index-text-above.ply", "ply-index-text-above.ply:17", "mesh_index"),
    ("ply-number-nan.ply", "ply-number-nan.ply: point 4", "mesh_not_finite"),
    ("ply-number-text-far.ply", "ply-number-text-far.ply:13", "mesh_far"),
    ("ply-row-shifted.ply", "ply-row-shifted.ply:10", "mesh_count"),
    ("ply-no-end.ply", "ply-no-end.ply", "ply_header"),
    ("ply-trailing.ply", "ply-trailing.ply", "mesh_count"),
    ("ply-no-normals.ply", "ply-no-normals.ply", "cloud_normal"),
    ("ply-strips.ply", "ply-strips.ply:7", "mesh_kind"),
    # OFF and clouds
    ("off-counts-more.off", "off-counts-more.off", "mesh_count"),
    ("off-face-negative.off", "off-face-negative.off:10", "mesh_index"),
    ("off-number-nan.off", "off-number-nan.off:6", "mesh_not_finite"),
    ("off-binary.off", "off-binary.off:1", "mesh_number"),
    ("xyz-three.xyz", "xyz-three.xyz:51", "cloud_line"),
    ("xyz-zero-normal.xyz", "xyz-zero-normal.xyz:51", "cloud_normal"),
    ("xyz-colours.xyz", "xyz-colours.xyz:1", "cloud_normal"),
    ("xyz-few.xyz", "xyz-few.xyz", "cloud_size"),
    # GLB: chunks, accessors, addresses, extensions, the node tree, growth
    ("glb-length.glb", "glb-length.glb", "glb_chunk"),
    ("glb-chunk.glb", "glb-chunk.glb: chunk 0", "glb_chunk"),
    ("glb-count-2g.glb", "glb-count-2g.glb: accessor 0", "glb_accessor"),
    ("glb-accessor-no-view.glb", "glb-accessor-no-view.glb: accessor 0", "glb_accessor"),
    ("glb-view-stride-1.glb", "glb-view-stride-1.glb: accessor 0", "glb_accessor"),
    ("glb-view-long.glb", "glb-view-long.glb: bufferView 0", "glb_accessor"),
    ("glb-uri-up.glb", "glb-uri-up.glb: buffer 0", "glb_address"),
    ("glb-image-beside.glb", "glb-image-beside.glb: image 0", "glb_address"),
    ("glb-draco.glb", "glb-draco.glb", "glb_extension"),
    ("glb-nodes-loose-cycle.glb", "glb-nodes-loose-cycle.glb: node 1", "mesh_cycle"),
    ("glb-nodes-two-parents.glb", "glb-nodes-two-parents.glb: node 1", "mesh_cycle"),
    ("glb-nodes-wide.glb", "glb-nodes-wide.glb", "mesh_instances"),
    ("glb-nodes-scale-0.glb", "glb-nodes-scale-0.glb: node 0", "mesh_placement"),
    ("glb-index.glb", "glb-index.glb: mesh 0: primitive 0", "mesh_index"),
    ("glb-number-nan.glb", "glb-number-nan.glb: mesh 0: primitive 0: point 0", "mesh_not_finite"),
    ("glb-nodes-instancing.glb", "glb-nodes-instancing.glb: node 0", "glb_extension"),
    # 3MF: archive, XML, ids, unit, component graph
    ("3mf-bomb.3mf", "3mf-bomb.3mf", "zip_too_large"),
    ("3mf-slip.3mf", "3mf-slip.3mf", "zip_name"),
    ("3mf-laughs.3mf", "3mf-laughs.3mf: 3D/3dmodel.model", "three_mf_doctype"),
    ("3mf-dtd.3mf", "3mf-dtd.3mf: 3D/3dmodel.model", "three_mf_doctype"),
    ("3mf-relations-doctype.3mf", "3mf-relations-doctype.3mf: _rels/.rels", "three_mf_doctype"),
    ("3mf-twice.3mf", "3mf-twice.3mf: 3D/3dmodel.model", "three_mf_object"),
    ("3mf-unit.3mf", "3mf-unit.3mf: 3D/3dmodel.model", "three_mf_unit"),
    ("3mf-cycle.3mf", "3mf-cycle.3mf: 3D/3dmodel.model object 2", "mesh_cycle"),
    ("3mf-loose-cycle.3mf", "3mf-loose-cycle.3mf: 3D/3dmodel.model object 2", "mesh_cycle"),
    ("3mf-nest-1-17.3mf", "3mf-nest-1-17.3mf: 3D/3dmodel.model object 17", "mesh_depth"),
    ("3mf-nest-10-10.3mf", "3mf-nest-10-10.3mf", "mesh_instances"),
    ("3mf-items.3mf", "3mf-items.3mf: 3D/3dmodel.model", "mesh_parts"),
    ("3mf-nan.3mf", "3mf-nan.3mf: 3D/3dmodel.model object 1 point 4", "mesh_not_finite"),
    ("3mf-index-above.3mf", "3mf-index-above.3mf: 3D/3dmodel.model object 1 triangle 0", "mesh_index"),
    ("3mf-lattice.3mf", "3mf-lattice.3mf: 3D/3dmodel.model object 1", "three_mf_extension"),
    ("3mf-production-units.3mf", "3mf-production-units.3mf: 3D/parts/a.model", "three_mf_unit"),
    ("3mf-flat-transform.3mf", "3mf-flat-transform.3mf: 3D/3dmodel.model", "mesh_placement"),
    # STEP: brackets, references, ids, assemblies, sizes
    ("step-deep.step", "step-deep.step: #9000", "step_text"),
    ("step-missing.step", "step-missing.step: #77777", "step_reference"),
    ("step-twice.step", "step-twice.step: #5", "step_reference"),
    ("step-instances.step", "step-instances.step", "mesh_instances"),
    ("step-instances-deep.step", None, "mesh_depth"),
    ("step-assembly-cycle.step", None, "mesh_cycle"),
    ("step-mapped.step", "step-mapped.step", "mesh_instances"),
    ("step-huge-radius.step", None, "mesh_far"),
    ("step-large-radius-metres.step", None, "mesh_far"),
    ("step-degree.step", "step-degree.step: #9000", "step_spline"),
    ("step-no-unit.step", "step-no-unit.step", "step_unit"),
    ("step-no-body.step", "step-no-body.step", "mesh_empty"),
]


@pytest.mark.parametrize(("name", "where", "code"), PLACES, ids=[row[0] for row in PLACES])
def test_a_refusal_names_the_place(name: str, where: str | None, code: str) -> None:
    with pytest.raises(InputRefused) as caught:
        check_mesh(CASES[name].data, name=name)
    problem = caught.value.problems[0]
    assert (problem.where if where else where, problem.code) == (where, code)
    assert problem.what
    assert problem.todo


def test_a_coordinate_of_exactly_ten_metres_is_taken() -> None:
    text = b"v 10000 0 0\nv 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
    assert check_mesh(text, name="scan.obj").triangles == 4
    with pytest.raises(InputRefused, match=r"beyond 10 m"):
        check_mesh(text.replace(b"10000 ", b"10000.001 "), name="scan.obj")


def test_a_thousand_groups_are_taken_and_one_more_is_not() -> None:
    body = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    groups = "".join(f"g g{at}\nf 1 2 3\n" for at in range(1000))
    file = check_mesh((body + groups).encode(), name="scan.obj")
    assert len(file.meshes[0].parts) == 1000
    with pytest.raises(InputRefused):
        check_mesh((body + groups + "g last\nf 1 2 3\n").encode(), name="scan.obj")


def test_parts_of_an_obj_file_keep_their_names_and_faces() -> None:
    file = check_mesh(CASES["obj-groups-few.obj"].data, name="scan.obj")
    assert file.meshes[0].parts == (("one", 0), ("two", 4))


def test_a_name_that_cannot_be_printed_becomes_a_number() -> None:
    text = b"o \xe2\x80\xaeevil\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
    assert check_mesh(text, name="scan.obj").meshes[0].parts == (("part 1", 0),)


def test_relative_indices_mean_the_points_before_their_line() -> None:
    file = check_mesh(CASES["obj-relative-midway.obj"].data, name="scan.obj")
    assert struct.unpack("<12i", file.meshes[0].corners) == (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)


def test_a_3mf_in_inch_may_reach_ten_metres_in_inch() -> None:
    from tools import mesh_writers as write
    from tools.hostile_meshes import BRACKET

    body = BRACKET.scaled(393.0 / 12.5)
    assert check_mesh(write.three_mf(body, unit="inch"), name="scan.3mf").unit == "in"
    with pytest.raises(InputRefused, match=r"beyond 10 m"):
        check_mesh(write.three_mf(BRACKET.scaled(395.0 / 12.5), unit="inch"), name="scan.3mf")


def test_instances_are_counted_up_to_four_million_triangles() -> None:
    from homolog.gate.assembly import count_load

    def load(times: int) -> int:
        return count_load([1], {1: (2,) * times}, {2: (1000, 500)}, str, name="x").triangles

    assert load(4000) == 4_000_000
    with pytest.raises(InputRefused) as caught:
        load(4001)
    assert caught.value.problems[0].code == "mesh_large"
