"""The checkpoints of a loop for the return sweep, in words, for `kernel.explain()`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tapeless._mlir import ir
from tapeless.passes.ad.decisions import notation, note

BITS_OF_BYTE = 8


def note_stored(op: ir.OpView, bounds: Sequence[ir.Value], states: Sequence[ir.Type], kept: Sequence[ir.Type]) -> None:
    """Notes the types of a row of the state and of costly values, and their bytes where sizes are known."""
    if notation() is None:
        return
    parts = [f"the state ({_listed(states)})"] if states else []
    parts += [f"costly values ({_listed(kept)})"] if kept else []
    if not parts:
        note("stores", op, "nothing")
        return
    trips, each = _trips(bounds), [_bytes(type_) for type_ in (*states, *kept)]
    row = sum(size for size in each if size is not None)
    times = "each iteration" if trips is None else f"each of {trips} iterations"
    if None in each:
        amount = "as many bytes as explain() tells for example arguments"
    else:
        amount = f"at most {row} bytes each" if trips is None else f"at most {row * trips} bytes"
    note("stores", op, f"{' and '.join(parts)} of {times}, {amount}")


def _listed(types: Sequence[ir.Type]) -> str:
    return ", ".join(map(_shown, types))


def _shown(type_: ir.Type) -> str:
    if not isinstance(type_, ir.RankedTensorType):
        return str(type_)
    sizes = ["?" if type_.is_dynamic_dim(axis) else str(type_.get_dim_size(axis)) for axis in range(type_.rank)]
    return f"{type_.element_type}[{', '.join(sizes)}]"


def _bytes(type_: ir.Type) -> int | None:
    """None where a size is not known."""
    if isinstance(type_, ir.RankedTensorType):
        element = _bytes(type_.element_type)
        is_known = type_.has_static_shape and element is not None
        return prod(type_.shape) * element if is_known and element is not None else None
    return 8 if isinstance(type_, ir.IndexType) else max(BITS_OF_BYTE, type_.width) // BITS_OF_BYTE


def _trips(bounds: Sequence[ir.Value]) -> int | None:
    """How often a loop runs, if its bounds are constants."""
    lower, upper, step = map(_constant, bounds)
    if lower is None or upper is None or step is None:
        return None
    return max(0, -((lower - upper) // step))


def _constant(value: ir.Value) -> int | None:
    if isinstance(value, ir.BlockArgument) or value.owner.name != "arith.constant":
        return None
    return ir.IntegerAttr(value.owner.attributes["value"]).value
