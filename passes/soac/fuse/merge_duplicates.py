"""`soac-merge-duplicates`: inputs and results of one loop that are the same become one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import clean_up
from tapeless.passes.ir.array_loops import Combined, Loop
from tapeless.passes.ir.scopes import is_used
from tapeless.passes.soac.fuse.congruence import congruent_components
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class MergeDuplicates:
    """Merges duplicate operands and results of one loop.

    ```mlir
    %r:2 = "soac.fused"(%n, %x, %x, %zero, %zero) ({ mulf, mulf }, { two sums }, {})
    return %r#0, %r#1
    ```
    becomes
    ```mlir
    %r = "soac.fused"(%n, %x, %zero) ({ mulf }, { one sum }, {})
    return %r, %r
    ```
    Duplicates are looked for again in bodies where equal operations have become one.
    """

    name: ClassVar[str] = "soac-merge-duplicates"
    skips_numbers: ClassVar[bool] = True

    def run(self, module: ir.Module) -> bool:
        """Merges duplicates until none is left; whether there was any."""
        root = module.operation.opview
        changed = False
        while merge_duplicates(root):
            changed = True
            prune(root)
            clean_up(module)
        return changed


def merge_duplicates(root: ir.OpView) -> bool:
    """Replaces duplicates of another input or result of the same loop, inner loops first; whether there was any.

    Equal operations in the bodies are left to common-subexpression elimination, which may show further ones.
    """
    changed = False
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                changed |= merge_duplicates(op)
                if (loop := Loop.of(op)) is not None:
                    changed |= _merge_inputs(loop) | _merge_results(loop)
    return changed


def _merge_inputs(loop: Loop) -> bool:
    """Elements of one array that the body is given twice."""
    if loop.lift is None:
        return False
    return _merge(zip(loop.inputs, loop.elements, strict=False))


def _merge_results(loop: Loop) -> bool:
    """Results of one body that combine or collect the same values in the same way."""
    rows = loop.inputs if loop.lift is None else loop.lifted()
    changed = False
    for combined in (loop.reduced, loop.scanned):
        count = len(combined.results)
        changed |= _merge_combined(combined, rows[:count])
        rows = rows[count:]
    return _merge(zip(rows, loop.mapped, strict=False)) | changed


def _merge_combined(combined: Combined, rows: Sequence[ir.Value]) -> bool:
    if combined.region is None or len(rows) < 2:
        return False
    starts = list(zip(rows, combined.neutral, strict=True))
    return _merge(zip(congruent_components(combined.block, starts), combined.results, strict=True))


def _merge(entries: Iterable[tuple[Hashable, ir.Value]]) -> bool:
    """Replaces every value by the first one with the same key and type."""
    first: dict[Hashable, ir.Value] = {}
    changed = False
    for key, value in entries:
        kept = first.setdefault((key, value.type), value)
        if kept != value and is_used(value):
            value.replace_all_uses_with(kept)
            changed = True
    return changed
