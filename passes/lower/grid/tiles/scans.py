"""Scans, and scans fused with a map and reductions, as cascades of one stage."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Tiles
from tapeless.passes.lower.blocks.copies import element_type
from tapeless.passes.lower.grid.tiles.cascades import Cascade, Prefix, Stage
from tapeless.passes.lower.grid.tiles.in_block import Join, Numbers, Operator
from tapeless.passes.lower.grid.tiles.shape import Shape
from tapeless.passes.lower.loops.bulk import bind_elements, combine, element, scalars, store_prefixes
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import store
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.schedule.bodies import combines_in_any_order
from tapeless.passes.lower.schedule.work import cost
from tapeless.passes.lower.storage.tree import Node


def scan_by_tiles(scan: Scan, _: Tiles) -> None:
    """A scan of scalars."""
    emitter, operator = scan.emitter, operator_of(scan)

    def load(position: ir.Value, _: bool) -> Numbers:
        return scalars([element(emitter.builder, view, position) for view in scan.inputs])

    def deliver(position: ir.Value, _: Numbers, prefixes: Sequence[Prefix]) -> None:
        before, after = prefixes[0]
        store_prefixes(emitter, before if scan.exclusive else after, scan.targets, position)

    types = [value.type for value in operator.neutral]
    shape = Shape.of(types, types, cost(scan.node.regions[0]))
    Cascade(emitter, scan.width, shape, operator.neutral, load, [Stage(operator, _as_loaded)], deliver).run()


def operator_of(scan: Scan) -> Operator:
    """The operator of a scan of scalars on tuples in the order of its steps."""

    def join(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> Numbers:
        return in_order(right, left) if scan.backwards else in_order(left, right)

    in_order = _joins(scan.emitter, scan.node, 0)
    return Operator(scalars(scan.running), join, scan.backwards, combines_in_any_order(scan.node, 0))


def _as_loaded(_: ir.Value, loaded: Numbers, __: Sequence[Prefix]) -> Numbers:
    return loaded


def fused_scan_by_tiles(opened: Reduction, _: Tiles) -> Numbers:
    """A scan fused with a map and reductions; gives the reduced scalars, then prefixes that nobody reads."""
    emitter, node = opened.emitter, opened.node
    reduced, scanned = len(opened.running), len(opened.prefixes)
    sums, neutral = opened.starts[:reduced], opened.starts[reduced:]
    rows = range(reduced + scanned, len(node.terminator.operands))

    def load(position: ir.Value, is_last: bool) -> Numbers:
        """The lifted values of the map, whose own results are stored by the way."""
        emitter.forget(node)
        index, *arguments = node.arguments()
        emitter.env[index] = position
        bind_elements(emitter, arguments, list(node.op.inputs), position)
        emitter.emit_block(node.regions[0])
        if is_last:
            for number in rows:
                value = emitter.scalar(node.terminator.operands[number])
                store(emitter.builder, value, opened.targets[number - reduced], [position])
        return [emitter.scalar(value) for value in node.terminator.operands[: reduced + scanned]]

    def lift(_: ir.Value, loaded: Numbers, __: Sequence[Prefix]) -> Numbers:
        return loaded[reduced:]

    def deliver(position: ir.Value, _: Numbers, prefixes: Sequence[Prefix]) -> None:
        store_prefixes(emitter, prefixes[0][1], opened.targets[:scanned], position)

    operator = Operator(neutral, _joins(emitter, node, 2), is_commutative=combines_in_any_order(node, 2))
    accessed = [element_type(view) for view in opened.targets]
    shape = Shape.of(accessed, [value.type for value in opened.starts], cost(node.regions[0]))
    summed = Operator(sums, _joins(emitter, node, 1)) if sums else None
    cascade = Cascade(
        emitter,
        opened.width,
        shape,
        opened.starts,
        load,
        [Stage(operator, lift)],
        deliver,
        summed,
        lambda loaded: loaded[:reduced],
    )
    return [*cascade.run(), *neutral]


def _joins(emitter: Emitter, node: Node, region: int) -> Join:
    def join(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> Numbers:
        emitter.forget(node)
        return scalars(combine(emitter, node, region, left, right, left))

    return join
