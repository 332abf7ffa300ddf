"""Loops and branches around values: `scf.for`, `scf.while`, `scf.if`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir

Values = Sequence[ir.Value]
Step = Callable[[ir.Value, Values], Values]


def counted(start: ir.Value, stop: ir.Value, step: ir.Value, carried: Values, body: Step) -> list[ir.Value]:
    """`scf.for` over `index` bounds; `body(counter, carried)` gives the carried values."""
    types = [value.type for value in carried]
    loop = ir.Operation.create("scf.for", types, [start, stop, step, *carried], regions=1)
    block = _block(loop.regions[0], [ir.IndexType.get(), *types])
    with ir.InsertionPoint(block):
        ends = body(block.arguments[0], list(block.arguments)[1:])
        ir.Operation.create("scf.yield", [], list(ends))
    return list(loop.results)


def repeated(
    carried: Values, condition: Callable[[Values], ir.Value], body: Callable[[Values], Values]
) -> list[ir.Value]:
    """`scf.while`: as long as the condition on the carried values holds, the body gives the next ones."""
    types = [value.type for value in carried]
    loop = ir.Operation.create("scf.while", types, list(carried), regions=2)
    before, after = (_block(region, types) for region in loop.regions)
    with ir.InsertionPoint(before):
        holds = condition(list(before.arguments))
        ir.Operation.create("scf.condition", [], [holds, *before.arguments])
    with ir.InsertionPoint(after):
        ir.Operation.create("scf.yield", [], list(body(list(after.arguments))))
    return list(loop.results)


def branched(
    condition: ir.Value, types: Sequence[ir.Type], then: Callable[[], Values], otherwise: Callable[[], Values]
) -> list[ir.Value]:
    """`scf.if` with results of given types."""
    choice = ir.Operation.create("scf.if", list(types), [condition], regions=2)
    for region, side in zip(choice.regions, (then, otherwise), strict=True):
        with ir.InsertionPoint(_block(region, [])):
            ir.Operation.create("scf.yield", [], list(side()))
    return list(choice.results)


def _block(region: ir.Region, types: Sequence[ir.Type]) -> ir.Block:
    return region.blocks.append(*types, arg_locs=[ir.Location.current] * len(types))
