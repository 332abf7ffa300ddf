"""Structures of arguments and results on an emulated GPU."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

from .forms import FORMS, B, S, W, X, check_leaves, gradient, value


def test_structures_on_a_gpu() -> None:
    form = FORMS["frozen"]
    p = form.make(W, B, S)
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.value_and_grad(form.loss), (p, X), target="cuda")
        for _ in range(2):
            found, slope = kernel(p, X)
            np.testing.assert_allclose(found, value())
            assert type(slope) is type(p)
            check_leaves(form.take(slope), gradient())
