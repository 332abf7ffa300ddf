"""Rules of the dialect tensor: shared operations, padding, reshapes, and arrays without axes as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.imports.linalg.arrays import Size, as_value, product, reshaped, sizes_of, splat, with_type
from tapeless.passes.imports.linalg.rebuild import Rebuild, Translate, copied, core_type
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.ir.build import index, is_array, map_, number

Values = Sequence[ir.Value]
MARK = ir.ShapedType.get_dynamic_stride_or_offset()


def _result_sizes(op: ir.Operation, dynamic: Values) -> list[Size]:
    """The sizes of the result: those of its type, and values for the others."""
    values = iter(dynamic)
    return [next(values) if size == DYNAMIC else size for size in op.results[0].type.shape]


def _empty(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    type_ = core_type(op.results[0].type)
    return copied(rebuild, op, operands) if isinstance(type_, ir.RankedTensorType) else [number(type_, 0)]


def _extract(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    return copied(rebuild, op, operands) if is_array(operands[0]) else [operands[0]]


def _insert(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    return copied(rebuild, op, operands) if is_array(operands[1]) else [operands[0]]


def _cast(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    return copied(rebuild, op, operands) if is_array(operands[0]) else [operands[0]]


def _from_elements(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    type_ = op.results[0].type
    if type_.rank == 0:
        return [operands[0]]
    row = ir.RankedTensorType.get([len(operands)], type_.element_type)
    return [reshaped(tensor.FromElementsOp(row, list(operands)).result, list(type_.shape))]


def _splat(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    return [splat(operands[0], _result_sizes(op, operands[1:]))]


def _extract_slice(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """A slice; one without axes is an element."""
    _check_steps(op)
    if not is_array(operands[0]):
        return [operands[0]]
    if op.results[0].type.rank:
        return copied(rebuild, op, operands)
    return [tensor.ExtractOp(operands[0], _starts(op, operands[1:])).result]


def _insert_slice(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    _check_steps(op)
    if not is_array(operands[1]):
        return [operands[0]]
    if is_array(operands[0]):
        return copied(rebuild, op, operands)
    return [tensor.InsertOp(operands[0], operands[1], _starts(op, operands[2:])).result]


def _starts(op: ir.Operation, dynamic: Values) -> list[ir.Value]:
    values = iter(dynamic)
    return [next(values) if start == MARK else index(start) for start in op.attributes["static_offsets"]]


def _check_steps(op: ir.Operation) -> None:
    steps = list(op.attributes["static_strides"])
    if MARK in steps:
        refuse(op, "has steps that are known only when running; give constants of at least 1")
    if any(step < 1 for step in steps):
        refuse(op, f"has the steps {steps}; give constants of at least 1")


def _collapse(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """Neighbouring axes made one."""
    array = operands[0]
    if not is_array(array):
        return [array]
    sizes = sizes_of(array)
    groups = [[int(str(axis).partition(" ")[0]) for axis in group] for group in op.attributes["reassociation"]]
    made = reshaped(array, [product([sizes[axis] for axis in group]) for group in groups])
    return [with_type(made, core_type(op.results[0].type))]


def _expand(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """Axes made several, whose sizes the operation says."""
    values = iter(operands[1:])
    sizes = [next(values) if size == DYNAMIC else size for size in op.attributes["static_output_shape"]]
    return [with_type(reshaped(operands[0], sizes), core_type(op.results[0].type))]


def _generate(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """An array whose elements are made of their indices."""
    return [_from_indices(rebuild, op.regions[0].blocks[0], _result_sizes(op, operands), [])]


def _from_indices(rebuild: Rebuild, block: ir.Block, sizes: Sequence[Size], indices: list[ir.Value]) -> ir.Value:
    if len(indices) == len(sizes):
        return rebuild.block(block, indices)[0]

    def body(position: ir.Value, _: Values, __: Values) -> tuple[list[ir.Value], list]:
        return [_from_indices(rebuild, block, sizes, [*indices, position])], []

    return map_(as_value(sizes[len(indices)]), [], [], body)[0][0]


def _pad(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    """An array with the operand in it; the padding is one number, or a function of indices."""
    array, dynamic = operands[0], iter(operands[1:])
    low, high = (
        [next(dynamic) if amount == MARK else amount for amount in op.attributes[name]]
        for name in ("static_low", "static_high")
    )
    if any(isinstance(amount, int) and amount < 0 for amount in (*low, *high)):
        refuse(op, "takes elements away by negative amounts; use tensor.extract_slice")
    old = sizes_of(array)
    sizes = [_sum(_sum(before, size), after) for before, size, after in zip(low, old, high, strict=True)]
    block = op.regions[0].blocks[0]
    yielded = block.operations[len(block.operations) - 1].operands[0]
    if yielded in rebuild.values:
        around = splat(rebuild.values[yielded], sizes)
    else:
        around = _from_indices(rebuild, block, sizes, [])
    made = tensor.InsertSliceOp(
        array,
        around,
        [amount for amount in low if not isinstance(amount, int)],
        [size for size in old if not isinstance(size, int)],
        [],
        [amount if isinstance(amount, int) else MARK for amount in low],
        [size if isinstance(size, int) else MARK for size in old],
        [1] * len(old),
    ).result
    return [with_type(made, op.results[0].type)]


def _sum(left: Size, right: Size) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if 0 in (left if isinstance(left, int) else 1, right if isinstance(right, int) else 1):
        return right if isinstance(left, int) else left
    return arith.AddIOp(as_value(left), as_value(right)).result


def _rank(rebuild: Rebuild, op: ir.Operation, operands: Values) -> list[ir.Value]:
    return [index(op.operands[0].type.rank)]


RULES: dict[str, Translate] = {
    "tensor.cast": _cast,
    "tensor.collapse_shape": _collapse,
    "tensor.concat": copied,
    "tensor.dim": copied,
    "tensor.empty": _empty,
    "tensor.expand_shape": _expand,
    "tensor.extract": _extract,
    "tensor.extract_slice": _extract_slice,
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.insert": _insert,
    "tensor.insert_slice": _insert_slice,
    "tensor.pad": _pad,
    "tensor.rank": _rank,
    "tensor.reshape": copied,
    "tensor.splat": _splat,
}
