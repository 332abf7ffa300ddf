"""`lower-to-llvm`: from loops on memrefs to the llvm dialect, with a C entry for the kernel."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import func, ir, passmanager
from tapeless.abi import ATTRIBUTE as ABI_ATTRIBUTE
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.llvm.atomics import make_sums_atomic
from tapeless.passes.lower.llvm.definedness import define_values
from tapeless.passes.lower.llvm.entry import add_entry, declare_flush
from tapeless.passes.lower.llvm.function_facts import annotate, keep_apart
from tapeless.passes.lower.llvm.heap import lower_heap
from tapeless.passes.lower.llvm.loop_hints import LoopHints, annotate_loops, mark_accesses
from tapeless.passes.lower.llvm.nest_guards import ease_loops
from tapeless.passes.lower.llvm.recursion import bare_recursion, hoist_stack_buffers

CONVERSIONS = (
    "convert-vector-to-scf",
    "expand-strided-metadata",
    "lower-affine",
    "convert-scf-to-cf",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
)


@dataclass(frozen=True)
class ToLLVM:
    """Converts loops on memrefs to the llvm dialect.

    Arrays become bare pointers with no-alias facts, allocations become calls of the runtime, what is left of `math`
    becomes intrinsics and libm calls, and every function with a `tapeless.abi` attribute gets the entry
    `@name__entry(!llvm.ptr)` that `docs/architecture.md` describes. A function with the name of one that LLVM calls
    itself, such as `fmod`, becomes `@fmod__own`. With `flush_denormals`, the entry has the runtime take denormal
    numbers for zeros until the call ends.
    """

    name: ClassVar[str] = "lower-to-llvm"
    after: ClassVar[dict[str, str]] = {
        "lower-math": "no function of math may be left",
    }
    vector_bits: int = 512
    flush_denormals: bool = False

    def run(self, module: ir.Module) -> None:
        with module.context, ir.Location.unknown():
            make_sums_atomic(module.operation)
            keep_apart(module, defined_functions(module))
            for function in defined_functions(module):
                hoist_stack_buffers(function)
                if is_private(function):
                    make_internal(function)
            bare_recursion(module, defined_functions(module))
            flush = declare_flush(module) if self.flush_denormals else None
            for function in kernels(module):
                add_entry(function, flush)
                make_internal(function)
            lower_heap(module)
            hints = LoopHints.make()
            ease_loops(annotate_loops(module, hints))
            convert(module)
            for op in module.body:
                if op.operation.name == "llvm.func":
                    define_values(op.operation)
                    annotate(op.operation, self.vector_bits)
                    mark_accesses(op.operation, hints)


def convert(module: ir.Module) -> None:
    """Runs the upstream conversions; what lies between them is not verified, which would double their time."""
    manager = passmanager.PassManager.parse(f"builtin.module({','.join(CONVERSIONS)})")
    manager.enable_verifier(False)
    manager.run(module.operation)


def defined_functions(module: ir.Module) -> list[func.FuncOp]:
    """The functions with a body."""
    return [op for op in module.body if op.operation.name == "func.func" and not op.is_external]


def kernels(module: ir.Module) -> list[func.FuncOp]:
    """The functions that get an entry."""
    return [function for function in defined_functions(module) if ABI_ATTRIBUTE in function.attributes]


def is_private(function: func.FuncOp) -> bool:
    """Whether nothing outside the module may refer to the function."""
    visibility = function.attributes.get("sym_visibility")
    return visibility is not None and ir.StringAttr(visibility).value == "private"


def make_internal(function: func.FuncOp) -> None:
    """Hides a function from outside, where only its entry is needed; one that came with a linkage keeps it."""
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    if "llvm.linkage" not in function.attributes:
        function.attributes["llvm.linkage"] = ir.Attribute.parse("#llvm.linkage<internal>")
