"""Quantities computed of a program's function: its value or derivatives, by Tapeless, JAX and PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from untuned.program import Program

Function = Callable[..., Any]


def of_tapeless(program: Program, spelling: str, method: str) -> Function:
    """The quantity as a function that `tl.compile` and `tl.jit` take."""
    import tapeless as tl

    function = tl.function(program.spellings[spelling])
    if program.quantity == "value":
        return function
    if program.quantity == "hvp":
        return tl.function(_with_direction(function, program.spellings[spelling].__code__.co_argcount))
    if program.quantity == "jacobian":
        transform = tl.jacfwd if program.jacobian == "forward" else tl.jacrev
        return transform(function, argnums=program.wrt[0], method=method)
    return tl.value_and_grad(function, argnums=program.wrt, method=method)


def _with_direction(function: Function, count: int) -> Function:
    """The product of the Hessian by the first of `count` arguments and a direction, the last argument."""
    import tapeless as tl

    def of_one(x, v):
        return tl.hvp(function, x, v)

    def of_two(x, a, v):
        return tl.hvp(lambda y: function(y, a), x, v)

    def of_three(x, a, b, v):
        return tl.hvp(lambda y: function(y, a, b), x, v)

    def of_four(x, a, b, c, v):
        return tl.hvp(lambda y: function(y, a, b, c), x, v)

    def of_five(x, a, b, c, d, v):
        return tl.hvp(lambda y: function(y, a, b, c, d), x, v)

    return (of_one, of_two, of_three, of_four, of_five)[count - 1]


def of_jax(program: Program) -> Function:
    """The quantity as a function that `jax.jit` takes."""
    import jax

    function = program.jax(jax.numpy)
    if program.quantity == "value":
        return function
    if program.quantity == "hvp":

        def product(x: Any, *others: Any) -> Any:
            gradient = jax.grad(lambda y: function(y, *others[:-1]))
            return jax.jvp(gradient, (x,), (others[-1],))[1]

        return product
    if program.quantity == "jacobian":
        transform = jax.jacfwd if program.jacobian == "forward" else jax.jacrev
        return transform(function, argnums=program.wrt[0])
    return jax.value_and_grad(function, argnums=program.wrt)


def of_torch(program: Program, wrap: Callable[[Function], Function] | None = None) -> Function:
    """The quantity as a function of tensors, of the program's function as it is or as `wrap` makes it."""
    import torch

    assert program.torch is not None
    function = program.torch(torch) if wrap is None else wrap(program.torch(torch))
    if program.quantity == "value":
        return function
    if program.quantity == "hvp":

        def product(x: Any, *others: Any) -> Any:
            leaf = x.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(function(leaf, *others[:-1]), leaf, create_graph=True)
            return torch.autograd.grad(gradient, leaf, others[-1])[0]

        return product
    if program.quantity == "jacobian":
        transform = torch.func.jacfwd if program.jacobian == "forward" else torch.func.jacrev
        return transform(function, argnums=program.wrt[0])

    def gradient(*arguments: Any) -> Any:
        given = list(arguments)
        leaves = [arguments[place].detach().requires_grad_() for place in program.wrt]
        for place, leaf in zip(program.wrt, leaves, strict=True):
            given[place] = leaf
        value = function(*given)
        return value.detach(), torch.autograd.grad(value, leaves)

    return gradient


def leaves(result: Any) -> list[np.ndarray]:
    """The arrays and numbers of nested tuples and lists."""
    if isinstance(result, tuple | list):
        return [leaf for part in result for leaf in leaves(part)]
    return [np.asarray(result.detach().cpu() if hasattr(result, "detach") else result)]


def deviation(found: Any, expected: Any) -> float:
    """The largest difference of two results, relative to the largest element of each array."""
    ours, theirs = leaves(found), leaves(expected)
    if [each.shape for each in ours] != [each.shape for each in theirs]:
        return np.inf
    return max((_deviation(*pair) for pair in zip(ours, theirs, strict=True)), default=0.0)


def _deviation(found: np.ndarray, expected: np.ndarray) -> float:
    if found.size == 0:
        return 0.0
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    scale = np.max(np.abs(expected), initial=0.0, where=np.isfinite(expected)) or 1.0
    difference = np.where(same, 0.0, np.abs(np.where(same, 0.0, found - np.where(same, 0.0, expected))))
    largest = float(np.max(difference)) / float(scale)
    return np.inf if np.isnan(largest) else largest
