"""`soac.guard`: the condition of a branch whose first region is fast code, and whose second is exact everywhere."""

from collections.abc import Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.soac.checks import types_of
from tapeless.dialects.soac.dialect import Operation
from tapeless.dialects.verification import Problems

EXACT = ("operations", "steps", "branch-free")


class GuardOp(Operation, name="guard", traits=[ext.Pure]):
    """Says whether fast code may be used: whether numbers are all finite, and conditions all true.

    ```mlir
    %ok = "soac.guard"(%c, %zero) {exact = "operations"} : (f64, f64) -> i1
    %y = scf.if %ok -> f64 {
      scf.yield %c : f64
    } else {
      %e = math.exp %zero : f64
      scf.yield %e : f64
    }
    ```
    It is the condition of a `scf.if` or an `arith.select`. The first way of it is the fast code, the second one is
    exact for all data; `exact` says how: by the `operations` of straight code, one by one as they were written; by the
    `steps` of a loop, which may store states; or by `branch-free` code that takes about as long as the fast code.
    A sum of finite numbers that is infinite may count as one that is not finite.
    """

    tested: Sequence[ext.Operand[Any]]
    out: ext.Result[ir.IntegerType[1]]
    exact: ir.StringAttr

    def problems(self) -> Problems:
        tested = types_of(self.tested)
        if not tested:
            yield "tests nothing; give the numbers that must be finite, or conditions that must hold"
        for type_ in tested:
            # Compared by its width: a type made anew would need a context, which those who print modules may not have.
            is_bool = isinstance(type_, ir.IntegerType) and type_.width == 1
            if not isinstance(type_, ir.F64Type | ir.F32Type) and not is_bool:
                yield f"tests a value of type {type_}; give f64, f32 or i1"
        if self.exact.value not in EXACT:
            yield f"has an unknown exact way {self.exact.value!r}; use one of {', '.join(EXACT)}"
