"""Ancillas: computed, used, and given back clean; some are not."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.writing import Stuck
from reversible.generator.cells import Cell, Shape
from reversible.generator.draft import Draft
from reversible.generator.statements.inverses import inverse_of
from reversible.generator.statements.updates import UPDATES

Body = Callable[[Draft], None]


def with_ancillas(d: Draft, body: Body) -> None:
    """One or two new cells; what computes them is undone by a routine, or by hand."""
    cells = [_cell(d) for _ in range(d.rng.choice((1, 1, 2)))]
    d.add(f"with {', '.join(f'tl.ancilla({_first(d, each)}) as {each.name}' for each in cells)}:")
    with d.block(*cells):
        names = [each.name for each in cells]
        d.first_that_works({_by_routine: 3, _by_hand: 2}, names, body)


def _cell(d: Draft) -> Cell:
    shapes: list[Shape] = [(), (), ("n",), ("m",)]
    dtype = d.rng.choice(("f64", "f64", "f64", "i64"))
    return Cell(d.fresh("z"), dtype, d.pick(shapes) if dtype == "f64" else ())


def _first(d: Draft, cell: Cell) -> str:
    if not cell.shape:
        return d.rng.choice(("0.0", "0.0", "1.5") if cell.is_float else ("0", "0", "3"))
    named = [each.name for each in d.cells if each.shape[:1] == cell.shape]
    return f"tl.zeros({f'len({d.pick(named)})' if named and d.chance(0.6) else d.sizes[cell.shape[0]]})"


def _by_routine(d: Draft, names: list[str], body: Body) -> None:
    """`with tl.routine() as r: ... ~r`."""
    routine = d.fresh("r")
    d.add(f"with tl.routine() as {routine}:")
    with d.recording() as reads, d.block(), d.restricted(only=names):
        body(d)
    _use(d, [*names, *reads], body)
    d.add(f"~{routine}")


def _by_hand(d: Draft, names: list[str], body: Body) -> None:
    """The inverse statements in reverse order."""
    start = len(d.lines)
    with d.recording() as reads, d.restricted(only=names):
        is_simple, d.is_simple = d.is_simple, True
        for _ in range(d.rng.choice((1, 2, 3))):
            d.first_that_works(UPDATES)
        d.is_simple = is_simple
    computed = d.lines[start:]
    _use(d, [*names, *reads], body)
    undone = inverse_of(computed)
    d.lines.extend(undone[:-1] if d.may_fail() else undone)


def _use(d: Draft, locked: list[str], body: Body) -> None:
    with d.restricted(locked=locked):
        body(d)


def with_exit(d: Draft, body: Body) -> None:
    """A cell that leaves with another known value."""
    name, first, step = d.fresh("z"), d.rng.choice((0.0, 1.5)), d.rng.choice((0.5, -2.0))
    left = first + step + (0.25 if d.may_fail() else 0.0)
    d.add(f"with tl.ancilla({first}, exit={left}) as {name}:")
    with d.block(Cell(name, "f64", (), True)):
        body(d)
        d.add(f"{name} += {step}")
        body(d)


def with_stack(d: Draft, body: Body) -> None:
    """Cells that are moved away for a while; several come back in another order now and then."""
    cells = [d.pick(d.writable("f64", ())) for _ in range(d.rng.choice((1, 1, 2)))]
    if len(set(cells)) < len(cells) or d.only is not None:
        raise Stuck
    name, names = d.fresh("s"), [each.name for each in cells]
    d.add(f"with tl.ancilla(tl.new_stack(tl.f64, {len(cells) + d.rng.choice((0, 2))})) as {name}:")
    with d.block():
        for each in names:
            d.add(f"tl.push({name}, {each})")
        with d.restricted(locked=names):
            body(d)
        for each in d.rng.sample(names, len(names) - d.may_fail()):
            d.add(f"tl.pop({name}, {each})")
    d.written(*names)


def with_stacked_vector(d: Draft, body: Body) -> None:
    """A vector that goes through a stack, and may come back reversed."""
    cell = d.pick([each for each in d.writable("f64") if len(each.shape) == 1])
    if d.only is not None:
        raise Stuck
    name, size, i, j = d.fresh("s"), d.sizes[cell.shape[0]], d.fresh("i"), d.fresh("i")
    d.add(f"with tl.ancilla(tl.new_stack(tl.f64, {size})) as {name}:")
    with d.block():
        d.add(f"for {i} in range({size}):")
        d.add(f"    tl.push({name}, {cell.name}[{i}])")
        with d.restricted(locked=[cell.name]):
            body(d)
        d.add(f"for {j} in range({d.rng.choice((f'{size}', f'{size - 1}, -1, -1'))}):")
        d.add(f"    tl.pop({name}, {cell.name}[{j}])")
    d.written(cell.name)


ANCILLAS = {with_ancillas: 6, with_exit: 2, with_stack: 1, with_stacked_vector: 1}
