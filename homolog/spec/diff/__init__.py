"""What changed between two editions' specs for an item, by permanent id."""

from homolog.spec.diff.change import Change, Direction
from homolog.spec.diff.compare import diff

__all__ = ["Change", "Direction", "diff"]
