"""The record of a method of differentiation: the passes around its rules, and the rules."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import SECOND_WAY
from tapeless.methods import IMPLEMENTED, OF_FEW_STATES
from tapeless.passes.driver.base import FunctionPass, Pass

Derivative = Callable[[ir.OpView, ir.OpView], list[ir.Value]]


@dataclass(frozen=True)
class Method:
    """A way to differentiate.

    `vjp` and `jvp` are its rules: they emit the derivative that a request asks for at the current insertion point,
    given a copy of the function. `reverse` and `forward` are the passes that bring the copy into the form that these
    rules take. Where a program has requests for the method, the passes `before` run once before the first derivative is
    taken, and those `after` whenever it has taken some.
    """

    vjp: Derivative
    jvp: Derivative
    reverse: tuple[FunctionPass, ...]
    forward: tuple[FunctionPass, ...]
    before: tuple[Pass, ...] = ()
    after: tuple[Pass, ...] = ()

    def passes_for(self, request: ir.OpView) -> tuple[FunctionPass, ...]:
        """The passes on a copy of the function that a request is about."""
        return self.reverse if request.operation.name == "ad.vjp" else self.forward


def method_of(request: ir.OpView, few_states: bool = False) -> Method:
    """The method that a request names; its modules are loaded with the first request.

    With `few_states`, loops of requests that are second ways of branches keep few.
    """
    is_rare = few_states and SECOND_WAY in request.operation.attributes
    method = import_module(OF_FEW_STATES if is_rare else IMPLEMENTED[request.method.value]).METHOD
    assert isinstance(method, Method)
    return method
