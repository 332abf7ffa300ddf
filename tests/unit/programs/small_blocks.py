"""Thresholds low enough that arrays of a few elements are cut into blocks and pieces."""

from __future__ import annotations

import pytest

from tapeless.passes.lower.blocks import cuts
from tapeless.passes.lower.scans import scan_pieces
from tapeless.passes.lower.schedule import cpu, work

# Where work is cut: (module, name, a value that cuts arrays of a few elements).
SMALLEST = (
    (cuts, "LEAST_WORK", 1),
    (cuts, "WORK_PER_COPIED_ELEMENT", {True: 1, False: 1}),
    (cuts, "LANES", 2),
    (work, "WORK_PER_BLOCK", 2),
    (scan_pieces, "SMALLEST_PIECE", 8),
    (cpu, "LARGEST_AT_ONCE", 3),
    (cpu, "ROWS_PER_PACKING", 1),
)


def cut_small_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers every threshold."""
    for module, name, value in SMALLEST:
        monkeypatch.setattr(module, name, value)
