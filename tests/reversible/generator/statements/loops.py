"""Loops: counted ones with steps of any sign, and those between two conditions."""

from __future__ import annotations

from collections.abc import Callable

from reversible.generator.cells import Cell, Counter
from reversible.generator.draft import Draft

Body = Callable[[Draft], None]


def count(d: Draft, body: Body) -> None:
    """Over the positions of an axis, forwards or backwards, in steps; some visit nothing."""
    with d.recording() as reads:
        bounds, smallest, largest = d.first_that_works(RANGES)
    name = d.fresh("i")
    d.add(f"for {name} in range({bounds}):")
    with d.restricted(locked=list(reads)), d.block(Counter(name, smallest, largest), repeats=True):
        body(d)


def _along_axis(d: Draft) -> tuple[str, int, int]:
    axis = d.pick(list(d.sizes))
    size = d.sizes[axis]
    named = [each.name for each in d.cells if each.shape[:1] == (axis,)]
    text = f"len({d.pick(named)})" if named and d.chance(0.6) else str(size)
    return (
        d.rng.choice((text, f"0, {text}", f"{text} - 1, -1, -1", f"0, {text}, 2", f"{text} - 1, -1, -2")),
        0,
        size - 1,
    )


def _between(d: Draft) -> tuple[str, int, int]:
    """Between two positions, with a step of either sign."""
    lower, upper = (d.rng.randrange(min(d.sizes.values())) for _ in range(2))
    steps = [each for each in d.readable("i64", ()) if each.name.startswith("step")]
    step = str(d.rng.choice((-3, -2, -1, 1, 2, 3)))
    if steps and d.chance(0.6):
        step = d.pick(steps).name
        d.read(step)
    return f"{lower}, {upper}, {step}", min(lower, upper), max(lower, upper)


def _up_to_integer(d: Draft) -> tuple[str, int, int]:
    """As often as a parameter says."""
    cell = d.pick([each for each in d.readable("i64", ()) if each.bound is not None])
    d.read(cell.name)
    assert cell.bound is not None
    return d.rng.choice((f"{cell.name}", f"{cell.name}, -1, -1")), 0, cell.bound


RANGES = {_along_axis: 5, _between: 3, _up_to_integer: 2}


def repeat(d: Draft, body: Body) -> None:
    """As long as a counter says that begins at a known number."""
    name, step, times = d.fresh("c"), d.rng.choice((1, 2)), d.rng.randint(0, 3)
    start = d.rng.choice((0, 0, 2))
    last = start + step * times
    after = f"{name} > {d.rng.choice((start - 1, start + step)) if d.may_fail() else start}"
    is_left = d.chance(0.4)
    leaves = f", exit={last}" if is_left else ""
    d.add(f"with tl.ancilla({start}{leaves}) as {name}:")
    with d.block(Cell(name, "i64", (), True)):
        d.add(f"while tl.cond({name} < {last}, {after}):")
        with d.block(repeats=True):
            is_first = d.chance(0.5)
            if is_first:
                d.add(f"{name} += {step}")
            body(d)
            if not is_first:
                d.add(f"{name} += {step}")
        if not is_left and not d.may_fail():
            d.add(f"{name} -= {last - start}")


LOOPS = {count: 7, repeat: 3}
