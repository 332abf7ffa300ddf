"""The check of bundles on GPUs, on the emulated one: it takes what is right, and names what is not."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emulated_gpu.kernels import emulated_cuda
from programs_on_gpu import CASES, largest_distance, make, run


def test_bundles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with emulated_cuda():
        make(tmp_path, only="gather_rows", target="cuda")
        assert run(tmp_path) == []
        cases = pickle.loads((tmp_path / CASES).read_bytes())
        assert len(cases) == 4
        moved = [cases[0], replace(cases[1], expected=cases[1].arguments), replace(cases[2], arguments=())]
        (tmp_path / CASES).write_bytes(pickle.dumps(moved))
        (tmp_path / cases[0].file).write_bytes(b"no bundle")
        wrong = run(tmp_path)
    assert [line.split(":")[0] for line in wrong[:1]] == [cases[0].file]
    assert {line.split(":")[0] for line in wrong} == {case.file for case in moved}
    assert "3 kernels" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "expected", "distance"),
    [
        ((1.0, np.array([2.0, 4.0])), (1.0, np.array([2.0, 5.0])), 0.2),
        (np.array([np.nan, np.inf]), np.array([np.nan, np.inf]), 0.0),
        (np.array([1.0, np.inf]), np.array([1.0, -np.inf]), np.inf),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0]), np.inf),
        (np.array([1.0]), np.array([1.0, 1.0]), np.inf),
        (True, False, 1.0),
    ],
)
def test_distances(found: object, expected: object, distance: float) -> None:
    assert largest_distance(found, expected) == pytest.approx(distance)
