"""Sums that a thread makes at places it computes, cut into parts for several threads and added up in order."""

from __future__ import annotations

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects import soac
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.builders import fill, with_acc
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.constants import is_zero_fill
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.soac.spread.weights import depth

MOST_PARTS = 32
SHORTEST_PART = 4


def is_divisible(op: ir.OpView, around: ir.Operation) -> bool:
    """Whether an operation is an accumulation into zeros by a nest of maps, and nothing else."""
    if op.operation.name != "soac.with_acc" or len(op.results) != len(op.operands):
        return False
    loop, *rest = list(op.regions[0].blocks[0].operations)
    if len(rest) != 1 or loop.operation.name != "soac.map" or depth(loop) < 2:
        return False
    accs = list(op.regions[0].blocks[0].arguments)
    is_handed_on = list(loop.accs) == accs and list(rest[0].operands) == list(loop.results)
    is_known = is_defined_outside(loop.width, around) and all(is_zero_fill(dest) for dest in op.operands)
    return is_handed_on and is_known and all(_is_float(dest) for dest in op.operands)


def divide(op: ir.OpView, around: ir.OpView) -> None:
    """Replaces such an accumulation in a map by a map over parts and the sums of the parts.

    ```mlir
    %sums = "soac.with_acc"(%zeros) ({                %parts = map over c:
      map over i: "soac.update"(%acc, ...)              "soac.with_acc"(%zeros) ({ map over i of part c: ... })
    })                                                %sums = map over the elements: sum over c of %parts
    ```
    """
    loop = Loop.seen_as(op.regions[0].blocks[0].operations[0])
    with op.location, ir.InsertionPoint(around):
        wanted = arith.ceildivsi(loop.width, build.index(SHORTEST_PART))
        count = arith.maxsi(arith.minsi(wanted, build.index(MOST_PARTS)), build.index(1))
        length = arith.ceildivsi(loop.width, count)
    with op.location, ir.InsertionPoint(op):

        def part(number: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
            first = arith.muli(number, length)
            left = arith.maxsi(arith.subi(loop.width, first), build.index(0))
            dests = [dest.owner.operation.clone().results[0] for dest in op.operands]
            made = with_acc(dests, [], lambda *accs: _steps(loop, first, arith.minsi(length, left), accs))
            return list(made.operation.results), []

        parts, _ = build.map_(count, [], [], part)
        sums = [_sums(array, count, dest, []) for array, dest in zip(parts, op.operands, strict=True)]
    replace_op(op, sums)


def _steps(loop: Loop, first: ir.Value, count: ir.Value, accs: build.Rows) -> list[ir.Value]:
    """So many iterations of a map with accumulators."""
    block = loop.body

    def body(index: ir.Value, _: build.Rows, own: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        place = arith.addi(first, index)
        rows = [row_at(array, place) for array in loop.inputs]
        values: Values = dict(zip(block.arguments, [place, *rows, *own], strict=True))
        for inner in list(block.operations)[:-1]:
            copy_op(inner, values)
        return [], [values.get(value, value) for value in terminator(loop.op.regions[0]).operands]

    return build.map_(count, [], list(accs), body)[1]


def _sums(parts: ir.Value, count: ir.Value, dest: ir.Value, places: list[ir.Value]) -> ir.Value:
    """The sums over the first axis of an array, shaped like `dest`."""
    if len(places) == dest.type.rank:
        element = dest.type.element_type
        op = soac.FusedOp(count, [], [build.number(element, 0.0)], [], [element])
        fill(op.lift, [ir.IndexType.get()], lambda part: [tensor.ExtractOp(parts, [part, *places]).result])
        fill(op.reduce, [element, element], lambda a, b: [build.add(a, b)])
        return op.operation.results[0]

    def body(index: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
        return [_sums(parts, count, dest, [*places, index])], []

    return build.cast_to(_rest_of(dest, len(places)), build.map_(build.dim(dest, len(places)), [], [], body)[0][0])


def _rest_of(dest: ir.Value, axes: int) -> ir.Type:
    return ir.RankedTensorType.get(dest.type.shape[axes:], dest.type.element_type)


def _is_float(array: ir.Value) -> bool:
    return isinstance(array.type.element_type, ir.F64Type | ir.F32Type)
