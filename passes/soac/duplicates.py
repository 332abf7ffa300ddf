"""Results of one loop that are the same: the second is the first."""

from __future__ import annotations

from tapeless._mlir import ir

from .loops import Loop
from .shapes import terminator


def merge_duplicates(root: ir.OpView) -> bool:
    """Replaces results that repeat another result of the same loop, inner loops first; whether there were any."""
    changed = False
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                changed |= merge_duplicates(op)
                loop = Loop.of(op) if op.operation.name in ("soac.map", "soac.fused") else None
                if loop is not None:
                    changed |= _merge_mapped(loop) | _merge_reduced(loop)
    return changed


def _merge_mapped(loop: Loop) -> bool:
    """Mapped results that yield the same value."""
    rows = loop.lifted()[len(loop.reduced.results) + len(loop.scanned.results) :]
    return _merge(list(zip(rows, loop.mapped, strict=False)))


def _merge_reduced(loop: Loop) -> bool:
    """Reduced results that combine the same values in the same simple way from the same start."""
    if not loop.reduced.neutral:
        return False
    rows, results = loop.lifted(), loop.reduced.results
    block = loop.reduced.region.blocks[0]
    combined = terminator(loop.reduced.region).operands
    keys = [
        (row, neutral, _operator(block, combined[k], k))
        for k, (row, neutral) in enumerate(zip(rows, loop.reduced.neutral, strict=False))
    ]
    return _merge([(key, result) for key, result in zip(keys, results, strict=True) if key[2] is not None])


def _operator(block: ir.Block, value: ir.Value, component: int) -> str | None:
    """The operation that combines one component with itself alone, or nothing."""
    count = len(block.arguments) // 2
    pair = [block.arguments[component], block.arguments[count + component]]
    if isinstance(value, ir.BlockArgument) or list(value.owner.operands) != pair:
        return None
    return f"{value.owner.operation.name} {value.owner.operation.attributes}"


def _merge(entries: list[tuple[object, ir.Value]]) -> bool:
    first: dict[object, ir.Value] = {}
    changed = False
    for key, result in entries:
        kept = first.setdefault(key, result)
        if kept != result and kept.type == result.type and list(result.uses):
            result.replace_all_uses_with(kept)
            changed = True
    return changed
