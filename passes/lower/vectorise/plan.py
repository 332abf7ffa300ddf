"""Which loops run in lanes, and how wide."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.costs import calls_function
from tapeless.passes.ir.guards import is_guarded_branch
from tapeless.passes.lower.vectorise.accesses import (
    Access,
    Pattern,
    classify,
    is_across,
    refuse_copied_atomics,
    refuse_slow,
    refuse_torn,
)
from tapeless.passes.lower.vectorise.arms import refuse_unsafe_arms
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, NotVectorisable
from tapeless.passes.lower.vectorise.panels.panels import Panel
from tapeless.passes.lower.vectorise.sums.reductions import Reduction, carried_reductions
from tapeless.passes.lower.vectorise.sums.summed import SummedValues
from tapeless.passes.lower.vectorise.uneven import refuse_short, refuse_unsafe
from tapeless.passes.lower.vectorise.walking import body_of, buffer_of, counts_by_one, nested, op_name
from tapeless.passes.lower.vectorise.width import registers_per_value
from tapeless.passes.marks import ACCUMULATING, PARALLEL, REDUCING

# Relative cost of one access in an inner loop, by pattern.
ACCESS_COST = {
    Pattern.SHARED: 1,
    Pattern.PRIVATE: 1,
    Pattern.PICKED: 32,
    Pattern.CONTIGUOUS: 1,
    Pattern.PACKED: 2,
    Pattern.PANEL: 1,
    Pattern.TILE: 1,
    Pattern.GATHERED: 32,
}


@dataclass(frozen=True)
class LanePlan:
    """A loop that lanes can run: what its values, accesses and carried values are to them."""

    loop: ir.Operation
    analysis: LaneAnalysis
    accesses: dict[ir.Operation, Access]
    reductions: list[Reduction]
    summed: SummedValues
    register: int
    lanes: int
    wide: int
    jam: ir.Operation | None = None
    rows: int = 1

    def panels(self, pattern: Pattern) -> list[Panel]:
        """The packed copies that accesses of a pattern read."""
        copied = [access.panel for access in self.accesses.values() if access.pattern is pattern]
        return list(dict.fromkeys(panel for panel in copied if panel is not None))

    @property
    def reads_strided_panels(self) -> bool:
        """Whether some packed copy is a transposition."""
        return any(not panel.is_contiguous for panel in self.panels(Pattern.PANEL))

    @property
    def steps_along_strides(self) -> bool:
        """Whether the deepest loops find the elements of a lane a stride apart, and those of all lanes side by side."""
        deepest = max((access.depth for access in self.accesses.values()), default=0)
        found = {access.pattern for access in self.accesses.values() if access.depth == deepest > 0}
        return Pattern.CONTIGUOUS in found and found <= {Pattern.CONTIGUOUS, Pattern.SHARED}

    @property
    def goes_across(self) -> bool:
        """Whether lanes find neighbours where a deepest loop finds elements a stride apart."""
        deepest = max((access.depth for access in self.accesses.values()), default=0)
        inner = [access for access in self.accesses.values() if access.depth == deepest > 0]
        return any(access.pattern is Pattern.CONTIGUOUS and is_across(access.op) for access in inner)

    @property
    def cost(self) -> int:
        """What memory accesses cost per iteration, deeper ones counting more."""
        return sum(ACCESS_COST[access.pattern] * 16**access.depth for access in self.accesses.values())

    @property
    def may_repeat(self) -> bool:
        """Whether running an iteration twice changes nothing but sums: nothing else that it writes is read."""
        sums = self.analysis.accumulations.by_store
        written = {buffer_of(op) for op in self.accesses if op_name(op) == "memref.store" and op not in sums}
        read = {buffer_of(op) for op in self.accesses if op_name(op) == "memref.load"}
        return not any(buffer in read and buffer not in self.analysis.private for buffer in written)


def is_parallel(loop: ir.Operation) -> bool:
    """Whether the lowering said that the loop's iterations are independent, but for marked sums."""
    marks = loop.operation.attributes
    return op_name(loop) == "scf.for" and (PARALLEL in marks or ACCUMULATING in marks)


def plan_loop(loop: ir.Operation, vector_bits: int, unroll: int, wide: int) -> LanePlan:
    """How to run `loop` in lanes; raises NotVectorisable when it cannot or should not be."""
    body = list(nested(body_of(loop)))
    is_innermost = not any(op_name(op) in ("scf.for", "scf.while") for op in body)
    # LLVM leaves loops with branches alone, and chooses another order for sums.
    is_guarded_map = not len(loop.operation.results) and any(map(is_guarded_branch, body))
    is_scattering = ACCUMULATING in loop.operation.attributes and calls_function(loop.operation)
    if is_innermost and not is_guarded_map and not is_scattering:
        raise NotVectorisable("the loop has no inner loop; LLVM vectorises it")
    if not counts_by_one(loop):
        raise NotVectorisable("the loop does not count by one")
    analysis = LaneAnalysis(loop)
    reductions = carried_reductions(loop)
    accesses = classify(analysis)
    refuse_slow(accesses)
    refuse_torn(accesses)
    refuse_copied_atomics(analysis, accesses)
    refuse_unsafe(analysis, accesses)
    refuse_unsafe_arms(analysis, accesses)
    if not is_parallel(loop) and REDUCING not in loop.operation.attributes:
        _require_disjoint_writes(accesses)
    register = vector_bits // widest_bits(body)
    summed = SummedValues(analysis, accesses)
    refuse_short(analysis, summed)
    if is_innermost and not is_guarded_map:
        _require_scattered_sums(analysis, accesses)
        return LanePlan(loop, analysis, accesses, reductions, summed, register, register, register)
    # The more lanes, the longer they wait for the last one, and the sooner copies that they pick from leave the caches.
    if analysis.uneven or (_picks(accesses) and any(map(_has_unknown_sizes, analysis.private))):
        wide = unroll
    widths = register * unroll, register * registers_per_value(analysis, summed, vector_bits, unroll, wide)
    return LanePlan(loop, analysis, accesses, reductions, summed, register, *widths)


def _picks(accesses: dict[ir.Operation, Access]) -> bool:
    return any(access.pattern is Pattern.PICKED for access in accesses.values())


def _has_unknown_sizes(buffer: ir.Value) -> bool:
    """Whether a buffer has several axes of unknown sizes, as the states of an array that a loop stores."""
    type_ = ir.MemRefType(buffer.type)
    return sum(type_.is_dynamic_dim(axis) for axis in range(type_.rank)) > 1


def _require_disjoint_writes(accesses: dict[ir.Operation, Access]) -> None:
    """A loop that only sums must not pass values between iterations through memory."""
    for op, access in accesses.items():
        if op_name(op) == "memref.store" and access.pattern is not Pattern.PRIVATE:
            raise NotVectorisable("a loop that carries values also writes memory")


def _require_scattered_sums(analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> None:
    """An innermost loop is for LLVM, but for sums into elements that lanes may share."""
    if all(accesses[store].pattern is not Pattern.GATHERED for store in analysis.accumulations.by_store):
        raise NotVectorisable("the loop has no inner loop and sums into neighbouring elements; LLVM vectorises it")


def widest_bits(body: list[ir.Operation]) -> int:
    """The width of the widest float that the body computes with."""
    is_f64 = any(isinstance(result.type, ir.F64Type) for op in body for result in op.operation.results)
    return 64 if is_f64 else 32
