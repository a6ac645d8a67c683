"""What all requests share: settings, rules, places for work."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.requests import Request

from api.body import Uploads
from api.places import Places
from api.register import Register
from api.settings import Settings
from api.turns import Turns

if TYPE_CHECKING:
    from homolog.service.settings import Settings as HostSettings
    from homolog.spec.library import Library
    from homolog.submission.vocabulary import Vocabulary


class Shelf:
    """The rules, loaded when they are first asked for."""

    @cached_property
    def library(self) -> Library:
        """All editions of all bodies."""
        from homolog.spec.library import Library

        return Library()

    @cached_property
    def vocabulary_of(self) -> Callable[[str], Vocabulary]:
        """What sheets for an item may say."""
        from homolog.check import vocabulary_of

        return vocabulary_of(self.library)

    def load(self) -> int:
        """Load every spec and return how many there are.

        Raises:
            HomologError: A spec is broken, or not the one that its edition names.
            OSError: A file cannot be read.
        """
        return sum(edition.spec(item) is not None for edition in self.library.editions.values() for item in edition.file.files)


class Service:
    """One running service; nothing of a request stays in it."""

    def __init__(self, settings: Settings, host: HostSettings | None = None) -> None:
        self.settings = settings
        self.register = Register(host)
        self.turns = Turns()
        self.shelf = Shelf()
        self.uploads = Uploads(settings.uploads)
        self.measuring = Places(settings.measurements, queue=settings.queue, queue_seconds=settings.queue_seconds)
        self.judging = Places(settings.sheets, queue=settings.queue, queue_seconds=settings.queue_seconds)
        self.reading = Places(2, queue=100, queue_seconds=settings.queue_seconds)


def service_of(request: Request) -> Service:
    """Return the service that a request came to."""
    service: Service = request.app.state.service
    return service
