"""Loops over threads: the body moves into a function of its own, which the runtime's pool calls chunk by chunk.

```mlir
func.func private @f_part0(%lo: index, %hi: index, ...)         // the loop from lo to hi with its own buffers
func.func private @f_chunk0(%lo: i64, %hi: i64, %context: !llvm.ptr)   // unpacks the context, calls the part
scf.if %small { call @f_part0(0, %n, ...) } else { pack; call @tl_parallel(@f_chunk0, %context, %n, %grain, %threads) }
```
Arrays reach the part as pointers that overlap nothing else the part writes: a map writes only its own results.
"""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import arith, func, ir, llvm, memref
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.captures import Captures, capture, clone_with, replace_operands
from tapeless.passes.lower.llvm.descriptor import as_word, pointer_type, word
from tapeless.passes.lower.llvm.entry import Slots, load_argument, use_bare_pointers, widened
from tapeless.passes.lower.loops.builder import Frame, Index, Loop
from tapeless.passes.lower.loops.emitter import Emitter

# What a call hands over instead of a captured value.
Replacements = Mapping[ir.Value, ir.Value]
NOTHING: Replacements = {}


@dataclass(frozen=True)
class Part:
    """An outlined loop: its number among the parts of the kernel, its function, and the values it captured."""

    number: int
    function: func.FuncOp
    captured: list[ir.Value]


def make_part(emitter: Emitter, loop: Loop, frame: Frame) -> Part:
    """Moves a finished private loop into a function; the loop and the buffers it had to itself disappear here."""
    outside = [buffer for buffer in frame.buffers if buffer.level <= emitter.builder.depth]
    allocations = [buffer.value.owner.operation for buffer in outside]
    captures = capture(loop.op, allocations)
    number = emitter.next_part()
    function = build_part(emitter, loop.op, captures, f"{emitter.name}_part{number}")
    for buffer in outside:
        if buffer.dealloc is not None:
            buffer.dealloc.erase()
    loop.op.erase()
    for op in allocations:
        op.erase()
    return Part(number, function, captures.handed)


def call_part(emitter: Emitter, part: Part, low: Index, high: Index, replacements: Replacements = NOTHING) -> None:
    """Runs some iterations of an outlined loop here and now."""
    builder = emitter.builder
    bounds = [builder.as_value(low), builder.as_value(high)]
    with ir.InsertionPoint(builder.frames[-1].block), builder.location:
        handed = [replacements.get(value, value) for value in part.captured]
        words = [value for memory in handed for value, direct in bare_values(memory) if direct]
        func.CallOp(part.function, [*bounds, *words])


def run_part(emitter: Emitter, part: Part, width: Index, grain: Index) -> None:
    """Runs all iterations: few of them here and now, more on the pool in chunks of `grain`."""
    if not emitter.options.has_threads:
        call_part(emitter, part, 0, width)
        return
    few_or_many(
        emitter,
        width,
        grain,
        lambda: call_part(emitter, part, 0, width),
        lambda: call_pool(emitter, part, width, grain),
    )


def build_part(emitter: Emitter, loop: ir.Operation, captures: Captures, name: str) -> func.FuncOp:
    """The function that runs the loop from one iteration to another; the loop's block moves into it."""
    index = ir.IndexType.get()
    types = [index, index, *(value.type for value in captures.handed)]
    with ir.InsertionPoint(emitter.function), loop.location:
        part = func.FuncOp(name, ir.FunctionType.get(types, []), visibility="private")
        block = part.add_entry_block()
    inner = dict(zip(captures.handed, list(block.arguments)[2:], strict=True))
    with ir.InsertionPoint(block), loop.location:
        for op in (*captures.repeated, *captures.private):
            inner[op.results[0]] = clone_with(op, inner)
        step = arith.constant(index, 1)
        attributes = {name: loop.attributes[name] for name in loop.attributes}
        moved = ir.Operation.create(
            "scf.for", [], [block.arguments[0], block.arguments[1], step], attributes, regions=1
        )
        loop.regions[0].blocks[0].append_to(moved.regions[0])
        replace_operands(moved, inner)
        for op in captures.private:
            if op.name == "memref.alloc":
                memref.dealloc(inner[op.results[0]])
        func.return_([])
    use_bare_pointers(part)
    keep_as_it_is(part)
    return part


def keep_as_it_is(part: func.FuncOp) -> None:
    """Keeps LLVM from adapting a part to its callers, which differ with threads: it could be called from anywhere.

    What it may sum up in any order it would sum up in another one, knowing the bounds.
    """
    part.attributes["llvm.no_inline"] = ir.UnitAttr.get()
    part.attributes["llvm.linkage"] = ir.Attribute.parse("#llvm.linkage<external>")


def build_chunk(emitter: Emitter, part: Part) -> func.FuncOp:
    """The function the pool calls: it reads the captured values from the context and calls the part."""
    i64, index = ir.IntegerType.get_signless(64), ir.IndexType.get()
    name = f"{emitter.name}_chunk{part.number}"
    with ir.InsertionPoint(emitter.function), part.function.location:
        chunk = func.FuncOp(name, ir.FunctionType.get([i64, i64, pointer_type()], []), visibility="private")
        with ir.InsertionPoint(chunk.add_entry_block()):
            low, high, context = chunk.arguments
            slots = Slots(context)
            arguments = [arith.index_cast(index, bound) for bound in (low, high)]
            for value in part.captured:
                arguments += load_argument(slots, value.type)
            func.CallOp(part.function, arguments)
            func.return_([])
    return chunk


def bare_values(value: ir.Value) -> list[tuple[ir.Value, bool]]:
    """A captured value as words of the context; the flag says which of them a direct call also takes."""
    if not isinstance(value.type, ir.MemRefType):
        return [(value, True)]
    type_ = ir.MemRefType(value.type)
    address = memref.extract_aligned_pointer_as_index(value)
    pointer = llvm.inttoptr(pointer_type(), as_word(address))
    sizes = [memref.dim(value, arith.constant(ir.IndexType.get(), axis)) for axis in range(type_.rank)]
    flags = [extent == DYNAMIC for extent in type_.shape]
    return [(pointer, True), *zip(sizes, flags, strict=True)]


def call_pool(emitter: Emitter, part: Part, count: Index, grain: Index) -> None:
    """Packs the context and hands the loop to the runtime."""
    builder = emitter.builder
    sizes = [builder.as_value(count), builder.as_value(grain)]
    with ir.InsertionPoint(builder.frames[-1].block), builder.location:
        words = [value for captured in part.captured for value, _ in bare_values(captured)]
        context_type = ir.MemRefType.get([max(len(words), 1)], ir.IntegerType.get_signless(64))
        context = memref.alloca(context_type, [], [])
        address = llvm.inttoptr(pointer_type(), as_word(memref.extract_aligned_pointer_as_index(context)))
        slots = Slots(address)
        for value in words:
            slots.store(widened(value))
        chunk = build_chunk(emitter, part)
        entry = func.constant(chunk.type, ir.FlatSymbolRefAttr.get(chunk.name.value))
        function = ir.Operation.create("builtin.unrealized_conversion_cast", [pointer_type()], [entry]).results[0]
        arguments = [function, address, *map(as_word, sizes), word(emitter.options.threads)]
        emitter.runtime_calls["tl_parallel"] = ir.FunctionType.get([argument.type for argument in arguments], [])
        func.call([], "tl_parallel", arguments)
