"""Arrays of floats of a wanted shape."""

from __future__ import annotations

from reversible.generator.cells import Shape
from reversible.generator.draft import Draft
from reversible.generator.expressions.places import line
from reversible.generator.expressions.scalars import scalar

FUNCTIONS = ("sin", "cos", "tanh", "atan", "sigmoid")


def array(d: Draft, shape: Shape, depth: int = 2) -> str:
    """An array expression; scalars broadcast."""
    if depth <= 0:
        return d.first_that_works(ATOMS, shape)
    return d.first_that_works(INNER, shape, depth)


def array_term(d: Draft, shape: Shape) -> str:
    return f"{d.rng.choice(('0.3', '0.25', '-0.4'))} * {array(d, shape)}"


def _cell(d: Draft, shape: Shape) -> str:
    cell = d.pick(d.readable("f64", shape))
    d.read(cell.name)
    return cell.name


def _temporary(d: Draft, shape: Shape) -> str:
    chosen = d.pick([each for each in d.temporaries if each.shape == shape and not each.reads & d.hidden])
    d.read(*chosen.reads)
    return chosen.name


def _line(d: Draft, shape: Shape) -> str:
    """A row or a column."""
    cell = d.pick(
        [each for each in d.readable("f64") if len(shape) == 1 and len(each.shape) == 2 and shape[0] in each.shape]
    )
    d.read(cell.name)
    return line(d, cell, shape[0]).text


def _reversed(d: Draft, shape: Shape) -> str:
    return f"{_cell(d, shape)}[::-1]"


def _column(d: Draft, shape: Shape) -> str:
    """A vector that broadcasts over the columns of a matrix, or over its rows."""
    if len(shape) != 2:
        return _cell(d, shape)
    along = d.rng.choice((0, 1))
    cell = d.pick(d.readable("f64", (shape[along],)))
    d.read(cell.name)
    return cell.name if along else f"{cell.name}[:, None]"


def _with_array(d: Draft, shape: Shape, depth: int) -> str:
    return f"({array(d, shape, depth - 1)} {d.rng.choice('+-*')} {array(d, shape, depth - 1)})"


def _with_scalar(d: Draft, shape: Shape, depth: int) -> str:
    return f"({scalar(d, 1)} {d.rng.choice('+-*')} {array(d, shape, depth - 1)})"


def _function(d: Draft, shape: Shape, depth: int) -> str:
    return f"tl.{d.rng.choice(FUNCTIONS)}({array(d, shape, depth - 1)})"


def _product(d: Draft, shape: Shape, depth: int) -> str:
    """A matrix times a vector."""
    cell = d.pick([each for each in d.readable("f64") if len(each.shape) == 2 and each.shape[:1] == shape])
    vector = d.pick(d.readable("f64", cell.shape[1:]))
    d.read(cell.name, vector.name)
    return f"0.3 * ({cell.name} @ {vector.name})"


def _sum(d: Draft, shape: Shape, depth: int) -> str:
    """The sums of rows or columns."""
    cell = d.pick(
        [each for each in d.readable("f64") if len(each.shape) == 2 and len(shape) == 1 and shape[0] in each.shape]
    )
    d.read(cell.name)
    axis = 1 - cell.shape.index(shape[0])
    return f"0.3 * tl.sum({cell.name}, axis={axis})"


ATOMS = {_cell: 8, _temporary: 4, _line: 3, _reversed: 1, _column: 1}
INNER = {_with_array: 5, _with_scalar: 4, _function: 2, _product: 1, _sum: 1}
