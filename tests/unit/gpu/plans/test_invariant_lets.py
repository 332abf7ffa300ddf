"""Numbers of a plan that do not change in its loops are computed before them."""

from __future__ import annotations

from typing import Any

import numpy as np

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.launches.plan.invariant_lets import with_invariants_before_loops


def let(name: str, *value: Any) -> dict[str, Any]:
    return {"do": "let", "name": name, "value": list(value)}


def loop(index: str, body: list[dict[str, Any]], carried: list[list[str]] | None = None) -> dict[str, Any]:
    ends = [name for name, _ in carried or []]
    return {
        "do": "for", "index": index, "low": 0, "high": "a0", "step": 1, "carried": carried or [], "body": body,
        "yields": ends, "results": [f"{name}r" for name in ends],
    }  # fmt: skip


def shape(steps: list[dict[str, Any]]) -> list[Any]:
    """The names that lists of steps bind, with those of inner lists."""
    found: list[Any] = []
    for step in steps:
        if step["do"] == "let":
            found.append(step["name"])
        found += [shape(step[key]) for key in ("body", "then", "else") if key in step]
    return found


def test_numbers_leave_all_loops_in_which_they_do_not_change() -> None:
    inner = [
        let("x", "addi", "index", "a0", 1),
        let("y", "muli", "index", "x", "i"),
        let("z", "addi", "index", "y", "j"),
    ]
    steps = [loop("i", [loop("j", inner)])]
    assert shape(with_invariants_before_loops(steps)) == ["x", ["y", ["z"]]]


def test_numbers_of_branches_leave_and_what_loops_carry_or_read_stays() -> None:
    choice = {
        "do": "if", "condition": "c", "then_yields": [], "else_yields": [], "results": ["r"],
        "then": [let("x", "addi", "index", "a0", 1), let("y", "addi", "index", "r", "n")], "else": [],
    }  # fmt: skip
    read = {"do": "read", "name": "c", "type": "i1", "from": "slots"}
    body = [read, choice, let("u", "addi", "index", "kept", 1), let("v", "muli", "index", "c", 2)]
    steps = with_invariants_before_loops([loop("i", body, [["kept", "a1"]])])
    assert shape(steps) == ["x", [["y"], [], "u", "v"]]


def test_divisions_that_might_fail_stay() -> None:
    body = [let("x", "divsi", "index", "a1", "a2"), let("y", "ceildivsi", "index", "a1", 256)]
    assert shape(with_invariants_before_loops([loop("i", body)])) == ["y", ["x"]]


def pivots(a, n):
    """Loops in loops with sizes that depend on the outer one, and a branch that data decides."""
    total = 0.0
    for t in range(n):
        x = np.linalg.solve(a + t * np.eye(len(a)), a[0])
        if x[0] > 0.1:
            total += np.sum(a @ x)
        else:
            total -= np.sum(x[t % 3 :])
    return total


def test_calls_agree_with_the_cpu() -> None:
    gradient = tl.value_and_grad(pivots)
    with emulated_cuda():
        kernel, other = (tl.compile(gradient, (tl.f64[:, :], tl.i64), target=target) for target in ("cuda", "cpu"))
        for size, steps in ((3, 0), (5, 3), (34, 2)):
            given = np.random.default_rng(size).normal(size=(size, size)) + 3.0 * np.eye(size), steps
            for found, expected in zip(kernel(*given), other(*given), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)
