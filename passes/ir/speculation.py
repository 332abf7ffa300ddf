"""Whether an operation may run where the program would not have run it."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.passes.ir.places.indices import is_index_of
from tapeless.passes.ir.regions.slots import is_structured
from tapeless.passes.ir.sizes.shapes import has_size, scalar_size, size_of
from tapeless.passes.ir.sizes.size_search import Place
from tapeless.passes.ir.sizes.sizes import DIVISIONS, constant_int

TOTAL_DIALECTS = frozenset({"arith", "math"})
TOTAL_OPS = frozenset(
    {
        "soac.fn",
        "soac.guard",
        "soac.transpose",
        "soac.reverse",
        "soac.widen",
        "soac.argsort",
        "soac.scatter",
        "soac.yield",
        "scf.yield",
        "tensor.dim",
        "tensor.cast",
        "tensor.concat",
        "tensor.splat",
        "tensor.empty",
        "tensor.from_elements",
    }
)
MAY_NOT_END = frozenset({"scf.while"})


def is_safe_anywhere(op: ir.OpView, place: Place | None = None) -> bool:
    """Whether an operation, with everything in its regions, has no effect, always ends and reads only existing
    elements.

    With a place, run-time checks of sizes before it hold, too.
    """
    if op.operation.name in MAY_NOT_END or not _is_safe_itself(op, place):
        return False
    blocks = [block for region in op.regions for block in region.blocks]
    return all(is_safe_anywhere(inner, place) for block in blocks for inner in block.operations)


def _is_safe_itself(op: ir.OpView, place: Place | None) -> bool:
    if op.operation.name in DIVISIONS:
        return constant_int(op.operands[1]) not in (None, 0, -1)
    if op.operation.name == "tensor.extract":
        return all(is_index_of(index, size_of(op.operands[0], k)) for k, index in enumerate(list(op.operands)[1:]))
    if op.operation.name.startswith("soac.") and not _inputs_fit(op, place):
        return False
    dialect = op.operation.name.split(".")[0]
    return dialect in TOTAL_DIALECTS or op.operation.name in TOTAL_OPS or is_structured(op.operation.name)


def _inputs_fit(op: ir.OpView, place: Place | None) -> bool:
    """Whether every array that an operator reads element by element provably has the operator's width."""
    arrays = ELEMENTWISE_READS.get(op.operation.name)
    if arrays is None:
        return True
    width = scalar_size(op.operands[0])
    if place is None:
        return all(size_of(array, 0) == width for array in arrays(op))
    return all(has_size(array, 0, width, place) for array in arrays(op))


ELEMENTWISE_READS: dict[str, Callable[[ir.OpView], list[ir.Value]]] = {
    "soac.map": lambda op: op.inputs,
    "soac.reduce": lambda op: op.inputs,
    "soac.scan": lambda op: op.inputs,
    "soac.fused": lambda op: op.inputs,
    "soac.hist": lambda op: [op.keys, *op.values],
    "soac.fused_hist": lambda op: op.inputs,
    "soac.scatter": lambda op: [op.keys, op.values],
}
