"""Buffers whose size is known only where they are made: allocated there, handed over, freed by the receiver."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Allocation, Emitter, memref_type
from tapeless.passes.lower.loops.memory.destinations import allocate_raw
from tapeless.passes.lower.loops.views import whole_view
from tapeless.passes.lower.storage.storage import Sink


def sizes_of_buffer(emitter: Emitter, buffer: ir.Value) -> list[Index]:
    """The sizes of a buffer that a loop or branch handed over."""
    builder, type_ = emitter.builder, ir.MemRefType(buffer.type)
    return [
        builder.value("memref.dim", builder.index, [buffer, builder.as_value(axis)])
        if type_.is_dynamic_dim(axis)
        else size
        for axis, size in enumerate(type_.shape)
    ]


def own_copy(emitter: Emitter, value: ir.Value, sink: Sink, model: ir.Value) -> ir.Value:
    """The buffer of an array that was allocated to be handed over, or a new copy of the array."""
    storage = emitter.plan.storages.memory(value)
    place = emitter.allocations.get(storage)
    view = emitter.view(value)
    if place is not None and place.is_own and storage.sink == sink:
        place.raw.clear()
    else:
        target = allocate_raw(emitter, value)
        copy(emitter, view, target)
        view = target
    type_ = memref_type(model)
    if view.base.type == type_:
        return view.base
    return emitter.builder.value("memref.cast", type_, [view.base])


def own_result(emitter: Emitter, result: ir.Value, buffer: ir.Value) -> None:
    """Binds an array result to a buffer that has to be freed when the array dies."""
    view = whole_view(buffer, sizes_of_buffer(emitter, buffer))
    emitter.env[result] = view
    emitter.allocations[emitter.plan.storages.memory(result)] = Allocation(view, raw=[buffer], is_own=True)
