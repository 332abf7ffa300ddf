"""Makes the collection of programs importable, and builds what runs kernels on an emulated processor once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .emulator import Emulator, require_tools
from .machines import FOREIGN

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1] / "programs")]


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Emulator:
    require_tools(FOREIGN)
    return Emulator(FOREIGN, tmp_path_factory.mktemp("emulator"))
