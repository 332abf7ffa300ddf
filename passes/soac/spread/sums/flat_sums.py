"""Maps in maps that add to arrays at places that they compute, as one map over the iterations of both."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.regions import terminator
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.spread.weights import arithmetic, is_repeatable, is_short

# So many operations of an outer iteration are repeated by the threads of its inner iterations.
MOST_REPEATED = 16


def has_owners(accumulation: ir.OpView) -> bool:
    """Whether maps add anything at their own indices: the threads of these elements may be the ones to sum it."""
    return any(_at_own_indices(accumulation))


def has_owners_alone(accumulation: ir.OpView) -> bool:
    """Whether all places that anything is added at are indices of maps."""
    return all(_at_own_indices(accumulation))


def _at_own_indices(accumulation: ir.OpView) -> list[bool]:
    """For the places that anything is added at: whether they are indices of maps."""
    own = {each.regions[0].blocks[0].arguments[0] for each in ops_named(accumulation, "soac.map")}
    return [index in own for update in ops_named(accumulation, "soac.update") for index in update.indices]


def flatten_sums(accumulation: ir.OpView) -> bool:
    """Makes one map of maps in each other that add, inner ones first; says whether there were any.

    ```mlir
    "soac.map"(%n, %x, %acc) ({                       "soac.map"(%nm, %acc) ({
    ^bb0(%i, %row, %own):                             ^bb0(%k, %own):
      "soac.map"(%m, %row, %own) ({                     %i, %j = %k / %m, %k % %m
      ^bb0(%j, %e, %own):                               %e = tensor.extract %x[%i, %j]
        update(%own, place(%e), f(%e))                  update(%own, place(%e), f(%e))
    ```
    A thread for each outer iteration would go through the inner ones, however few threads that are. Sums are exact, or
    in copies whose number depends on sizes, so that threads may share iterations in any way. What inner iterations add
    at their own index is left: these are elements of rows, which have grids of their own.
    """
    maps = [each for each in accumulation.regions[0].blocks[0].operations if each.operation.name == "soac.map"]
    return any([_flatten(each, accumulation) for each in maps])


def _flatten(op: ir.OpView, accumulation: ir.OpView) -> bool:
    inner = _inner_map(op)
    changed = inner is not None and _flatten(inner, accumulation)
    nest = _nest_of(op)
    if nest is None or not all(is_defined_outside(each.width, accumulation.operation) for each in nest):
        return changed
    with op.location, ir.InsertionPoint(accumulation):
        counts = [_count(each.width) for each in nest]
        width = arith.muli(*counts)
    _merge(*nest, counts, width)
    return True


def _count(width: ir.Value) -> ir.Value:
    """How many iterations a map has: none, if its width is negative."""
    is_size = isinstance(width, ir.OpResult) and width.owner.operation.name == "tensor.dim"
    return width if is_size else arith.maxsi(width, build.index(0))


def _inner_map(op: ir.OpView) -> ir.OpView | None:
    """The map that is the last statement of a map, and alone in it but for what may be repeated."""
    statements = list(op.regions[0].blocks[0].operations)[:-1]
    if not len(op.accs) or not statements:
        return None
    *repeated, last = statements
    if last.operation.name != "soac.map" or not len(last.accs):
        return None
    if not all(is_repeatable(each) and not len(each.regions) for each in repeated):
        return None
    return last if sum(map(arithmetic, repeated)) <= MOST_REPEATED else None


def _nest_of(op: ir.OpView) -> tuple[Loop, Loop] | None:
    """Both maps, if all that the outer one does is done by the inner one, for which it hands on its accumulators."""
    inner_op = _inner_map(op)
    if inner_op is None or is_short(inner_op):
        return None
    outer, inner = Loop.seen_as(op), Loop.seen_as(inner_op)
    own = outer.elements[len(outer.inputs) :]
    if list(inner.accs) != own or outer.lifted() != list(inner_op.results):
        return None
    column = inner.body.arguments[0]
    adds_rows = any(column in list(update.indices) for update in ops_named(inner_op, "soac.update"))
    return None if adds_rows else (outer, inner)


def _merge(outer: Loop, inner: Loop, counts: Sequence[ir.Value], width: ir.Value) -> None:
    """Replaces the outer map by one over all iterations of both, of which there are `width`."""
    op = outer.op
    rows = dict(zip(outer.elements, outer.inputs, strict=False))
    with op.location, ir.InsertionPoint(op):

        def body(number: ir.Value, _: build.Rows, accs: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
            first, column = arith.divui(number, counts[1]), arith.remui(number, counts[1])
            values: Values = {outer.body.arguments[0]: first, inner.body.arguments[0]: column}
            values.update((element, row_at(array, first)) for element, array in rows.items())
            for each in list(outer.body.operations)[:-2]:
                copy_op(each, values)
            for element, array in zip(inner.elements, inner.inputs, strict=False):
                values[element] = _element(rows.get(array), values.get(array, array), first, column)
            values.update(zip(inner.elements[len(inner.inputs) :], accs, strict=True))
            for each in list(inner.body.operations)[:-1]:
                copy_op(each, values)
            lifted = [values.get(value, value) for value in terminator(inner.op.regions[0]).operands]
            return lifted[: len(inner.mapped)], lifted[len(inner.mapped) :]

        arrays, accs = build.map_(width, [], list(outer.accs), body)
        made = [_parted(old.type, new, counts) for old, new in zip(outer.mapped, arrays, strict=True)]
    replace_op(op, [*made, *accs])


def _element(whole: ir.Value | None, row: ir.Value, first: ir.Value, column: ir.Value) -> ir.Value:
    """What an inner iteration is given: of a row of a whole array, or of one that was made."""
    if whole is not None and whole.type.rank == 2:
        return tensor.ExtractOp(whole, [first, column]).result
    return row_at(row, column)


def _parted(type_: ir.RankedTensorType, array: ir.Value, first: Sequence[ir.Value]) -> ir.Value:
    """An array whose first axis is two."""
    sizes = [*first, *(build.dim(array, axis) for axis in range(1, array.type.rank))]
    shape = tensor.from_elements(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), list(sizes))
    return tensor.ReshapeOp(type_, array, shape).result
