"""The ray caster's device: made once, where it must not start a thread, and left alone where that cannot be had."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from homolog.scan.engine import version_of

DEPTH_BUFFER = "numpy"
_device: list[Any] = []
"""The device, or None where there is none to be had; empty until somebody asked."""


def make_ready() -> None:
    """Make the device in a process that will be forked; the caller holds it to one processor.

    The caster asks once how many processors there are and starts a thread for each. A measuring process may start none: it
    would be ended by the caster itself. Where a process cannot be held to one processor there is no device for its children.
    """
    if not _device:
        _device.append(_made() if hasattr(os, "sched_setaffinity") else None)


def device() -> Any:
    """Return the device, made on first use; None without the library."""
    if not _device:
        _device.append(_made())
    return _device[0]


def renderer() -> str:
    """Return what draws pictures here, as records name it."""
    return DEPTH_BUFFER if device() is None else f"embreex {version_of('embreex')}"


def _made() -> Any:
    try:
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore import EmbreeDevice
        from embreex.rtcore_scene import EmbreeScene
    except ImportError:
        return None
    made = EmbreeDevice()
    scene = EmbreeScene(made)
    TriangleMesh(scene, np.eye(3, dtype=np.float32)[None])
    scene.run(np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32))  # only work starts what it works with
    version_of("embreex")  # the first one asked for reads a file
    return made
