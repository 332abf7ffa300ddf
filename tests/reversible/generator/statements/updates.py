"""Accumulations into cells and parts of cells."""

from __future__ import annotations

from fuzz.writing import Stuck
from reversible.generator.cells import Temporary
from reversible.generator.draft import Draft
from reversible.generator.expressions.arrays import array, array_term
from reversible.generator.expressions.integers import condition, integer
from reversible.generator.expressions.places import FORWARD_SLICES, Place, always_meet, element, line, sliced
from reversible.generator.expressions.scalars import scalar, term


def sign(d: Draft) -> str:
    return d.rng.choice(("+=", "-="))


def accumulate(d: Draft) -> None:
    """A number into a scalar or an element."""
    target = element(d, d.pick(d.writable("f64")))
    with d.hiding(target.cell.name):
        d.add(f"{target.text} {sign(d)} {term(d)}")
    d.written(target.cell.name)


def accumulate_array(d: Draft) -> None:
    """Into a whole array, a row or a column."""
    cell = d.pick([each for each in d.writable("f64") if each.shape])
    target = Place(cell, cell.name, cell.shape)
    if len(cell.shape) == 2 and d.chance(0.6):
        target = line(d, cell, d.pick(cell.shape))
    with d.hiding(cell.name):
        d.add(f"{target.text} {sign(d)} {term(d) if d.chance(0.2) else array_term(d, target.shape)}")
    d.written(cell.name)


def accumulate_slice(d: Draft) -> None:
    """Into a slice: a number, or a slice of the same length."""
    target = sliced(d, d.pick([each for each in d.writable("f64") if each.shape]), FORWARD_SLICES)
    with d.hiding(target.cell.name):
        d.add(f"{target.text} {sign(d)} {_slice_value(d, target)}")
    d.written(target.cell.name)


def _slice_value(d: Draft, target: Place) -> str:
    if d.chance(0.4):
        return term(d)
    cell = d.pick([each for each in d.readable("f64") if each.shape])
    for _ in range(6):
        source = sliced(d, cell)
        if source.length == target.length:
            d.read(cell.name)
            return f"0.3 * {source.text}"
    raise Stuck


def accumulate_within(d: Draft) -> None:
    """From other elements of the same array; on purpose also from the same one."""
    cell = d.pick([each for each in d.writable("f64") if each.shape])
    target, source = element(d, cell), element(d, cell)
    if always_meet(d, target, source):
        raise Stuck
    with d.hiding(cell.name):
        factor = scalar(d, 1)
    d.add(f"{target.text} {sign(d)} 0.3 * {source.text} * {factor}")
    d.written(cell.name)


def accumulate_neighbours(d: Draft) -> None:
    """A sweep over a vector in which every element takes from its neighbour."""
    cell = d.pick([each for each in d.writable("f64") if len(each.shape) == 1 and d.sizes[each.shape[0]] > 1])
    size, name = d.sizes[cell.shape[0]], d.fresh("i")
    bounds, offset = d.rng.choice(
        ((f"1, {size}", "- 1"), (f"{size - 1}", "+ 1"), (f"{size - 1}, 0, -1", "- 1"), (f"{size - 2}, -1, -1", "+ 1"))
    )
    with d.hiding(cell.name):
        factor = scalar(d, 1)
    d.add(f"for {name} in range({bounds}):")
    d.add(f"    {cell.name}[{name}] {sign(d)} 0.3 * {cell.name}[{name} {offset}] * {factor}")
    d.written(cell.name)


def accumulate_integer(d: Draft) -> None:
    target = element(d, d.pick(d.writable("i64")))
    with d.hiding(target.cell.name):
        d.add(f"{target.text} {d.rng.choice(('+=', '-=', '^='))} {integer(d)}")
    d.written(target.cell.name)


def flip(d: Draft) -> None:
    """A bool by a condition."""
    target = element(d, d.pick(d.writable("bool_")))
    with d.hiding(target.cell.name):
        d.add(f"{target.text} ^= {condition(d)}")
    d.written(target.cell.name)


def scale(d: Draft) -> None:
    """By a constant."""
    cell = d.pick(d.writable("f64"))
    target = cell.name if d.chance(0.4) else element(d, cell).text
    d.add(f"{target} {d.rng.choice(('*= 1.25', '*= -0.5', '/= 0.8', '/= 2.0', '*= 3.0', '/= -1.6'))}")
    d.written(cell.name)


def name_expression(d: Draft) -> None:
    """A temporary."""
    if d.is_simple:
        raise Stuck
    shapes = [each.shape for each in d.readable("f64") if each.shape]
    shape = d.pick(shapes) if shapes and d.chance(0.4) else ()
    name = d.fresh("t")
    with d.recording() as reads:
        text = array(d, shape) if shape else scalar(d)
    d.add(f"{name} = {text}")
    if not shape or reads & {each.name for each in d.cells if each.shape == shape}:
        d.temporaries = [*d.temporaries, Temporary(name, shape, frozenset(reads))]


UPDATES = {
    accumulate: 10,
    accumulate_array: 5,
    accumulate_slice: 2,
    accumulate_within: 2,
    accumulate_neighbours: 1,
    accumulate_integer: 3,
    flip: 2,
    scale: 2,
    name_expression: 3,
}
