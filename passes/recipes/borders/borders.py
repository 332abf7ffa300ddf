"""The pass `recipes-borders` fuses boundary kernels into the interior kernel of a stencil."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.grids.grid_nests import launches_in
from tapeless.passes.recipes.borders.boxes import box_nest
from tapeless.passes.recipes.borders.emission import emit
from tapeless.passes.recipes.borders.slots import Unsuitable
from tapeless.passes.recipes.borders.wholes import MEMORY, Whole

# What may stand between nests of one launch.
BETWEEN = ("arith.", "memref.alloc", "memref.dim", "memref.get_global")


@dataclass(frozen=True)
class Borders:
    """Fuses boundary kernels into the interior kernel, so that one launch writes the whole array.

    Steps of time on arrays with borders compute new elements from neighbours, keep those of the border, and, in
    gradients, add to these. Small launches take their time, and lines of memory that two launches write are written
    twice. Here each thread has one element of every part that the large launch stores to, and stores it once.

    ```mlir
    scf.for %i = 0 to 98 {                         scf.for %t = 0 to 100 {
      ...                                            %middle = scf.if %t >= 1 and %t < 99 { %i = %t - 1 ... }
      memref.store %x, %new[%i + 1]                  %border = scf.if %t == 0 or %t == 99 { memref.load %old[%t] }
    } {tapeless.launch = "each thread"}              %x = arith.select %is_border, %border, %middle
    scf.for %i = 0 to 1 { %new[0] = %old[0] }        memref.store %x, %new[%t]
    scf.for %i = 0 to 1 { %new[99] = %old[99] }    } {tapeless.launch = "each thread"}
    ```
    """

    name: ClassVar[str] = "recipes-borders"
    recipes: bool = True

    def run(self, module: ir.Module) -> None:
        """Changes the launches of the module that have borders."""
        if not self.recipes:
            return
        blocks: list[ir.Block] = []
        for op in launches_in(module.operation):
            if op.block not in blocks:
                blocks.append(op.block)
        for block in blocks:
            with module.context, ir.Location.unknown():
                _change(block)


def _change(block: ir.Block) -> None:
    operations = [view.operation for view in block.operations]
    position = 0
    while position < len(operations):
        whole, end = _whole_at(operations, position)
        position += 1
        if whole is not None:
            emit(whole, operations[end])
            _clear(whole)
            position = end


def _whole_at(operations: list[ir.Operation], position: int) -> tuple[Whole | None, int]:
    """The launch that begins with a nest and has all that it can of those after it, and where these end."""
    nest = box_nest(operations[position])
    whole = Whole.around(nest) if nest is not None else None
    end = position + 1
    if whole is None:
        return None, end
    for number in range(position + 1, len(operations)):
        op = operations[number]
        if op.name.startswith(BETWEEN):
            continue
        following = box_nest(op)
        if following is None:
            break
        try:
            whole.absorb(following)
        except Unsuitable:
            break
        end = number + 1
    return (whole if whole.is_complete() else None), end


def _clear(whole: Whole) -> None:
    """Removes the nests, and memory that nobody needs any more."""
    arrays = list(whole.passing)
    for nest in whole.absorbed:
        arrays.extend(
            op.operands[0]
            for op in nest.operations
            if op.name == "memref.load" and not isinstance(op.operands[0], ir.BlockArgument)
        )
    for nest in (whole.inner, *whole.absorbed):
        nest.loop.erase()
    for array in {array: None for array in arrays}:
        users = [use.owner.operation for use in array.uses]
        if all(user.name == "memref.dealloc" for user in users):
            for user in users:
                user.erase()
            if array.owner.operation.name in MEMORY:
                array.owner.operation.erase()
