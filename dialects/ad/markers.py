"""The operations `ad.custom_rule`, `ad.stop_gradient`, `ad.promise` and `ad.checkpoint`, by which users steer
derivatives.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tapeless._mlir import ext, ir
from tapeless.dialects.ad.dialect import Operation
from tapeless.dialects.ad.signatures import callee_problems, operand_problems, signature
from tapeless.dialects.effects import EffectOfBody
from tapeless.dialects.groups import SOME_RUNS
from tapeless.dialects.regions import block_problems, yield_problems
from tapeless.dialects.symbols import find_function
from tapeless.dialects.verification import Problems, same_type_problems

RULE_PARTS: dict[str, tuple[str, ...]] = {"vjp": ("forward", "backward"), "jvp": ("rule",)}


class CustomRuleOp(Operation, name="custom_rule"):
    """Declares that a function has its own derivative rule; stands in the module, next to the functions.

    ```mlir
    "ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@square_fwd, @square_bwd]} : () -> ()
    ```
    `kind = "vjp"` takes two functions: forward (the arguments of the primal; its results, then residuals) and backward
    (the residuals, then one cotangent per result; one adjoint per argument). `kind = "jvp"` takes one (the arguments,
    then one tangent per argument; the results, then their tangents).
    """

    primal: ir.FlatSymbolRefAttr
    kind: ir.StringAttr
    functions: ir.ArrayAttr

    def problems(self) -> Problems:
        kind = self.kind.value
        if kind not in RULE_PARTS:
            yield f"has the unknown kind {kind!r}; use one of {', '.join(RULE_PARTS)}"
        parts = RULE_PARTS[kind]
        if len(self.functions) != len(parts):
            yield f"has {len(self.functions)} functions; give {len(parts)}: {', '.join(parts)}"
        for name in (self.primal, *self.functions):
            if not isinstance(name, ir.FlatSymbolRefAttr):
                yield f"has {name} among its functions; give symbols such as @name"
            yield from callee_problems(self, name.value)
        primal, *rules = (signature(find_function(self, name.value)) for name in (self.primal, *self.functions))
        yield from SIGNATURE_CHECKS[kind](primal, *rules)


def _vjp_rule_problems(primal: ir.FunctionType, forward: ir.FunctionType, backward: ir.FunctionType) -> Problems:
    yield from operand_problems("forward arguments", forward.inputs, primal.inputs, "those of the primal")
    results = forward.results[: len(primal.results)]
    yield from operand_problems("leading forward results", results, primal.results, "those of the primal")
    wanted = [*forward.results[len(primal.results) :], *primal.results]
    yield from operand_problems("backward arguments", backward.inputs, wanted, "the residuals, then the cotangents")
    yield from operand_problems("backward results", backward.results, primal.inputs, "one adjoint per argument")


def _jvp_rule_problems(primal: ir.FunctionType, rule: ir.FunctionType) -> Problems:
    arguments, results = [*primal.inputs, *primal.inputs], [*primal.results, *primal.results]
    yield from operand_problems("rule arguments", rule.inputs, arguments, "the arguments, then their tangents")
    yield from operand_problems("rule results", rule.results, results, "the results, then their tangents")


SIGNATURE_CHECKS: dict[str, Callable[..., Problems]] = {"vjp": _vjp_rule_problems, "jvp": _jvp_rule_problems}


class StopGradientOp(Operation, name="stop_gradient", traits=[ext.Pure]):
    """Its operand, as a constant for differentiation.

    ```mlir
    %fixed = "ad.stop_gradient"(%x) : (tensor<?xf64>) -> tensor<?xf64>
    ```
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        yield from same_type_problems(self.operand, self.out)


class PromiseOp(Operation, name="promise", traits=[ext.Pure]):
    """Its operand, an array that a loop carries, with the promise that no value in it is lost: no element is written
    after it has been read or written, so the array at the end of the loop holds every state.

    ```mlir
    %same = "ad.promise"(%x) : (tensor<?xf64>) -> tensor<?xf64>
    ```
    The pass `ad-promises` makes it from the attribute `ad.true_dep`. Passes that know it to hold add the attribute
    `ad.sure`: then nothing is checked.
    """

    operand: ext.Operand[Any]
    out: ext.Result[Any]

    def problems(self) -> Problems:
        yield from same_type_problems(self.operand, self.out)


class YieldOp(Operation, name="yield", traits=[ir.IsTerminatorTrait, ext.Pure]):
    """Ends the body of `ad.checkpoint`.

    ```mlir
    %y = "ad.checkpoint"() ({
      "ad.yield"(%c) : (f64) -> ()
    }) : () -> f64
    ```
    """

    runs = SOME_RUNS

    values: Sequence[ext.Operand[Any]]


class CheckpointOp(Operation, name="checkpoint", traits=[EffectOfBody]):
    """Runs its body; the return sweep runs it again from the values it uses instead of keeping anything from inside.

    ```mlir
    %y = "ad.checkpoint"() ({
      %z = math.exp %c : f64
      %w = arith.mulf %z, %z : f64
      "ad.yield"(%w) : (f64) -> ()
    }) : () -> f64
    ```
    """

    runs = SOME_RUNS

    outs: Sequence[ext.Result[Any]]
    body: ext.Region

    def problems(self) -> Problems:
        yield from block_problems("body", self.body, YieldOp.OPERATION_NAME)
        yield from yield_problems("body", self.body, [out.type for out in self.outs], "the results")
