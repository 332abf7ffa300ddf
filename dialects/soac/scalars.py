"""Scalar operations: functions that `math` lacks, run-time checks and reports."""

from collections.abc import Sequence
from typing import Any

from tapeless import errors
from tapeless._mlir import ext, ir
from tapeless.dialects.effects import NoEffect
from tapeless.dialects.soac.checks import types_of
from tapeless.dialects.soac.dialect import Operation
from tapeless.dialects.verification import Problems, types_text

ARITIES: dict[str, int] = {
    "sigmoid": 1,
    "softplus": 1,
    "sign": 1,
    "lgamma": 1,
    "digamma": 1,
    "trigamma": 1,
    "erfinv": 1,
    "round_f16": 1,
    "round_bf16": 1,
    "hypot": 2,
}
SHOWN_TYPES = ("index", "i64", "f64")
REPORTED = ("the largest error", "how often the condition was false")


class FnOp(Operation, name="fn", traits=[ext.Pure]):
    """A scalar function that `math` lacks.

    ```mlir
    %y = "soac.fn"(%c) {function = "sigmoid"} : (f64) -> f64
    ```
    Names: sigmoid, softplus, sign, lgamma, digamma, trigamma, erfinv, round_f16, round_bf16 (to the nearest float of
    16 bits) with one operand, and hypot with two.
    """

    args: Sequence[ext.Operand[Any]]
    out: ext.Result[Any]
    function: ir.StringAttr

    def problems(self) -> Problems:
        name, args = self.function.value, types_of(self.args)
        if name not in ARITIES:
            yield f"has the unknown function {name!r}; use one of {', '.join(ARITIES)}"
        if len(args) != ARITIES[name]:
            yield f"has {len(args)} operands; give {name} {ARITIES[name]}"
        if not isinstance(self.out.type, ir.F32Type | ir.F64Type) or {*args, self.out.type} != {self.out.type}:
            yield f"maps {types_text(args)} to {self.out.type}; make them all f64 or all f32"


class AssertOp(Operation, name="assert"):
    """Raises when the condition is false.

    ```mlir
    "soac.assert"(%ok, %i, %n) {kind = "IndexOutOfRange", message = "index {} is out of range for size {}"}
      : (i1, index, index) -> ()
    ```
    `kind` names an error class of `tapeless.errors`; each `{}` in `message` is replaced by the next value operand
    (`index`, `i64` or `f64`). The location is the user's source line.
    """

    condition: ext.Operand[ir.IntegerType[1]]
    values: Sequence[ext.Operand[Any]]
    kind: ir.StringAttr
    message: ir.StringAttr

    def problems(self) -> Problems:
        kind = getattr(errors, self.kind.value, None)
        if not (isinstance(kind, type) and issubclass(kind, errors.TapelessError)):
            yield f"has the unknown kind {self.kind.value!r}; name an error class of tapeless.errors"
        holes = self.message.value.count("{}")
        if holes != len(self.values):
            yield f"has {len(self.values)} values for {holes} placeholders; give one value per {{}} of the message"
        for type_ in types_of(self.values):
            if str(type_) not in SHOWN_TYPES:
                yield f"shows a value of type {type_}; cast it to one of {', '.join(SHOWN_TYPES)}"


class ReportOp(Operation, name="report", traits=[NoEffect]):
    """Gives its condition, and tells the caller of the kernel how large an error is.

    ```mlir
    %same = "soac.report"(%ok, %c) {message = "is off by {}; too much {} times"} : (i1, f64) -> i1
    ```
    The caller is shown, for each of these operations, the largest error of a call (0 or more), and how often the
    condition was false. It counts where its result is used: without a use it goes, it
    merges with its equals, and nothing has to stay before or behind it.
    """

    condition: ext.Operand[ir.IntegerType[1]]
    error: ext.Operand[ir.F64Type]
    out: ext.Result[ir.IntegerType[1]]
    message: ir.StringAttr

    def problems(self) -> Problems:
        if self.message.value.count("{}") != len(REPORTED):
            yield f"has the message {self.message.value!r}; give a {{}} for {' and one for '.join(REPORTED)}"
