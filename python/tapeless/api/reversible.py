"""Reversible procedures: called with numpy arrays, compiled on first use, inverted by `~`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeless.api.function import TapelessFunction
from tapeless.api.inplace import check_changeable, put_back
from tapeless.api.options import Options
from tapeless.api.transforms.derive import passed
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax import procedures
from tapeless.frontend.syntax.faults import faults_explained
from tapeless.frontend.syntax.procedures import Procedure
from tapeless.frontend.syntax.source import Source
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.runtime.calling.parameters import bind_call
from tapeless.tracebacks import user_facing


class Reversible(TapelessFunction):
    """A procedure. A call gives all parameters, in order, and leaves the caller's arrays alone unless `inplace=True`.

    `~f` is the inverse: `(~f)(*f(*args))` gives `args` back.
    """

    def __init__(self, procedure: Procedure, options: Options | None = None) -> None:
        super().__init__(_calling(procedure), options)
        self.procedure = procedure
        self._inverse: Reversible | None = None

    def __call__(self, *arguments: Any, inplace: bool = False, **named: Any) -> Any:
        if not inplace:
            return super().__call__(*arguments, **named)
        return self._changing(arguments, named)

    @user_facing
    def _changing(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        parameters = self.source.parameters
        values = bind_call(self.source.name, parameters, arguments, named)
        check_changeable(parameters, values)
        return put_back(parameters, values, super().__call__(*arguments, **named))

    def __invert__(self) -> Reversible:
        if self._inverse is None:
            self._inverse = Reversible(self.procedure.inverse, self.options)
            self._inverse._inverse = self
        return self._inverse

    def __repr__(self) -> str:
        return f"<tl.reversible {'~' if self.procedure.is_inverse else ''}{self.procedure.source.name}>"

    def with_options(self, options: Options) -> Reversible:
        """The same procedure, compiled otherwise."""
        return Reversible(self.procedure, options)


def _calling(procedure: Procedure) -> Source:
    """The function that calls a procedure and gives all its parameters."""
    source = procedure.source
    called, name = ("(~f)", f"{source.name}_inverse") if procedure.is_inverse else ("f", source.name)
    expression = f"{called}({passed(source.parameters)})"
    return synthetic(name, expression, source.parameters, {"f": Procedure(source)}, source)


@user_facing
def reversible(python_function: Callable[..., Any]) -> Reversible:
    """Reads a Python function as a reversible procedure: `@tl.reversible`."""
    if isinstance(python_function, Reversible):
        return python_function
    if isinstance(python_function, TapelessFunction) or not hasattr(python_function, "__code__"):
        raise ArgumentError(f"tl.reversible takes a Python function, not {python_function!r}; decorate a def")
    code = python_function.__code__
    with faults_explained(code.co_filename, code.co_firstlineno):
        return Reversible(Procedure(Source.of(python_function, procedures.check)))
