"""Reversible procedures: called with numpy arrays, compiled on first use, inverted by `~`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ParamSpec, overload

from tapeless.api.decorated import TapelessFunction, with_options
from tapeless.api.inplace import check_changeable, put_back
from tapeless.api.numbers import as_seen, given_back, stored
from tapeless.api.options import Options
from tapeless.api.pickling import Recipe
from tapeless.api.transforms.derive import passed
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax import procedures
from tapeless.frontend.syntax.faults import faults_explained
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.number_types import number_of
from tapeless.runtime.calling.parameters import bind_call
from tapeless.runtime.status import Status
from tapeless.tracebacks import user_facing

P = ParamSpec("P")


class Reversible(TapelessFunction[P, tuple[Any, ...]]):
    """A procedure. A call gives all parameters, in order, and leaves the caller's arrays alone unless `inplace=True`.

    `~f` is the inverse: `(~f)(*f(*args))` gives `args` back.

    >>> @tl.reversible
    ... def add(y: tl.f64, x: tl.In[tl.f64]):
    ...     y += x
    >>> add(1.0, 2.0), (~add)(3.0, 2.0)
    ((3.0, 2.0), (1.0, 2.0))
    """

    def __init__(self, procedure: Procedure, options: Options | None = None, recipe: Recipe | None = None) -> None:
        super().__init__(_calling(procedure), options, recipe)
        self.procedure = procedure
        self._inverse: Reversible[P] | None = None

    @overload
    def __call__(self, *arguments: P.args, **named: P.kwargs) -> tuple[Any, ...]: ...

    @overload
    def __call__(self, *arguments: Any, inplace: bool, **named: Any) -> tuple[Any, ...]: ...

    @user_facing
    def __call__(self, *arguments: Any, **named: Any) -> tuple[Any, ...]:
        if not named.pop("inplace", False):
            return super().__call__(*arguments, **named)
        return self._changing(arguments, named)

    def _changing(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        parameters = self.source.parameters
        values = bind_call(self.source.name, parameters, arguments, named)
        check_changeable(parameters, values)
        return put_back(parameters, values, super().__call__(*arguments, **named))

    def __invert__(self) -> Reversible[P]:
        if self._inverse is None:
            self._inverse = type(self)(self.procedure.inverse, self.options, Recipe(operator.invert, (self,)))
            self._inverse._inverse = self
        return self._inverse

    def __repr__(self) -> str:
        return f"<tl.reversible {'~' if self.procedure.is_inverse else ''}{self.procedure.source.name}>"

    def with_options(self, options: Options) -> Reversible[P]:
        """The same procedure, compiled otherwise."""
        return type(self)(self.procedure, options, Recipe(with_options, (self, options)))


class ReversibleOnNumbers(Reversible[P]):
    """A procedure with parameters of number systems of their own: calls give the contents of cells, and take them or
    values.

    As a function of floats, it is what is compiled and differentiated.
    """

    def __init__(self, procedure: Procedure, options: Options | None = None, recipe: Recipe | None = None) -> None:
        super().__init__(procedure, options, recipe)
        self._exact: Reversible[...] = Reversible(replace(procedure, is_stored=True), options)

    @overload
    def __call__(self, *arguments: P.args, **named: P.kwargs) -> tuple[Any, ...]: ...

    @overload
    def __call__(self, *arguments: Any, inplace: bool, **named: Any) -> tuple[Any, ...]: ...

    @user_facing
    def __call__(self, *arguments: Any, **named: Any) -> tuple[Any, ...]:
        return self._calling_exactly(arguments, named.pop("inplace", False), named)

    @property
    def status(self) -> Status:
        """Which checks failed in the last call on this thread; needs `checks="status"`."""
        return self._exact.status

    def _calling_exactly(self, arguments: tuple[Any, ...], inplace: bool, named: dict[str, Any]) -> tuple[Any, ...]:
        parameters = self.procedure.source.parameters
        values = bind_call(self.source.name, parameters, arguments, named)
        if inplace:
            check_changeable(parameters, values)
        given = {each.name: stored(each, value) for each, value in zip(parameters, values, strict=True)}
        pairs = zip(parameters, self._exact(**given), strict=True)
        results = tuple(given_back(parameter, held) for parameter, held in pairs)
        return put_back(parameters, values, results) if inplace else results


def _calling(procedure: Procedure) -> Source:
    """The function that calls a procedure and gives all its parameters."""
    source = procedure.source
    called, name = ("(~f)", f"{source.name}_inverse") if procedure.is_inverse else ("f", source.name)
    name += "_stored" if procedure.is_stored else ""
    function = Procedure(source, is_stored=procedure.is_stored)
    return synthetic(name, f"{called}({passed(source.parameters)})", as_seen(procedure), {"f": function}, source)


@user_facing
def reversible(python_function: Callable[P, None]) -> Reversible[P]:
    """Reads a Python function as a reversible procedure: `@tl.reversible`.

    >>> @tl.reversible
    ... def norm(y: tl.f64, x: tl.In[tl.f64[:]]):
    ...     for i in range(len(x)):
    ...         y += x[i] * x[i]
    >>> tl.grad(norm, loss="y", argnums="x")(0.0, np.array([3.0, 4.0]))
    array([6., 8.])
    """
    if isinstance(python_function, Reversible):
        return python_function
    if isinstance(python_function, TapelessFunction) or not hasattr(python_function, "__code__"):
        raise ArgumentError(f"tl.reversible takes a Python function, not {python_function!r}; decorate a def")
    code = python_function.__code__
    with faults_explained(code.co_filename, code.co_firstlineno):
        procedure = Procedure(Source.of(python_function, procedures.check))
    has_numbers = any(number_of(parameter.type) is not None for parameter in procedure.source.parameters)
    recipe = Recipe(reversible, (python_function,))
    return (ReversibleOnNumbers if has_numbers else Reversible)(procedure, recipe=recipe)
