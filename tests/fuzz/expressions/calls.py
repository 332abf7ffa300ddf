"""Calls of other functions, of derivatives, and of marked functions."""

from __future__ import annotations

from fuzz.draft import Draft
from fuzz.expressions import write
from fuzz.scope import Scope, Variable
from fuzz.sizes import is_constant
from fuzz.types import Type, integers
from fuzz.writing import Stuck


def helper_call(d: Draft, wanted: Type, depth: int) -> str:
    """A call of a function of its own, which knows its arguments alone."""
    if d.in_transformation and d.chance(0.7):
        raise Stuck
    types = [wanted, *(d.pick(d.scope.variables).type for _ in range(d.rng.randint(0, 2)))]
    if wanted.rank == 1 and d.chance(0.2):
        return sized_call(d, wanted, depth)
    arguments = [write.expression(d, type_, depth - 2) for type_ in types]
    name, parameters = d.fresh("helper"), [Variable(d.fresh("p"), type_) for type_ in types]
    outer, d.scope = d.scope, Scope(list(parameters))
    try:
        body = write.expression(d, wanted, depth - 1)
    finally:
        d.scope = outer
    d.helpers.append(_text(name, parameters, body))
    return f"{name}({', '.join(arguments)})"


def _text(name: str, parameters: list[Variable], body: str) -> str:
    names = ", ".join(each.name for each in parameters)
    return f"@tl.function\ndef {name}({names}):\n    return {body}\n"


def sized_call(d: Draft, wanted: Type, depth: int) -> str:
    """A call of a function whose result is as long as an argument says."""
    name, value = d.fresh("helper"), write.expression(d, wanted.shaped(), depth - 1)
    if wanted.dtype != "f64":
        raise Stuck
    size = wanted.sizes[0]
    text = str(size[0]) if is_constant(size) and d.chance(0.7) else d.size_text(size)
    d.helpers.append(_text(name, [Variable("x", wanted.shaped()), Variable("count", integers())], "x * tl.ones(count)"))
    return f"{name}({value}, {text})"


def gradient_inside(d: Draft, wanted: Type, depth: int) -> str:
    """A derivative that the program itself takes."""
    if d.in_transformation or d.has_stop or wanted.dtype != "f64" or d.is_flat or d.chance(0.5):
        raise Stuck
    variable = Variable(d.fresh("t"), wanted, is_writable=False)
    at = write.expression(d, wanted, depth - 2)
    if d.has_stop:  # the reference takes differences, which do not stop
        raise Stuck
    d.in_transformation, d.has_transformation = True, True
    try:
        with d.lambda_of(variable):
            body = write.expression(d, wanted.shaped(), depth - 1)
            inner = write.expression(d, wanted, depth - 2)
    finally:
        d.in_transformation = False
    loss = f"tl.sum(tl.sin({variable.name}) * {inner})" if wanted.rank else f"tl.sin({variable.name} * {inner})"
    if d.chance(0.3):
        return (
            f"tl.jvp(lambda {variable.name}: tl.sin({variable.name}) * {body}, ({at},), ({write.leaf(d, wanted)},))[1]"
        )
    return f"tl.grad(lambda {variable.name}: {loss} + {body})({at})"


def marked(d: Draft, wanted: Type, depth: int) -> str:
    """What no derivative sees, and what reverse mode runs again."""
    value = write.expression(d, wanted, depth - 1)
    if d.in_transformation or wanted.dtype != "f64" or d.chance(0.6):
        raise Stuck
    name = d.fresh("c")
    if d.has_transformation or d.chance(0.5):
        return f"tl.checkpoint(lambda {name}: tl.sin({name}) * {name})({value})"
    d.has_stop = True
    return f"tl.stop_gradient({value})"
