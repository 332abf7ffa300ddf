"""Inverses of reads and writes of elements and slices: untouched elements are still there, and a hole is the rest."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir, tensor
from tapeless.passes.ad.reversible.inverses.holes import Hole, place_values, read_at, same_holes, write_at
from tapeless.passes.ad.reversible.inverses.solver import Inverse, Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.build import dim
from tapeless.passes.ir.places.places import Place

Made = Callable[[Undoing], ir.Value]


def undo_write(solver: Solver, op: ir.OpView) -> None:
    """Inverts a write: the written value is read from the result; the array before had the same elements everywhere
    else.
    """
    part, array = list(op.operation.operands)[:2]
    (result,) = op.operation.results
    if not solver.all_known(place_values(op)):
        return
    if not solver.is_known(part) and is_readable(solver, result, Place.of(op)):
        _learn_part(solver, op, part, result)
    if not solver.is_known(array) and (solver.is_known(result) or result in solver.holes):
        before = tuple(hole for hole in _holes(solver, result) if not hole.is_same(Hole(op)))
        holes = (*before, Hole(op))
        _improve(solver, op, array, holes, _contents(solver, result))


def undo_read(solver: Solver, op: ir.OpView) -> None:
    """A part that is known fills a hole of its array; an array with holes gives the parts beside them."""
    array, (result,) = op.operation.operands[0], op.operation.results
    if solver.is_known(array) or not solver.all_known(place_values(op)):
        return
    if not solver.is_known(result):
        if is_readable(solver, array, Place.of(op)):
            _learn_part(solver, op, result, array)
    elif array in solver.holes:
        _fill(solver, op, array, result)
    elif array in solver.likes:
        _begin(solver, op, array, result)


def undo_dim(solver: Solver, op: ir.OpView) -> None:
    """The size of an unknown array is that of one like it."""
    array, axis = op.operation.operands
    (result,) = op.operation.results
    if array in solver.likes and solver.is_known(axis) and not solver.is_known(result):
        like = solver.likes[array]

        def step(undoing: Undoing) -> None:
            undoing.bind(result, tensor.DimOp(undoing.value(like), undoing.value(axis)).result)

        solver.learn(result, step, op=op)
        solver.dependent.discard(result)


def is_readable(solver: Solver, array: ir.Value, place: Place) -> bool:
    """Whether everything at a place of an array is known."""
    if solver.is_known(array):
        return True
    return array in solver.holes and all(hole.spares(place) for hole in solver.holes[array])


def _holes(solver: Solver, array: ir.Value) -> tuple[Hole, ...]:
    return () if solver.is_known(array) else solver.holes[array]


def _contents(solver: Solver, array: ir.Value) -> Made:
    """The known contents of an array by now."""
    if solver.is_known(array):
        return lambda undoing: undoing.value(array)
    return lambda undoing: undoing.bases[array]


def _learn_part(solver: Solver, op: ir.OpView, part: ir.Value, array: ir.Value) -> None:
    contents = _contents(solver, array)

    def step(undoing: Undoing) -> None:
        with op.location:
            undoing.bind(part, read_at(undoing, contents(undoing), op))

    solver.learn(part, step, place_values(op), op=op)


def _fill(solver: Solver, op: ir.OpView, array: ir.Value, part: ir.Value) -> None:
    """A hole of just this place is closed."""
    holes, this = solver.holes[array], Hole(op)
    left = tuple(hole for hole in holes if not hole.is_same(this))
    if len(left) < len(holes):
        _set(solver, op, array, left, lambda undoing: _written(undoing, op, undoing.bases[array], part))


def _written(undoing: Undoing, op: ir.OpView, array: ir.Value, part: ir.Value) -> ir.Value:
    return write_at(undoing, array, op, undoing.value(part))


def _begin(solver: Solver, op: ir.OpView, array: ir.Value, part: ir.Value) -> None:
    """Of an array of which nothing was known, one part is; the rest is whatever is there."""
    like = solver.likes[array]

    def made(undoing: Undoing) -> ir.Value:
        sample = undoing.value(like)
        sizes = [dim(sample, axis) for axis in range(sample.type.rank)]
        empty = tensor.EmptyOp(list(sizes), sample.type.element_type).result
        room = empty if empty.type == array.type else tensor.CastOp(array.type, empty).result
        return _written(undoing, op, room, part)

    _set(solver, op, array, (Hole(op, around=True),), made)


def _improve(solver: Solver, op: ir.OpView, array: ir.Value, holes: tuple[Hole, ...], made: Made) -> None:
    """Merges the knowledge of an array from a second source, if that is more, or complements the first."""
    before = solver.holes.get(array)
    if before is None or (len(holes) < len(before) and not before[0].around):
        _set(solver, op, array, holes, made)
    elif len(before) == 1 and before[0].around and same_holes(holes, [Hole(before[0].op)]):
        part = before[0].op

        def joined(undoing: Undoing) -> ir.Value:
            return write_at(undoing, made(undoing), part, read_at(undoing, undoing.bases[array], part))

        _set(solver, op, array, (), joined)


def _set(solver: Solver, op: ir.OpView, array: ir.Value, holes: tuple[Hole, ...], made: Made) -> None:
    if not holes:

        def found(undoing: Undoing) -> None:
            with op.location:
                undoing.bind(array, made(undoing))

        solver.learn(array, found, place_values(op), op=op)
        return

    def step(undoing: Undoing) -> None:
        with op.location:
            undoing.bases[array] = made(undoing)

    solver.holes[array] = holes
    solver.dependent.add(array)
    solver.steps.append(step)
    solver.touch(array)


ARRAYS: dict[str, Inverse] = {
    "tensor.insert": undo_write,
    "tensor.insert_slice": undo_write,
    "tensor.extract": undo_read,
    "tensor.extract_slice": undo_read,
    "tensor.dim": undo_dim,
}
