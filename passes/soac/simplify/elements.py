"""Reads at the index of an operator turned into elements that it hands to its body.

```mlir
"soac.map"(%n) ({^bb0(%i: index): %x = tensor.extract %xs[%i] ...})
"soac.map"(%n, %xs) ({^bb0(%i: index, %x: f64): ...})
```
"""

from __future__ import annotations

from tapeless._mlir import ir, tensor
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.passes.ir.array_loops import operand_groups
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.ir.rebuild import as_type, recreate, replace_op
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.shapes import is_checked_size, scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.simplify.known_writes import replace_read


def elements_for_reads(op: ir.OpView) -> ir.OpView:
    """Every read whose first index is the operator's own, of an array as long as the operator is wide."""
    arguments: dict[ir.Value, ir.Value] = {}
    index = op.regions[0].blocks[0].arguments[0]
    for read, operand in [(use.owner, use.operand_number) for use in index.uses]:
        if not _is_row_read(read, operand):
            continue
        array = read.operands[0]
        if not is_defined_outside(array, op.operation) or not _is_as_long(array, op):
            continue
        if array not in arguments:
            op, arguments[array] = _element(op, array)
        _read_from(read, arguments[array])
    return op


def _is_as_long(array: ir.Value, op: ir.OpView) -> bool:
    """Whether an array has as many rows as an operator has iterations."""
    return len(op.results) > 0 and is_checked_size(array, 0, op.operands[0], op.results[0])


def _is_row_read(read: ir.OpView, operand: int) -> bool:
    """Whether an operation reads by the index in its first place; one that has the index twice is asked about once."""
    if operand != 1:
        return False
    if read.operation.name == "tensor.extract":
        return True
    if read.operation.name != "tensor.extract_slice" or 0 in remaining_axes(read):
        return False
    return next(iter(read.attributes["static_offsets"])) == DYNAMIC


def _element(op: ir.OpView, array: ir.Value) -> tuple[ir.OpView, ir.Value]:
    """The element argument for an array: the one there is, or a new one."""
    inputs = op.inputs
    if array in inputs:
        return op, arguments_of(op, "inputs")[inputs.index(array)]
    return add_input(op, array)


def add_input(op: ir.OpView, array: ir.Value) -> tuple[ir.OpView, ir.Value]:
    """The operator (a map or a fused one) with one more input, and the body's argument for it."""
    inputs = op.inputs
    block = op.regions[0].blocks[0]
    accs = list(block.arguments)[1 + len(inputs) :]
    argument = block.add_argument(row_type(array.type), op.location)
    for acc in accs:
        acc.replace_all_uses_with(block.add_argument(acc.type, op.location))
    for _ in accs:
        block.erase_argument(1 + len(inputs))
    width, _, *later = operand_groups(op)
    made = recreate(op, [width, [*inputs, array], *later], [result.type for result in op.results])
    replace_op(op, made.results)
    return made, block.arguments[1 + len(inputs)] if accs else argument


def _read_from(read: ir.OpView, element: ir.Value) -> None:
    """Replaces a read of the array by a read of its element."""
    at = ir.InsertionPoint(read)
    if read.operation.name == "tensor.extract":
        rest = list(read.operands)[2:]
        value = tensor.ExtractOp(element, rest, loc=read.location, ip=at).result if rest else element
        replace_read(read, value)
    elif _is_whole_row(read):
        replace_read(read, as_type(element, read.results[0].type, read))
    else:
        replace_read(read, _row_slice(read, element))


def _is_whole_row(read: ir.OpView) -> bool:
    array = read.operands[0]
    offsets, sizes, strides = (part(read)[1:] for part in (slice_offsets, slice_sizes, slice_strides))
    if any(offset != 0 for offset in offsets) or any(stride != 1 for stride in strides):
        return False
    if len(remaining_axes(read)) != len(sizes):
        return False
    wanted = [size if isinstance(size, int) else scalar_size(size) for size in sizes]
    return all(size == size_of(array, axis + 1) for axis, size in enumerate(wanted))


def _row_slice(read: ir.OpView, element: ir.Value) -> ir.Value:
    at = ir.InsertionPoint(read)
    static = [list(read.attributes[name])[1:] for name in ("static_offsets", "static_sizes", "static_strides")]
    dynamic = [
        [as_value(value, at) for value in part(read)[1:] if not isinstance(value, int)]
        for part in (slice_offsets, slice_sizes, slice_strides)
    ]
    return tensor.ExtractSliceOp(read.results[0].type, element, *dynamic, *static, loc=read.location, ip=at).result
