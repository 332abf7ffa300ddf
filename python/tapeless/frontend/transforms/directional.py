"""`tl.jvp`, `tl.vjp` with its pullback, and `tl.hvp` of function values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError
from tapeless.frontend.control import joins
from tapeless.frontend.operators.mapping import ssa
from tapeless.frontend.transforms import arguments as binding
from tapeless.frontend.transforms import requests
from tapeless.frontend.transforms.arguments import Arguments
from tapeless.frontend.transforms.leaves import (
    Leaf,
    filled_like,
    is_differentiable,
    leaves,
    like,
    matching,
    paired,
    with_ssa,
)
from tapeless.frontend.transforms.outline import Outlined, outline
from tapeless.frontend.transforms.requests import Seeds
from tapeless.frontend.transforms.titles import symbol_of
from tapeless.frontend.values.value import Pullback, Scalar, Transform, Tuple, Value
from tapeless.methods import MethodChoice
from tapeless.trees import NAMED

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def jvp(t: Translator, function: Value, primals: Value, tangents: Value, method: MethodChoice) -> Value:
    """`(out, out_tangent)`; integers and bools have zero tangents."""
    given = binding.bind(t, function, as_arguments(t, primals), {})
    directions = _directions(t, given, as_arguments(t, tangents))
    moving = _moving(given)
    outlined = _outlined(t, "jvp", function, given, moving)
    made = requests.jvp(t, outlined, range(len(moving)), Seeds(directions), method)
    out = joins.rebuild(t, outlined.form, iter(made.results))
    return Tuple((out, _completed(t, out, made.derivatives)))


def as_arguments(t: Translator, value: Value) -> list[Value]:
    """A tuple of arguments, or the only one."""
    held = t.held(value)
    return list(held.items) if _are_several(held) else [held]


def _are_several(value: Value) -> bool:
    """Whether a value is a tuple of arguments; a named tuple is one argument."""
    return isinstance(value, Tuple) and value.node.kind != NAMED


def _moving(arguments: Arguments) -> list[Leaf]:
    """The float leaves of all arguments."""
    return [leaf for value in arguments.values.values() for leaf in leaves(value) if is_differentiable(leaf)]


def _directions(t: Translator, primals: Arguments, tangents: Sequence[Value]) -> list[Value]:
    """One tangent per float leaf of the arguments given; parameters left to their defaults do not move."""
    pairs = list(primals.values.items())
    if len(tangents) > len(pairs):
        raise t.error(
            f"{len(tangents)} tangents for {len(pairs)} arguments", "give one tangent for every primal", ArgumentError
        )
    directions: list[Value] = []
    for position, (name, primal) in enumerate(pairs):
        if position >= len(tangents):
            directions += [ssa(t, filled_like(t, leaf, 0)) for leaf in leaves(primal) if is_differentiable(leaf)]
            continue
        for pair in paired(t, primal, tangents[position], "the tangent of", name):
            if is_differentiable(pair.leaf):
                directions.append(ssa(t, matching(t, pair.given, pair.leaf, pair.role)))
            elif _moves(pair.given):
                raise t.error(
                    f"{pair.role}, which is no float, is not zero", "give zeros, or make it a float", ArgumentError
                )
    return directions


def _moves(tangent: Value | None) -> bool:
    """Whether a tangent may be other than zero; integers given for integers are taken to be zeros unless known."""
    number = tangent.literal if isinstance(tangent, Scalar) else None
    return bool(number) if number is not None else tangent is not None and is_differentiable(tangent)


def _outlined(t: Translator, kind: str, function: Value, arguments: Arguments, moving: Sequence[Leaf]) -> Outlined:
    """The function of all its float leaves; constant ones are captured."""
    values = list(arguments.values.values())

    def body(moved: list[Value]) -> Value:
        replacements = iter(moved)
        return arguments.call(t, function, [_moved(value, replacements) for value in values])

    return outline(t, f"{kind}_{symbol_of(function)}", moving, body)


def _moved(value: Value, replacements: Sequence[Value]) -> Value:
    found = [next(replacements) if is_differentiable(leaf) else leaf for leaf in leaves(value)]
    return like(value, iter(found))


def _completed(t: Translator, value: Value, derivatives: Sequence[Value]) -> Value:
    """Derivatives in the structure of a value, zeros where it has integers or bools."""
    remaining = iter(derivatives)
    made = [
        with_ssa(t, leaf, next(remaining)) if is_differentiable(leaf) else filled_like(t, leaf, 0)
        for leaf in leaves(value)
    ]
    return like(value, iter(made))


def vjp(t: Translator, function: Value, primals: Sequence[Value], method: MethodChoice) -> Value:
    """`(out, pullback)`."""
    given = binding.bind(t, function, [t.held(primal) for primal in primals], {})
    moving = _moving(given)
    outlined = _outlined(t, "vjp", function, given, moving)
    out = outlined.call(t)
    values = tuple(given.values.values())[: len(primals)]
    scope = t.builder.scopes[-1].serial
    return Tuple((out, Pullback(outlined, tuple(moving), values, out, method, scope)))


def pull_back(t: Translator, pullback: Pullback, cotangents: Sequence[Value]) -> Value:
    """One adjoint per primal, for cotangents in the structure of the result."""
    if all(scope.serial != pullback.scope for scope in t.builder.scopes):
        raise t.error("the pullback was made in a branch or loop that has ended", "call it there")
    if len(cotangents) != 1:
        raise t.error(f"the pullback takes one cotangent, not {len(cotangents)}", "give a tuple", ArgumentError)
    pairs = paired(t, pullback.out, t.held(cotangents[0]), "the cotangent of", "result")
    moving = [pair for pair in pairs if is_differentiable(pair.leaf)]
    seeds = [ssa(t, matching(t, pair.given, pair.leaf, pair.role)) for pair in moving]
    wrt = range(len(pullback.moving))
    made = requests.vjp(t, pullback.function, wrt, Seeds(seeds), pullback.method)
    remaining = iter(made.derivatives)
    adjoints = [
        _completed(t, value, [next(remaining) for leaf in leaves(value) if is_differentiable(leaf)])
        for value in pullback.primals
    ]
    return Tuple(tuple(adjoints))


def hvp(t: Translator, function: Value, x: Value, v: Value, method: MethodChoice) -> Value:
    """The Hessian of a scalar function times a vector: the tangent of its gradient; zeros for integers and bools."""
    values = as_arguments(t, x)
    moving = tuple(k for k, value in enumerate(values) if any(is_differentiable(leaf) for leaf in leaves(value)))
    gradient = Transform("grad", function, argnums=moving, method=method)
    products = iter(jvp(t, gradient, x, v, method).items[1].items)
    parts = [
        next(products) if k in moving else like(value, iter([filled_like(t, leaf, 0) for leaf in leaves(value)]))
        for k, value in enumerate(values)
    ]
    return Tuple(tuple(parts)) if _are_several(x) else parts[0]
