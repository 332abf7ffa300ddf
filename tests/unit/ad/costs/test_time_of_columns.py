"""Columns of a Jacobian share what none of them changes, and therefore take less time than as many runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import tapeless as tl


def long_loop(x, w):
    total = tl.sum(x) * 0.01
    for i in range(len(w)):
        total = tl.sin(total + w[i]) * tl.exp(-total * total) + total
    return total * x


def test_twenty_columns_cost_less_than_twenty_runs() -> None:
    x, w = np.linspace(0.0, 1.0, 20), np.linspace(0.0, 1.0, 5000)
    run, columns = tl.jit(long_loop, checks="off"), tl.jit(tl.jacfwd(long_loop), checks="off")
    assert _best(lambda: columns(x, w)) < 15.0 * _best(lambda: run(x, w))


def _best(call: Callable[[], Any]) -> float:
    def once() -> float:
        start = time.process_time()
        call()
        return time.process_time() - start

    return min(once() for _ in range(30))
