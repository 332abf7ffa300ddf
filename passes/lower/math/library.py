"""The functions a module holds: written on first use, called by symbol."""

from __future__ import annotations

from tapeless._mlir import func, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.functions import GUARDED, INLINED, MARKED
from tapeless.passes.lower.math.lanes import Lanes, element_type, emit
from tapeless.passes.lower.math.libm import Code, Guarded, each_lane

# A dot keeps these apart from every function of a user, whose names are Python identifiers.
PREFIX = "tl."
# Sizes of vector registers for which scalar functions that branch get vector variants.
REGISTER_BITS = (128, 256, 512)


@dataclass(frozen=True)
class Library:
    """Adds functions to a module.

    Straight code is inlined, and LLVM vectorises the loop around it. Code with a branch for rare arguments would keep
    the loop scalar, so it stays a call, and `vector-function-abi-variant` tells LLVM's vectoriser which vector
    functions compute the same; these branch once for all lanes.
    """

    module: ir.Module

    def function(self, name: str, types: list[ir.Type]) -> func.FuncOp:
        """The function of this name on these types."""
        symbol = symbol_of(name, types[0])
        table = ir.SymbolTable(self.module.operation)
        if symbol in table:
            return table[symbol]
        code = INLINED.get(name) or MARKED.get(name)
        if code is not None:
            return self._inlined(symbol, code, types)
        return self._guarded(symbol, name, types[0])

    def _inlined(self, symbol: str, code: Code, types: list[ir.Type]) -> func.FuncOp:
        function = self._declare(symbol, types, linkage="linkonce_odr")
        function.attributes["llvm.always_inline"] = ir.UnitAttr.get()
        with body_of(function):
            func.ReturnOp([code(*map(Lanes, function.arguments)).value])
        return function

    def _guarded(self, symbol: str, name: str, kind: ir.Type) -> func.FuncOp:
        is_vector = isinstance(kind, ir.VectorType)
        # Only the vectoriser may refer to a vector variant: it must not look unused before that pass.
        function = self._declare(symbol, [kind], linkage="weak_odr" if is_vector else "linkonce_odr")
        with body_of(function):
            func.ReturnOp([guarded(GUARDED[name], Lanes(function.arguments[0])).value])
        if not is_vector:
            function.attributes["llvm.no_inline"] = ir.UnitAttr.get()
            function.attributes["llvm.passthrough"] = self._variants(symbol, name, kind)
        return function

    def _variants(self, symbol: str, name: str, kind: ir.Type) -> ir.Attribute:
        mappings = []
        for lanes in (bits // kind.width for bits in REGISTER_BITS):
            variant = self.function(name, [ir.VectorType.get([lanes], kind)])
            mappings.append(f"_ZGV_LLVM_N{lanes}v_{symbol}({variant.sym_name.value})")
        pair = ("vector-function-abi-variant", ",".join(mappings))
        return ir.ArrayAttr.get([ir.ArrayAttr.get([ir.StringAttr.get(text) for text in pair])])

    def _declare(self, symbol: str, types: list[ir.Type], linkage: str) -> func.FuncOp:
        with ir.InsertionPoint.at_block_begin(self.module.body), ir.Location.name(symbol):
            function = func.FuncOp(symbol, (types, [types[0]]), visibility="private")
        function.attributes["llvm.linkage"] = ir.Attribute.parse(f"#llvm.linkage<{linkage}>")
        function.add_entry_block()
        return function


def body_of(function: func.FuncOp) -> ir.InsertionPoint:
    return ir.InsertionPoint(function.entry_block)


def symbol_of(name: str, kind: ir.Type) -> str:
    """`tl.exp_f64`, `tl.log_v8f32`"""
    lanes = f"v{kind.shape[0]}" if isinstance(kind, ir.VectorType) else ""
    return f"{PREFIX}{name}_{lanes}{element_type(kind)}"


def guarded(function: Guarded, x: Lanes) -> Lanes:
    """The easy code, unless any lane is beyond its limit."""
    is_hard = x.abs().compare("oge", function.limit).value
    if isinstance(x.type, ir.VectorType):
        is_hard = any_lane(is_hard)
    choice = scf.IfOp(is_hard, [x.type], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        result = each_lane(lambda scalars: emit(function.fallback, x.element, *scalars).value, x)
        scf.YieldOp([result.value])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([function.code(x).value])
    return Lanes(choice.results[0])


def any_lane(mask: ir.Value) -> ir.Value:
    """Whether a vector of booleans has a true one."""
    kind = ir.Attribute.parse("#vector.kind<or>")
    return emit("vector.reduction", ir.IntegerType.get_signless(1), mask, kind=kind).value
