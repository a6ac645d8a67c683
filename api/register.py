"""The register behind the door: opened when it is first asked for, closed when the service ends."""

from __future__ import annotations

import threading
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from api import log
from api.problems import Failure
from homolog.errors import HomologError, UsageError

if TYPE_CHECKING:
    from homolog.service.desk import Desk
    from homolog.service.rules import Rules
    from homolog.service.settings import Settings
    from homolog.service.stores import Stores


class Register:
    """The stores of a host; a service that only checks sheets never opens them."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Keep the settings; None reads them from the environment when they are needed."""
        self._settings = settings
        self._stores: Stores | None = None
        self._rules: Rules | None = None
        self._stack = ExitStack()
        self._lock = threading.Lock()

    @property
    def settings(self) -> Settings:
        """What the host has chosen.

        Raises:
            Failure: A variable holds what it cannot; the log says which.
        """
        if self._settings is None:
            from homolog.service.settings import Settings

            try:
                self._settings = Settings.from_environment()
            except UsageError as error:
                log.fault("the settings do not hold", error)
                raise Failure("not_ready", "The register's settings do not hold; the log says why.") from None
        return self._settings

    @property
    def stores(self) -> Stores:
        """The open database and files; this blocks the first time.

        Raises:
            Failure: There is no database, or its tables are not those of this version.
        """
        with self._lock:
            if self._stores is None:
                self._stores = self._open()
        return self._stores

    @property
    def desk(self) -> Desk:
        """The stores with the rules that the register goes by now, those that the board has published among them; this blocks.

        Raises:
            Failure: As for `stores`.
            SpecError: The board's own table of steps or memorandum is not as it has to be.
        """
        return self.rules.desk()

    @property
    def rules(self) -> Rules:
        """The rules of the register, as the board works on them; as `desk`."""
        from homolog.service.desk import desk_of, rules_of
        from homolog.service.rules import Rules

        stores = self.stores
        with self._lock:
            if self._rules is None or self._rules.database is not stores.database:
                self._rules = Rules(desk_of(self.settings, stores, *rules_of(self.settings)))
            return self._rules

    def warm(self) -> None:
        """Open the register if there is one, so that nobody waits for its libraries; what is wrong is said when it is needed."""
        with suppress(Failure, HomologError):
            _ = self.stores

    def close(self) -> None:
        """Let the database go."""
        with self._lock:
            if self._rules is not None:
                self._rules.close()
            self._stores = self._rules = None
            self._stack.close()

    def _open(self) -> Stores:
        from homolog.service.stores import is_made, open_stores

        if not is_made(self.settings):  # a look at it would make an empty one
            raise Failure("not_ready", "There is no register yet; homolog serve makes one.")
        try:
            return self._stack.enter_context(open_stores(self.settings))
        except HomologError as error:
            if error.code != "database_outdated":
                raise
            raise Failure("not_ready", "The register's tables are those of another version; run homolog migrate.") from None
