"""Functions that hold some of their arguments, as partials and methods do."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tapeless.api.decorated import TapelessFunction, with_options
from tapeless.api.options import Options
from tapeless.api.pickling import Recipe
from tapeless.frontend.syntax.synthetic import synthetic
from tapeless.runtime.calling.parameters import bind_call
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.status import Status
from tapeless.tracebacks import FOR_USERS, hide_frames, user_facing
from tapeless.trees import read
from tapeless.types import TypeTree


class Holding(TapelessFunction[..., Any]):
    """A function that holds some of its arguments, as partials and methods do; `whole` is the function of them all.

    What is held is an argument as any other: its numbers are read at each call, and what chooses code chooses versions.
    """

    def __init__(self, held: Any, whole: TapelessFunction, recipe: Recipe) -> None:
        visible = replace(whole.source, parameters=whole.source.parameters[1:])
        super().__init__(visible, whole.options, recipe)
        self.held, self.whole = held, whole

    @property
    def as_partial(self) -> functools.partial[Any]:
        """The same, where this function is an argument or is captured."""
        return functools.partial(self.whole, self.held)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        try:
            values = bind_call(self.source.name, self.source.parameters, arguments, named)
        except FOR_USERS as error:
            hide_frames(error)
            raise
        return self.whole(self.held, *values)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self

    @user_facing
    def recapture(self) -> None:
        """Takes the present values of outside names in the functions that are held, and in those they call."""
        self.whole.note_given(read(self.held, "held", lambda value, _: value))
        self.whole.recapture()

    def version_of(self, values: Sequence[Any]) -> Kernel:
        """The kernel of `whole` that a call with these values uses."""
        return self.whole.version_of((self.held, *values))

    def with_options(self, options: Options) -> Holding:
        """The same function, compiled otherwise."""
        return Holding(self.held, self.whole.with_options(options), Recipe(with_options, (self, options)))

    @property
    def status(self) -> Status:
        """Which checks failed in the last call on this thread; needs `checks="status"`."""
        return self.whole.status

    def _kernel(self, types: tuple[TypeTree, ...], stretches: bool = False) -> Kernel:
        """Kernels have held values as constants, with the values of now."""
        return self.unheld._kernel(types, stretches)

    @property
    def unheld(self) -> TapelessFunction[..., Any]:
        """A function with its held values as constants, with the values of now."""
        parameters = self.source.parameters
        passed = ", ".join(f"p{position}" for position in range(len(parameters)))
        source = synthetic(self.source.name, f"f({passed})", parameters, {"f": self.as_partial}, self.source)
        return TapelessFunction(source, self.options)
