"""How many registers a value takes in the wide blocks of a loop.

Wide blocks are for loops that sum over their lanes: the more lanes, the fewer sums. What the deepest loops keep from
one iteration to the next must fit into the registers of the processor, or every iteration would store and load it. And
where an iteration is long, one sum more or less does not matter, but the code would grow with the width.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, Lanes
from tapeless.passes.lower.vectorise.sums.summed import SummedValues
from tapeless.passes.lower.vectorise.walking import body_of, is_made_in, loops_between, nested, op_name
from tapeless.passes.lower.vectorise.weight import weight

# How many vector registers there are, by their width in bits.
REGISTERS = {128: 32, 256: 16, 512: 32}
# The longest iteration of a deepest loop, and of the whole loop, in instructions.
LONGEST_ITERATION = 64
LONGEST_LOOP = 1024


def registers(vector_bits: int) -> int:
    """How many registers of a width a processor has at least."""
    return REGISTERS.get(vector_bits, min(REGISTERS.values()))


def registers_per_value(analysis: LaneAnalysis, summed: SummedValues, vector_bits: int, narrow: int, wide: int) -> int:
    """As many as `wide`, or half of it and so on, so that the deepest loops stay short and in registers."""
    if not summed:
        return narrow
    inner = _deepest_loops(analysis.loop)
    kept = 1 + max((_kept(loop, analysis, summed) for loop in inner), default=0)
    longest = max((weight(loop, analysis, summed) for loop in inner), default=0)
    limits = (
        (kept, registers(vector_bits)),
        (longest, LONGEST_ITERATION),
        (weight(analysis.loop, analysis, summed), LONGEST_LOOP),
    )
    while wide > narrow and any(size * wide > limit for size, limit in limits):
        wide //= 2
    return max(wide, narrow)


def _deepest_loops(loop: ir.Operation) -> list[ir.Operation]:
    inner = [op for op in nested(body_of(loop)) if op_name(op) == "scf.for"]
    deepest = max((loops_between(op, loop) for op in inner), default=0)
    return [op for op in inner if loops_between(op, loop) == deepest]


def _kept(loop: ir.Operation, analysis: LaneAnalysis, summed: SummedValues) -> int:
    """How many vectors one iteration of `loop` finds as the one before has left them."""
    carried = arguments_of(loop, "carried")
    read = {value for op in nested(body_of(loop)) for value in op.operation.operands if not is_made_in(value, loop)}
    vectors = [value for value in (*carried, *read) if analysis.of(value) is Lanes.VARYING]
    return sum(value not in summed.carried for value in vectors)
