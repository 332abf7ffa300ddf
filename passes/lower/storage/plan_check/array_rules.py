"""What operations on single arrays read and write."""

from __future__ import annotations

from tapeless.passes.lower.storage.plan_check.affine import affine
from tapeless.passes.lower.storage.plan_check.events import (
    READ,
    READ_LATER,
    WRITE,
    WRITE_LATER,
    Events,
    Read,
    Recorder,
    Same,
    Write,
    time,
)
from tapeless.passes.lower.storage.plan_check.places import ONE, Spot
from tapeless.passes.lower.storage.tree import Node


def other(record: Recorder, node: Node) -> Events:
    """Results are written while operands are read."""
    for result in node.results:
        if record.spots.is_array(result):
            yield record.write(node, result, READ)
    for operand in node.operands:
        if record.spots.is_array(operand):
            yield record.read(node, operand, WRITE)


def nothing(record: Recorder, node: Node) -> Events:
    return iter(())


def extract(record: Recorder, node: Node) -> Events:
    array, *indices = node.operands

    def element() -> Spot:
        return record.spots.spot(array).at(*map(affine, indices))

    yield Read(time(node, READ), node, array, element)


def insert(record: Recorder, node: Node) -> Events:
    """The array with one element overwritten; what that element was does not matter."""
    _, dest, *indices = node.operands
    result = node.results[0]

    def element() -> Spot:
        return record.spots.spot(result).at(*map(affine, indices))

    together = record.lie_together(dest, result)
    yield Read(time(node, READ), node, dest, lambda: record.spots.spot(dest), lambda: [element()] if together else [])
    if not together:
        yield record.write(node, result)
    yield Write(time(node, WRITE_LATER), node, result, element)


def insert_slice(record: Recorder, node: Node) -> Events:
    """The array with a slice overwritten; around it, the array is kept or copied."""
    part, dest = node.operands[:2]
    result, slabs = node.results[0], record.plan.slabs.get(node)
    together = record.lie_together(dest, result)
    writes = [node] if slabs is None else slabs.writes

    def place() -> Spot:
        return record.spots.spot(result).then(record.spots.slice_step(node))

    def filled() -> list[Spot]:
        if not together and any(part.stride != ONE for part in record.spots.slice_step(node).ranges):
            return []
        return [record.spots.spot(result).then(record.spots.slice_step(write)) for write in writes]

    yield Read(time(node, READ), node, dest, lambda: record.spots.spot(dest), filled)
    if not together:
        yield Write(time(node, WRITE), node, result, lambda: record.spots.spot(result), filled)
    yield record.read(node, part, READ if together else READ_LATER)
    if record.spots.memory(part) != record.spots.memory(result) or record.spots.spot(part) != place():
        yield Write(time(node, WRITE_LATER), node, result, place)


def concat(record: Recorder, node: Node) -> Events:
    result = node.results[0]
    for number, part in enumerate(node.operands):

        def place(number: int = number) -> Spot:
            return record.spots.spot(result).then(record.spots.part_step(node, number))

        yield record.read(node, part, READ_LATER)
        if record.spots.memory(part) != record.spots.memory(result) or record.spots.spot(part) != place():
            yield Write(time(node, WRITE), node, result, place)


def scatter(record: Recorder, node: Node) -> Events:
    """No body to tell one iteration from another: all is written before all is read."""
    yield from record.moved(node, node.op.dest, node.results[0])
    yield record.write(node, node.results[0])
    for operand in (node.op.keys, node.op.values):
        yield record.read(node, operand, READ_LATER)


def update(record: Recorder, node: Node) -> Events:
    acc, result = node.operands[0], node.results[0]
    indices = list(node.op.indices)
    value = node.operands[1 + len(indices)]

    def place() -> Spot:
        spot = record.spots.spot(acc)
        return spot.at(*map(affine, indices)) if indices else spot

    yield record.read(node, acc)
    yield Same(time(node, READ), node, acc, result)
    yield Write(time(node, WRITE), node, acc, place)
    if record.spots.is_array(value):
        yield record.read(node, value, READ_LATER)
