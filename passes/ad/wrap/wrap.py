"""The pass `ad-wrap`: a function that computes a derivative, for a module that asks for none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.signatures import is_differentiable, signature
from tapeless.dialects.symbols import symbol_name
from tapeless.dialects.verification import types_text
from tapeless.methods import DEFAULT, check_method
from tapeless.passes.ad.wrap.modes import MODES, Request, write
from tapeless.passes.driver.base import OpRefused
from tapeless.spelling import nearest_or_all


@dataclass(frozen=True)
class Wrap:
    """Adds the function `outfn`, which asks for a derivative of the function `infn`; `ad-expand` then makes it.

    ```mlir
    func.func @f(%x: f64, %n: i64) -> f64 {...}

    // --ad-wrap="infn=f outfn=df mode=vjp"
    func.func private @f(%x: f64, %n: i64) -> f64 {...}
    func.func @df(%x: f64, %n: i64, %y_bar: f64) -> (f64, f64) {
      %y, %x_bar = "ad.vjp"(%x, %n, %y_bar) {callee = @f, wrt = [0], method = "redundant", ...}
      return %y, %x_bar : f64, f64
    }
    ```
    | mode | arguments | results |
    | --- | --- | --- |
    | vjp | those of `infn`, a cotangent for each float result | those of `infn`, an adjoint for each of `wrt` |
    | jvp | those of `infn`, a tangent for each of `wrt` | those of `infn`, a tangent for each float result |
    | grad | those of `infn`, whose only result is a float | an adjoint for each of `wrt` |
    | value_and_grad | as for grad | the value, then the adjoints |

    `infn` may be left out where the module has one public function; `outfn` is `infn` with the mode after it then.
    `wrt` are positions of arguments, such as `wrt=0,2`; without it, all floats and arrays of floats. The method is
    redundant, reversible or coarsened. `infn` becomes private, so that code is made of the derivative alone, unless
    `keep` is given.
    """

    name: ClassVar[str] = "ad-wrap"
    infn: str = ""
    outfn: str = ""
    mode: Literal["vjp", "jvp", "grad", "value_and_grad"] = "vjp"
    wrt: tuple[int, ...] = ()
    method: str = DEFAULT
    keep: bool = False

    def __post_init__(self) -> None:
        check_method(self.method)

    def run(self, module: ir.Module) -> None:
        function = primal(module, self.infn.removeprefix("@"))
        check_types(function)
        write(module, function, self._request(module, function))
        if not self.keep:
            function.attributes["sym_visibility"] = ir.StringAttr.get("private")

    def _request(self, module: ir.Module, function: func.FuncOp) -> Request:
        name = self.outfn.removeprefix("@") or f"{symbol_name(function)}_{self.mode}"
        if name in map(symbol_name, module.body.operations):
            raise OpRefused(function, f"cannot have the derivative @{name}: the name is taken; give another outfn")
        return Request(name, MODES[self.mode](function), positions(function, self.wrt), self.method)


def primal(module: ir.Module, name: str) -> func.FuncOp:
    """The function to differentiate: the one named, or the only public one."""
    functions = {symbol_name(op): op for op in module.body.operations if op.operation.name == "func.func"}
    if name and name not in functions:
        known = nearest_or_all(name, list(filter(None, functions))) if functions else "; it has no functions"
        raise OpRefused(module.operation, f"has no function @{name}{known}")
    public = [op for op in functions.values() if "sym_visibility" not in op.attributes and not op.is_external]
    if not name and len(public) != 1:
        found = ", ".join(f"@{symbol_name(op)}" for op in public) or "none"
        raise OpRefused(module.operation, f"has {len(public)} public functions ({found}); name one, as in infn=f")
    function = functions[name] if name else public[0]
    if function.is_external:
        raise OpRefused(function, f"@{name} is only declared; give it a body, or differentiate another function")
    return function


def check_types(function: func.FuncOp) -> None:
    """Refuses types of other producers, which are made core IR first."""
    type_ = signature(function)
    for each in (*type_.inputs, *type_.results):
        is_array = isinstance(each, ir.RankedTensorType)
        if (isinstance(each, ir.ShapedType) and not is_array) or (is_array and each.rank == 0):
            reason = f"has a value of type {each}, which core IR has not"
            raise OpRefused(function, f"{reason}; run --stablehlo-to-core or --linalg-to-core first")


def positions(function: func.FuncOp, wrt: Sequence[int]) -> list[int]:
    """The arguments to differentiate by: those given, or all that are floats."""
    inputs = signature(function).inputs
    floats = [position for position, type_ in enumerate(inputs) if is_differentiable(type_)]
    if not floats:
        raise OpRefused(function, f"has arguments {types_text(inputs)}, none of them a float or an array of floats")
    seen: set[int] = set()
    for position in wrt:
        if not 0 <= position < len(inputs):
            raise OpRefused(function, f"has {len(inputs)} arguments, and wrt names {position}; count from 0")
        if position not in floats:
            known = ", ".join(map(str, floats))
            reason = f"has argument {position} of type {inputs[position]}, which has no derivative"
            raise OpRefused(function, f"{reason}; choose wrt from {known}")
        if position in seen:
            raise OpRefused(function, f"has argument {position} twice in wrt; name each argument once")
        seen.add(position)
    return list(wrt) or floats
