"""Kernels under construction: functions of a `gpu.module` whose parameters are made as their bodies need values.

The first parameter is the address of the status buffer. Arrays come as an address and the sizes that their types do not
tell; integers as `i64`, or `i32` if they are narrower; numbers in slots are loaded, others computed again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from typing import Any

from tapeless._mlir import arith, ir, llvm, scf
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.launches.kernels.failure import has_failed, tell_status
from tapeless.passes.lower.launches.plan.plan import Expr, Plan
from tapeless.passes.lower.launches.plan.values import (
    SLOT_BYTES,
    SLOTS,
    Array,
    HostValue,
    Known,
    Repeated,
    Slot,
    dynamic_axes,
)
from tapeless.passes.lower.llvm.descriptor import memref_from_pointer, pointer_type, sizes_of
from tapeless.passes.lower.llvm.entry import pointer_facts

# Every buffer starts at a multiple of so many bytes, which the runtime sees to: the widest access of a thread.
ACCESS_BYTES = 16
NAMES = {"!llvm.ptr": "ptr"}
WORKGROUP = "gpu.address_space<workgroup>"


class Kernel:
    """One kernel; operations are put behind `anchor`, loads of values before it."""

    def __init__(
        self, env: Mapping[ir.Value, HostValue], plan: Plan, module: ir.Block, name: str, *, are_apart: bool
    ) -> None:
        """`are_apart`: arrays that the kernel is given do not overlap any that it writes."""
        self.env, self.plan, self.name, self.are_apart = env, plan, name, are_apart
        self.arguments: list[Expr] = []
        self.inner: dict[ir.Value, ir.Value] = {}
        self.contents: Contents
        self._facts: list[ir.Attribute] = [ir.DictAttr.get({})]
        self._parameters: dict[Hashable, ir.Value] = {}
        with ir.InsertionPoint(module), ir.Location.unknown():
            attributes = {
                "sym_name": ir.StringAttr.get(name),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get([pointer_type()], [])),
                "gpu.kernel": ir.UnitAttr.get(),
            }
            self.op = ir.Operation.create("gpu.func", [], [], attributes, regions=1)
            self.block = self.op.regions[0].blocks.append(pointer_type(), arg_locs=[ir.Location.unknown()])
            with ir.InsertionPoint(self.block):
                self.end = ir.Operation.create("gpu.return", [], [])
            with ir.InsertionPoint(self.end):
                self.anchor = arith.constant(ir.IndexType.get(), 0).owner.operation

    @property
    def status(self) -> ir.Value:
        return self.block.arguments[0]

    def begin(self, *conditions: ir.Value, can_fail: bool) -> ir.InsertionPoint:
        """Where the body goes: under conditions, and not after a check has failed."""
        with ir.InsertionPoint(self.end):
            tests = list(conditions)
            if can_fail:
                true = arith.constant(ir.IntegerType.get_signless(1), 1)
                tests.insert(0, arith.xori(has_failed(self.status), true))
            if not tests:
                return ir.InsertionPoint(self.end)
            test = tests[0]
            for other in tests[1:]:
                test = arith.andi(test, other)
            branch = scf.IfOp(test)
            with ir.InsertionPoint(branch.then_block):
                return ir.InsertionPoint(scf.YieldOp([]))

    def close(self) -> None:
        """Fixes the signature and tells the plan of the kernel."""
        self.contents = Contents.of(self.op)
        tell_status(self.contents, self.status)
        types = [argument.type for argument in self.block.arguments]
        self.op.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, []))
        self.op.attributes["arg_attrs"] = ir.ArrayAttr.get(self._facts)
        self._share_memory()
        make_at_start(self.contents)
        names = [NAMES.get(str(type_), str(type_)) for type_ in types]
        self.plan.kernels[self.name] = {"parameters": names}

    def erase(self) -> None:
        """Forgets a finished kernel that is not launched."""
        self.op.erase()
        del self.plan.kernels[self.name]

    def value(self, outside: ir.Value) -> ir.Value:
        """The value in the kernel for a value of the host function."""
        if outside not in self.inner:
            with ir.InsertionPoint(self.anchor), ir.Location.unknown():
                found = self.env[outside]
                self.inner[outside] = BRING_IN[type(found)](self, found, outside.type)
        return self.inner[outside]

    def known(self, expr: Expr, type_: ir.Type) -> ir.Value:
        """A number that the host knows: a constant, or a parameter."""
        index = ir.IndexType.get()
        if isinstance(expr, int):
            return arith.constant(type_, expr)
        if isinstance(type_, ir.IndexType):
            return arith.index_cast(index, self._parameter(expr, ir.IntegerType.get_signless(64)))
        if isinstance(type_, ir.IntegerType) and type_.width < 32:
            return arith.trunci(type_, self._parameter(expr, ir.IntegerType.get_signless(32)))
        return self._parameter(expr, type_)

    def address(self, expr: Expr, facts: ir.Attribute | None = None) -> ir.Value:
        """An address as a parameter."""
        return self._parameter(expr, pointer_type(), facts)

    def slot(self, number: int) -> ir.Value:
        """The address of a slot."""
        base = self.address(SLOTS)
        return llvm.getelementptr(pointer_type(), base, [], [number * SLOT_BYTES], ir.IntegerType.get_signless(8), None)

    def clone(self, op: ir.Operation) -> ir.Operation:
        """A copy of an operation here, on the values of the kernel."""
        copy = op.clone()
        self.inner.update(zip(op.results, copy.results, strict=True))
        if len(copy.regions):
            copy.walk(self._rewire, ir.WalkOrder.PRE_ORDER)
        else:
            self._rewire(copy)
        return copy

    def _rewire(self, op: ir.Operation) -> ir.WalkResult:
        """Has a copied operation use the values of the kernel; what was copied with it has its own already."""
        operands = op.operands
        for position, operand in enumerate(operands):
            found = self.inner.get(operand)
            if found is None and operand in self.env:
                found = self.value(operand)
            if found is not None:
                operands[position] = found
        return ir.WalkResult.ADVANCE

    def _share_memory(self) -> None:
        """Memory of the block becomes attributions of the kernel."""
        found = [op for op in self.contents.buffers if WORKGROUP in str(op.results[0].type)]
        self.contents.buffers = [op for op in self.contents.buffers if op not in found]
        for op in found:
            memory = self.block.add_argument(op.results[0].type, ir.Location.unknown())
            op.results[0].replace_all_uses_with(memory)
            op.erase()
        if found:
            count = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(found))
            self.op.attributes["workgroup_attributions"] = count

    def _parameter(self, expr: Expr, type_: ir.Type, facts: ir.Attribute | None = None) -> ir.Value:
        key = (str(expr), str(type_))
        if key not in self._parameters:
            self._parameters[key] = self.block.add_argument(type_, ir.Location.unknown())
            self._facts.append(ir.DictAttr.get({}) if facts is None else facts)
            self.arguments.append(expr)
        return self._parameters[key]

    def _known(self, found: Known, type_: ir.Type) -> ir.Value:
        return self.known(found.expr, type_)

    def _slot(self, found: Slot, type_: ir.Type) -> ir.Value:
        return load_scalar(type_, self.slot(found.number))

    def _repeated(self, found: Repeated, _: ir.Type) -> ir.Value:
        operands = [self.value(operand) for operand in found.op.operands]
        copy = found.op.clone()
        for position, operand in enumerate(operands):
            copy.operands[position] = operand
        return copy.results[0]

    def _array(self, found: Array, type_: ir.MemRefType) -> ir.Value:
        facts = pointer_facts(type_, written=True, alignment=ACCESS_BYTES) if self.are_apart else None
        pointer = self.address(found.address, facts)
        sizes = [self.known(found.sizes[axis], ir.IndexType.get()) for axis in dynamic_axes(type_)]
        return memref_from_pointer(pointer, type_, sizes_of(type_, sizes))


BRING_IN: dict[type, Callable[[Kernel, Any, ir.Type], ir.Value]] = {
    Known: Kernel._known,
    Slot: Kernel._slot,
    Repeated: Kernel._repeated,
    Array: Kernel._array,
}


def load_scalar(type_: ir.Type, address: ir.Value) -> ir.Value:
    """A number from memory; bools take a byte, sizes eight."""
    i64, i8 = ir.IntegerType.get_signless(64), ir.IntegerType.get_signless(8)
    if isinstance(type_, ir.IndexType):
        return arith.index_cast(type_, llvm.load(i64, address))
    if isinstance(type_, ir.IntegerType) and type_.width == 1:
        return arith.trunci(type_, llvm.load(i8, address))
    return llvm.load(type_, address)


def store_scalar(value: ir.Value, address: ir.Value) -> None:
    """Writes a number so that `load_scalar` reads it."""
    type_ = value.type
    if isinstance(type_, ir.IndexType):
        value = arith.index_cast(ir.IntegerType.get_signless(64), value)
    elif isinstance(type_, ir.IntegerType) and type_.width == 1:
        value = arith.extui(ir.IntegerType.get_signless(8), value)
    llvm.store(value, address)


def make_at_start(kernel: Contents) -> None:
    """Moves the arrays of fixed size that branches and loops of a kernel make for themselves to its start."""
    block = kernel.function.regions[0].blocks[0]
    for op in kernel.buffers:
        if not len(op.operands) and op.block != block and not _is_handed_on(op.results[0]):
            op.move_before(block.operations[0])


def _is_handed_on(array: ir.Value) -> bool:
    """Whether the producer of the array may make the next one before the last use of this one."""
    return any(len(use.owner.operation.regions) or use.owner.operation.name == "scf.yield" for use in array.uses)


@dataclass(frozen=True)
class Written:
    """A finished kernel, and its text without its name."""

    kernel: Kernel

    @computed_once
    def text(self) -> str:
        text = self.kernel.op.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True)
        return text.replace(f'"{self.kernel.name}"', "", 1)


@dataclass
class EqualKernels:
    """The finished kernels of a plan by a key that is quickly compared: their parameters, and how many operations
    begin.
    """

    _known: dict[tuple[int, tuple[ir.Type, ...]], list[Written]] = field(default_factory=lambda: defaultdict(list))

    def first(self, kernel: Kernel) -> Kernel:
        """The first kernel with the code of this one; another one than this is erased."""
        block = kernel.block
        alike = self._known[len(block.operations), tuple(argument.type for argument in block.arguments)]
        written = Written(kernel)
        for other in alike:
            if other.text == written.text:
                kernel.erase()
                return other.kernel
        alike.append(written)
        return kernel
