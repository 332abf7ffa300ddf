"""The reference interpreter learns what derivatives are made of."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

import accumulating
import halving

import core_interpreter


@pytest.fixture(autouse=True)
def derivative_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accumulators and rarer operations are interpreted too, and operators by halves."""
    for name, function in halving.STRUCTURED.items():
        monkeypatch.setitem(core_interpreter.STRUCTURED, name, function)
    for table in ("STRUCTURED", "OPERATIONS", "NAMED_FUNCTIONS"):
        for name, function in getattr(accumulating, table).items():
            monkeypatch.setitem(getattr(core_interpreter, table), name, function)
