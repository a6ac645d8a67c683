"""Owns the errors of the workflow: a step that may not be taken, and a history that does not hold together."""

from __future__ import annotations

from homolog.errors import HomologError


class StepRefused(HomologError):
    """A step may not be taken now, by this person, or with what was given; nothing was recorded."""

    code = "step_refused"
    exit_code = 4


class HistoryDamaged(HomologError):
    """The events of an application or a type do not follow from each other."""

    code = "history_damaged"
    exit_code = 5
