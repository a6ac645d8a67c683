"""A register with people, on both databases."""

import pytest

from homolog.register.database import Database
from homolog.register.files import Files
from tests.service.people import World, world_of


@pytest.fixture
def world(database: Database, files: Files) -> World:
    return world_of(database, files)
