"""The engine's version, as reports name it."""

VERSION = "0.1.0"
