"""Which loops write results that are too large for the caches and that nothing reads until the call is over."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.abi import ATTRIBUTE as ABI
from tapeless.passes.ir.costs import calls_function
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.vectorise.accesses import Pattern, classify
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, NotVectorisable
from tapeless.passes.lower.vectorise.plan import LanePlan, is_parallel, widest_bits
from tapeless.passes.lower.vectorise.sums.summed import SummedValues
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    counts_by_one,
    indices_of,
    is_inside,
    memref_of,
    nested,
    op_name,
)

READABLE = (Pattern.SHARED, Pattern.CONTIGUOUS)
KNOWN_USES = ("memref.load", "memref.store", "memref.dim", "vector.load", "vector.store")


def plan_stream(loop: ir.Operation, vector_bits: int) -> LanePlan:
    """How lanes run an innermost loop that only writes results; raises NotVectorisable for all others."""
    body = list(nested(body_of(loop)))
    _require(is_parallel(loop) and counts_by_one(loop) and constant_int(loop.operation.operands[0]) == 0, "its bounds")
    _require(not any(len(op.operation.regions) for op in body), "it has loops or branches inside")
    _require(not calls_function(loop.operation), "functions take longer than memory")
    analysis = LaneAnalysis(loop)
    accesses = classify(analysis)
    _require(all(access.pattern in READABLE for access in accesses.values()), "lanes reach memory in another way")
    written = [op for op in accesses if op_name(op) == "memref.store"]
    _require(bool(written) and not analysis.accumulations.by_store, "it writes nothing")
    for store in written:
        _require_result(store, loop)
    lanes = vector_bits // widest_bits(body)
    return LanePlan(loop, analysis, accesses, [], SummedValues(analysis, accesses), lanes, lanes, lanes)


def written_arrays(plan: LanePlan) -> list[ir.Value]:
    """The results that a planned loop writes, each once."""
    return list(dict.fromkeys(memref_of(op) for op in plan.accesses if op_name(op) == "memref.store"))


def _require_result(store: ir.Operation, loop: ir.Operation) -> None:
    """A store has to fill a result of rank 1 from its beginning, of which nothing is read in the loop or after it."""
    array, variable = memref_of(store), body_of(loop).arguments[0]
    _require(isinstance(array, ir.BlockArgument) and ABI in array.owner.owner.attributes, "it writes temporaries")
    _require(indices_of(store) == [variable], "it writes a part of a result")
    users = [use.owner for use in array.uses]
    _require(all(op_name(user) in KNOWN_USES for user in users), "a result is used under another name")
    inside = [user for user in users if is_inside(user, loop)]
    _require(all(op_name(user) == "memref.store" for user in inside), "it reads a result")
    _require(not any(_comes_after(user, loop) for user in users if user not in inside), "a result is read later")


def _comes_after(op: ir.Operation, loop: ir.Operation) -> bool:
    """Whether `op` may run after `loop`: it follows in a block around, or a loop around both runs it again."""
    place = loop.operation
    while op_name(place) != "func.func":
        if op_name(place.parent) in ("scf.for", "scf.while"):
            return True
        following = list(place.block.operations)
        following = following[1 + next(k for k, other in enumerate(following) if other.operation == place) :]
        if any(other.operation == op.operation or is_inside(op, other) for other in following):
            return op_name(op) != "memref.dim"
        place = place.parent.operation
    return False


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise NotVectorisable(f"not a stream: {otherwise}")
