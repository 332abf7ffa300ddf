"""`lower-math`: elementary functions become arithmetic that LLVM inlines and vectorises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tapeless._mlir import func, ir

from .mathlib.functions import FUNCTIONS
from .mathlib.lanes import Lanes, element_type

MATH_NAMES = {"math.powf": "pow"}


@dataclass(frozen=True)
class Math:
    """Replaces `math` functions and `soac.fn`, on scalars and vectors, by calls of inlined functions of arithmetic.

    ```mlir
    %y = math.exp %x : f64
    // becomes
    %y = call @tl_exp_f64(%x) : (f64) -> f64
    func.func private @tl_exp_f64(%x: f64) -> f64 attributes {llvm.always_inline, ...} { ... }
    ```
    """

    name = "lower-math"

    def run(self, module: ir.Module) -> None:
        library = Library(module)
        for op in list(elementary_ops(module.operation)):
            replace(op, library)


def elementary_ops(root: ir.Operation) -> Iterator[ir.Operation]:
    """Every op of the module that computes a function of the library."""
    for region in root.regions:
        for block in region:
            for op in block:
                if function_name(op.operation) in FUNCTIONS:
                    yield op.operation
                yield from elementary_ops(op.operation)


def function_name(op: ir.Operation) -> str:
    """The library's name of what an op computes, or a name the library does not have."""
    if op.name == "soac.fn":
        return ir.StringAttr(op.attributes["function"]).value
    return MATH_NAMES.get(op.name, op.name.removeprefix("math."))


def replace(op: ir.Operation, library: Library) -> None:
    """Puts a call in the place of one op."""
    callee = library.function(function_name(op), [operand.type for operand in op.operands])
    with ir.InsertionPoint(op), op.location:
        call = func.CallOp(callee, list(op.operands))
    op.result.replace_all_uses_with(call.result)
    op.erase()


@dataclass(frozen=True)
class Library:
    """The private functions a module holds, written on first use."""

    module: ir.Module

    def function(self, name: str, types: list[ir.Type]) -> func.FuncOp:
        symbol = f"tl_{name}_{suffix(types[0])}"
        table = ir.SymbolTable(self.module.operation)
        return table[symbol] if symbol in table else self.write(symbol, name, types)

    def write(self, symbol: str, name: str, types: list[ir.Type]) -> func.FuncOp:
        with ir.InsertionPoint(self.module.body), ir.Location.name(symbol, context=self.module.context):
            function = func.FuncOp(symbol, (types, [types[0]]), visibility="private")
            function.attributes["llvm.linkage"] = ir.Attribute.parse("#llvm.linkage<internal>")
            function.attributes["llvm.always_inline"] = ir.UnitAttr.get()
            with ir.InsertionPoint(function.add_entry_block()):
                result = FUNCTIONS[name](*(Lanes(argument) for argument in function.arguments))
                func.ReturnOp([result.value])
        return function


def suffix(lanes: ir.Type) -> str:
    """How a type is written in a symbol: `f64`, `v8f32`."""
    shape = "v" + "x".join(map(str, lanes.shape)) if isinstance(lanes, ir.VectorType) else ""
    return f"{shape}{element_type(lanes)}"
