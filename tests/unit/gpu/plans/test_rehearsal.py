"""What a call launches is known before: from sizes, and from what it has read."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.runtime.cuda import rehearsal
from tapeless.runtime.cuda.kernel_table import KernelTable
from tapeless.runtime.cuda.rehearsal import rehearsed
from tapeless.runtime.cuda.steps import program


def launch(number: int, grid: Any = 1) -> dict[str, Any]:
    return {"do": "launch", "kernel": f"k{number}", "grid": [grid], "block": [32], "arguments": []}


def branch(condition: Any, then: list[dict[str, Any]], other: list[dict[str, Any]]) -> dict[str, Any]:
    none: dict[str, Any] = {"then_yields": [], "else_yields": [], "results": []}
    return {"do": "if", "condition": condition, "then": then, "else": other, **none}


def rehearse(steps: list[dict[str, Any]], n: int, *values: Any) -> list[int]:
    kernels = {f"k{number}": {"parameters": ["ptr"]} for number in range(9)}
    plan = {"version": 1, "kernels": kernels, "steps": [*steps, {"do": "return", "values": []}]}
    run = program(json.dumps(plan), ["status", "a0", "a0.0"], [])
    return rehearsed(run, [0, 0, n], values)


def test_of_variants_the_one_that_sizes_choose() -> None:
    steps = [
        launch(3),
        {"do": "allocate", "name": "x", "bytes": 8},
        branch(["cmpi.slt", "i64", "a0.0", 10], [launch(0)], [launch(1), launch(2)]),
        {"do": "fill", "to": "x", "bytes": 8, "byte": 0},
        {"do": "free", "name": "x"},
        launch(3),
        launch(4, grid="a0.0"),
    ]
    assert rehearse(steps, 5) == [3, 0, 4]
    assert rehearse(steps, 10) == [3, 1, 2, 4]
    assert rehearse(steps, 0) == [3, 0]


def test_what_follows_a_read_is_known_once_it_was_made() -> None:
    read = {"do": "read", "name": "r", "type": "i64", "from": "a0"}
    again = {"do": "read", "name": "s", "type": "i64", "from": "a0"}
    steps = [launch(0), read, branch(["cmpi.eq", "i64", "r", 7], [launch(1)], [launch(2)]), again, launch(3)]
    assert rehearse(steps, 5) == [0]
    assert rehearse(steps, 5, 7) == [0, 1]
    assert rehearse(steps, 5, 8) == [0, 2]
    assert rehearse(steps, 5, 8, 1) == [0, 2, 3]


def test_what_follows_a_failed_check_is_not_asked() -> None:
    check = {"do": "check", "condition": ["cmpi.slt", "i64", "a0.0", 10], "site": 0, "values": []}
    assert rehearse([launch(0), check, launch(1)], 5) == [0, 1]
    assert rehearse([launch(0), check, launch(1)], 50) == [0]


def test_long_loops_are_not_followed_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "MOST_LAUNCHES", 100)
    loop = {"do": "for", "index": "i", "low": 0, "high": "a0.0", "step": 1, "carried": [], "yields": [], "results": []}
    steps = [{**loop, "body": [launch(0), launch(1)]}, launch(2)]
    assert rehearse(steps, 49) == [0, 1, 2]
    assert rehearse(steps, 10**12) == [0, 1]


@tl.function
def steps_until_small(x: tl.f64[:]):
    """A loop that the host goes on with by what it reads; then what depends on how long it was."""
    count = 0
    while tl.sum(x) > 1.0:
        x = 0.5 * x
        count += 1
    if count > 2:
        x = tl.cumsum(x)
    return x, count


def test_every_kernel_that_a_call_launches_was_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is not loaded when it is launched is part of what the rehearsal at that moment says."""
    asked: list[bool] = []
    plain = KernelTable.get

    def get(table: KernelTable, number: int, foresee: Any) -> Any:
        asked.append(number in set(foresee()))
        return plain(table, number, foresee)

    monkeypatch.setattr(KernelTable, "get", get)
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(steps_until_small, (tl.f64[:],), target="cuda")
        for _ in range(3):
            halved, count = kernel(np.full(40, 0.25))
            assert count == 4
            assert np.allclose(halved, np.cumsum(np.full(40, 0.25 / 16)))
    assert len(asked) > 10 and all(asked)
