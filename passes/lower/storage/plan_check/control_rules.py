"""What loops and branches read and write: the arrays that they carry and choose."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.storage.aliasing import Carry
from tapeless.passes.lower.storage.plan_check.events import (
    ARGUMENTS,
    READ,
    READ_LATER,
    WRITE,
    Events,
    Recorder,
    Same,
    Taken,
    end_of,
    time,
)
from tapeless.passes.lower.storage.tree import Node

COPIED = 2
"""When an argument that is taken over has been copied, if it must stay."""


def carried(
    record: Recorder,
    node: Node,
    number: int,
    arguments: list[ir.Value],
    start: ir.Value,
    following: ir.Value,
    end: Node,
) -> Events:
    """An array that a loop carries, from its start to the value that an iteration hands on.

    That lies where the array itself was, or where another one was whose buffer moves on, or is put into a spare or new
    one. In the next iteration nobody else may have the same memory. Buffers may begin in a place where some result of
    the loop ends, so starts are read when these are written already.
    """
    argument, carry = arguments[number], record.plan.carries[node, number]
    yield from record.moved(node, start, argument, READ if carry is Carry.IN_PLACE else ARGUMENTS, COPIED)
    yield record.read(end, following)
    holder = arguments[record.plan.turns.get((node, number), number)]
    if carry is Carry.IN_PLACE or holder != argument:
        yield Same(time(end, READ), end, following, holder)
        yield Taken(end, holder)


def for_(record: Recorder, node: Node) -> Events:
    end, starts = node.terminator, operands_of(node.op, "carried")
    arguments = arguments_of(node.op, "carried")
    for number, argument in enumerate(arguments):
        if record.spots.is_array(argument):
            following, result = end.operands[number], node.results[number]
            yield from carried(record, node, number, arguments, starts[number], following, end)
            if record.plan.carries[node, number] is Carry.IN_PLACE:
                yield Same(end_of(node), node, argument, result)
            else:
                yield record.write(node, result)


def while_(record: Recorder, node: Node) -> Events:
    before, end, condition = node.arguments(0), node.regions[1][-1], node.regions[0][-1]
    for number, argument in enumerate(before):
        if record.spots.is_array(argument):
            yield from carried(record, node, number, before, node.operands[number], end.operands[number], end)
    for value, argument in zip(condition.operands[1:], node.arguments(1), strict=True):
        if record.spots.is_array(value):
            yield from record.moved(condition, value, argument)
    for value, result in zip(condition.operands[1:], node.results, strict=True):
        if record.spots.is_array(result) and not record.lie_together(value, result):
            yield record.write(node, result)


def if_(record: Recorder, node: Node) -> Events:
    """Branches put a result where it belongs, unless they agree on a place outside, in which it is then expected."""
    for number, result in enumerate(node.results):
        if record.spots.is_array(result):
            is_made_here = record.spots.storages.memory(result).home is node
            for nodes in node.regions:
                value, end = nodes[-1].operands[number], nodes[-1]
                if is_made_here:
                    yield from record.moved(end, value, result)
                else:
                    yield record.read(end, value)
                    yield Same(time(end, READ), end, value, result)


def call(record: Recorder, node: Node) -> Events:
    """The function reads its arguments while it writes what it gives back, over some of them if it takes these over."""
    convention = record.plan.convention(node)
    taken = dict(convention.in_place())
    for number in convention.outs():
        yield record.write(node, node.results[number], READ)
    for result, argument in taken.items():
        yield from record.moved(node, node.operands[argument], node.results[result], WRITE, COPIED)
        yield record.write(node, node.results[result], ARGUMENTS)
    for number, operand in enumerate(node.operands):
        if record.spots.is_array(operand) and number not in taken.values():
            yield record.read(node, operand, READ_LATER)


def return_(record: Recorder, node: Node) -> Events:
    """What is handed over is looked at; some is expected where an argument was."""
    yield from looks(record, node)
    arguments = record.plan.tree.root.arguments()
    for result, argument in record.plan.own.in_place() if record.plan.own is not None else ():
        yield Same(time(node, READ), node, node.operands[result], arguments[argument])


def looks(record: Recorder, node: Node) -> Events:
    """A terminator looks at what it hands over."""
    for value in node.operands:
        if record.spots.is_array(value):
            yield record.read(node, value)
