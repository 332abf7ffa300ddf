"""Rows that are parts of arrays where a test holds and equal numbers elsewhere, read element by element."""

from __future__ import annotations

from tapeless._mlir import ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.scopes import is_used
from tapeless.passes.ir.search import ops_named


def read_guarded_rows(root: ir.OpView) -> bool:
    """Has loops that read rows which a branch chooses choose elements instead; says whether any did.

    ```mlir
    %row = scf.if %inside { %a[%i, :] } else { 0 }    soac.map(%n):
    soac.map(%n, %row): f(its element)                  f(scf.if %inside { %a[%i, %k] } else { 0 })
    ```
    No thread needs memory for the row then, and elements may have threads of their own.
    """
    rows = [row for row in map(GuardedRow.of, ops_named(root, "scf.if")) if row is not None]
    return any([row.read_by_elements() for row in rows])


@dataclass(frozen=True)
class GuardedRow:
    """A branch that gives the row of an array at an index, or else one number for each element."""

    branch: ir.OpView
    array: ir.Value
    index: ir.Value
    otherwise: ir.Value

    @staticmethod
    def of(branch: ir.OpView) -> GuardedRow | None:
        """Such a branch seen as one; nothing for others."""
        if len(branch.results) != 1 or not build.is_array(branch.results[0]) or branch.results[0].type.rank != 1:
            return None
        found = [_only_yields(region) for region in branch.regions]
        if len(found) < 2 or any(value is None for value in found):
            return None
        then, other = (value.owner if isinstance(value, ir.OpResult) else None for value in found)
        if then is None or other is None or then.name != "tensor.extract_slice" or other.name != "tensor.splat":
            return None
        index = _row_index(then.opview)
        return None if index is None else GuardedRow(branch, then.operands[0], index, other.operands[0])

    def read_by_elements(self) -> bool:
        """Whether all who read the row are loops, which choose elements from then on."""
        readers = [use.owner for use in self.branch.results[0].uses]
        loops = [loop for loop in map(Loop.of, readers) if loop is not None and loop.lift is not None]
        if len(loops) < len(readers):
            return False
        changed = False
        for loop in loops:
            for array, argument in zip(loop.inputs, loop.elements, strict=False):
                if array == self.branch.results[0] and is_used(argument):
                    argument.replace_all_uses_with(self._element(loop))
                    changed = True
        return changed

    def _element(self, loop: Loop) -> ir.Value:
        """The element of the loop's iteration, at the start of its body."""
        element = self.branch.results[0].type.element_type
        with ir.InsertionPoint(loop.body.operations[0]), loop.op.location:
            made = scf.IfOp(self.branch.operands[0], [element], has_else=True)
        with ir.InsertionPoint(made.then_block), loop.op.location:
            scf.YieldOp([tensor.ExtractOp(self.array, [self.index, loop.body.arguments[0]]).result])
        with ir.InsertionPoint(made.else_block), loop.op.location:
            scf.YieldOp([self.otherwise])
        return made.results[0]


def _only_yields(region: ir.Region) -> ir.Value | None:
    """What a region yields if it does nothing else but make that by one operation, or yields it from outside."""
    if not len(region.blocks):
        return None
    *statements, end = region.blocks[0].operations
    made = end.operands[0]
    is_alone = not statements or (len(statements) == 1 and made in list(statements[0].results))
    return made if is_alone else None


def _row_index(part: ir.OpView) -> ir.Value | None:
    """The index of the row of a matrix that a part of it is: one row with all of its elements."""
    op = part.operation
    offsets, sizes, strides = (list(op.attributes[f"static_{name}"]) for name in ("offsets", "sizes", "strides"))
    if len(offsets) != 2 or offsets[1] != 0 or sizes[0] != 1 or strides != [1, 1] or op.results[0].type.rank != 1:
        return None
    return op.operands[1] if offsets[0] == DYNAMIC else None
