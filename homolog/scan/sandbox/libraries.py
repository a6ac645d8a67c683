"""The libraries that every measurement uses, loaded once in the supervisor, where they must not start a thread."""

from __future__ import annotations

import os

from homolog.scan.engine import LIBRARIES, version_of


def load() -> None:
    """Load them; what is forked from here computes with one thread, and the same for any number of processors."""
    import manifold3d
    import scipy.sparse.csgraph
    import scipy.spatial  # noqa: F401 -- loaded for those who come after

    from homolog.scan import rays

    for name in LIBRARIES:  # every record names the versions
        version_of(name)
    if not hasattr(os, "sched_setaffinity"):
        rays.make_ready()
        return
    # The solid modeller and the ray caster ask once how many processors there are, at their first work, and start a thread
    # for each. A measuring process may start none, and a supervisor with threads could not fork safely.
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})
    try:
        (manifold3d.Manifold.sphere(1.0, 4) - manifold3d.Manifold.cube()).volume()
        rays.make_ready()
    finally:
        os.sched_setaffinity(0, everywhere)
