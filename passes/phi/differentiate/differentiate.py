"""The pass `phi-differentiate`: the derivative of every segment as a function beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.differentiate.derivative import Derivative, adjoint, jacobian, pulled_back, pushed_forward
from tapeless.passes.phi.differentiate.finish import finished
from tapeless.passes.phi.exchange.segment import expressions

Form = Literal["vjp", "jvp", "jacobian"]


@dataclass(frozen=True)
class Differentiate:
    """Writes the derivative of every segment as a `phi.adjoint` in a function of its own.

    ```mlir
    %y = "phi.segment"(%a, %b) ({...}) {label = "s0", active_in = [true, false], active_out = [true], ...}

    func.func @s0_vjp(%a: f64, %b: f64, %seed: f64) -> f64 {
      %a_bar = "phi.adjoint"(%a, %b, %seed) ({...}) {segment = "s0", form = "vjp", ...}
      return %a_bar : f64
    }
    ```
    `form` is vjp (seeds of active results give adjoints of active live-ins), jvp (the other way round) or jacobian (no
    seeds; for each active result the derivatives in all active live-ins).
    """

    name: ClassVar[str] = "phi-differentiate"
    form: Form = "vjp"

    def run(self, module: ir.Module) -> None:
        """Writes one function per segment at the end of the module."""
        for op in ops_named(module, "phi.segment"):
            with ir.InsertionPoint(module.body), op.location:
                _write(op, self.form)


def _write(op: ir.OpView, form: Form) -> None:
    found = expressions(op)
    wanted = [k for k, flag in enumerate(op.active_in) if ir.BoolAttr(flag).value]
    outs = [root for root, flag in zip(found.roots, op.active_out, strict=True) if ir.BoolAttr(flag).value]
    derivative = finished(FORMS[form](found.graph, found.symbols, outs, wanted), ()).derivative
    types = [ir.Type.parse(each.type) for each in (*derivative.inputs, *derivative.seeds)]
    results = [ir.Type.parse(root.type) for root in derivative.roots]
    made = func.FuncOp(f"{op.label.value}_{form}", ir.FunctionType.get(types, results))
    block = made.add_entry_block()
    with ir.InsertionPoint(block):
        inputs, seeds = _split(list(block.arguments), len(derivative.inputs))
        func.ReturnOp(adjoint(derivative, derivative.roots, op, form, inputs, seeds, {}))


def _split(values: list[ir.Value], count: int) -> tuple[list[ir.Value], list[ir.Value]]:
    return values[:count], values[count:]


FORMS: dict[Form, Callable[..., Derivative]] = {"vjp": pulled_back, "jvp": pushed_forward, "jacobian": jacobian}
