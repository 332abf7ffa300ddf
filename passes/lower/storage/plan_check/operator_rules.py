"""What bulk operators read and write: elements when an iteration begins, results when it ends."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.lower.storage.aliasing import operator_arguments
from tapeless.passes.lower.storage.plan_check.bindings import key_of
from tapeless.passes.lower.storage.plan_check.control_rules import looks
from tapeless.passes.lower.storage.plan_check.events import (
    END,
    READ,
    WRITE_LATER,
    Events,
    Recorder,
    Same,
    Write,
    begin_of,
    end_of,
    time,
)
from tapeless.passes.lower.storage.plan_check.iterations import iteration
from tapeless.passes.lower.storage.plan_check.places import Spot
from tapeless.passes.lower.storage.tree import Node


def map_(record: Recorder, node: Node) -> Events:
    inputs, accs = list(node.op.inputs), list(node.op.accs)
    yield from record.rows(node, inputs, arguments_of(node.op, "inputs"))
    arrays = len(node.results) - len(accs)
    for value, result in zip(node.terminator.operands[:arrays], node.results[:arrays], strict=True):
        yield from record.into_row(node, value, result, node.terminator)
    sums = zip(accs, arguments_of(node.op, "accs"), node.results[arrays:], strict=True)
    for number, (acc, argument, result) in enumerate(sums, arrays):
        yield record.read(node, acc)
        yield Same(time(node, READ), node, acc, argument)
        yield Same(end_of(node), node, acc, result)
        yield record.read(node.terminator, node.terminator.operands[number])


def running(record: Recorder, node: Node, region: int, neutral: list[ir.Value]) -> Events:
    """Arrays that an operator combines: they start as copies of the neutral ones and end where they were."""
    if not node.regions[region]:
        return
    end = node.regions[region][-1]
    for argument, start, value in zip(operator_arguments(node, region)[0], neutral, end.operands, strict=True):
        if record.spots.is_array(argument):
            yield from record.moved(node, start, argument)
            yield from record.moved(end, value, argument)


def reduce(record: Recorder, node: Node) -> Events:
    yield from running(record, node, 0, list(node.op.neutral))
    arguments, elements = operator_arguments(node, 0)
    yield from record.rows(node, list(node.op.inputs), elements)
    yield from same_as_running(record, node, arguments, node.results)


def same_as_running(record: Recorder, node: Node, arguments: list[ir.Value], results: list[ir.Value]) -> Events:
    for argument, result in zip(arguments, results, strict=True):
        if record.spots.is_array(result):
            yield Same(end_of(node), node, argument, result)


def scan(record: Recorder, node: Node) -> Events:
    yield from running(record, node, 0, list(node.op.neutral))
    yield from record.rows(node, list(node.op.inputs), operator_arguments(node, 0)[1])
    first, end = node.regions[0][0], node.terminator
    is_early = ir.BoolAttr(node.op.exclusive).value
    for result in node.results:
        if is_early:
            yield from prefix(record, node, first, begin_of(first) + 1, result)
        else:
            yield from prefix(record, node, end, time(end, END), result)


def prefix(record: Recorder, node: Node, where: Node, when: int, result: ir.Value) -> Events:
    """A running value is copied to its row of the result, if anything reads that."""
    if record.plan.tree.uses[result]:
        yield Write(when, where, result, lambda: record.spots.spot(result).at(iteration(node)))


def fused(record: Recorder, node: Node) -> Events:
    op = node.op
    reduced, scanned = len(op.reduce_neutral), len(op.scan_neutral)
    yield from record.rows(node, list(op.inputs), arguments_of(op, "inputs"))
    yield from running(record, node, 1, list(op.reduce_neutral))
    yield from running(record, node, 2, list(op.scan_neutral))
    last = next(nodes for nodes in reversed(node.regions) if nodes)[-1]
    if reduced:
        yield from same_as_running(record, node, operator_arguments(node, 1)[0], node.results[:reduced])
    for result in node.results[reduced : reduced + scanned]:
        yield from prefix(record, node, last, time(last, END), result)
    for number in range(reduced + scanned, len(node.results)):
        yield from record.into_row(node, node.terminator.operands[number], node.results[number], last)


def with_acc(record: Recorder, node: Node) -> Events:
    count = len(node.operands)
    for dest, argument in zip(node.operands, node.arguments(), strict=True):
        yield from record.moved(node, dest, argument)
    for number, (value, result) in enumerate(zip(node.terminator.operands, node.results, strict=True)):
        if number < count:
            yield record.read(node.terminator, value)
            yield Same(end_of(node), node, value, result)
        elif record.spots.is_array(result):
            yield from record.moved(node.terminator, value, result)


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
