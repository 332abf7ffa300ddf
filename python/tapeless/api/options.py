"""The options of a compilation, checked before anything is compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tapeless.errors import ArgumentError
from tapeless.methods import DEFAULT, check_method
from tapeless.spelling import nearest_or_all
from tapeless.targets import DEFAULT as DEFAULT_TARGET
from tapeless.targets import check_denormals, check_target

ON = "on"
CHECKS = (ON, "off", "status")
RECIPES = (ON, "off")
FLUSH = "flush"
DENORMALS = ("keep", FLUSH)
FASTMATH_FLAGS = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")


@dataclass(frozen=True)
class Options:
    """How a function is compiled; every field is part of the key of the kernel cache.

    `threads` is the number of threads a call may use. `fastmath` is True (every flag), False (contraction only), or a
    tuple of flag names; `()` forbids even contraction. `checks="status"` lets calls go on after failed checks of
    reversibility, which `kernel.status` tells of. `deterministic=False` allows sums whose last bits
    depend on threads and on the order of their turns. `fallback=False` has loops that run backwards raise where they
    go astray, instead of storing states. `denormals="flush"` takes floats nearer to zero than normal ones for zeros.
    `recipes="off"` leaves out the passes that only one kind of program needs, which the general ones then do.
    """

    method: str = DEFAULT
    target: str = DEFAULT_TARGET
    threads: int = 1
    fastmath: bool | tuple[str, ...] = False
    checks: str = ON
    deterministic: bool = True
    fallback: bool = True
    denormals: str = "keep"
    recipes: str = ON

    def __post_init__(self) -> None:
        for name, check in CHECKED.items():
            check(getattr(self, name))
        check_denormals(self.denormals == FLUSH, self.target)

    @property
    def fastmath_flags(self) -> tuple[str, ...] | None:
        """The flags that float operations get, or None to leave them as the program has them."""
        if isinstance(self.fastmath, bool):
            return FASTMATH_FLAGS if self.fastmath else None
        return self.fastmath


def make_options(given: Mapping[str, Any]) -> Options:
    """Options from keyword arguments."""
    known = [field.name for field in dataclasses.fields(Options)]
    for name in given:
        if name not in known:
            raise ArgumentError(f"unknown option '{name}'{nearest_or_all(name, known)}")
    settings: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items()}
    return Options(**settings)


def _one_of(what: str, known: tuple[str, ...]) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if value not in known:
            hint = (
                nearest_or_all(value, known)
                if isinstance(value, str)
                else f"; give one of {', '.join(map(repr, known))}"
            )
            raise ArgumentError(f"unknown {what} {value!r}{hint}")

    return check


def _check_threads(value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ArgumentError(f"threads={value!r} is not a number of threads; give an integer of at least 1")


def _check_fastmath(value: Any) -> None:
    if isinstance(value, bool):
        return
    if not isinstance(value, tuple):
        raise ArgumentError(f"fastmath={value!r} is neither a bool nor a tuple of flags; give True, False or flags")
    for flag in value:
        _one_of("fast-math flag", FASTMATH_FLAGS)(flag)


def _is_bool(name: str) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if not isinstance(value, bool):
            raise ArgumentError(f"{name}={value!r} is not a bool; give True or False")

    return check


CHECKED: dict[str, Callable[[Any], None]] = {
    "method": check_method,
    "target": check_target,
    "threads": _check_threads,
    "fastmath": _check_fastmath,
    "checks": _one_of("value for checks", CHECKS),
    "deterministic": _is_bool("deterministic"),
    "fallback": _is_bool("fallback"),
    "denormals": _one_of("value for denormals", DENORMALS),
    "recipes": _one_of("value for recipes", RECIPES),
}
