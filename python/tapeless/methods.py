"""The methods of differentiation: their names, and where each is implemented."""

from __future__ import annotations

import difflib
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError

IMPLEMENTED = {
    "redundant": "tapeless.passes.ad.redundant.method",
    "reversible": "tapeless.passes.ad.reversible.method",
    "coarsened": "tapeless.passes.ad.coarsened.method",
}
DEFAULT = "redundant"
# The method of derivatives that are hardly ever taken, where threads have little memory.
OF_FEW_STATES = "tapeless.passes.ad.reversible.chain.method"
# Methods that may have to do a part of their work again in another way.
FALLING_BACK = ("reversible",)


@dataclass(frozen=True)
class MethodChoice:
    """The method that a transformation was given, with its option; None is that of the compilation."""

    name: str | None = None
    fallback: bool | None = None

    @staticmethod
    def checked(name: Any, fallback: Any) -> MethodChoice:
        """The method that a user wrote; raises ArgumentError unless it works."""
        if name is not None:
            check_method(name)
        if fallback is not None and not isinstance(fallback, bool):
            raise ArgumentError(f"fallback={fallback!r} is not a bool; give True or False")
        choice = MethodChoice(name, fallback)
        if name is not None:
            choice.within(name)
        return choice

    def within(self, default: str) -> str:
        """The method's name where `default` is that of the compilation; raises where it has no use for the option."""
        name = self.name or default
        if self.fallback is not None and name not in FALLING_BACK:
            raise ArgumentError(
                f"fallback={self.fallback} is an option of method='{FALLING_BACK[0]}', and the method is '{name}'; "
                f"leave it out, or give method='{FALLING_BACK[0]}'"
            )
        return name

    @property
    def options(self) -> dict[str, Any]:
        """As keyword arguments of a transformation."""
        return {"method": self.name, "fallback": self.fallback}

    @property
    def written(self) -> str:
        """The same in a call."""
        return ", ".join(f"{name}={value!r}" for name, value in self.options.items())


AS_COMPILED = MethodChoice()


def check_method(method: Any) -> None:
    """Raises ArgumentError unless the method works."""
    if isinstance(method, str) and method in IMPLEMENTED:
        return
    near = difflib.get_close_matches(method, IMPLEMENTED, n=1, cutoff=0.5) if isinstance(method, str) else []
    hint = f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(map(repr, IMPLEMENTED))}"
    raise ArgumentError(f"unknown method {method!r}; {hint}")
