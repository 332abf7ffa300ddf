"""What histograms read and write: some bin per iteration."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.lower.storage.plan_check.bindings import key_of
from tapeless.passes.lower.storage.plan_check.control_rules import looks
from tapeless.passes.lower.storage.plan_check.events import WRITE_LATER, Events, Recorder, Write, time
from tapeless.passes.lower.storage.plan_check.places import Spot
from tapeless.passes.lower.storage.tree import Node


def updated_bins(record: Recorder, node: Node, dests: list[ir.Value], end: Node) -> Events:
    """Results that start as copies of `dests`, or in their memory, and are written at keys."""
    for dest, result in zip(dests, node.results, strict=True):
        yield from record.moved(node, dest, result)

        def bin_of(result: ir.Value = result) -> Spot:
            return record.spots.spot(result).at(key_of(node))

        yield Write(time(end, WRITE_LATER), end, result, bin_of)


def hist(record: Recorder, node: Node) -> Events:
    end = node.regions[0][-1]
    yield from updated_bins(record, node, list(node.op.dests), end)
    yield record.element(node, node.op.keys)
    count = len(node.op.dests)
    yield from record.rows(node, list(node.op.values), node.arguments()[count:])
    yield from looks(record, end)


def fused_hist(record: Recorder, node: Node) -> Events:
    yield from updated_bins(record, node, list(node.op.dests), node.regions[1][-1])
    yield from record.rows(node, list(node.op.inputs), arguments_of(node.op, "inputs"))
