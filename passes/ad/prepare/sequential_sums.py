"""Accumulators become arrays that loops carry, so that they can be run backwards.

Accumulators appear when an adjoint is differentiated again. A sum has no primal value in its derivative, so the states
of these loops are not stored: what is left of them after simplification is the re-executed arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ad.copying import Values, copy_op
from tapeless.passes.ir.build import add, cast_to, dim, flags, index, is_array
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.rows import insert_row, row_at, slice_of, with_slice
from tapeless.passes.ir.sizes.shapes import dim_of


def sequential_sums(function: ir.OpView) -> None:
    """Turns `soac.with_acc` and the users of its accumulators into loops that carry arrays.

    ```mlir
    %r = "soac.with_acc"(%a) ({ map: update(acc, [%k], %v) })
    %r = scf.for %i = 0 to %n iter_args(%t = %a) { %t[%k] + %v inserted at %k }
    ```
    The outermost come first: inner ones are rewritten on the way.
    """
    for region in function.operation.regions:
        for block in region.blocks:
            for op in list(block.operations):
                if op.operation.name == "soac.with_acc":
                    with ir.InsertionPoint(op), op.location:
                        replace_op(op, _Rewriter().with_acc(op))
                else:
                    sequential_sums(op)


class _Rewriter:
    """Copies code with every accumulator replaced by the array it stands for."""

    def __init__(self) -> None:
        self.values: Values = {}

    def of(self, value: ir.Value) -> ir.Value:
        return self.values.get(value, value)

    def all(self, values: Sequence[ir.Value]) -> list[ir.Value]:
        return [self.of(value) for value in values]

    def run(self, block: ir.Block) -> list[ir.Value]:
        """Copies the statements of a block; gives the operands of its terminator."""
        *body, last = block.operations
        for op in body:
            with op.location:
                self._statement(op)
        return self.all(last.operation.operands)

    def _statement(self, op: ir.OpView) -> None:
        rewrite = REWRITES.get(op.operation.name)
        if rewrite is not None and _has_accumulators(op):
            self.values.update(zip(op.operation.results, rewrite(self, op), strict=True))
        else:
            copy_op(op, self.values)

    def with_acc(self, op: ir.OpView) -> list[ir.Value]:
        block = op.body.blocks[0]
        self.values.update(zip(block.arguments, self.all(op.dests), strict=True))
        made = self.run(block)
        return [cast_to(r.type, v) if is_array(r) else v for r, v in zip(op.operation.results, made, strict=True)]

    def update(self, op: ir.OpView) -> list[ir.Value]:
        array, indices, value = self.of(op.acc), self.all(op.indices), self.of(op.value)
        if not indices or IN_BOUNDS in op.operation.attributes:
            return [_added(array, indices, value)]
        inside = None
        for axis, place in enumerate(indices):
            test = arith.CmpIOp(arith.CmpIPredicate.ult, place, dim(array, axis)).result
            inside = test if inside is None else arith.AndIOp(inside, test).result
        choice = scf.IfOp(inside, [array.type], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp([_added(array, indices, value)])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp([array])
        return list(choice.results)

    def map(self, op: ir.OpView) -> list[ir.Value]:
        block, width = op.body.blocks[0], self.of(op.width)
        arrays = list(op.operation.results)[: len(op.operation.results) - len(op.accs)]
        sizes = [_sizes(self, op, k, width) for k in range(len(arrays))]
        rooms = [tensor.EmptyOp(s, a.type.element_type).result for s, a in zip(sizes, arrays, strict=True)]
        loop = scf.ForOp(index(0), width, index(1), [*rooms, *self.all(op.accs)])
        with ir.InsertionPoint(loop.body):
            state = list(loop.inner_iter_args)
            rows = [row_at(self.of(array), loop.induction_variable) for array in op.inputs]
            arguments = [loop.induction_variable, *rows, *state[len(arrays) :]]
            self.values.update(zip(block.arguments, arguments, strict=True))
            made = self.run(block)
            stored = [
                insert_row(room, loop.induction_variable, row)
                for room, row in zip(state[: len(arrays)], made[: len(arrays)], strict=True)
            ]
            scf.YieldOp([*stored, *made[len(arrays) :]])
        results = list(loop.results)
        typed = [cast_to(array.type, value) for array, value in zip(arrays, results, strict=False)]
        return [*typed, *results[len(arrays) :]]

    def for_(self, op: ir.OpView) -> list[ir.Value]:
        block = op.operation.regions[0].blocks[0]
        lower, upper, step, *initial = self.all(op.operation.operands)
        loop = scf.ForOp(lower, upper, step, initial)
        with ir.InsertionPoint(loop.body):
            self.values.update(zip(block.arguments, [loop.induction_variable, *loop.inner_iter_args], strict=True))
            made = self.run(block)
            scf.YieldOp([cast_to(a.type, b) if is_array(a) else b for a, b in zip(initial, made, strict=True)])
        return list(loop.results)

    def if_(self, op: ir.OpView) -> list[ir.Value]:
        types = [r.type.tensor if isinstance(r.type, soac.AccType) else r.type for r in op.operation.results]
        choice = scf.IfOp(self.of(op.operation.operands[0]), types, has_else=True)
        for region, block in zip(op.operation.regions, (choice.then_block, choice.else_block), strict=True):
            with ir.InsertionPoint(block):
                made = self.run(region.blocks[0])
                scf.YieldOp([cast_to(t, v) if is_array(v) else v for t, v in zip(types, made, strict=True)])
        return list(choice.results)


REWRITES = {
    "soac.with_acc": _Rewriter.with_acc,
    "soac.update": _Rewriter.update,
    "soac.map": _Rewriter.map,
    "scf.for": _Rewriter.for_,
    "scf.if": _Rewriter.if_,
}


def _has_accumulators(op: ir.OpView) -> bool:
    """Whether accumulators go into, out of, or live in an op."""
    if op.operation.name == "soac.with_acc":
        return True
    values = [*op.operation.operands, *op.operation.results]
    if any(isinstance(value.type, soac.AccType) for value in values):
        return True
    blocks = [block for region in op.operation.regions for block in region.blocks]
    return any(_has_accumulators(inner) for block in blocks for inner in block.operations)


def _added(array: ir.Value, indices: Sequence[ir.Value], value: ir.Value) -> ir.Value:
    """The array with a value added to an element or a trailing slice."""
    if not indices:
        return add(array, value)
    if not is_array(value):
        total = arith.AddFOp(tensor.ExtractOp(array, list(indices)).result, value, fastmath=flags()).result
        return tensor.InsertOp(total, array, list(indices)).result
    rest = [extent if extent != DYNAMIC else dim(array, axis) for axis, extent in enumerate(array.type.shape)]
    count = len(indices)
    place = ([*indices, *([0] * (array.type.rank - count))], [*([1] * count), *rest[count:]], [1] * array.type.rank)
    type_ = array.type
    for _ in range(count):
        type_ = row_type(type_)
    return with_slice(array, add(slice_of(array, *place, type_), value), *place)


def _sizes(rewriter: _Rewriter, op: ir.OpView, k: int, width: ir.Value) -> list[ir.Value | int]:
    """The sizes of an array result of a map."""
    array = op.operation.results[k]
    sizes: list[ir.Value | int] = [width]
    for axis in range(1, array.type.rank):
        size = dim_of(array, axis, ir.InsertionPoint(op))
        assert size is not None
        sizes.append(size if isinstance(size, int) else _executed(rewriter, size))
    return sizes


def _executed(rewriter: _Rewriter, size: ir.Value) -> ir.Value:
    """The copy of a size, which may have been written down only now, in code that goes away."""
    if size not in rewriter.values and not isinstance(size, ir.BlockArgument):
        for operand in size.owner.operation.operands:
            _executed(rewriter, operand)
        copy_op(size.owner, rewriter.values)
    return rewriter.of(size)
