"""The service's own log: one line of JSON an event, on stderr; what was submitted never enters it."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any


def _logger() -> Any:
    import structlog

    return structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    )


def warning(event: str, **facts: Any) -> None:
    """Log what the service can do without, but whoever runs it should know."""
    with suppress(OSError, ValueError):
        _logger().warning(event, **facts)


def fault(event: str, error: BaseException, **facts: Any) -> None:
    """Log a fault of ours with its trace."""
    with suppress(OSError, ValueError):  # a log that cannot be written must not cost the answer
        _logger().error(event, exc_info=error, **facts)
