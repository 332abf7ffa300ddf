"""Quantities computed of a program's function: its value or derivatives, by Tapeless, JAX and PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from untuned.program import FromJax, Program

Function = Callable[..., Any]


def of_tapeless(program: Program, spelling: str, method: str, arguments: Sequence[Any] = ()) -> Function:
    """The quantity as a function that `tl.compile` and `tl.jit` take; imported ones take arguments like these."""
    import tapeless as tl

    spelled = program.spellings[spelling]
    if isinstance(spelled, FromJax):
        return _imported(program, method, arguments)
    function = tl.function(spelled)
    if program.quantity == "value":
        return function
    if program.quantity == "hvp":
        return tl.function(_with_direction(function, spelled.__code__.co_argcount))
    if program.quantity == "jacobian":
        transform = tl.jacfwd if program.jacobian == "forward" else tl.jacrev
        return transform(function, argnums=program.wrt[0], method=method)
    return tl.value_and_grad(function, argnums=program.wrt, method=method)


def _imported(program: Program, method: str, arguments: Sequence[Any]) -> Function:
    """Gradients and values of the function of JAX as `tl.from_jax` reads it."""
    import jax

    import tapeless as tl

    function = tl.from_jax(program.jax(jax.numpy), *arguments)
    if program.quantity == "value":
        return function
    assert program.quantity == "gradient", f"{program.quantity} of imported programs is not measured"
    return tl.value_and_grad(function, argnums=program.wrt, method=method)


def as_in_jax(arguments: tuple[Any, ...], dtype: str) -> tuple[Any, ...]:
    """Arrays of the dtypes that JAX has: in programs of f32, integers have 32 bits, too."""
    import jax

    set_bits_of_jax(dtype)
    return tuple(np.array(jax.numpy.asarray(each)) if isinstance(each, np.ndarray) else each for each in arguments)


def set_bits_of_jax(dtype: str) -> None:
    """Has JAX keep 64 bits in programs of f64 alone, as its users do."""
    import jax

    jax.config.update("jax_enable_x64", dtype == "f64")


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
        dtype = next(each.dtype for each in arguments if isinstance(each, torch.Tensor) and each.is_floating_point())
        numbers = {place: torch.as_tensor(arguments[place], dtype=dtype) for place in program.wrt}
        leaves = [numbers[place].detach().requires_grad_() for place in program.wrt]
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
