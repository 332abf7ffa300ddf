"""`tl.check_grads`: derivatives against central differences, in random directions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tapeless.api.decorated import TapelessFunction
from tapeless.api.transforms.derive import as_function
from tapeless.api.transforms.directional import jvp, vjp
from tapeless.api.transforms.pullback import pull_from
from tapeless.api.transforms.pushforward import along
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, GradientMismatch
from tapeless.methods import IMPLEMENTED, MethodChoice, check_method
from tapeless.spelling import nearest_or_all
from tapeless.tracebacks import user_facing
from tapeless.trees import filled, leaves, made, named_leaves, read

MODES = ("fwd", "rev")
# Relative step of central differences, and how far results may differ, by the coarsest dtype involved.
STEPS = {np.dtype(np.float64): 1e-5, np.dtype(np.float32): 1e-2}
TOLERANCES = {np.dtype(np.float64): 1e-6, np.dtype(np.float32): 3e-2}


@user_facing
def check_grads(
    f: Callable[..., Any],
    args: Any,
    order: int = 2,
    modes: Sequence[str] = MODES,
    methods: Sequence[str] = tuple(IMPLEMENTED),
    tolerance: float | None = None,
) -> None:
    """Raises GradientMismatch unless derivatives up to an order agree with central differences at `args`.

    Every float argument moves in a random direction. Forward mode must give the difference quotient, reverse mode its
    product with a random cotangent; for higher orders the derivatives are themselves functions to check.

    >>> tl.check_grads(lambda x: x * x * x, 2.0, order=1)
    """
    for mode in modes:
        if mode not in MODES:
            raise ArgumentError(f"unknown mode {mode!r}{nearest_or_all(str(mode), MODES)}")
    if not isinstance(order, int) or order < 1:
        raise ArgumentError(f"order={order!r} is no order of derivatives; give an integer of at least 1")
    values = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    inner = as_function("check_grads", f)
    for method in methods:
        check_method(method)
        _Check(inner, values, tuple(modes), method, tolerance).run(order)


@dataclass
class _Check:
    """One function at one point, with a method of differentiation."""

    f: TapelessFunction
    values: tuple[Any, ...]
    modes: tuple[str, ...]
    method: str
    tolerance: float | None
    trail: str = ""

    def run(self, order: int) -> None:
        """Checks the first derivative, then the derivatives as functions of their own."""
        random = np.random.default_rng(order)
        for position, value in enumerate(self._flat):
            if _is_float(value):
                self._argument(position, _direction(random, value), random)
        if order > 1:
            for name, function, values in self._derivatives(random):
                trail = f"{self.trail}{name} of "
                _Check(function, values, self.modes, self.method, self.tolerance, trail).run(order - 1)

    @property
    def _tree(self) -> Any:
        """The structure of the arguments."""
        return read(self.values, "args", lambda value, _: value)

    @property
    def _flat(self) -> list[Any]:
        """The numbers and arrays in the arguments."""
        return list(leaves(self._tree))

    def _argument(self, position: int, direction: Any, random: np.random.Generator) -> None:
        """Compares both modes with the difference quotient along a direction of one number or array."""
        quotient = self._quotient(position, direction)
        if "fwd" in self.modes:
            tangents = [_zeros(value) for value in self._flat]
            tangents[position] = direction
            _, moved = jvp(self.f, self.values, made(filled(self._tree, iter(tangents))), method=self.method)
            for found, expected in zip(_floats(moved), quotient, strict=True):
                self._compare("forward mode", position, direction, found, expected)
        if "rev" in self.modes:
            out, pullback = vjp(self.f, *self.values, method=self.method)
            cotangent = _random_like(random, out)
            adjoint = _leaves(pullback(cotangent))[position]
            expected = sum(np.sum(np.multiply(c, q)) for c, q in zip(_floats(cotangent), quotient, strict=True))
            self._compare("reverse mode", position, direction, np.sum(np.multiply(adjoint, direction)), expected)

    def _quotient(self, position: int, direction: Any) -> list[Any]:
        value = self._flat[position]
        step = STEPS[self._dtype] * max(1.0, float(np.max(np.abs(value), initial=0.0)))
        ahead, behind = (list(_floats(self.f(*self._moved(position, direction, each)))) for each in (step, -step))
        return [np.subtract(a, b, dtype=np.float64) / (2.0 * step) for a, b in zip(ahead, behind, strict=True)]

    def _moved(self, position: int, direction: Any, step: float) -> Any:
        values = self._flat
        values[position] = _as_type(np.add(values[position], np.multiply(step, direction)), values[position])
        return made(filled(self._tree, iter(values)))

    @property
    def _dtype(self) -> np.dtype:
        """The coarsest float type among the arguments and results."""
        values = [*self._flat, *_leaves(self.f(*self.values))]
        return min((np.asarray(each).dtype for each in values if np.asarray(each).dtype.kind == "f"), key=_size)

    def _compare(self, mode: str, position: int, direction: Any, found: Any, expected: Any) -> None:
        tolerance = TOLERANCES[self._dtype] if self.tolerance is None else self.tolerance
        scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
        if np.shape(found) == np.shape(expected) and np.all(np.abs(np.subtract(found, expected)) <= tolerance * scale):
            return
        names = [parameter.name for parameter in self.f.source.parameters]
        paths = (path for name, tree in zip(names, self._tree, strict=False) for path, _ in named_leaves(tree, name))
        name = list(paths)[position]
        raise GradientMismatch(
            f"{self.trail}{self.f.source.name}(): {mode} by method '{self.method}' disagrees with central differences "
            f"in argument '{name}' along {direction}: {found} instead of {expected}; look for kinks, "
            "tl.stop_gradient and custom rules there"
        )

    def _derivatives(self, random: np.random.Generator) -> Iterator[tuple[str, TapelessFunction, tuple[Any, ...]]]:
        """The derivatives in both modes as functions of primals and directions."""
        if "fwd" in self.modes:
            tangents = list(_random_like(random, self.values))
            derivative, values = along(
                self.f, jvp, self.values, tangents, MethodChoice(self.method), is_tuple=True, part="[1]"
            )
            yield "the tangent", derivative, tuple(values)
        if "rev" in self.modes:
            out, pullback = pull_from(self.f, vjp, self.values, MethodChoice(self.method))
            cotangents = pullback.cotangents(_random_like(random, out))
            yield "the pullback", pullback.derivative, (*pullback.primals, *cotangents)


def _size(dtype: np.dtype) -> int:
    return dtype.itemsize


def _leaves(value: Any) -> list[Any]:
    return list(leaves(read(value, "result", lambda leaf, _: leaf)))


def _floats(value: Any) -> Iterator[Any]:
    return (leaf for leaf in _leaves(value) if _is_float(leaf))


def _is_float(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "f"


def _direction(random: np.random.Generator, like: Any) -> Any:
    return _as_type(random.standard_normal(np.shape(like)), like)


def _as_type(value: Any, like: Any) -> Any:
    """A value with the dtype of another, a Python number for a Python number."""
    return (
        float(value)
        if isinstance(like, float) and not isinstance(like, np.floating)
        else np.asarray(value, np.asarray(like).dtype)[()]
    )


def _zeros(value: Any) -> Any:
    return np.zeros_like(value)[()]


def _random_like(random: np.random.Generator, value: Any) -> Any:
    """Random floats in the structure of a value, zeros for its integers and bools."""
    tree = read(value, "result", lambda leaf, _: _direction(random, leaf) if _is_float(leaf) else _zeros(leaf))
    return made(tree)
