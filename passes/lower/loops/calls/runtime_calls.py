"""Calls into the C runtime and the conversions they need."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder
from tapeless.passes.lower.loops.emitter import Emitter


def word_type() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def as_i64(builder: Builder, value: ir.Value) -> ir.Value:
    """An `index`, an `i64` or the bits of an `f64` as a 64-bit word."""
    if value.type == word_type():
        return value
    name = "arith.index_cast" if isinstance(value.type, ir.IndexType) else "arith.bitcast"
    return builder.value(name, word_type(), [value])


def word(builder: Builder, number: int) -> ir.Value:
    return builder.constant(word_type(), ir.IntegerAttr.get(word_type(), number))


def pointer(builder: Builder, buffer: ir.Value) -> ir.Value:
    """The address of the first element of a contiguous buffer."""
    address = builder.value("memref.extract_aligned_pointer_as_index", builder.index, [buffer])
    integer = builder.value("arith.index_cast", word_type(), [address])
    return builder.value("llvm.inttoptr", ir.Type.parse("!llvm.ptr"), [integer])


def call_runtime(emitter: Emitter, name: str, arguments: Sequence[ir.Value]) -> None:
    """Calls a runtime function that returns nothing; it is declared when the function is finished."""
    emitter.runtime_calls[name] = ir.FunctionType.get([argument.type for argument in arguments], [])
    emitter.builder.create("func.call", [], arguments, {"callee": ir.FlatSymbolRefAttr.get(name)})
