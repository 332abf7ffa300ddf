"""Updates of memory that threads share, as relaxed atomic updates within the device.

The upstream form of an atomic update orders everything around it, for all devices and the host.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, llvm, memref
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.launches.kernels.kernel import WORKGROUP
from tapeless.passes.lower.llvm.descriptor import as_word, pointer_type

KINDS = {"arith.addf": llvm.AtomicBinOp.fadd, "arith.addi": llvm.AtomicBinOp.add}
UPDATES = {
    arith.AtomicRMWKind.addf: llvm.AtomicBinOp.fadd,
    arith.AtomicRMWKind.addi: llvm.AtomicBinOp.add,
    arith.AtomicRMWKind.maxs: llvm.AtomicBinOp.max,
    arith.AtomicRMWKind.mins: llvm.AtomicBinOp.min,
}
DYNAMIC = -(2**31)


def make_updates_relaxed(contents: Contents) -> None:
    """Rewrites the atomic updates of a function, and every marked addition with its load and its store."""
    for addition in contents.additions:
        _rewrite(addition)
    for update in contents.updates:
        _relax(update)


def _relax(update: ir.Operation) -> None:
    kind = UPDATES[arith.AtomicRMWKind(ir.IntegerAttr(update.attributes["kind"]).value)]
    value, array, *indices = update.operands
    with ir.InsertionPoint(update), update.location:
        address = _address(array, indices)
        made = llvm.atomicrmw(kind, address, value, llvm.AtomicOrdering.monotonic, syncscope="device")
    update.results[0].replace_all_uses_with(made)
    update.erase()


def _rewrite(addition: ir.Operation) -> None:
    (store,) = [use.owner.operation for use in addition.results[0].uses]
    _, array, *indices = store.operands
    loads = [value.owner.operation for value in addition.operands if _is_load(value, [array, *indices])]
    added = next(value for value in addition.operands if value != loads[0].results[0])
    with ir.InsertionPoint(store), addition.location:
        address = _address(array, indices)
        llvm.atomicrmw(KINDS[addition.name], address, added, llvm.AtomicOrdering.monotonic, syncscope="device")
    for op in (store, addition, loads[0]):
        op.erase()


def _is_load(value: ir.Value, place: list[ir.Value]) -> bool:
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != "memref.load":
        return False
    return list(value.owner.operation.operands) == place


def _address(array: ir.Value, indices: list[ir.Value]) -> ir.Value:
    """The address of an element of a contiguous array."""
    index, type_ = ir.IndexType.get(), ir.MemRefType(array.type)
    position = indices[0]
    for axis, inner in enumerate(indices[1:], 1):
        size = memref.dim(array, arith.constant(index, axis))
        position = arith.addi(arith.muli(position, size), inner)
    base = _pointer(array)
    return llvm.getelementptr(base.type, base, [as_word(position)], [DYNAMIC], type_.element_type, None)


def _pointer(array: ir.Value) -> ir.Value:
    """The address that an array was made of, or that of its first element."""
    value = array
    while not isinstance(value.owner, ir.Block):
        op = value.owner.operation
        if op.name == "llvm.insertvalue" and str(op.operands[1].type) == "!llvm.ptr":
            return op.operands[1]
        if op.name not in ("builtin.unrealized_conversion_cast", "llvm.insertvalue"):
            break
        value = op.operands[0]
    address = as_word(memref.extract_aligned_pointer_as_index(array))
    return llvm.inttoptr(_shared_pointer() if WORKGROUP in str(array.type) else pointer_type(), address)


def _shared_pointer() -> ir.Type:
    """An address in the memory of a block."""
    return ir.Type.parse("!llvm.ptr<3>")
