"""Calls of transformed functions, and of pullbacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError
from tapeless.frontend.transforms import arguments, batching, directional, gradients, jacobians
from tapeless.frontend.transforms.arguments import Arguments
from tapeless.frontend.values.value import Pullback, Transform, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


Apply = Callable[["Translator", Transform, Arguments], Value]

APPLY: dict[str, Apply] = {
    "grad": gradients.grad,
    "value_and_grad": gradients.value_and_grad,
    "jacfwd": jacobians.jacfwd,
    "jacrev": jacobians.jacrev,
    "hessian": jacobians.hessian,
    "vmap": batching.vmap,
}


def call_transform(t: Translator, function: Transform, values: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The result of a transformed function."""
    is_derivative = function.kind != "vmap"
    bound = arguments.bind(t, function.function, values, keywords, converted=is_derivative)
    return APPLY[function.kind](t, function, bound)


def call_pullback(t: Translator, function: Pullback, values: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """The adjoints that a pullback gives."""
    if keywords:
        raise t.error("the pullback takes its cotangent by position", "write pullback(ct)", ArgumentError)
    return directional.pull_back(t, function, values)
