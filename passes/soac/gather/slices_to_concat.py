"""`soac-slices-to-concat`: zeros that slices without overlap are added to, as the slices one behind the other."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import cast_to
from tapeless.passes.ir.constants import is_zero_fill
from tapeless.passes.ir.places.places import Place, Range
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import total
from tapeless.passes.soac.gather.chains import Link, chain_to
from tapeless.passes.soac.gather.columns import rows_of_columns_in_fill
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class SlicesToConcat:
    """Concatenates the addends of slices of zeros, where the slices together are the array and none overlap.

    ```mlir
    %0 = tensor.insert_slice %b into %zeros[%m] [%rest] [1]      %y = tensor.concat dim(0) %a, %b
    %1 = tensor.extract_slice %0[0] [%m] [1]
    %2 = "soac.map"(%m, %1, %a) ({ addf })
    %y = tensor.insert_slice %2 into %0[0] [%m] [1]
    ```
    The adjoint of cutting an array into parts is such a chain. What is concatenated is built in its place, without
    passes over zeros. A zero with a sign keeps it, which adding to zero would take off.

    Columns that are written into a fill are elements of its rows (`gather/columns.py`).
    """

    name: ClassVar[str] = "soac-slices-to-concat"

    def run(self, module: ir.Module) -> None:
        """Looks at every chain of writes into slices."""
        root = module.operation.opview
        changed = any([rows_of_columns_in_fill(op) for op in reversed(ops_named(root, "tensor.insert_slice"))])
        if changed:
            prune(root)
        for op in ops_named(root, "tensor.insert_slice"):
            axis = _cut_axis(Place.of(op))
            chain = None if axis is None else chain_to(op, partial(_is_cut_along, axis=axis))
            if chain is not None and axis is not None:
                changed |= _join(chain, axis)
        if changed:
            prune(root)


def _cut_axis(place: Place) -> int | None:
    """The axis along which a place is less than the array, if it is one and the only one."""
    axes = [axis for axis in range(len(place.ranges)) if not place.is_whole_along(axis)]
    return axes[0] if len(axes) == 1 and len(place.kept) == len(place.ranges) else None


def _is_cut_along(place: Place, axis: int) -> bool:
    return _cut_axis(place) == axis


def _join(chain: list[Link], axis: int) -> bool:
    """Replaces the last write of a chain by a concatenation, if it can be one."""
    base, last = chain[0].place.array, chain[-1].write
    if not is_zero_fill(base):
        return False
    order = _in_order([link.place.ranges[axis] for link in chain], size_of(base, axis))
    if order is None:
        return False
    parts = [chain[number].part for number in order]
    with ir.InsertionPoint(last), last.location:
        joined = ir.Operation.create(
            "tensor.concat",
            results=[_joined_type(parts, axis)],
            operands=parts,
            attributes={"dim": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis)},
        ).results[0]
        replace_op(last, [cast_to(last.results[0].type, joined)])
    return True


def _joined_type(parts: list[ir.Value], axis: int) -> ir.RankedTensorType:
    """The type of a concatenation: sizes that one part knows are those of all."""
    shape = []
    for place in range(parts[0].type.rank):
        sizes = [part.type.shape[place] for part in parts]
        if place == axis:
            shape.append(DYNAMIC if DYNAMIC in sizes else sum(sizes))
        else:
            shape.append(next((size for size in sizes if size != DYNAMIC), DYNAMIC))
    return ir.RankedTensorType.get(shape, parts[0].type.element_type)


def _in_order(parts: list[Range], whole: Size) -> list[int] | None:
    """The numbers of the parts from the first element of an axis to its last, if each begins where another one ends."""
    left, order = list(range(len(parts))), []
    end: Size = 0
    while left:
        found = next((each for each in left if parts[each].stride == 1 and _begins_at(parts[each], end)), None)
        if found is None:
            return None
        left.remove(found)
        order.append(found)
        size = parts[found].size
        end = total([end, size if isinstance(size, int) else scalar_size(size)])
    return order if end == whole else None


def _begins_at(part: Range, place: Size) -> bool:
    return (part.offset if isinstance(part.offset, int) else scalar_size(part.offset)) == place
