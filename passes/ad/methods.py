"""What a method of differentiation is: what it makes of a function whose derivative is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import SECOND_WAY
from tapeless.methods import IMPLEMENTED

Derivative = Callable[[ir.OpView, ir.OpView], list[ir.Value]]


@dataclass(frozen=True)
class Method:
    """A way to differentiate.

    `prepare` gives a copy of a function that `vjp` and `jvp` can work on for a request; they emit what it asks for at
    the current insertion point.
    """

    prepare: Callable[..., ir.OpView]
    vjp: Derivative
    jvp: Derivative


# What differentiates second ways of branches where these keep few states.
OF_FEW_STATES = "tapeless.passes.ad.reversible.chain.method"


def method_of(request: ir.OpView, few_states: bool) -> Method:
    """The method that a request names; its modules are loaded with the first request.

    With `few_states`, loops of requests that are second ways of branches keep few.
    """
    is_rare = few_states and SECOND_WAY in request.operation.attributes
    method = import_module(OF_FEW_STATES if is_rare else IMPLEMENTED[request.method.value]).METHOD
    assert isinstance(method, Method)
    return method
