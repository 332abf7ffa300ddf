"""Which loops of a thread repeat an inner loop that reads the same shared memory every time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.grid.block_launches import WORKGROUP
from tapeless.passes.lower.vectorise.walking import is_made_in

# More operations than these, and the registers of several iterations are too many.
MOST_INSIDE, MOST_AROUND = 12, 24


@dataclass(frozen=True)
class ReductionNest:
    """A loop that reduces, and the loop in its body, with the operations before and after it."""

    outer: ir.Operation
    before: list[ir.Operation]
    inner: ir.Operation
    after: list[ir.Operation]


def nest_of(outer: ir.Operation) -> ReductionNest | None:
    """The nest of a loop, if it only reduces the results of inner loops over rows of shared memory."""
    operations = _body(outer)
    loops = [op for op in operations if len(op.regions)]
    if not len(outer.results) or len(loops) != 1 or loops[0].name != "scf.for" or not len(loops[0].results):
        return None
    (inner,) = loops
    position = operations.index(inner)
    nest = ReductionNest(outer, operations[:position], inner, operations[position + 1 :])
    if len(operations) > MOST_AROUND or len(_body(inner)) > MOST_INSIDE:
        return None
    if not all(map(_only_reads, [*nest.before, *_body(inner), *nest.after])) or not _is_plain(nest):
        return None
    return nest if _reads_the_same(nest) else None


def _body(loop: ir.Operation) -> list[ir.Operation]:
    """The operations of a loop but for the last, which yields."""
    return [view.operation for view in loop.regions[0].blocks[0].operations][:-1]


def _only_reads(op: ir.Operation) -> bool:
    return op.name == "memref.load" or (op.name.startswith(COMPUTING) and not op.name.startswith(TRAPS))


COMPUTING = ("arith.", "math.", "llvm.intr.")
TRAPS = ("arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.ceildiv", "arith.floordiv")


def _is_plain(nest: ReductionNest) -> bool:
    """Whether iterations of the outer loop follow one by one, and inner loops know nothing of those before them."""
    outer, inner = nest.outer, nest.inner
    if constant_int(outer.operands[2]) != 1 or any(is_made_in(bound, outer) for bound in list(inner.operands)[:3]):
        return False
    carried = list(outer.regions[0].blocks[0].arguments)[1:]
    return not _depend([*nest.before, *_body(inner)], list(inner.operands)[3:], carried)


def _reads_the_same(nest: ReductionNest) -> bool:
    """Whether all inner loops read the same elements of shared memory, and each others of its own."""
    body = nest.inner.regions[0].blocks[0]
    own = _made_of([*nest.before, *_body(nest.inner)], [nest.outer.regions[0].blocks[0].arguments[0]])
    walked = _made_of(_body(nest.inner), [body.arguments[0]])
    loads = [op for op in _body(nest.inner) if op.name == "memref.load"]
    same = [op for op in loads if not own & {*op.operands} and walked & {*op.operands}]
    return len(same) < len(loads) and any(WORKGROUP in str(op.operands[0].type) for op in same)


def _depend(operations: Sequence[ir.Operation], values: Sequence[ir.Value], sources: Sequence[ir.Value]) -> bool:
    """Whether operations, or some values, are made of the sources."""
    made = _made_of(operations, sources)
    return any(made & {*op.operands} for op in operations) or bool(made & {*values})


def _made_of(operations: Sequence[ir.Operation], sources: Sequence[ir.Value]) -> set[ir.Value]:
    """The sources and their dependents, operations in order."""
    made = {*sources}
    for op in operations:
        if made & {*op.operands}:
            made |= {*op.results}
    return made
