"""Which loops write results that are too large for the caches and that nothing reads until the call is over."""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import ir
from tapeless.abi import ATTRIBUTE as ABI
from tapeless.dataclasses_on_use import dataclass
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
    memref_of,
    op_name,
)

READABLE = (Pattern.SHARED, Pattern.CONTIGUOUS)
KNOWN_USES = ("memref.load", "memref.store", "memref.dim", "vector.load", "vector.store")


@dataclass
class ResultUses:
    """The uses of a result of the function: whether all are known, who reads it where, and where it is in use.

    `holders` are, for every block, the operations in it that use the result or hold such a use. A program has as many
    uses of a result as statements, in branches as deep: each is followed outwards once.
    """

    are_known: bool = True
    readers: dict[ir.Block, bool] = field(default_factory=dict)
    holders: dict[ir.Block, list[ir.Operation]] = field(default_factory=dict)

    @staticmethod
    def of(array: ir.Value) -> ResultUses:
        """Finds the uses of a result; what asks for its size does not use it."""
        uses = ResultUses()
        for user in [use.owner.operation for use in array.uses]:
            name = op_name(user)
            uses.are_known = uses.are_known and name in KNOWN_USES
            uses.readers[user.block] = uses.readers.get(user.block, False) or name != "memref.store"
            if name != "memref.dim":
                uses._enter(user)
        return uses

    def _enter(self, user: ir.Operation) -> None:
        """Takes note of a use and of the operations around it, up to one that is known."""
        place = user
        while op_name(place) != "func.func":
            known = self.holders.setdefault(place.block, [])
            if place in known:
                return
            known.append(place)
            place = place.parent.operation

    def come_after(self, loop: ir.Operation) -> bool:
        """Whether a use may run after a loop: it follows in a block around, or a loop around runs it again."""
        place = loop.operation
        while op_name(place) != "func.func":
            if op_name(place.parent) in ("scf.for", "scf.while"):
                return True
            if any(place.is_before_in_block(holder) for holder in self.holders.get(place.block, ())):
                return True
            place = place.parent.operation
        return False


def plan_stream(loop: ir.Operation, vector_bits: int, results: dict[ir.Value, ResultUses]) -> LanePlan:
    """How lanes run an innermost loop that only writes results; raises NotVectorisable for all others.

    `results` are the uses that were found for other loops.
    """
    _require(is_parallel(loop) and counts_by_one(loop) and constant_int(loop.operation.operands[0]) == 0, "its bounds")
    body = list(body_of(loop).operations)
    _require(not any(len(op.operation.regions) for op in body), "it has loops or branches inside")
    stores = [op for op in body if op_name(op) == "memref.store"]
    _require(all(_fills_a_result(memref_of(store)) for store in stores), "it writes temporaries")
    _require(not calls_function(loop.operation), "functions take longer than memory")
    analysis = LaneAnalysis(loop)
    accesses = classify(analysis)
    _require(all(access.pattern in READABLE for access in accesses.values()), "lanes reach memory in another way")
    written = [op for op in accesses if op_name(op) == "memref.store"]
    _require(bool(written) and not analysis.accumulations.by_store, "it writes nothing")
    for store in written:
        _require_result(store, loop, results)
    lanes = vector_bits // widest_bits(body)
    return LanePlan(loop, analysis, accesses, [], SummedValues(analysis, accesses), lanes, lanes, lanes)


def written_arrays(plan: LanePlan) -> list[ir.Value]:
    """The results that a planned loop writes, each once."""
    return list(dict.fromkeys(memref_of(op) for op in plan.accesses if op_name(op) == "memref.store"))


def _fills_a_result(array: ir.Value) -> bool:
    return isinstance(array, ir.BlockArgument) and ABI in array.owner.owner.attributes


def _require_result(store: ir.Operation, loop: ir.Operation, results: dict[ir.Value, ResultUses]) -> None:
    """A store has to fill a result of rank 1 from its beginning, of which nothing is read in the loop or after it."""
    array, body = memref_of(store), body_of(loop)
    _require(indices_of(store) == [body.arguments[0]], "it writes a part of a result")
    if array not in results:
        results[array] = ResultUses.of(array)
    uses = results[array]
    _require(uses.are_known, "a result is used under another name")
    _require(not uses.readers.get(body), "it reads a result")
    _require(not uses.come_after(loop), "a result is read later")


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise NotVectorisable(f"not a stream: {otherwise}")
