"""`rev-adjoint`: the adjoints of procedures, as procedures."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.rev.activity import holds_floats
from tapeless.errors import PipelineError
from tapeless.methods import DEFAULT
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.search import ops_named
from tapeless.passes.rev.adjoint.control import SUFFIX, adjoin_block
from tapeless.passes.rev.adjoint.shadows import Shadows, has_shadow, shadow_type
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.forms.normalise import normalise_below

FLOAT_PARAMETER = "has a float parameter, which has no adjoint; make it a cell of mode in"


@dataclass(frozen=True)
class Adjoint:
    """Adds the adjoint `@f.adj` of every procedure that is named, and of those that it calls.

    ```mlir
    "rev.func"() ({
    ^bb0(%y: memref<f64>):
      "rev.scale"(%y) {factor = 2.000000e+00 : f64, divide = true} : (memref<f64>) -> ()
    }) {sym_name = "halve", modes = ["inout"]} : () -> ()
    ```
    gives
    ```mlir
    "rev.func"() ({
    ^bb0(%y: memref<f64>, %y_bar: memref<f64>):
      "rev.scale"(%y) {factor = 2.000000e+00 : f64, divide = true} : (memref<f64>) -> ()
      "rev.scale"(%y_bar) {factor = 2.000000e+00 : f64, divide = false} : (memref<f64>) -> ()
    }) {sym_name = "halve.adj", modes = ["inout", "inout"]} : () -> ()
    ```
    Behind the parameters stands a shadow for every cell and stack of floats. The adjoint takes values x and adjoints
    x_bar to f(x) and the y_bar with J' y_bar = x_bar, so that of the inverse gives a gradient: x = f.inv(y) and
    J' y_bar. The adjoint of an inverse is the inverse of the adjoint. Blocks must be normal (`rev-normalise`).
    With `last`, the adjoints will not be inverted: sums of shadows are marked as free in their rounding. Right-hand
    sides are functions, differentiated by `method`.
    """

    name: ClassVar[str] = "rev-adjoint"
    procedures: tuple[str, ...] = ()
    last: bool = False
    method: str = DEFAULT

    def run(self, module: ir.Module) -> None:
        known = {op.procedure_name: op for op in procedures(module)}
        waiting = list(self.procedures)
        while waiting:
            name = waiting.pop()
            if name not in known:
                raise PipelineError(
                    f"rev-adjoint is to differentiate '{name}', which is no rev.func; name one there is"
                )
            if name + SUFFIX not in known:
                waiting += {call.callee.value for call in ops_named(known[name], rev.CallOp.OPERATION_NAME)}
                known[name + SUFFIX] = _add_adjoint(known[name], self.last, self.method)
        # Calls name adjoints that come later, so nothing is verified before all are there.
        for name in known:
            if name.endswith(SUFFIX):
                normalise_below(known[name])


def _add_adjoint(procedure: ir.OpView, is_last: bool, method: str) -> ir.OpView:
    """A copy of a procedure behind it, with shadows."""
    made = procedure.operation.clone(ip=ir.InsertionPoint.after(procedure)).opview
    name = procedure.procedure_name + SUFFIX
    made.attributes["sym_name"] = ir.StringAttr.get(name)
    block = made.body.blocks[0]
    shadows = Shadows(name, is_last=is_last, method=method)
    modes = made.mode_names
    for argument, mode in zip(list(block.arguments), made.mode_names, strict=True):
        if mode == "param" and holds_floats(argument.type):
            raise OpRefused(procedure, FLOAT_PARAMETER)
        if has_shadow(argument.type):
            shadows.cells[argument] = block.add_argument(shadow_type(argument.type), procedure.location)
            modes.append("inout")
    made.attributes["modes"] = ir.ArrayAttr.get([ir.StringAttr.get(mode) for mode in modes])
    adjoin_block(shadows, block)
    return made
