"""Columns that are written into an array one after the other, until it has all, given to who goes through its rows.

```mlir
%1 = tensor.insert_slice %a into %0[0, 0] [%n, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
%2 = tensor.insert_slice %b into %1[0, 1] [%n, 1] [1, 1] : tensor<?xf64> into tensor<?x2xf64>
"soac.map"(%n, %2) ({ ^bb0(%i, %row: tensor<2xf64>):
```
becomes a map of `%a` and `%b`, in which `%row` is made of both elements. `np.stack(columns, axis=1)` is such a chain.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, tensor
from tapeless.passes.ir import build
from tapeless.passes.ir.places.places import Place
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.scopes import is_used, is_used_once
from tapeless.passes.soac.simplify.elements import add_input

# Rows that a thread has in registers.
MOST_COLUMNS = 32
# Columns that each element of a row is compared with.
MOST_SELECTED = 8
ROWS_FOR = frozenset({"soac.map", "soac.fused"})


def columns_for_rows(op: ir.OpView) -> ir.OpView:
    """An operator over the rows of such an array takes its columns, if nothing but operators over rows reads it."""
    for number, array in enumerate(list(op.inputs)):
        row = op.regions[0].blocks[0].arguments[1 + number]
        columns = _all_columns(array) if is_used(row) else None
        if columns is None:
            continue
        elements = []
        for column in columns:
            op, element = add_input(op, column)
            elements.append(element)
        block = op.regions[0].blocks[0]
        with op.location, ir.InsertionPoint.at_block_begin(block):
            made = tensor.from_elements(ir.RankedTensorType.get([len(elements)], elements[0].type), elements)
        block.arguments[1 + number].replace_all_uses_with(made)
    return op


def _all_columns(array: ir.Value) -> list[ir.Value] | None:
    """The columns of a matrix by their number, if each was written once, and all were."""
    type_ = ir.RankedTensorType(array.type)
    if isinstance(array, ir.BlockArgument) or type_.rank != 2 or not 0 < type_.shape[1] <= MOST_COLUMNS:
        return None
    if not _feeds_operators(array):
        return None
    found, _ = _written(array.owner)
    return [found[each] for each in range(type_.shape[1])] if set(found) == set(range(type_.shape[1])) else None


def rows_of_columns_in_fill(op: ir.OpView) -> bool:
    """The last write of some columns of a fill becomes a map of rows that have elements of these, and the fill's.

    For targets with threads: neighbours write neighbours then, where columns are elements far from one another.
    """
    found, base = _written(op)
    is_fill = not isinstance(base, ir.BlockArgument) and base.owner.operation.name == "tensor.splat"
    if not 1 < len(found) <= MOST_SELECTED or not is_fill or base.type.rank != 2:
        return False
    with op.location, ir.InsertionPoint(op):
        columns, size = [build.index(number) for number in found], build.dim(base, 1)

        def row(_: ir.Value, elements: build.Rows, __: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
            def element(place: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
                value = base.owner.operands[0]
                for number, own in zip(columns, elements, strict=True):
                    value = arith.select(arith.cmpi(arith.CmpIPredicate.eq, place, number), own, value)
                return [value], []

            return build.map_(size, [], [], element)[0], []

        rows = build.map_(build.dim(base, 0), list(found.values()), [], row)[0][0]
        replace_op(op, [build.cast_to(op.results[0].type, rows)])
    return True


def _written(last: ir.OpView) -> tuple[dict[int, ir.Value], ir.Value]:
    """The columns that a chain of writes leaves behind, each written once, and the array before them."""
    found: dict[int, ir.Value] = {}
    array = last.results[0]
    while not isinstance(array, ir.BlockArgument) and (array == last.results[0] or is_used_once(array)):
        number = _column_of(array.owner)
        if number is None or number in found or array.owner.operation.block != last.operation.block:
            break
        found[number], array = array.owner.operands[0], array.owner.operands[1]
    return found, array


def _feeds_operators(array: ir.Value) -> bool:
    uses = list(array.uses)
    return bool(uses) and all(
        use.owner.operation.name in ROWS_FOR and use.operand_number <= len(use.owner.opview.inputs) for use in uses
    )


def _column_of(write: ir.OpView) -> int | None:
    """The number of the column that an operation writes, if it is one of floats and all of it."""
    if write.operation.name != "tensor.insert_slice" or not isinstance(
        write.results[0].type.element_type, ir.F32Type | ir.F64Type
    ):
        return None
    place = Place.of(write)
    axis = len(place.ranges) - 1
    if list(place.kept) != list(range(axis)) or not all(map(place.is_whole_along, range(axis))):
        return None
    number = place.ranges[axis].offset
    return number if isinstance(number, int) and axis else None
