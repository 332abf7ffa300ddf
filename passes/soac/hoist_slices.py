"""`soac-hoist-slices`: for GPUs, slices that maps take of rows, and write into rows, as slices of whole arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, array_type, row_type, stack_type
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.array_loops import operand_groups
from tapeless.passes.ir.build import filled, index
from tapeless.passes.ir.places.slices import slice_fields
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.rows import Size, slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside, is_used_once
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.own_index import OwnIndex

SLICE, INSERT_SLICE, SPLAT = "tensor.extract_slice", "tensor.insert_slice", "tensor.splat"


@dataclass(frozen=True)
class HoistSlices:
    """Makes nests of maps over parts of rows nests over parts of arrays.

    ```mlir
    %r = "soac.map"(%n, %x) ({                                %y = tensor.extract_slice %x[0, 1] [%n, %m]
    ^bb0(%i: index, %row: tensor<?xf64>):                     %p = "soac.map"(%n, %y) ({
      %part = tensor.extract_slice %row[1] [%m]               ^bb0(%i: index, %part: tensor<?xf64>):
      %new = "soac.map"(%m, %part) ({ ... })            -->     %new = "soac.map"(%m, %part) ({ ... })
      %all = tensor.insert_slice %new into %zeros[1] [%m]       "soac.yield"(%new)
      "soac.yield"(%all)                                      })
    })                                                        %r = tensor.insert_slice %p into %zeros2[0, 1] [%n, %m]
    ```
    Loops over the inner points of a grid are written so, row by row; as one nest they have a thread for each point, and
    derivatives that are such nests again. What is written into is one number everywhere, or a row of an array.
    """

    name: ClassVar[str] = "soac-hoist-slices"
    after: ClassVar[dict[str, str]] = {
        "soac-parallelise": "maps over rows are made there",
    }

    def run(self, module: ir.Module) -> bool:
        """Rewrites all maps, inner ones first; says whether any were."""
        changed = False
        for op in ops_named(module.operation.opview, "soac.map"):
            if len(operand_groups(op)[2]) == 0:
                with op.location:
                    op, has_read = _with_parts_as_inputs(op)
                    changed |= _writes_afterwards(op) or has_read
        if changed:
            for op in ops_named(module.operation.opview, INSERT_SLICE):
                with op.location:
                    _join(op)
            innermost = [op for op in ops_named(module.operation.opview, "soac.map") if not holds(op, "soac.map")]
            for op in innermost:
                with op.location:
                    _read_as_inputs(_nest_of(op))
        return changed


def _with_parts_as_inputs(op: ir.OpView) -> tuple[ir.OpView, bool]:
    """The map with slices of rows that it takes as rows of slices."""
    (width,), inputs, _ = operand_groups(op)
    block = op.regions[0].blocks[0]
    changed = False
    for number, array in enumerate(list(inputs)):
        row = block.arguments[1 + number]
        # Uses are listed from the last one on.
        users = [use.owner.opview for use in row.uses][::-1]
        if not users or not all(_is_fixed_slice(user, op) for user in users):
            continue
        groups: dict[tuple[Size, ...], list[ir.OpView]] = {}
        for user in users:
            offsets, sizes, _ = slice_fields(user)
            groups.setdefault((*offsets, *sizes), []).append(user)
        for key, same in groups.items():
            rank, type_ = len(key) // 2, same[0].results[0].type
            with ir.InsertionPoint(op):
                height = array.type.shape[0] if array.type.shape[0] != DYNAMIC else width
                offsets, sizes = [0, *key[:rank]], [height, *key[rank:]]
                whole = stack_type(array.type.shape[0], type_)
                inputs.append(_slice(array, offsets, sizes, whole))
            part = block.add_argument(type_, op.location)
            for user in same:
                user.results[0].replace_all_uses_with(part)
                user.operation.erase()
        changed = True
    if not changed:
        return op, False
    kept = [True, *(any(True for _ in argument.uses) for argument in list(block.arguments)[1:])]
    made = recreate(op, [[width], [each for each, keep in zip(inputs, kept[1:], strict=True) if keep], []], _types(op))
    block = made.regions[0].blocks[0]
    for position in reversed(range(len(kept))):
        if not kept[position]:
            block.erase_argument(position)
    replace_op(op, list(made.results))
    return made, True


def _slice(array: ir.Value, offsets: list[Size], sizes: list[Size], type_: ir.Type) -> ir.Value:
    """A slice, of the array itself where this is a slice of one."""
    while not isinstance(array, ir.BlockArgument) and array.owner.operation.name == SLICE:
        op = array.owner.opview
        before, _, strides = slice_fields(op)
        if op.operands[0].type.rank != array.type.rank or any(each != 1 for each in strides):
            break
        offsets = [_sum(first, second) for first, second in zip(before, offsets, strict=True)]
        array = op.operands[0]
    return slice_of(array, offsets, sizes, [1] * len(sizes), type_)


def _nest_of(innermost: ir.OpView) -> list[ir.OpView]:
    """The maps around each other that end with one, the outermost first; none where it is no plain nest."""
    nest = [innermost]
    while nest[0].operation.parent.name == "soac.map":
        nest.insert(0, nest[0].operation.parent.opview)
    is_plain = all(len(operand_groups(each)[2]) == 0 for each in nest)
    widths = [each.operands[0] for each in nest]
    return nest if is_plain and all(is_defined_outside(each, nest[0].operation) for each in widths) else []


def _read_as_inputs(nest: list[ir.OpView]) -> None:
    """Makes elements that each iteration of a nest reads at its own place inputs of the nest."""
    if len(nest) < 2:
        return
    body = nest[-1].regions[0].blocks[0]
    found = [(op, own) for op in body.operations if (own := _own_place(op, nest)) is not None]
    for op, offsets in found:
        array = op.operands[0]
        with ir.InsertionPoint(nest[0]):
            sizes: list[Size] = [_extent(each) for each in nest]
            shape = [size if isinstance(size, int) else DYNAMIC for size in sizes]
            part = _slice(array, list(offsets), sizes, array_type(shape, array.type.element_type))
        for number, each in enumerate(nest):
            (width,), inputs, _ = operand_groups(each)
            row = each.regions[0].blocks[0].add_argument(row_type(part.type), op.location)
            nest[number] = recreate(each, [[width], [*inputs, part], []], _types(each))
            replace_op(each, list(nest[number].results))
            part = nest[number].regions[0].blocks[0].arguments[len(inputs) + 1]
            assert part.type == row.type
        op.results[0].replace_all_uses_with(part)
        op.operation.erase()


def _own_place(op: ir.OpView, nest: list[ir.OpView]) -> tuple[int, ...] | None:
    """How far the element that an operation reads is from the place of the iteration, axis by axis, if it is one."""
    if op.operation.name != "tensor.extract" or not is_defined_outside(op.operands[0], nest[0].operation):
        return None
    places = list(op.operands)[1:]
    if len(places) != len(nest):
        return None
    found = [OwnIndex.of(place, each) for place, each in zip(places, nest, strict=True)]
    constants = [own.constant for own in found if own is not None and own.is_known]
    return tuple(constants) if len(constants) == len(nest) and min(constants) >= 0 else None


def _extent(op: ir.OpView) -> Size:
    known = constant_int(op.operands[0])
    return op.operands[0] if known is None else known


def _is_fixed_slice(user: ir.OpView, op: ir.OpView) -> bool:
    """Whether an operation takes a part of a row that is the same for all rows."""
    if user.operation.name != SLICE or user.results[0].type.rank != user.operands[0].type.rank:
        return False
    offsets, sizes, strides = slice_fields(user)
    return all(each == 1 for each in strides) and _are_outside([*offsets, *sizes], op)


def _are_outside(numbers: Sequence[Size], op: ir.OpView) -> bool:
    return all(isinstance(each, int) or is_defined_outside(each, op.operation) for each in numbers)


def _writes_afterwards(op: ir.OpView) -> bool:
    """Has a map give parts of rows, where it writes them into rows that are known outside; says whether it did."""
    ends = list(terminator(op.regions[0]).operands)
    found = {number: end.owner.opview for number, end in enumerate(ends) if _is_fixed_write(end, op)}
    if not found:
        return False
    parts = [found[number].operands[0] if number in found else end for number, end in enumerate(ends)]
    (width,), inputs, _ = operand_groups(op)
    bases = {number: _base(write, op, width, inputs) for number, write in found.items()}
    fields = {number: slice_fields(write) for number, write in found.items()}
    retarget_terminator(op.regions[0].blocks[0], parts)
    for write in found.values():
        write.operation.erase()
    extents = [result.type.shape[0] for result in op.results]
    types = [stack_type(extent, part.type) for extent, part in zip(extents, parts, strict=True)]
    made = recreate(op, [[width], inputs, []], types)
    results = list(made.results)
    with ir.InsertionPoint(op):
        for number, (offsets, sizes, strides) in fields.items():
            height = extents[number] if extents[number] != DYNAMIC else width
            whole = [[0, *offsets], [height, *sizes], [1, *strides]]
            results[number] = with_slice(bases[number], results[number], *whole)
    replace_op(op, results)
    return True


def _is_fixed_write(end: ir.Value, op: ir.OpView) -> bool:
    """Whether a row is a part of this iteration in a row that is known outside, at a place that all rows share."""
    if isinstance(end, ir.BlockArgument) or end.owner.operation.name != INSERT_SLICE or not is_used_once(end):
        return False
    write = end.owner.opview
    part, base = write.operands[0], write.operands[1]
    offsets, sizes, strides = slice_fields(write)
    if part.type.rank != base.type.rank or not _are_outside([*offsets, *sizes, *strides], op):
        return False
    if write.operation.block != op.regions[0].blocks[0]:
        return False
    if isinstance(base, ir.BlockArgument):
        is_row = base.owner == op.regions[0].blocks[0]
        return is_row and is_used_once(base) and base.type == end.type
    return base.owner.operation.name == SPLAT and _are_outside(list(base.owner.operands), op)


def _base(write: ir.OpView, op: ir.OpView, width: ir.Value, inputs: Sequence[ir.Value]) -> ir.Value:
    """The array of the rows into which a map writes."""
    base = write.operands[1]
    if isinstance(base, ir.BlockArgument):
        return inputs[base.arg_number - 1]
    value, *dynamic = list(base.owner.operands)
    sizes = iter(dynamic)
    with ir.InsertionPoint(op):
        rows = [next(sizes) if size == DYNAMIC else index(size) for size in base.type.shape]
        return filled(stack_type(DYNAMIC, base.type), [width, *rows], value)


def _join(op: ir.OpView) -> None:
    """Writes a part of a part into the whole, where all around it stays as it is there."""
    outer = slice_fields(op)
    inner_op = op.operands[0]
    if isinstance(inner_op, ir.BlockArgument) or inner_op.owner.operation.name != INSERT_SLICE:
        return
    inner = inner_op.owner.opview
    part, base, target = inner.operands[0], inner.operands[1], op.operands[1]
    fields = slice_fields(inner)
    is_plain = all(each == 1 for field in (outer[2], fields[2]) for each in field)
    if not is_plain or not part.type.rank == base.type.rank == target.type.rank or not _is_as_in(base, target, outer):
        return
    with ir.InsertionPoint(op):
        offsets = [_sum(first, second) for first, second in zip(outer[0], fields[0], strict=True)]
        made = with_slice(target, part, offsets, fields[1], fields[2])
    replace_op(op, [made])


def _is_as_in(base: ir.Value, target: ir.Value, place: Sequence[Sequence[Size]]) -> bool:
    """Whether an array holds what another one holds at a place."""
    if isinstance(base, ir.BlockArgument):
        return False
    owner = base.owner.opview
    if owner.operation.name == SLICE:
        return owner.operands[0] == target and slice_fields(owner) == list(place)
    is_fill = owner.operation.name == SPLAT and not isinstance(target, ir.BlockArgument)
    return is_fill and target.owner.operation.name == SPLAT and owner.operands[0] == target.owner.operands[0]


def _sum(left: Size, right: Size) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    values = [index(each) if isinstance(each, int) else each for each in (left, right)]
    return arith.addi(*values)


def _types(op: ir.OpView) -> list[ir.Type]:
    return [result.type for result in op.results]
