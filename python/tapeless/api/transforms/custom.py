"""Functions with derivative rules of the user's own: `tl.custom_vjp` and `tl.custom_jvp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from tapeless.api.decorated import TapelessFunction
from tapeless.api.pickling import Recipe
from tapeless.api.transforms.derive import as_function
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.rules import Rules
from tapeless.frontend.syntax.source import Source
from tapeless.tracebacks import user_facing

P = ParamSpec("P")
R = TypeVar("R")


class CustomFunction(TapelessFunction[P, R]):
    """A function whose derivatives are computed by the rules it is given."""

    def __init__(self, inner: TapelessFunction) -> None:
        self._given: dict[str, tuple[TapelessFunction, ...]] = {}
        recipe = Recipe(_with_rules, (inner, self._given))
        super().__init__(replace(inner.source, rules=Rules()), inner.options, recipe)

    @user_facing
    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """The reverse-mode rule: `fwd(*args)` gives `(result, residuals)`, `bwd(residuals, ct)` a tuple of adjoints."""
        given = as_function("custom_vjp", fwd), as_function("custom_vjp", bwd)
        forward, backward = given[0].source, given[1].source
        self._check_arity(forward, len(self.source.parameters), "fwd", "those of the function")
        self._check_arity(backward, 2, "bwd", "the residuals and the cotangent")
        self._check_new(self._rules.forward, "reverse")
        self._rules.forward, self._rules.backward = forward, backward
        self._given["defvjp"] = given

    @user_facing
    def defjvp(self, rule: Callable[..., Any]) -> None:
        """The forward-mode rule: `rule(primals, tangents)`, two tuples, gives `(result, tangent)`."""
        given = as_function("custom_jvp", rule)
        push = given.source
        self._check_arity(push, 2, "rule", "the tuples of primals and of tangents")
        self._check_new(self._rules.push, "forward")
        self._rules.push = push
        self._given["defjvp"] = (given,)

    @property
    def _rules(self) -> Rules:
        assert self.source.rules is not None
        return self.source.rules

    def _check_arity(self, source: Source, count: int, role: str, meaning: str) -> None:
        if len(source.parameters) != count:
            raise ArgumentError(
                f"{role} of {self.source.name}(), {source.name}(), has {len(source.parameters)} parameters; "
                f"give it {count}: {meaning}"
            )

    def _check_new(self, rule: Source | None, mode: str) -> None:
        if rule is not None:
            raise ArgumentError(
                f"{self.source.name}() has a {mode}-mode rule already, {rule.name}(); "
                "define another function for another rule"
            )


@user_facing
def custom_vjp(f: Callable[P, R]) -> CustomFunction[P, R]:
    """The function, differentiated in reverse mode by the rule that `f.defvjp(fwd, bwd)` gives.

    >>> @tl.custom_vjp
    ... def clipped(x):
    ...     return x
    >>> clipped.defvjp(lambda x: (x, x), lambda x, ct: (tl.clamp(ct, -1.0, 1.0),))
    >>> tl.grad(lambda x: 10.0 * clipped(x))(2.0)
    1.0
    """
    return _customised("custom_vjp", f)


@user_facing
def custom_jvp(f: Callable[P, R]) -> CustomFunction[P, R]:
    """The function, differentiated by the rule that `f.defjvp(rule)` gives.

    >>> @tl.custom_jvp
    ... def halved(x):
    ...     return x
    >>> halved.defjvp(lambda primals, tangents: (primals[0], 0.5 * tangents[0]))
    >>> tl.grad(halved)(2.0)
    0.5
    """
    return _customised("custom_jvp", f)


def _customised(kind: str, f: Any) -> CustomFunction:
    inner = as_function(kind, f)
    if isinstance(inner, CustomFunction):
        return inner
    return CustomFunction(inner)


def _with_rules(inner: TapelessFunction, given: Mapping[str, tuple[TapelessFunction, ...]]) -> CustomFunction:
    """The function with rules, each under the name of the method that takes it."""
    made: CustomFunction[..., Any] = CustomFunction(inner)
    for name, rules in given.items():
        getattr(made, name)(*rules)
    return made
