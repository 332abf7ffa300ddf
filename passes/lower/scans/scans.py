"""Scans: one loop, or for large arrays pieces whose prefixes start from the totals of the pieces before."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.blocks import begin_if_small, can_block
from tapeless.passes.lower.loops.bulk import Lowered, end_loop, end_region, scalars, start_running
from tapeless.passes.lower.loops.bulk import with_scalars as with_carried
from tapeless.passes.lower.loops.emitter import Emitter, can_trap
from tapeless.passes.lower.loops.work import cost
from tapeless.passes.lower.scans.scan_pieces import LARGEST_AT_ONCE, scan_in_pieces
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.storage.places import destination
from tapeless.passes.lower.storage.tree import Node

LARGEST_OPERATOR = 12


def emit_scan(emitter: Emitter, node: Node) -> None:
    op = node.op
    scan = Scan(
        emitter,
        node,
        [emitter.view(array) for array in op.inputs],
        [destination(emitter, result) if emitter.plan.tree.uses[result] else None for result in node.results],
        emitter.index(op.width),
        ir.BoolAttr(op.exclusive).value,
        ir.BoolAttr(op.reverse).value,
    )
    running = start_running(emitter, node, 0, op.neutral)
    is_small = isinstance(scan.width, int) and scan.width <= LARGEST_AT_ONCE
    if is_small or not emitter.is_outermost or not can_block(node, 0, running) or not is_light(node):
        scan_at_once(scan, running)
        return
    branch = begin_if_small(emitter, scan.width, LARGEST_AT_ONCE)
    scan_at_once(scan, running)
    end_region(emitter)
    emitter.forget(node)
    emitter.builder.push(branch, 1, [], is_branch=True)
    scan_in_pieces(scan, scalars(running))
    end_region(emitter)


def is_light(node: Node) -> bool:
    """Whether the operator is small enough to run on the lanes of vectors, several times for each."""
    operations = node.regions[0][:-1]
    is_arithmetic = all(inner.name.startswith("arith.") and not can_trap(inner.op) for inner in operations)
    return is_arithmetic and cost(operations) <= LARGEST_OPERATOR


def scan_at_once(scan: Scan, running: Sequence[Lowered]) -> None:
    loop = scan.emitter.builder.begin_for(0, scan.width, starts=scalars(running))
    following = scan.advance(with_carried(running, loop.carried), loop.variable, running)
    end_loop(scan.emitter, scan.node.terminator, scalars(following))


RULES = {"soac.scan": emit_scan}
