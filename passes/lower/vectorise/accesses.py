"""How the lanes of a loop reach memory: one element for all, neighbours, a stride apart, or anywhere."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.costs import COSTLY
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, Lanes, NotVectorisable
from tapeless.passes.lower.vectorise.panels.panels import Panel
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    buffer_of,
    indices_of,
    is_inside,
    loops_between,
    memref_of,
    nested,
    op_name,
)
from tapeless.passes.marks import ATOMIC


class Pattern(Enum):
    """The addresses one load or store touches, seen across lanes."""

    SHARED = "the same element in every lane"
    PRIVATE = "each lane's own copy"
    PICKED = "each lane's own copy, each lane at a place of its own"
    CONTIGUOUS = "neighbouring elements"
    PACKED = "a stride apart, worked on in a lane-major copy of the block"
    PANEL = "read again in every iteration of the loop around, from a lane-major copy of many blocks"
    TILE = "the same element in every lane, one per jammed iteration, from a copy that has those side by side"
    GATHERED = "anywhere"


# Where every lane has an access of its own.
ONE_BY_ONE = (Pattern.GATHERED, Pattern.PICKED)
# Where lanes reach memory itself, not a copy.
ATOMIC_PATTERNS = (Pattern.SHARED, Pattern.CONTIGUOUS, Pattern.GATHERED)


@dataclass(frozen=True)
class Access:
    """One load or store with its pattern; `axis` is the axis that the lanes count along."""

    op: ir.Operation
    pattern: Pattern
    depth: int
    axis: int = -1
    panel: Panel | None = None


def classify(analysis: LaneAnalysis) -> dict[ir.Operation, Access]:
    """The access patterns of all loads and stores in the loop; a sum into memory counts as its store."""
    touching = [op for op in nested(body_of(analysis.loop)) if op_name(op) in ("memref.load", "memref.store")]
    deepest = max((loops_between(op, analysis.loop) for op in touching), default=0)
    calls = _calls_functions(analysis, deepest)
    accesses = {
        op.operation: _classify_one(op, analysis, deepest, calls)
        for op in touching
        if op.operation not in analysis.accumulations.skipped
    }
    accesses = {op: _in_memory(access, analysis, accesses) for op, access in accesses.items()}
    return _turned(accesses, analysis, deepest) if deepest else accesses


def _in_memory(access: Access, analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> Access:
    """A sum into an array that lanes also reach in another way adds to memory, not to a copy of the block."""
    if access.pattern is not Pattern.PACKED or access.op.operation not in analysis.accumulations.by_store:
        return access
    buffer = buffer_of(access.op)
    others = [other.pattern for op, other in accesses.items() if buffer_of(op) == buffer]
    return replace(access, pattern=Pattern.GATHERED) if set(others) != {Pattern.PACKED} else access


def _turned(accesses: dict[ir.Operation, Access], analysis: LaneAnalysis, deepest: int) -> dict[ir.Operation, Access]:
    """Innermost loops that step along a stride where lanes find neighbours have copies of what they walk itself.

    Such are loops over the columns of a matrix that write their rows to another one.
    """
    inner = {op: access for op, access in accesses.items() if access.depth == deepest}
    turned = [op for op, access in inner.items() if _may_be_turned(access, analysis)]
    across = [op for op, access in inner.items() if access.pattern is Pattern.CONTIGUOUS and is_across(op)]
    if not turned or len(across) < len(turned):
        return accesses
    return accesses | {
        op: replace(accesses[op], pattern=Pattern.PACKED, axis=_lane_axis(op, analysis)) for op in turned
    }


def _may_be_turned(access: Access, analysis: LaneAnalysis) -> bool:
    """Whether an access one by one is a stride apart in lanes, and side by side in the loop around."""
    if access.pattern is not Pattern.GATHERED or access.op.operation in analysis.accumulations.by_store:
        return False
    *others, last = indices_of(access.op)
    is_along = any(
        last == body_of(loop).arguments[0] for loop in [access.op.operation.parent] if op_name(loop) == "scf.for"
    )
    lanes = [analysis.of(index) for index in others]
    is_linear = lanes.count(Lanes.LINEAR) == 1 and Lanes.VARYING not in lanes
    return is_along and is_linear and _can_pack(access.op, lanes.index(Lanes.LINEAR), analysis.loop)


def is_across(op: ir.Operation) -> bool:
    """Whether iterations of the loop around that follow each other find elements a stride apart."""
    loop, places = op.operation.parent, indices_of(op)
    if op_name(loop) != "scf.for" or not places:
        return False
    shape = ir.MemRefType(memref_of(op).type).shape
    while len(places) > 1 and shape[len(places) - 1] == 1:
        places.pop()
    return body_of(loop).arguments[0] in places[:-1]


def _lane_axis(op: ir.Operation, analysis: LaneAnalysis) -> int:
    return [analysis.of(index) for index in indices_of(op)].index(Lanes.LINEAR)


def refuse_slow(accesses: dict[ir.Operation, Access]) -> None:
    """Refuses a loop whose innermost loops would gather element by element: such loops run better one at a time."""
    deepest = max((access.depth for access in accesses.values()), default=0)
    if any(access.pattern in ONE_BY_ONE and 0 < access.depth == deepest for access in accesses.values()):
        raise NotVectorisable("an inner loop would gather its elements one by one")


def refuse_torn(accesses: dict[ir.Operation, Access]) -> None:
    """Refuses a loop that would write to an array both in a block's copy of it and in another way."""
    written = {buffer_of(op) for op in accesses if op_name(op) == "memref.store"}
    ways: dict[ir.Value, set[tuple[Pattern, ir.Value, int]]] = {}
    for op, access in accesses.items():
        ways.setdefault(buffer_of(op), set()).add((access.pattern, memref_of(op), access.axis))
    for buffer in written:
        if len(ways[buffer]) > 1 and any(pattern is Pattern.PACKED for pattern, *_ in ways[buffer]):
            raise NotVectorisable("an array is written in a copy of its block and also elsewhere")


