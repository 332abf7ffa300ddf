"""Code that LLVM's vectorisers break: it is found before the code generator ends the process, and made without them."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.backend.codegen import llvm


@tl.function
def squashed_sums(rows: tl.f64[4, 4], scale: tl.f64[4]):
    """On some processors, LLVM shuffles halves of these sums before it makes them."""
    starts = tl.zeros(2)[:, None] * scale
    return tl.tanh(tl.hist(lambda a, b: a + b, tl.zeros(4), starts, tl.zeros((4,), dtype=tl.i64), rows))


def test_sums_of_rows():
    rows = np.random.default_rng(0).normal(size=(4, 4))
    expected = np.tanh([rows.sum(axis=0), np.zeros(4)])
    np.testing.assert_allclose(squashed_sums(rows, np.ones(4)), expected, rtol=1e-14)


MODULE = """
define double @double__entry(double %x) {
  %y = fadd double %x, %x
  ret double %y
}
"""


def test_modules_are_optimised_again(monkeypatch):
    """Without vectors, if with them they are not sound; if they are not without them, either, that is said."""
    tried = []

    class Unsound:
        def verify(self):
            raise RuntimeError("Instruction does not dominate all uses!")

    real = llvm._optimised

    def first_unsound(*arguments, with_vectors):
        tried.append(with_vectors)
        return Unsound() if with_vectors else real(*arguments, with_vectors=with_vectors)

    monkeypatch.setattr(llvm, "_optimised", first_unsound)
    assert "double__entry" in str(llvm.optimise(MODULE, llvm.host()))
    assert tried == [True, False]
    monkeypatch.setattr(llvm, "_optimised", lambda *_, with_vectors: Unsound())
    with pytest.raises(llvm.RejectedCode, match="does not dominate"):
        llvm.optimise(MODULE, llvm.host())
