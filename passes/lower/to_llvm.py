"""`lower-to-llvm`: from loops on memrefs to the llvm dialect, with a C entry for the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import func, ir, passmanager
from tapeless.abi import ATTRIBUTE as ABI_ATTRIBUTE
from tapeless.passes.lower.entry import add_entry
from tapeless.passes.lower.heap import lower_heap
from tapeless.passes.lower.stack import hoist_stack_buffers

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

# What LLVM may assume of the runtime's functions: (function attributes, attributes of the result).
RUNTIME_FACTS: dict[str, tuple[tuple[str | tuple[str, str], ...], str | None]] = {
    "tl_alloc": (
        ("nounwind", ("allockind", "9"), ("allocsize", "4294967295"), ("alloc-family", "tl_alloc")),
        "{llvm.noalias, llvm.nonnull, llvm.align = 64 : i64}",
    ),
    "tl_free": (("nounwind", "willreturn", ("allockind", "4"), ("alloc-family", "tl_alloc")), None),
    "tl_fail": (("nounwind", "noreturn", "cold"), None),
    "tl_parallel": (("nounwind",), None),
}


@dataclass(frozen=True)
class ToLLVM:
    """Turns loops on memrefs into the llvm dialect.

    Arrays become bare pointers with no-alias facts, allocations become calls of the runtime, what is left of `math`
    becomes intrinsics and libm calls, and every function with a `tapeless.abi` attribute gets the entry
    `@name__entry(!llvm.ptr)` that `docs/architecture.md` describes.
    """

    name: ClassVar[str] = "lower-to-llvm"
    vector_bits: int = 512

    def run(self, module: ir.Module) -> None:
        with module.context, ir.Location.unknown():
            for function in defined_functions(module):
                hoist_stack_buffers(function)
                make_internal(function)
            for function in kernels(module):
                add_entry(function)
            lower_heap(module)
            passmanager.PassManager.parse(f"builtin.module({','.join(CONVERSIONS)})").run(module.operation)
            for function in module.body:
                annotate(function.operation, self.vector_bits)


def defined_functions(module: ir.Module) -> list[func.FuncOp]:
    """The functions with a body."""
    return [op for op in module.body if op.operation.name == "func.func" and not op.is_external]


def kernels(module: ir.Module) -> list[func.FuncOp]:
    """The functions that get an entry."""
    return [function for function in defined_functions(module) if ABI_ATTRIBUTE in function.attributes]


def make_internal(function: func.FuncOp) -> None:
    """Only entries are visible from outside; a function that came with a linkage keeps it."""
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    if "llvm.linkage" not in function.attributes:
        function.attributes["llvm.linkage"] = ir.Attribute.parse("#llvm.linkage<internal>")


def annotate(function: ir.Operation, vector_bits: int) -> None:
    """Adds LLVM function attributes: facts for the runtime's functions, code generation wishes for our own."""
    if function.name != "llvm.func":
        return
    name = ir.StringAttr(function.attributes["sym_name"]).value
    if name in RUNTIME_FACTS:
        facts, result_facts = RUNTIME_FACTS[name]
        function.attributes["passthrough"] = passthrough(facts)
        if result_facts:
            function.attributes["res_attrs"] = ir.ArrayAttr.get([ir.Attribute.parse(result_facts)])
    elif len(function.regions[0].blocks):
        wishes = ("nounwind", ("prefer-vector-width", str(vector_bits)), ("no-trapping-math", "true"))
        keeps_its_facts = ABI_ATTRIBUTE in function.attributes
        own = ir.ArrayAttr(function.attributes["passthrough"]) if "passthrough" in function.attributes else ()
        added = passthrough((*wishes, "noinline") if keeps_its_facts else wishes)
        function.attributes["passthrough"] = ir.ArrayAttr.get([*own, *added])


def passthrough(facts: tuple[str | tuple[str, str], ...]) -> ir.ArrayAttr:
    """Function attributes in the form that the translation to LLVM IR takes."""
    strings = [fact if isinstance(fact, str) else list(fact) for fact in facts]
    return ir.ArrayAttr.get(
        [
            ir.StringAttr.get(item) if isinstance(item, str) else ir.ArrayAttr.get([ir.StringAttr.get(x) for x in item])
            for item in strings
        ]
    )
