"""Every rule of the gate that docs/failures.md lists, each with a file that breaks it and the code it is refused with."""

from __future__ import annotations

from functools import cache

import pytest

from homolog.errors import InputRefused
from homolog.gate.mesh_file import check_mesh
from tools import hostile_packed, hostile_text
from tools.hostile_meshes import Case

RULES = {
    "names at most 200 letters": {
        "obj-group-name.obj": "mesh_name",
        "glb-name-long.glb": "mesh_name",
        "3mf-long-name.3mf": "mesh_name",
    },
    "text is UTF-8 without NUL": {
        "obj-nul.obj": "text_invalid",
        "obj-latin-1.obj": "text_invalid",
        "3mf-utf-16.3mf": "text_invalid",
    },
    "every number finite": {
        "obj-number-nan.obj": "mesh_not_finite",
        "ply-number-inf.ply": "mesh_not_finite",
        "off-number-nan.off": "mesh_not_finite",
        "glb-number-nan.glb": "mesh_not_finite",
        "3mf-1e999.3mf": "mesh_not_finite",
        "step-1e999.step": "mesh_not_finite",
        "xyz-nan.xyz": "mesh_not_finite",
    },
    "every number at most 10 m": {
        "obj-number-far.obj": "mesh_far",
        "ply-number-huge.ply": "mesh_far",
        "off-number-far.off": "mesh_far",
        "glb-number-far.glb": "mesh_far",
        "3mf-far.3mf": "mesh_far",
        "step-far.step": "mesh_far",
        "xyz-far.xyz": "mesh_far",
    },
    "numbers by a regular expression": {
        "obj-number-underscore.obj": "mesh_number",
        "ply-word-arabic.ply": "mesh_number",
        "off-number-underscore.off": "mesh_number",
        "3mf-arabic.3mf": "mesh_number",
        "xyz-word.xyz": "mesh_number",
    },
    "OBJ indices not 0 and in range": {
        "obj-index-zero.obj": "mesh_index",
        "obj-index-below.obj": "mesh_index",
        "obj-index-above.obj": "mesh_index",
    },
    "OBJ at most 1000 groups": {"obj-groups.obj": "mesh_parts"},
    "PLY counts fit the rest of the file": {
        "ply-points-2g.ply": "mesh_large",
        "ply-faces-negative.ply": "ply_header",
        "ply-faces-five.ply": "mesh_count",
        "ply-trailing.ply": "mesh_count",
    },
    "PLY lines are the sum of counts": {"ply-points-text-three.ply": "mesh_count", "ply-faces-text-five.ply": "mesh_count"},
    "PLY faces of three or more": {"ply-two-corners.ply": "mesh_face", "ply-list-negative.ply": "mesh_face"},
    "PLY indices in range and not negative": {"ply-index-above.ply": "mesh_index", "ply-index-negative.ply": "mesh_index"},
    "OFF counts": {"off-counts-more.off": "mesh_count", "off-counts-fewer.off": "mesh_count"},
    "3MF zip rules": {"3mf-bomb.3mf": "zip_too_large", "3mf-slip.3mf": "zip_name", "3mf-members.3mf": "zip_too_large"},
    "3MF DOCTYPE refused": {"3mf-laughs.3mf": "three_mf_doctype", "3mf-outside.3mf": "three_mf_doctype"},
    "3MF ids unique": {"3mf-twice.3mf": "three_mf_object"},
    "3MF unit known": {"3mf-unit.3mf": "three_mf_unit"},
    "3MF components acyclic": {"3mf-cycle.3mf": "mesh_cycle", "3mf-self.3mf": "mesh_cycle"},
    "3MF depth at most 16": {"3mf-nest-1-17.3mf": "mesh_depth"},
    "3MF instances counted, not walked": {"3mf-nest-10-10.3mf": "mesh_instances", "3mf-nest-40-8.3mf": "mesh_instances"},
    "GLB chunks equal the file": {"glb-length.glb": "glb_chunk", "glb-chunk.glb": "glb_chunk", "glb-buffer-long.glb": "glb_chunk"},
    "GLB accessors inside their views": {"glb-count-more.glb": "glb_accessor", "glb-view-long.glb": "glb_accessor"},
    "GLB no accessor without a view": {"glb-accessor-no-view.glb": "glb_accessor"},
    "GLB no address but data:": {"glb-uri-beside.glb": "glb_address", "glb-image-http.glb": "glb_address"},
    "GLB no required extension": {"glb-draco.glb": "glb_extension"},
    "GLB node tree acyclic, one parent each": {"glb-nodes-cycle.glb": "mesh_cycle", "glb-nodes-two-parents.glb": "mesh_cycle"},
    "GLB sum of accessors": {"glb-count-2g.glb": "glb_accessor", "glb-nodes-wide.glb": "mesh_instances"},
    "STEP brackets at most 64 deep": {"step-deep.step": "step_text", "step-deep-100.step": "step_text"},
    "STEP references exist": {"step-missing.step": "step_reference"},
    "STEP ids unique": {"step-twice.step": "step_reference"},
    "STEP at most 1000 instances by counting": {"step-instances.step": "mesh_instances", "step-assembly-cycle.step": "mesh_cycle"},
    "STEP coordinates and radii at most 10 m": {"step-huge-radius.step": "mesh_far", "step-large-radius-metres.step": "mesh_far"},
    "faces": {"obj-points-only.obj": "mesh_empty", "obj-three-faces.obj": "mesh_empty", "step-no-body.step": "mesh_empty"},
    "ending and content agree": {"ending-glb-as.stl": "mesh_content", "ending-scan.iges": "mesh_ending"},
}
LEGAL = (
    "obj-mtllib.obj",
    "obj-mtllib-absolute.obj",
    "obj-relative-midway.obj",
    "obj-bom.obj",
    "obj-crlf.obj",
    "ply-quad-mixed.ply",
)
LEGAL += ("3mf-unit-inch.3mf", "3mf-mirrored.3mf", "glb-tree-mirrored.glb", "step-crlf.step")


@cache
def cases() -> dict[str, Case]:
    wanted = {name for files in RULES.values() for name in files} | set(LEGAL)
    return {case.name: case for made in (hostile_text, hostile_packed) for case in made.cases() if case.name in wanted}


@pytest.mark.parametrize("rule", list(RULES))
def test_what_breaks_a_rule_of_the_gate_is_refused_before_any_library_reads_it(rule: str) -> None:
    for name, code in RULES[rule].items():
        with pytest.raises(InputRefused) as caught:
            check_mesh(cases()[name].data, name=name)
        assert (name, caught.value.problems[0].code) == (name, code)


@pytest.mark.parametrize("name", LEGAL)
def test_what_is_legal_passes(name: str) -> None:
    found = check_mesh(cases()[name].data, name=name)
    assert found.format.partition("-")[0] == name.rpartition(".")[2]
    assert found.triangles == (0 if name.endswith(".step") else cases()[name].triangles)
