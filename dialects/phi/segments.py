"""Segments of a program and their derivatives, and values that rewriting leaves alone."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.phi.checks import flag_problems, name_problems, region_problems
from tapeless.dialects.phi.dialect import Operation
from tapeless.dialects.symbols import find_function
from tapeless.dialects.verification import Problems, same_type_problems

FORMS = ("vjp", "jvp", "jacobian")
PURE_DIALECTS = frozenset({"phi", "arith", "math"})
PURE_OPS = frozenset(
    {
        *("soac.fn", "soac.map", "soac.reduce", "soac.yield"),
        *("scf.if", "scf.for", "scf.while", "scf.condition", "scf.yield"),
        *("tensor.extract", "tensor.dim"),
    }
)


class SegmentOp(Operation, name="segment", traits=[ir.IsIsolatedFromAboveTrait, NoEffect]):
    """A pure piece of a program, raised to expressions; its derivative replaces op-by-op differentiation.

    ```mlir
    %y = "phi.segment"(%a, %b) ({
    ^bb0(%u: f64, %v: f64):
      %w = "phi.mono"(%u, %v) {exps = [2, 1], coeff = 1 : i64} : (f64, f64) -> f64
      "phi.yield"(%w) : (f64) -> ()
    }) {label = "s0", active_in = [true, false], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64) -> f64
    ```
    `active_in` and `active_out` say which live-ins and results carry derivatives; the attributes `cost = n : i64` and
    `cost_by_operation` are the estimates that chose the segment.
    """

    inputs: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    label: ir.StringAttr
    active_in: ir.ArrayAttr
    active_out: ir.ArrayAttr
    fm: Any
    body: ext.Region

    def problems(self) -> Problems:
        yield from _activity_problems("active_in", self.active_in, len(self.inputs))
        yield from _activity_problems("active_out", self.active_out, len(self.outs))
        yield from flag_problems(self.fm)
        inputs, outs = [value.type for value in self.inputs], [out.type for out in self.outs]
        yield from region_problems("body", self.body, inputs, "the live-ins", outs, "the results")
        yield from _purity_problems(self.body)


class AdjointOp(Operation, name="adjoint", traits=[ir.IsIsolatedFromAboveTrait, NoEffect]):
    """The generated derivative of a segment.

    ```mlir
    %a_bar = "phi.adjoint"(%a, %b, %c) ({
    ^bb0(%u: f64, %v: f64, %seed: f64):
      %w = "phi.mono"(%u, %v, %seed) {exps = [1, 1, 1], coeff = 2 : i64} : (f64, f64, f64) -> f64
      "phi.yield"(%w) : (f64) -> ()
    }) {segment = "s0", form = "vjp", fm = #phi.fm<"contract,reassoc">, operandSegmentSizes = array<i32: 2, 0, 0, 1>}
      : (f64, f64, f64) -> f64
    ```
    `segment` is the label of the segment. Operands: its live-ins, recorded predicates and trip counts, saved values,
    seeds; the region gets them all. `form` is vjp (results are adjoints), jvp (tangents) or jacobian (all partial
    derivatives, no seeds).
    """

    inputs: Sequence[ext.Operand[Any]]
    recorded: Sequence[ext.Operand[Any]]
    saved: Sequence[ext.Operand[Any]]
    seeds: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    segment: ir.StringAttr
    form: ir.StringAttr
    fm: Any
    body: ext.Region

    def problems(self) -> Problems:
        yield from name_problems("form", self.form.value, FORMS)
        yield from flag_problems(self.fm)
        if self.form.value == "jacobian" and self.seeds:
            yield "has seeds although its form is jacobian; leave them out"
        operands = [value.type for value in self.operation.operands]
        outs = [out.type for out in self.outs]
        yield from region_problems("body", self.body, operands, "the operands in order", outs, "the results")
        yield from _purity_problems(self.body)


class OpaqueOp(Operation, name="opaque", traits=[NoEffect]):
    """A call that is not looked into; `derivatives` names one function per operand, or is empty when it has none.

    ```mlir
    %y = "phi.opaque"(%a) {callee = @unknown, derivatives = [@unknown_derivative]} : (f64) -> f64
    ```
    """

    args: Sequence[ext.Operand[Any]]
    outs: Sequence[ext.Result[Any]]
    callee: ir.FlatSymbolRefAttr
    derivatives: ir.ArrayAttr

    def problems(self) -> Problems:
        if len(self.derivatives) not in (0, len(self.args)):
            yield f"has {len(self.derivatives)} derivatives; give one per operand, {len(self.args)}, or none"
        for symbol in (self.callee, *self.derivatives):
            if not isinstance(symbol, ir.FlatSymbolRefAttr):
                yield f"has {symbol} among its derivatives; give symbols such as @name"
            if find_function(self, symbol.value) is None:
                yield f"names {symbol}, which is no func.func of this module; define it or declare it"


class BarrierOp(Operation, name="barrier", traits=[ext.Pure]):
    """Its operand; nothing is rewritten across it.

    ```mlir
    %y = "phi.barrier"(%a) : (f64) -> f64
    ```
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        yield from same_type_problems(self.operand, self.out)


def _activity_problems(name: str, flags: ir.ArrayAttr, count: int) -> Problems:
    if len(flags) != count or not all(isinstance(flag, ir.BoolAttr) for flag in flags):
        yield f"has {name} = {flags}; give {count} times true or false"


def _purity_problems(region: ir.Region) -> Problems:
    for op in region.blocks[0].operations:
        name = op.operation.name
        if name not in PURE_OPS and name.split(".")[0] not in PURE_DIALECTS:
            yield f"has {name} in its body; raise it to phi or leave it outside"
        for inner in op.operation.regions:
            if len(inner.blocks) > 0:
                yield from _purity_problems(inner)
