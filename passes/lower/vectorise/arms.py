"""Branches that some lanes take and others do not, with loops or memory in them.

Such an arm runs where one of the lanes takes it, for all of them, so it must be harmless in those that do not:

- It reads elements that all lanes share, copies that each lane has, and elements along axes that an operator walks,
  which there are for all lanes (`tapeless.walks`).
- It writes to copies that each lane has alone, where the others keep what was there, and adds to elements that all
  lanes share, to which the others add nothing.
- It makes no buffers.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.accesses import Access, Pattern
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, NotVectorisable
from tapeless.passes.lower.vectorise.walking import indices_of, op_name
from tapeless.passes.marks import WALKS

READABLE = (Pattern.SHARED, Pattern.PRIVATE, Pattern.PACKED, Pattern.CONTIGUOUS, Pattern.GATHERED)


def refuse_unsafe_arms(analysis: LaneAnalysis, accesses: dict[ir.Operation, Access]) -> None:
    """Refuses a loop whose branches do what lanes that do not take them may not do."""
    for op, access in accesses.items():
        if not analysis.is_in_arm(op):
            continue
        if op_name(op) == "memref.load" and not _is_readable(access, analysis):
            raise NotVectorisable("lanes that do not take a branch would read elements that there may not be")
        if op_name(op) == "memref.store" and not _is_writable(access, analysis):
            raise NotVectorisable("lanes that do not take a branch would write to memory that they share")


def _is_readable(access: Access, analysis: LaneAnalysis) -> bool:
    attributes = access.op.operation.attributes
    walked = list(attributes[WALKS]) if WALKS in attributes else []
    varying = [axis for axis, index in enumerate(indices_of(access.op)) if analysis.of(index)]
    return access.pattern in READABLE and all(axis in walked for axis in varying)


def _is_writable(access: Access, analysis: LaneAnalysis) -> bool:
    if access.op.operation in analysis.accumulations.by_store:
        return access.pattern is Pattern.SHARED
    return access.pattern is Pattern.PRIVATE
