"""Functions of Python read as functions of the language: `tl.function`, `tl.jit` and `tl.compile`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from tapeless.api.decorated import TapelessFunction
from tapeless.api.held import Held, called, held_by, with_held
from tapeless.api.holding import Holding
from tapeless.api.options import make_options
from tapeless.api.parameters import signature_types
from tapeless.api.pickling import Recipe
from tapeless.api.printing import check_kernel
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.faults import faults_explained
from tapeless.frontend.syntax.source import Source
from tapeless.lang import in_language
from tapeless.runtime.kernel import Kernel
from tapeless.tracebacks import user_facing

P = ParamSpec("P")
R = TypeVar("R")


@overload
def function(python_function: Callable[P, R]) -> TapelessFunction[P, R]: ...


@overload
def function() -> Callable[[Callable[P, R]], TapelessFunction[P, R]]: ...


@user_facing
def function(python_function: Callable[..., Any] | None = None) -> Any:
    """Reads a Python function as a function of the language: `@tl.function`, or `@tl.function()`.

    >>> @tl.function
    ... def squares(x: tl.f64[:]) -> tl.f64:
    ...     return tl.sum(x * x)
    >>> squares(np.array([3.0, 4.0]))
    25.0
    """
    if python_function is None:
        return function
    if isinstance(python_function, TapelessFunction):
        return python_function
    python_function = called(python_function)
    if (held := held_by(python_function)) is not None:
        return Holding(python_function, _whole(held), Recipe(function, (python_function,)))
    if not hasattr(python_function, "__code__"):
        raise ArgumentError(f"tl.function takes a Python function, not {python_function!r}; decorate a def")
    code = python_function.__code__
    with faults_explained(code.co_filename, code.co_firstlineno):
        return TapelessFunction(Source.of(python_function), recipe=Recipe(function, (python_function,)))


def _whole(held: Held) -> TapelessFunction:
    """The function of the held values and of the remaining arguments; the same one for all objects of a class."""
    inner = function(held.function)
    key = held._replace(function=None)
    if key not in inner.derived:
        inner.derived[key] = TapelessFunction(with_held(held, inner.source), inner.options)
    return inner.derived[key]


@overload
def jit(f: Callable[P, R], **options: Any) -> TapelessFunction[P, R]: ...


@overload
def jit(**options: Any) -> Callable[[Callable[P, R]], TapelessFunction[P, R]]: ...


@in_language
@user_facing
def jit(f: Callable[..., Any] | None = None, **options: Any) -> Any:
    """The function with other options: `tl.jit(f, threads=2, checks="off")`, or `@tl.jit(threads=2)` before a `def`.

    It is compiled on first call.

    >>> tl.jit(lambda x: x[0], checks="off")(np.array([5.0]))
    5.0
    """
    made = make_options(options)
    return (lambda f: function(f).with_options(made)) if f is None else function(f).with_options(made)


@user_facing
def compile(python_function: Callable[..., Any], signature: Any = None, **options: Any) -> Kernel:
    """Compiles at once for a tuple of types or example arguments (nothing if all parameters are annotated).

    >>> kernel = tl.compile(lambda x: 2.0 * x, (tl.f64[:],))
    >>> kernel(np.ones(2))
    array([2., 2.])
    """
    decorated = function(python_function)
    check_kernel(decorated.source)
    types = signature_types(decorated.source.name, decorated.source.parameters, signature)
    return jit(decorated, **options)._kernel(types)
