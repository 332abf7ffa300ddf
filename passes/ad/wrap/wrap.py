"""The pass `ad-wrap`: a function that computes a derivative, for a module that asks for none."""

from __future__ import annotations

from typing import ClassVar, Literal

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.symbols import symbol_name
from tapeless.methods import DEFAULT, check_method
from tapeless.passes.ad.wrap.modes import MODES, Request, write
from tapeless.passes.ad.wrap.subject import check_types, positions, primal
from tapeless.passes.driver.base import OpRefused


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
