"""Cost model of loop fission: operations to recompute, and operators that are worth a grid of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tapeless._mlir import ir
from tapeless.dialects.soac.dialect import AccType
from tapeless.passes.ir.array_loops import Loop, makes_elements
from tapeless.passes.ir.build import element_type, is_array
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.ir.regions.slots import argument_for, is_structured
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.ir.sizes.sizes import constant_int

OPERATORS = frozenset(
    {"soac.map", "soac.reduce", "soac.scan", "soac.fused", "soac.hist", "soac.fused_hist", "soac.scatter"}
)
READS = frozenset({"tensor.extract", "tensor.extract_slice", "tensor.cast", "tensor.splat", "soac.transpose"})
ALSO_CHEAP = frozenset({"arith.minui", "arith.maxui", "arith.subi", "math.isfinite", "math.isnan", "arith.constant"})
REPEATABLE = CHEAP | FREE | READS | ALSO_CHEAP
# So many operations are repeated for every inner element rather than stored for each outer one.
MOST_REPEATED = 3
# So many inner iterations, known before, a thread does itself rather than leave them to others through memory.
MOST_IN_THREAD = 64


def depth(op: ir.OpView) -> int:
    """How many operators are nested in an operation at most, itself among them."""
    inner = max((depth(each) for each in operations_in(op)), default=0)
    return inner + (op.operation.name in OPERATORS)


def long_depth(op: ir.OpView) -> int:
    """The same without nests of few iterations."""
    if op.operation.name in OPERATORS and is_short(op):
        return 0
    inner = max((long_depth(each) for each in operations_in(op)), default=0)
    return inner + (op.operation.name in OPERATORS)


def is_short(op: ir.OpView) -> bool:
    """Whether an operation is known to have few iterations, those of loops in it among them."""
    count = _known_iterations(op)
    return count is not None and count <= MOST_IN_THREAD


def _known_iterations(op: ir.OpView) -> int | None:
    """How many innermost iterations an operation has, at least one; None if a width is not a constant."""
    inner = [_known_iterations(each) for each in operations_in(op) if len(each.regions)]
    known = [count for count in inner if count is not None]
    width = constant_int(op.operands[0]) if op.operation.name in OPERATORS else 1
    if width is None or len(known) < len(inner) or op.operation.name in ("scf.for", "scf.while"):
        return None
    return width * max(sum(known), 1)


def is_repeatable(op: ir.OpView) -> bool:
    """Whether an operation is simple enough to run wherever its results are wanted, and the same there."""
    is_simple = op.operation.name in REPEATABLE
    if not is_simple:
        is_simple = op.operation.name == "soac.map" and _is_plain(op) and arithmetic(op) <= MOST_REPEATED
    return is_simple and not (arithmetic(op) and any(_may_round(value) and is_compared(value) for value in op.results))


def _may_round(value: ir.Value) -> bool:
    return isinstance(element_type(value.type), ir.F64Type | ir.F32Type)


def is_compared(value: ir.Value) -> bool:
    """Whether a number, or an element of an array, is compared: computed twice, it might be rounded in two ways."""
    for use in value.uses:
        user = use.owner
        if user.operation.name == "arith.cmpf":
            return True
        argument = argument_for(user, use.operand_number) if is_structured(user.operation.name) else None
        if argument is not None and is_compared(argument):
            return True
        if user.operation.name == "soac.yield" and is_compared_outside(user, use.operand_number):
            return True
    return False


def is_compared_outside(end: ir.OpView, number: int) -> bool:
    """Whether the yielded values of a map or fused operator are compared after it."""
    op = end.operation.parent.opview
    is_lift = op.operation.name in ("soac.map", "soac.fused") and end.operation.block == op.regions[0].blocks[0]
    return is_lift and makes_elements(op, number) and is_compared(op.results[number])


def _is_plain(op: ir.OpView) -> bool:
    """Whether an operation, or a nest of maps, only computes with simple operations."""
    if op.operation.name in REPEATABLE or op.operation.name == "soac.yield":
        return True
    if op.operation.name != "soac.map" or len(op.accs):
        return False
    return all(_is_plain(inner) for inner in op.body.blocks[0].operations)


def arithmetic(op: ir.OpView) -> int:
    """How many operations on numbers there are in an operation."""
    own = op.operation.name in CHEAP or op.operation.name in ALSO_CHEAP - FREE
    return own + sum(arithmetic(inner) for inner in operations_in(op))


def is_acc(value: ir.Value) -> bool:
    """Whether a value is an accumulator."""
    return isinstance(value.type, AccType)


def uses_accumulators(op: ir.OpView) -> bool:
    """Whether an operation adds to accumulators from outside of it."""
    return any(is_acc(value) for value in outer_values(op))


def operations_in(op: ir.OpView) -> Iterator[ir.OpView]:
    """The operations directly in the regions of an operation."""
    for region in op.regions:
        for block in region.blocks:
            yield from block.operations


def is_wide(op: ir.OpView, around: ir.Operation) -> bool:
    """Whether the iterations of an inner operator are worth threads: a map with considerable elements, or a nest."""
    if op.operation.name not in ("soac.map", "soac.fused") or is_repeatable(op):
        return False
    if not is_defined_outside(op.operands[0], around):
        return False
    loop = Loop.seen_as(op)
    if loop.scanned.neutral or any(is_array(value) for value in loop.reduced.neutral):
        return False
    return op.operation.name == "soac.map" or depth(op) > 1 or bool(loop.mapped)


def reduces_reductions(op: ir.OpView) -> bool:
    """Whether a loop makes a number of others that loops without operators inside make, and nothing else."""
    if op.operation.name != "soac.fused":
        return False
    loop = Loop.seen_as(op)
    if loop.mapped or any(is_array(value) for value in loop.reduced.neutral):
        return False
    inner = [each for each in loop.body.operations if each.operation.name in OPERATORS]
    return len(inner) == 1 and depth(inner[0]) == 1 and not any(is_array(value) for value in inner[0].results)


def chain_length(value: ir.Value, block: ir.Block, stored: Collection[ir.Value]) -> int:
    """How many operations of a block it takes to compute a value from those that are stored."""
    seen: set[ir.Value] = set()
    pending, count = [value], 0
    while pending:
        current = pending.pop()
        if isinstance(current, ir.BlockArgument) or current in stored or current in seen:
            continue
        op = current.owner
        if op.operation.block != block or not is_repeatable(op):
            continue
        seen.update(op.results)
        count += arithmetic(op)
        pending.extend(outer_values(op))
    return count
