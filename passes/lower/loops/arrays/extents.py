"""Sizes of arrays as indices that are available where code is being emitted."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.expressions import Computed, Dim, Size, Total
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.emitter import Emitter, Unavailable, array_type
from tapeless.passes.lower.schedule.kinds import can_trap


def size_here(emitter: Emitter, size: Size) -> Index:
    """A size expression as an index that is available here."""
    if isinstance(size, int):
        return size
    if isinstance(size, Dim):
        view = emitter.env.get(size.array)
        if view is None:
            raise Unavailable
        return view.sizes[size.axis]
    if isinstance(size, Total):
        total: Index = 0
        for part, times in size.parts:
            total = emitter.builder.add(total, emitter.builder.mul(size_here(emitter, part), times))
        return total
    if isinstance(size, Computed) and size.model not in emitter.env:
        return computed_here(emitter, size)
    return emitter.scalar(size.model if isinstance(size, Computed) else size)


def computed_here(emitter: Emitter, size: Computed) -> Index:
    """Repeats the arithmetic of a size on operands that are available here."""
    builder, model = emitter.builder, size.model.owner
    if can_trap(model):
        raise Unavailable
    operands = [
        constant_or_size(emitter, part, operand.type)
        for part, operand in zip(size.operands, model.operands, strict=True)
    ]
    attributes = {name: model.attributes[name] for name in model.attributes}
    level = builder.pure_level(operands)
    key = (size.name, size.attributes, *operands)
    memo = builder.frames[level].memo
    if key not in memo:
        memo[key] = builder.create(size.name, [size.model.type], operands, attributes, level=level).results[0]
    return memo[key]


def constant_or_size(emitter: Emitter, size: Size, type_: ir.Type) -> ir.Value:
    """A size as an operand of the given type."""
    index = size_here(emitter, size)
    if isinstance(index, int):
        return emitter.builder.constant(type_, ir.IntegerAttr.get(type_, index))
    return index


def sizes_here(emitter: Emitter, value: ir.Value) -> list[Index]:
    """All sizes of an array."""
    return [size_here(emitter, emitter.plan.size(value, axis)) for axis in range(array_type(value).rank)]
