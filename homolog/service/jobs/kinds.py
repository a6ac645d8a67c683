"""Owns the kinds of jobs: which function does which; each is loaded when the first of its kind comes."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from homolog.errors import HomologError
from homolog.service.jobs.work import Work

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "assess": "homolog.service.jobs.assessing:assess_application",
        "render": "homolog.service.jobs.rendering:render_report",
        "impact": "homolog.service.impact:plan",
        "impact_part": "homolog.service.impact:do_part",
    }
)


class KindUnknown(HomologError):
    """A job is of a kind that this version of the program does not do."""

    code = "job_kind_unknown"
    exit_code = 5


def do(work: Work) -> None:
    """Do a job, its end included.

    Raises:
        KindUnknown: No function does it.
        NotWanted: It has its end already.
    """
    named = KINDS.get(work.job.kind)
    if named is None:
        raise KindUnknown.because(f"nobody does jobs of kind {work.job.kind!r}", todo="start workers of the newest version")
    module, _, function = named.partition(":")
    getattr(import_module(module), function)(work)
