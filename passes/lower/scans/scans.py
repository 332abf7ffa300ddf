"""Scans: one loop, or for large arrays pieces whose prefixes start from the totals of the pieces before."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import IN_ORDER, InOrder, Pieces
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.loops.bulk import end_loop, scalars, start_running, with_scalars
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import destination
from tapeless.passes.lower.scans.scan_pieces import scan_in_pieces
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.storage.tree import Node


def open_scan(emitter: Emitter, node: Node) -> Scan:
    """A scan whose loops are still to be emitted."""
    op = node.op
    return Scan(
        emitter,
        node,
        [emitter.view(array) for array in op.inputs],
        [destination(emitter, result) if emitter.plan.tree.uses[result] else None for result in node.results],
        emitter.index(op.width),
        start_running(emitter, node, 0, op.neutral),
        ir.BoolAttr(op.exclusive).value,
        ir.BoolAttr(op.reverse).value,
    )


def scan_in_order(scan: Scan, _: InOrder) -> None:
    """One loop, a prefix in every iteration."""
    loop = scan.emitter.builder.begin_for(0, scan.width, starts=scalars(scan.running))
    following = scan.advance(with_scalars(scan.running, loop.carried), loop.variable, scan.running)
    end_loop(scan.emitter, scan.node.terminator, scalars(following))


def scan_by_size(scan: Scan, schedule: Pieces) -> None:
    """Pieces, unless the scan turns out to be short."""
    few_or_many(
        scan.emitter,
        scan.width,
        schedule.at_once,
        lambda: scan_in_order(scan, IN_ORDER),
        lambda: scan_in_pieces(scan, schedule),
        both_emit=scan.node,
    )
