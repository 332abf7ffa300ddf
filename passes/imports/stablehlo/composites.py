"""Rules of operations that a name gives a meaning: composites, functions of `chlo`, calls of code outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.imports.emit import kinks, scalars
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import Value, in_memory, shape_of
from tapeless.passes.imports.emit.open_sizes import require_at_most
from tapeless.passes.imports.emit.shapes import cut, iota
from tapeless.passes.imports.emit.sort import BITS, UNSIGNED, sort
from tapeless.passes.imports.stablehlo import derivatives, halves, windows
from tapeless.passes.imports.stablehlo.attributes import text
from tapeless.passes.imports.stablehlo.elements import core_element
from tapeless.passes.imports.stablehlo.elementwise import by_function
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, refuse
from tapeless.passes.imports.stablehlo.unsigned import is_unsigned

Values = Sequence[Value]
Named = Callable[[Translator, ir.Operation, Values], Sequence[Value]]


def _square(value: ir.Value) -> ir.Value:
    return scalars.FUNCTIONS["multiply"](value, value)


FUNCTIONS: dict[str, scalars.Emit] = {
    **{
        name: scalars.by_kind(f"math.{name}", None)
        for name in ("erf", "erfc", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "tan")
    },
    "lgamma": scalars.named("lgamma"),
    "digamma": scalars.named("digamma"),
    "erf_inv": scalars.named("erfinv"),
    "square": _square,
}
"""Functions of `chlo`, which has them as operations and, in portable artifacts, as composites."""


def _top_k(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """The largest elements along the last axis in order, and where they stand."""
    shape, types = shape_of(operands[0]), [result.type for result in op.results]
    if types[0].is_dynamic_dim(types[0].rank - 1):
        refuse(op, "gives a number of elements that is known only when running; give a constant k")
    require_at_most(types[0].shape[-1], shape[-1], "the largest {} elements are taken of an axis of size {}")
    numbers = iota(shape, len(shape) - 1, types[1].element_type)
    order = UNSIGNED if is_unsigned(op.operands[0].type) else BITS
    found = sort([operands[0], numbers], len(shape) - 1, [(0, order, True)])
    sizes = [*shape[:-1], types[0].shape[-1]]
    return [cut(each, [0] * len(shape), sizes, [1] * len(shape)) for each in found]


def _shape_assertion(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A condition on sizes that the producer wants to hold when running; `{k}` in its text is operand k + 1."""
    given = text(op, "error_message")
    places = [int(each) for each in PLACEHOLDER.findall(given)]
    message = PLACEHOLDER.sub("{}", given)
    i64 = ir.IntegerType.get_signless(64)
    values = [scalars.convert(i64)(in_memory(operands[1 + place])) for place in places]
    soac.AssertOp(in_memory(operands[0]), values, ir.StringAttr.get("ShapeMismatch"), ir.StringAttr.get(message))
    return []


PLACEHOLDER = re.compile(r"\{(\d+)\}")


def _function(emit: scalars.Emit) -> Named:
    def translate(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
        return [elementwise(emit, core_element(op.results[0].type), *operands)]

    return translate


def _of_last(count: int, emit: scalars.Emit) -> Named:
    """A function of the last operands; those before them are open sizes, which JAX hands to every function."""

    def translate(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
        return [elementwise(emit, core_element(op.results[0].type), *operands[-count:])]

    return translate


COMPOSITES: dict[str, Named] = {
    **{f"chlo.{name}": _function(emit) for name, emit in FUNCTIONS.items()},
    "chlo.top_k": _top_k,
    "tapeless.stop_gradient": derivatives.stop_gradient,
    "tapeless.checkpoint": derivatives.checkpoint,
    "tapeless.custom_rule": derivatives.custom_rule,
    "tapeless.abs": _of_last(1, kinks.absolute),
    "tapeless.clamp": _of_last(3, kinks.clamp),
    "tapeless.logaddexp": _of_last(2, kinks.logaddexp),
}


def _composite(t: Translator, op: ir.Operation, operands: Values) -> Sequence[Value]:
    """By its name where that is known, else by its decomposition."""
    name = text(op, "name")
    if name in COMPOSITES:
        return [_nearest(op, *each) for each in zip(op.results, COMPOSITES[name](t, op, operands), strict=True)]
    if name.startswith("tapeless."):
        known = ", ".join(each for each in COMPOSITES if each.startswith("tapeless."))
        refuse(op, f"has the name '{name}', which Tapeless gives no meaning; known are {known}")
    return t.call(op, derivatives.decomposition(op), operands)


def _nearest(op: ir.Operation, result: ir.Value, value: Value) -> Value:
    """The result of a function, rounded to 16 bits if it has so many; extremes and composites with a body are not."""
    name = text(op, "name")
    is_rounded = name.removeprefix("chlo.") in FUNCTIONS or name == "tapeless.logaddexp"
    return halves.rounded(value, result.type.element_type) if is_rounded and halves.is_half(result.type) else value


def _custom_call(t: Translator, op: ir.Operation, operands: Values) -> Sequence[Value]:
    target = text(op, "call_target_name")
    if target in TARGETS:
        return TARGETS[target](t, op, operands)
    if target not in IDENTITIES:
        reason = f"calls '{target}', code outside of the module; use operations of StableHLO for this part"
        refuse(op, reason)
    return list(operands)


TARGETS: dict[str, Named] = {
    "shape_assertion": _shape_assertion,
    "stablehlo.dynamic_reduce_window": windows.dynamic_reduce_window,
}
"""Calls that producers write for what StableHLO has no operation for."""

IDENTITIES = ("Sharding", "annotate_device_placement")

RULES: dict[str, Rule] = {
    **{f"chlo.{name}": by_function(emit) for name, emit in FUNCTIONS.items()},
    "chlo.top_k": Rule(_top_k),
    "stablehlo.composite": Rule(_composite),
    "stablehlo.custom_call": Rule(_custom_call),
}
