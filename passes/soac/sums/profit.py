"""Whether sums are better computed element by element than added up in memory."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.soac.sums.contributions import index_of
from tapeless.passes.soac.sums.turned_places import REMAINDERS

READ = "tensor.extract"
LOOPS = frozenset({"soac.map", "soac.fused"})
NEST = frozenset({"soac.map", "soac.reduce", "tensor.extract_slice", "soac.transpose", "soac.reverse", "tensor.cast"})
MOST_OPERATIONS = 8


def is_worth_reducing(sums: ir.Value, accumulation: ir.OpView, most_operations: int = MOST_OPERATIONS) -> bool:
    """Whether a nest of maps around reductions does little per term and reads every array more than once.

    Its terms are computed once per element and summand, also those parts that the accumulation computed in an outer
    loop: they must be simple arithmetic. If some array has one element per term (the matrix of a product with a
    vector), reading it in the order of memory counts more than where the sums are kept. And when it takes loops around
    the accumulation to read arrays more than once, it must be all they do: in a larger body it is best merged with the
    loops beside it, which compute what it adds.
    """
    operations = list(_nested(sums.owner))
    names = [op.operation.name for op in operations]
    if any(not _is_simple(op) for op in operations):
        return False
    if sum(name in CHEAP for name in names) > most_operations:
        return False
    if "soac.reduce" not in names:
        return True
    around = _loops_around(accumulation)
    own = {index_of(op) for op in operations if op.operation.name in LOOPS}
    summed = [index_of(op) for op in operations if op.operation.name in LOOPS and _is_summed(op)]
    reads = [op for op in operations if op.operation.name == READ]
    read = [_dependence(list(op.operands), around) for op in reads if not _runs_along(op, summed[-1:])]
    for count in range(len(around) + 1):
        loops = own | {index_of(loop) for loop in around[:count]}
        if not any(indices >= loops for indices in read):
            return not count or _is_alone_in(accumulation, around[count - 1])
    return False


def _is_simple(op: ir.OpView) -> bool:
    """Whether an operation is cheap, part of a nest, a read, or finds a place."""
    name = op.operation.name
    if name in REMAINDERS:
        return isinstance(op.results[0].type, ir.IndexType)
    return name in CHEAP or name in FREE or name in NEST or name == READ


def _is_summed(loop: ir.OpView) -> bool:
    """Whether nothing but sums reads the results of a map."""
    return all(use.owner.operation.name == "soac.reduce" for result in loop.results for use in result.uses)


def _runs_along(read: ir.OpView, summed: list[ir.Value]) -> bool:
    """Whether one summand after the other lies side by side in memory."""
    places = list(read.operands)[1:]
    return bool(places) and places[-1] in summed


def _nested(op: ir.OpView) -> Iterator[ir.OpView]:
    yield op
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from _nested(inner)


def _loops_around(op: ir.OpView) -> list[ir.OpView]:
    """The operators whose bodies an operation is in, inner ones first, as far as nothing sequential comes between."""
    found: list[ir.OpView] = []
    holder = op.operation.parent
    while holder.operation.name in LOOPS or holder.operation.name == "soac.with_acc":
        if holder.operation.name in LOOPS:
            found.append(holder.opview)
        holder = holder.operation.parent
    return found


def _is_alone_in(op: ir.OpView, outermost: ir.OpView) -> bool:
    """Whether the bodies from an operation out to a loop around it hold no other operators that make something."""
    here = op.operation
    while here != outermost.operation:
        operators = [each.operation for each in here.block.operations if len(each.regions) and len(each.results)]
        if any(each != here for each in operators):
            return False
        here = here.parent.operation
    return True


def _dependence(values: list[ir.Value], around: list[ir.OpView]) -> set[ir.Value]:
    """The indices of the loops on which values depend; a result of an operator depends on all loops around it."""
    found: set[ir.Value] = set()
    pending, seen = list(values), set(values)
    while pending:
        value = pending.pop()
        sources: list[ir.Value] = []
        if isinstance(value, ir.BlockArgument):
            loop = value.owner.owner
            if loop.operation.name in LOOPS:
                found.add(index_of(loop))
                sources = [loop.operands[value.arg_number]] if value.arg_number else []
        elif len(value.owner.regions):
            found.update(index_of(loop) for loop in around if _is_in(value.owner, loop))
        else:
            sources = list(value.owner.operands)
        pending.extend(source for source in sources if source not in seen)
        seen.update(sources)
    return found


def _is_in(op: ir.OpView, loop: ir.OpView) -> bool:
    holder = op.operation.parent
    while holder is not None and holder.operation != loop.operation:
        holder = holder.operation.parent
    return holder is not None
