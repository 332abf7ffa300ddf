"""The C entry of a kernel: one function `name__entry(int64_t *slots)` that unpacks arguments and stores results.

```mlir
func.func @f(%x: memref<?xf64>, %a: f64) -> f64
```
becomes `func.func private @f(%x: !llvm.ptr {llvm.noalias, ...}, %n: index, %a: f64) -> f64` and an entry that loads
pointer, size and scalar from consecutive slots, calls `@f` and stores its result in the next slot.
"""

from __future__ import annotations

from tapeless._mlir import arith, func, ir, llvm, memref
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.llvm.descriptor import (
    allocated_pointer,
    as_word,
    element_bytes,
    memref_from_pointer,
    pointer_type,
    sizes_of,
)

ENTRY_SUFFIX = "__entry"
FLUSH = "tl_flush_denormals"
LARGEST_SIZE = 2**62


def add_entry(kernel: func.FuncOp, flush: func.FuncOp | None = None) -> None:
    """Gives the kernel bare-pointer parameters and adds its entry behind it, which calls `flush` first."""
    parameter_types = list(kernel.type.inputs)
    with kernel.operation.location:
        use_bare_pointers(kernel)
        with ir.InsertionPoint.after(kernel.operation):
            build_entry(kernel, parameter_types, flush)


def declare_flush(module: ir.Module) -> func.FuncOp:
    """The function of the runtime that lets a call take denormal numbers for zeros."""
    with ir.InsertionPoint.at_block_begin(module.body):
        return func.FuncOp(FLUSH, ir.FunctionType.get([], []), visibility="private")


def use_bare_pointers(function: func.FuncOp) -> None:
    """Replaces every memref parameter by a pointer and its dynamic sizes; the body rebuilds the descriptor."""
    block = function.entry_block
    old_arguments = list(block.arguments)
    attributes: list[ir.Attribute] = []
    with ir.InsertionPoint.at_block_begin(block):
        for argument in old_arguments:
            replacement, new_attributes = bare_argument(block, argument, is_written(argument))
            argument.replace_all_uses_with(replacement)
            attributes += new_attributes
    for _ in old_arguments:
        block.erase_argument(0)
    inputs = [argument.type for argument in block.arguments]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, function.type.results))
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)


def bare_argument(block: ir.Block, argument: ir.Value, written: bool) -> tuple[ir.Value, list[ir.Attribute]]:
    """Appends the bare form of one argument; returns the value that replaces it and the new arguments' attributes."""
    location = ir.Location.unknown()
    if not isinstance(argument.type, ir.MemRefType):
        return block.add_argument(argument.type, location), [ir.DictAttr.get({})]
    memref_type = ir.MemRefType(argument.type)
    pointer = block.add_argument(pointer_type(), location)
    dynamic = [block.add_argument(ir.IndexType.get(), location) for size in memref_type.shape if size == DYNAMIC]
    value = memref_from_pointer(pointer, memref_type, sizes_of(memref_type, dynamic))
    return value, [pointer_facts(memref_type, written)] + [size_facts()] * len(dynamic)


def is_written(argument: ir.Value) -> bool:
    """Whether anything but a load or a size query uses the argument, so that it may be written or escape."""
    reads = ("memref.load", "memref.dim", "vector.load", "vector.transfer_read")
    return any(use.owner.name not in reads for use in argument.uses)


def pointer_facts(memref_type: ir.MemRefType, written: bool, alignment: int = 0) -> ir.DictAttr:
    """LLVM's assumptions on an array argument: it overlaps no other one that is written."""
    known = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), alignment or element_bytes(memref_type))
    facts = {"llvm.noalias": ir.UnitAttr.get(), "llvm.nonnull": ir.UnitAttr.get(), "llvm.align": known}
    return ir.DictAttr.get(facts if written else {**facts, "llvm.readonly": ir.UnitAttr.get()})


def size_facts() -> ir.DictAttr:
    """Sizes are not negative and small enough that sums of two do not overflow."""
    return ir.DictAttr.get({"llvm.range": ir.Attribute.parse(f"#llvm.constant_range<i64, 0, {LARGEST_SIZE}>")})


def build_entry(kernel: func.FuncOp, parameter_types: list[ir.Type], flush: func.FuncOp | None) -> None:
    """Writes the entry function: loads, the call, stores; before them, how the call takes denormal numbers."""
    name = kernel.name.value + ENTRY_SUFFIX
    entry = func.FuncOp(name, ir.FunctionType.get([pointer_type()], []))
    with ir.InsertionPoint(entry.add_entry_block()):
        if flush is not None:
            func.CallOp(flush, [])
        slots = Slots(entry.arguments[0])
        arguments = [value for type_ in parameter_types for value in load_argument(slots, type_)]
        for result in func.CallOp(kernel, arguments).operation.results:
            store_result(slots, result)
        func.return_([])


class Slots:
    """Walks the slots of a call in order."""

    def __init__(self, pointer: ir.Value) -> None:
        self.pointer = pointer
        self.position = 0

    def _next_address(self) -> ir.Value:
        i64 = ir.IntegerType.get_signless(64)
        address = llvm.getelementptr(pointer_type(), self.pointer, [], [self.position], i64, None)
        self.position += 1
        return address

    def load(self, type_: ir.Type) -> ir.Value:
        """The next slot read as a value of this type."""
        return llvm.load(type_, self._next_address())

    def store(self, value: ir.Value) -> None:
        """Writes a value to the next slot."""
        llvm.store(value, self._next_address())


def load_argument(slots: Slots, type_: ir.Type) -> list[ir.Value]:
    """The bare values of one parameter."""
    if not isinstance(type_, ir.MemRefType):
        return [load_scalar(slots, type_)]
    pointer = slots.load(pointer_type())
    sizes = [slots.load(ir.IntegerType.get_signless(64)) for _ in ir.MemRefType(type_).shape]
    dynamic = [size for size, extent in zip(sizes, ir.MemRefType(type_).shape, strict=True) if extent == DYNAMIC]
    return [pointer] + [arith.index_cast(ir.IndexType.get(), size) for size in dynamic]


def load_scalar(slots: Slots, type_: ir.Type) -> ir.Value:
    """A scalar from its slot; integers narrower than the slot are truncated."""
    if isinstance(type_, ir.IndexType):
        return arith.index_cast(type_, slots.load(ir.IntegerType.get_signless(64)))
    if isinstance(type_, ir.IntegerType) and type_.width < 64:
        return arith.trunci(type_, slots.load(ir.IntegerType.get_signless(64)))
    return slots.load(type_)


def store_result(slots: Slots, result: ir.Value) -> None:
    """A scalar takes one slot, an array its pointer and sizes."""
    if isinstance(result.type, ir.MemRefType):
        slots.store(allocated_pointer(result))
        for axis in range(ir.MemRefType(result.type).rank):
            slots.store(as_word(memref.dim(result, arith.constant(ir.IndexType.get(), axis))))
    else:
        slots.store(widened(result))


def widened(value: ir.Value) -> ir.Value:
    """Integers fill their slot: bools with zeros, others with their sign."""
    if isinstance(value.type, ir.IndexType):
        return as_word(value)
    if not isinstance(value.type, ir.IntegerType) or value.type.width == 64:
        return value
    extend = arith.extui if value.type.width == 1 else arith.extsi
    return extend(ir.IntegerType.get_signless(64), value)
