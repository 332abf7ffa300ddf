"""What LLVM is told about loops: not to unroll those of unknown length, and whose iterations are independent.

Independence is an access group, put on a loop before its conversion and on its loads and stores after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.llvm.independence import is_independent

ATTRIBUTE = "loop_annotation"
MEMORY = frozenset({"llvm.load", "llvm.store"})
GROUP = "#llvm.access_group<id = distinct[0]<>>"
UNROLL = "unroll = <runtimeDisable = true>"
SUMMING = f"#llvm.loop_annotation<{UNROLL}>"
MAPPING = f"#llvm.loop_annotation<{UNROLL}, interleave = <count = 1 : i32>>"
INDEPENDENT = f"#llvm.loop_annotation<{UNROLL}, interleave = <count = 1 : i32>, parallelAccesses = {GROUP}>"
# Of loops over the results of blocks, which are few: copies of them for vectors would only make more code.
SCALAR = "vectorize = <width = 1 : i32>, interleave = <count = 1 : i32>"
# Of loops that are to be made vectors of as loops: unrolled at once, they would be summed in an order of their context.
AS_A_LOOP = "#llvm.loop_annotation<unroll = <disable = true>>"
SHORT = f"#llvm.loop_annotation<{SCALAR}, unroll = <disable = true>>"


@dataclass(frozen=True)
class LoopHints:
    """The annotations of loops; those of independent iterations name the access groups of their loads and stores."""

    summing: ir.Attribute
    mapping: ir.Attribute
    independent: ir.Attribute
    groups: ir.Attribute

    @staticmethod
    def make() -> LoopHints:
        """New hints, with an access group of their own."""
        return LoopHints(*ir.ArrayAttr(ir.Attribute.parse(f"[{SUMMING}, {MAPPING}, {INDEPENDENT}, [{GROUP}]]")))

    def of(self, loop: ir.Operation) -> ir.Attribute:
        """The hint for a loop; only loops that carry values gain from several vectors at a time."""
        if len(loop.results):
            return self.summing
        return self.independent if is_independent(loop) else self.mapping


def annotate_loops(module: ir.Module, hints: LoopHints) -> list[ir.Operation]:
    """Annotates every loop that has no annotation; gives back all loops, inner ones first."""
    loops: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "scf.for":
            loops.append(op)
            if ATTRIBUTE not in op.attributes:
                op.attributes[ATTRIBUTE] = hints.of(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return loops


def mark_accesses(function: ir.Operation, hints: LoopHints) -> None:
    """Puts the loads and stores of every loop of independent iterations into its access groups."""
    blocks = list(function.regions[0].blocks)
    for end, block in enumerate(blocks):
        branch = block.operations[len(block.operations) - 1].operation
        if branch.name != "llvm.br" or ATTRIBUTE not in branch.attributes:
            continue
        if branch.attributes[ATTRIBUTE] == hints.independent:
            start = blocks.index(branch.successors[0])
            _put_into(hints.groups, blocks[start : end + 1])


def _put_into(groups: ir.Attribute, blocks: Sequence[ir.Block]) -> None:
    """Marks the loads and stores of a loop, whose blocks follow each other from its header to its end."""
    for block in blocks:
        for op in block.operations:
            if op.operation.name in MEMORY:
                op.operation.attributes["access_groups"] = groups
