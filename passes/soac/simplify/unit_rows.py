"""Rows of one number, as `keepdims=True` makes them, are read as the numbers that they are made of.

```mlir
%r = "soac.map"(%n) ({... %row = tensor.splat %s : tensor<1xf64> "soac.yield"(%row)}) : tensor<?x1xf64>
%c = tensor.extract_slice %r[0, 0] [%n, 1] [1, 1] : tensor<?x1xf64> to tensor<?xf64>
```
becomes a map that yields `%s` as well, which is `%c`; the rows go if nobody else reads them. Maps that make numbers by
reductions are those that teams of threads and vectors can share.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.array_loops import operand_groups
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.ir.rebuild import as_type, recreate, replace_op, retarget_terminator
from tapeless.passes.ir.scopes import is_used

FILLS = frozenset({"tensor.splat", "tensor.from_elements"})


def numbers_for_unit_rows(op: ir.OpView) -> ir.OpView:
    """Every column that is cut from rows of one number of a map is a result of the map."""
    yielded = list(terminator(op.regions[0]).operands)
    rows = len(yielded) - len(op.accs)
    found = [(number, columns) for number in range(rows) if (columns := _columns(op, number, yielded[number]))]
    if not found:
        return op
    numbers = [yielded[number].owner.operands[0] for number, _ in found]
    old = list(op.results)
    types = [ir.RankedTensorType.get([DYNAMIC], number.type) for number in numbers]
    result_types = [result.type for result in old]
    made = recreate(op, operand_groups(op), [*result_types[:rows], *types, *result_types[rows:]])
    retarget_terminator(made.regions[0].blocks[0], [*yielded[:rows], *numbers, *yielded[rows:]])
    results = list(made.results)
    for (_, columns), column in zip(found, results[rows:], strict=False):
        for each in columns:
            each.result.replace_all_uses_with(as_type(column, each.result.type, each))
    replace_op(op, [*results[:rows], *results[rows + len(numbers) :]])
    return made


def _columns(op: ir.OpView, number: int, row: ir.Value) -> list[ir.OpView]:
    """The slices that are the column of a result with rows of one number."""
    type_ = op.results[number].type
    is_made_here = not isinstance(row, ir.BlockArgument) and row.owner.operation.name in FILLS
    if (
        not is_made_here
        or type_.rank != 2
        or type_.shape[1] != 1
        or row.owner.operation.block != op.regions[0].blocks[0]
    ):
        return []
    users = dict.fromkeys(use.owner for use in op.results[number].uses)
    cuts = [user for user in users if user.operation.name == "tensor.extract_slice" and is_used(user.result)]
    return [cut for cut in cuts if _is_column(cut, op.width)]


def _is_column(cut: ir.OpView, length: ir.Value) -> bool:
    return (
        slice_offsets(cut) == [0, 0]
        and slice_strides(cut) == [1, 1]
        and slice_sizes(cut) == [length, 1]
        and remaining_axes(cut) == [0]
    )
