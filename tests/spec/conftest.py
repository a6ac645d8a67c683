from pathlib import Path

import pytest

from tests.spec.sample import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "specs")