def refuse_copied_atomics(analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> None:
    """Refuses a loop that would add elsewhere than in memory what threads add to the same elements."""
    sums = analysis.accumulations.by_store.items()
    in_memory = [each.add for store, each in sums if accesses[store].pattern in ATOMIC_PATTERNS]
    atomic = [op.operation for op in nested(body_of(analysis.loop)) if ATOMIC in op.operation.attributes]
    if any(add not in in_memory for add in atomic):
        raise NotVectorisable("sums that threads share would be worked on in a copy")


def _calls_functions(analysis: LaneAnalysis, deepest: int) -> bool:
    """Whether the lanes call functions such as exp where LLVM would call them one by one.

    That is outside the innermost loops, and in those that step along a stride.
    """
    called = [op for op in nested(body_of(analysis.loop)) if op_name(op) in COSTLY or op_name(op) == "soac.fn"]
    return any(
        analysis.of(op.operation.results[0])
        and (loops_between(op, analysis.loop) < deepest or _steps_along_a_stride(op.operation.parent))
        for op in called
    )


def _steps_along_a_stride(loop: ir.Operation) -> bool:
    """Whether iterations of a loop that follow each other read elements that do not lie side by side."""
    if op_name(loop) != "scf.for":
        return False
    return any(is_across(op) for op in body_of(loop).operations if op_name(op) == "memref.load")


def _classify_one(op: ir.Operation, analysis: LaneAnalysis, deepest: int, calls_functions: bool) -> Access:
    buffer, lanes = memref_of(op), [analysis.of(index) for index in indices_of(op)]
    depth = loops_between(op, analysis.loop)
    if analysis.has_own_lanes(buffer):
        return Access(op, Pattern.PICKED if any(lanes) else Pattern.PRIVATE, depth)
    if not any(lanes):
        return Access(op, Pattern.SHARED, depth)
    if lanes.count(Lanes.LINEAR) == 1 and Lanes.VARYING not in lanes and not _holds_bools(buffer):
        axis = lanes.index(Lanes.LINEAR)
        if axis == len(lanes) - 1 and last_stride(buffer) == 1:
            return Access(op, Pattern.CONTIGUOUS, depth, axis)
        is_worth_copying = deepest > len(lanes) - 1 or calls_functions
        if is_worth_copying and _can_pack(op, axis, analysis.loop):
            return Access(op, Pattern.PACKED, depth, axis)
        may_have_panels = depth == deepest and analysis.may_run_together
        panel = Panel.of(op, axis, analysis.loop, analysis.loop) if may_have_panels else None
        if panel is not None:
            return Access(op, Pattern.PANEL, depth, axis, panel)
    return Access(op, Pattern.GATHERED, depth)


def _can_pack(op: ir.Operation, axis: int, loop: ir.Operation) -> bool:
    """Whether a copy of the block can stand for what `op` touches: an outer array at the loop's variable."""
    if indices_of(op)[axis] != body_of(loop).arguments[0]:
        return False
    owner = memref_of(op).owner
    definition = owner.owner if isinstance(owner, ir.Block) else owner
    return not is_inside(definition, loop) and definition.operation != loop.operation


def _holds_bools(buffer: ir.Value) -> bool:
    return ir.MemRefType(buffer.type).element_type == ir.IntegerType.get_signless(1)


def last_stride(buffer: ir.Value) -> int:
    """How far apart neighbours along the last axis lie in memory."""
    strides, _ = ir.MemRefType(buffer.type).get_strides_and_offset()
    return strides[-1] if strides else 1
