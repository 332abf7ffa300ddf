"""What `explain` says of loops that go back."""

from __future__ import annotations

import tapeless as tl


@tl.function
def both(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x -= 0.1 * tl.sin(y)
        y += 0.1 * x
    for _ in range(n):
        x = tl.sin(x) * y
    return x


def loops(method):
    kernel = tl.compile(tl.grad(both, method=method), (0.1, 0.2, 3))
    return [line.split(": ", 1)[1] for line in kernel.explain().splitlines() if line.startswith("  loop")]


def test_which_way_and_why():
    backwards, stored = sorted(loops("reversible"))
    assert backwards == "runs backwards, keeps 4 sums to notice drift"
    assert stored.startswith("stores a state per iteration: carried value 0 cannot be found again from what")


def test_nothing_of_other_methods():
    assert loops("redundant") == []
