"""Where arrays are put: in their sinks, in the memory they take over, or in buffers."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.driver.base import OpRefused, known_location
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Size, Total
from tapeless.passes.lower.loops.arrays.extents import size_here, sizes_here
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Allocation, Emitter, OwnAllocation, Unavailable, memref_type
from tapeless.passes.lower.loops.memory.buffers import Buffer
from tapeless.passes.lower.loops.views import View, transposed, whole_view
from tapeless.passes.lower.storage.storage import Sink, Storage
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import NOTED


class UnknownSize(OpRefused):
    """An array is to be allocated where its size cannot be told; shown where the size is computed, if that is known."""

    def __init__(self, op: ir.Operation | ir.OpView, reason: str, place: ir.Location | None) -> None:
        super().__init__(op, reason)
        self.location = place or self.location


def destination(emitter: Emitter, result: ir.Value) -> View:
    """The place of an array that the current operation makes; binds the result to it."""
    view = storage_view(emitter, emitter.plan.storages.memory(result), result)
    emitter.env[result] = view
    return view


def storage_view(emitter: Emitter, storage: Storage, model: ir.Value) -> View:
    """Where a storage is, deciding it at the first call; `model` is an array of the storage's shape."""
    allocation = emitter.allocations.get(storage)
    if allocation is None:
        allocation = emitter.allocations[storage] = decide_allocation(emitter, storage, model)
    return allocation.view


def decide_allocation(emitter: Emitter, storage: Storage, model: ir.Value) -> Allocation:
    """The place a storage ends in if that is known and available now, else a buffer."""
    sink = sink_place(emitter, storage, storage.sink, model) if storage.sink is not None else None
    if isinstance(sink, View):
        return Allocation(sink if storage.turned is None else turned_back(sink, storage.turned))
    if isinstance(sink, OwnAllocation) and storage.turned is None:
        return Allocation(allocate_raw(emitter, model), is_own=True)
    view, buffer = allocate(emitter, model)
    return Allocation(view, [buffer])


def sink_place(emitter: Emitter, storage: Storage, sink: Sink, model: ir.Value) -> View | OwnAllocation | None:
    """The place a sink stands for; nothing when it depends on scalars or on sizes that come later.

    The program checks that an array fits where it ends when it puts it there. An array that is built there is written
    before, so these checks are repeated first.
    """
    try:
        if sink.kind == "part":
            repeat_checks(emitter, storage.home, sink.node)
            return emitter.part_rules[sink.node.name](emitter, sink.node, sink.number)
        place = emitter.sinks.get(sink)
        if isinstance(place, View) and sink.kind != "out" and not has_sizes_of(emitter, place, model):
            repeat_checks(emitter, storage.home, None)
        return place
    except (Unavailable, UnknownSize):
        return None


def turned_back(place: View, turn: Node) -> View:
    """The array whose transposition lies in a place."""
    permutation = [axis.value for axis in turn.op.permutation]
    return transposed(place, [permutation.index(axis) for axis in range(len(permutation))])


def has_sizes_of(emitter: Emitter, place: View, model: ir.Value) -> bool:
    """Whether an array is known to fit a place."""
    try:
        return list(place.sizes) == sizes_here(emitter, model)
    except Unavailable:
        return False


def repeat_checks(emitter: Emitter, first: Node, last: Node | None) -> None:
    """Emits the checks of a block between two operations, or up to its end, at the place of the first."""
    location = emitter.builder.location
    for node in first.following():
        if node is last:
            break
        if node.name == "soac.assert" and NOTED not in node.op.attributes:
            emitter.builder.location = node.op.location
            emitter.rules[node.name](emitter, node)
    emitter.builder.location = location


def allocate(emitter: Emitter, model: ir.Value) -> tuple[View, Buffer]:
    """A managed buffer with the shape of an array."""
    type_ = memref_type(model)
    expressions = tuple(emitter.plan.size(model, axis) for axis in range(type_.rank))
    sizes = known_sizes(emitter, model)
    safe = all(isinstance(size, (int, Dim)) for size in expressions)
    buffer = emitter.pool.acquire(type_, sizes, (type_.element_type, expressions), safe)
    return whole_view(buffer.value, sizes), buffer


def temporary(emitter: Emitter, model: ir.Value) -> View:
    """Memory for a copy that is used by what is emitted next; kept until the current region ends."""
    return allocate(emitter, model)[0]


def updated(emitter: Emitter, source: ir.Value, result: ir.Value) -> View:
    """The place of an array that starts as a copy of `source`, or takes over its memory."""
    view = destination(emitter, result)
    copy(emitter, emitter.view(source), view)
    return view


def deliver(emitter: Emitter, value: ir.Value, sink: Sink) -> None:
    """Copies an array to where it should end, unless it was built there."""
    place = emitter.sinks[sink]
    assert isinstance(place, View)
    copy(emitter, emitter.view(value), place)


def allocate_raw(emitter: Emitter, model: ir.Value) -> View:
    """A buffer with the shape of an array, which outlives the current region."""
    sizes = known_sizes(emitter, model)
    return whole_view(emitter.pool.raw(memref_type(model), sizes), sizes)


def known_sizes(emitter: Emitter, model: ir.Value) -> list[Index]:
    """The sizes of an array that is to be allocated here."""
    try:
        return sizes_here(emitter, model)
    except Unavailable:
        op = model.owner if not isinstance(model, ir.BlockArgument) else model.owner.owner
        raise UnknownSize(
            op,
            "makes an array whose size is known only inside; compute the size before the operation, or make all rows "
            "of one size, as in np.where(np.arange(len(x)) < k, x, 0.0) in place of x[:k]",
            place_of_unknown_size(emitter, model),
        ) from None


def place_of_unknown_size(emitter: Emitter, model: ir.Value) -> ir.Location | None:
    """Where the first size of an array that is not available here is computed, if an operation does it."""
    for axis in range(memref_type(model).rank):
        size = emitter.plan.size(model, axis)
        try:
            size_here(emitter, size)
        except Unavailable:
            return _place_of(size)
    return None


def _place_of(size: Size) -> ir.Location | None:
    if isinstance(size, Total):
        return next((place for place in (_place_of(part) for part, _ in size.parts) if place is not None), None)
    if isinstance(size, int):
        return None
    value = size.model if isinstance(size, Computed) else size.array if isinstance(size, Dim) else size
    return None if isinstance(value, ir.BlockArgument) else known_location(value.owner)
