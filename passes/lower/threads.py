"""Loops over threads: the body moves into a function of its own, which the runtime's pool calls chunk by chunk.

```mlir
func.func private @f_part0(%lo: index, %hi: index, ...)         // the loop from lo to hi with its own buffers
func.func private @f_chunk0(%lo: i64, %hi: i64, %context: !llvm.ptr)   // unpacks the context, calls the part
scf.if %small { call @f_part0(0, %n, ...) } else { pack; call @tl_parallel(@f_chunk0, %context, %n, %grain, %threads) }
```
Arrays reach the part as pointers that overlap nothing else the part writes: a map writes only its own results.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tapeless._mlir import arith, func, ir, llvm, memref

from .builder import Frame, Index, Loop
from .descriptor import DYNAMIC, as_word, pointer_type, word
from .emitter import Emitter
from .entry import Slots, load_argument, use_bare_pointers, widened

REMATERIALISED = frozenset({"arith.constant", "memref.get_global"})
SIGNED_NOT_ABOVE = 3


@dataclass
class Captures:
    """What a loop uses from outside: operations to repeat inside, private allocations, and values to hand over."""

    repeated: list[ir.Operation] = field(default_factory=list)
    private: list[ir.Operation] = field(default_factory=list)
    handed: list[ir.Value] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """An outlined loop: its function, the one the pool calls (when there are threads), and the captured values.

    Each captured value comes with a flag that says whether a direct call of the function takes it too.
    """

    function: func.FuncOp
    chunk: func.FuncOp | None
    words: list[tuple[ir.Value, bool]]


def make_part(emitter: Emitter, loop: Loop, frame: Frame) -> Part:
    """Moves a finished private loop into a function; the loop and the buffers it had to itself disappear here."""
    outside = [buffer for buffer in frame.buffers if buffer.level <= emitter.builder.depth]
    allocations = [buffer.value.owner.operation for buffer in outside]
    captures = capture(loop.op, allocations)
    number = emitter.next_part()
    function = build_part(emitter, loop.op, captures, f"{emitter.name}_part{number}")
    chunk = None
    if emitter.options.has_threads:
        chunk = build_chunk(emitter, function, captures, f"{emitter.name}_chunk{number}")
    with ir.InsertionPoint(loop.op), emitter.builder.location:
        words = [word for value in captures.handed for word in bare_values(value)]
    for buffer in outside:
        if buffer.dealloc is not None:
            buffer.dealloc.erase()
    loop.op.erase()
    for op in allocations:
        op.erase()
    return Part(function, chunk, words)


def call_part(emitter: Emitter, part: Part, low: Index, high: Index) -> None:
    """Runs some iterations of an outlined loop here and now."""
    builder = emitter.builder
    arguments = [builder.as_value(low), builder.as_value(high), *(value for value, direct in part.words if direct)]
    with ir.InsertionPoint(builder.frames[-1].block), builder.location:
        func.CallOp(part.function, arguments)


def run_part(emitter: Emitter, part: Part, width: Index, grain: Index) -> None:
    """Runs all iterations: few of them here and now, more on the pool in chunks of `grain`."""
    if part.chunk is None:
        call_part(emitter, part, 0, width)
        return
    builder = emitter.builder
    operands = [builder.as_value(width), builder.as_value(grain)]
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), SIGNED_NOT_ABOVE)
    small = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=predicate)
    branch = builder.create("scf.if", [], [small], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    call_part(emitter, part, 0, width)
    builder.yield_values()
    builder.pop()
    builder.push(branch, 1, [], is_branch=True)
    with ir.InsertionPoint(builder.frames[-1].block), builder.location:
        call_pool(emitter, part, *operands)
    builder.yield_values()
    builder.pop()


def capture(loop: ir.Operation, buffers: list[ir.Operation]) -> Captures:
    """Sorts the values that the body takes from outside by how they get in."""
    inside: set[ir.Value] = set()
    operands: dict[ir.Value, None] = {}

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op != loop:
            operands.update(dict.fromkeys(op.operands))
            inside.update(op.results)
        for region in op.regions:
            for block in region.blocks:
                inside.update(block.arguments)
        return ir.WalkResult.ADVANCE

    loop.walk(visit, ir.WalkOrder.PRE_ORDER)
    captures = Captures()
    waiting = [value for value in operands if value not in inside]
    for value in waiting:
        op = None if isinstance(value, ir.BlockArgument) else value.owner.operation
        if op is not None and op.name in REMATERIALISED:
            captures.repeated.append(op)
        elif op is not None and op in buffers:
            captures.private.append(op)
            waiting += [size for size in op.operands if size not in operands]
        elif value not in captures.handed:
            captures.handed.append(value)
    return captures


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
    return part


def clone_with(op: ir.Operation, mapping: dict[ir.Value, ir.Value]) -> ir.Value:
    """A copy of an operation here, on mapped operands."""
    copy = op.clone()
    for position, operand in enumerate(op.operands):
        copy.operands[position] = mapping[operand]
    return copy.results[0]


def replace_operands(root: ir.Operation, mapping: dict[ir.Value, ir.Value]) -> None:
    """Rewires every use of captured values inside an operation."""

    def visit(op: ir.Operation) -> ir.WalkResult:
        for position, operand in enumerate(op.operands):
            if operand in mapping:
                op.operands[position] = mapping[operand]
        return ir.WalkResult.ADVANCE

    root.walk(visit)


def build_chunk(emitter: Emitter, part: func.FuncOp, captures: Captures, name: str) -> func.FuncOp:
    """The function the pool calls: it reads the captured values from the context and calls the part."""
    i64, index = ir.IntegerType.get_signless(64), ir.IndexType.get()
    with ir.InsertionPoint(emitter.function), part.location:
        chunk = func.FuncOp(name, ir.FunctionType.get([i64, i64, pointer_type()], []), visibility="private")
        with ir.InsertionPoint(chunk.add_entry_block()):
            low, high, context = chunk.arguments
            slots = Slots(context)
            arguments = [arith.index_cast(index, bound) for bound in (low, high)]
            for value in captures.handed:
                arguments += load_argument(slots, value.type)
            func.CallOp(part, arguments)
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


def call_pool(emitter: Emitter, part: Part, count: ir.Value, grain: ir.Value) -> None:
    """Packs the context and hands the loop to the runtime."""
    context_type = ir.MemRefType.get([max(len(part.words), 1)], ir.IntegerType.get_signless(64))
    context = memref.alloca(context_type, [], [])
    address = llvm.inttoptr(pointer_type(), as_word(memref.extract_aligned_pointer_as_index(context)))
    slots = Slots(address)
    for value, _ in part.words:
        slots.store(widened(value))
    entry = func.constant(part.chunk.type, ir.FlatSymbolRefAttr.get(part.chunk.name.value))
    function = ir.Operation.create("builtin.unrealized_conversion_cast", [pointer_type()], [entry]).results[0]
    arguments = [function, address, as_word(count), as_word(grain), word(emitter.options.threads)]
    emitter.runtime_calls["tl_parallel"] = ir.FunctionType.get([argument.type for argument in arguments], [])
    func.call([], "tl_parallel", arguments)
