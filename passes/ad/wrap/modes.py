"""The modes of `ad-wrap`, and the function that each of them writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tapeless._mlir import arith, func, ir
from tapeless.dialects.ad import JvpOp, VjpOp
from tapeless.dialects.ad.derivatives import positions_attribute
from tapeless.dialects.ad.signatures import is_differentiable, signature
from tapeless.dialects.symbols import symbol_name
from tapeless.dialects.verification import types_text
from tapeless.passes.driver.base import OpRefused


class Form(NamedTuple):
    """The form of a mode: the request, whether its seeds are arguments, and which results it returns."""

    request: type[VjpOp | JvpOp]
    takes_seeds: bool
    returns_value: bool


class Request(NamedTuple):
    """A request for the derivative of a function, under a name."""

    name: str
    form: Form
    wrt: list[int]
    method: str


def _reverse(function: func.FuncOp) -> Form:
    results = signature(function).results
    if not any(map(is_differentiable, results)):
        raise OpRefused(function, f"has results {types_text(results)}, none of them a float or an array of floats")
    return Form(VjpOp, takes_seeds=True, returns_value=True)


def _forward(function: func.FuncOp) -> Form:
    return _reverse(function)._replace(request=JvpOp)


def _gradient(function: func.FuncOp) -> Form:
    results = signature(function).results
    if len(results) != 1 or not isinstance(results[0], ir.FloatType) or not is_differentiable(results[0]):
        reason = f"has results {types_text(results)}; a gradient needs one result, a float"
        raise OpRefused(function, f"{reason}; use mode=vjp, which takes cotangents")
    return Form(VjpOp, takes_seeds=False, returns_value=False)


def _value_and_gradient(function: func.FuncOp) -> Form:
    return _gradient(function)._replace(returns_value=True)


MODES: dict[str, Callable[[func.FuncOp], Form]] = {
    "vjp": _reverse,
    "jvp": _forward,
    "grad": _gradient,
    "value_and_grad": _value_and_gradient,
}


def write(module: ir.Module, function: func.FuncOp, asked: Request) -> None:
    """Writes the function that asks for the derivative of another."""
    type_, form = signature(function), asked.form
    inputs, results = list(type_.inputs), list(type_.results)
    by = [inputs[position] for position in asked.wrt]
    floats = list(filter(is_differentiable, results))
    seeds, derivatives = (floats, by) if form.request is VjpOp else (by, floats)
    arguments = [*inputs, *(seeds if form.takes_seeds else ())]
    returned = [*(results if form.returns_value else ()), *derivatives]
    with function.location, ir.InsertionPoint(module.body):
        wrapper = func.FuncOp(asked.name, (arguments, returned))
        places = [argument.location for argument in function.entry_block.arguments]
        places += [function.location] * (len(arguments) - len(inputs))
        block = ir.Block.create_at_start(wrapper.regions[0], arguments, places)
        with ir.InsertionPoint(block):
            given = list(block.arguments)
            ones = [] if form.takes_seeds else [arith.constant(seed, 1.0) for seed in seeds]
            made = form.request(
                given[: len(inputs)],
                [*given[len(inputs) :], *ones],
                [*results, *derivatives],
                ir.FlatSymbolRefAttr.get(symbol_name(function)),
                positions_attribute(asked.wrt, module.context),
                ir.StringAttr.get(asked.method),
            )
            outs = list(made.operation.results)
            func.ReturnOp(outs if form.returns_value else outs[len(results) :])
