"""Launches of blocks: memory that the threads of a block share, and loops whose iterations they share.

```mlir
scf.for %b = 0 to %blocks {
  %shared = memref.alloca() : memref<256xf64, #gpu.address_space<workgroup>>
  scf.for %t = 0 to 256 { ... } {tapeless.threads}       // every thread one iteration; all wait for each other after it
} {tapeless.launch = "each block"}
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.llvm.descriptor import as_word
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.buffers import operand_groups
from tapeless.passes.lower.loops.views import View, whole_view
from tapeless.passes.marks import EACH_BLOCK, RESIDENT, RESULT, THREADS

THREADS_PER_BLOCK = 256
WORKGROUP = "#gpu.address_space<workgroup>"
# Of so many bytes each.
WIDTHS = (4, 8, 16)
COPY, WAIT = "cp.async.{}.shared.global [$0], [$1], {};", "cp.async.wait_all;"
# The longest go past the cache of the processor.
CACHES = {16: "cg"}


def launch_blocks(
    emitter: Emitter, blocks: Index, body: Callable[[ir.Value], None], resident: int | None = None
) -> None:
    """A launch of so many blocks; `body` emits the code of one of them, given its number.

    Of those that are `resident`, a processor has room for so many at a time.
    """
    loop = emitter.builder.begin_for(0, blocks, private=True)
    if resident is not None:
        loop.op.attributes[RESIDENT] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), resident)
    body(loop.variable)
    mark_launch(emitter, loop, end_region(emitter), EACH_BLOCK)


def on_threads(emitter: Emitter, count: Index, body: Callable[[ir.Value], object]) -> None:
    """A loop whose iterations, at most one per thread, the threads of the block share."""
    loop = emitter.builder.begin_for(0, count)
    loop.op.attributes[THREADS] = emitter.builder.unit
    body(loop.variable)
    end_region(emitter)


def shared_memory(builder: Builder, count: int, elements: Sequence[ir.Type]) -> list[ir.Value]:
    """Memory that the threads of a block share, for each type of element."""
    return [
        _memory(builder, ir.MemRefType.get([count], element, None, ir.Attribute.parse(WORKGROUP)))
        for element in elements
    ]


def shared_table(builder: Builder, sizes: Sequence[Index], element: ir.Type) -> View:
    """Memory that the threads of a block share, of sizes that the host knows; it may be large."""
    shape = [size if isinstance(size, int) and axis else DYNAMIC for axis, size in enumerate(sizes)]
    type_ = ir.MemRefType.get(shape, element, None, ir.Attribute.parse(WORKGROUP))
    operands = [builder.as_value(size) for size, known in zip(sizes, shape, strict=True) if known == DYNAMIC]
    return whole_view(builder.create("memref.alloca", [type_], operands, operand_groups(type_)).results[0], sizes)


def without_overflow(builder: Builder, name: str, left: ir.Value, right: Index) -> ir.Value:
    """Arithmetic on indices that cannot wrap: only then does LLVM see how many iterations loops between them have."""
    flags = ir.Attribute.parse("#arith.overflow<nsw>")
    return builder.value(name, builder.index, [left, builder.as_value(right)], overflowFlags=flags)


def number_of_launch(builder: Builder, element: ir.Type) -> ir.Value:
    """Memory for one number that a launch leaves for whatever comes after it."""
    memory = _memory(builder, ir.MemRefType.get([1], element))
    memory.owner.operation.attributes[RESULT] = builder.unit
    return memory


def _memory(builder: Builder, type_: ir.MemRefType) -> ir.Value:
    return builder.create("memref.alloca", [type_], [], operand_groups(type_)).results[0]


def send(source: ir.Value, target: ir.Value, width: int) -> None:
    """Starts a copy of some bytes from one address to another, of shared memory."""
    _instruction(COPY.format(CACHES.get(width, "ca"), width), "l,l,~{memory}", [as_word(target), as_word(source)])


def wait_for_all() -> None:
    """Waits until everything that the thread has sent has arrived."""
    _instruction(WAIT, "~{memory}", [])


def _instruction(text: str, constraints: str, operands: Sequence[ir.Value]) -> None:
    attributes = {
        "asm_string": ir.StringAttr.get(text),
        "constraints": ir.StringAttr.get(constraints),
        "has_side_effects": ir.UnitAttr.get(),
    }
    ir.Operation.create("llvm.inline_asm", [], operands, attributes)
