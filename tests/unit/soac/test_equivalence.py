"""Every pass, alone and in unusual orders, keeps what every program of the collection computes.

The interpreter also fails when an element is read out of range or an operator's width is not that of its inputs, which
is what a pass that moves code too far would cause.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from collected import after, interpret, run_fused

import core_interpreter
from programs import PROGRAMS

# Procedures and derivatives that a program itself asks for, which the interpreter does not know.
BEGIN = "rev-lower,soac-inline,ad-expand"
ORDERS = {
    "simplify": f"{BEGIN},soac-simplify",
    "fuse": f"{BEGIN},fuse",
    "small bodies": f"{BEGIN},canonicalize,fuse{{max-body=6 horizontal=false}},soac-simplify",
    "all": f"{BEGIN},canonicalize,cse,soac-simplify,canonicalize,cse,fuse,canonicalize,cse,soac-simplify",
}
# The adjoint in it accumulates, which the interpreter does not know either.
WITH_ACCUMULATORS = {"squared_forces"}


@pytest.fixture(autouse=True)
def fused_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter knows what fusion makes."""
    monkeypatch.setitem(core_interpreter.STRUCTURED, "soac.fused", run_fused)


@pytest.mark.one_in(48)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in WITH_ACCUMULATORS])
def test_passes_keep_results(name: str) -> None:
    wanted = _flat(PROGRAMS[name].reference(*PROGRAMS[name].arguments(np.random.default_rng(7))))
    tolerance = max(1e-9, PROGRAMS[name].tolerance)
    for passes in ORDERS.values():
        found = interpret(after(name, passes), name)
        assert len(found) == len(wanted)
        for value, reference in zip(found, wanted, strict=True):
            np.testing.assert_allclose(value, reference, rtol=tolerance, atol=tolerance, err_msg=passes)


def _flat(results: Any) -> list[Any]:
    return [part for result in results for part in _flat(result)] if isinstance(results, tuple) else [results]
