"""Jaxprs evaluated with marks in place of information that StableHLO would lose.

`stop_gradient`, calls with rules of their own and `jax.checkpoint` become composites named `tapeless.*`, and functions
that have no operation become those of `chlo` or `tapeless`: the importer of StableHLO knows all of these. All else is
what it was. Bodies of loops, branches and calls are evaluated so in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
from jax._src import source_info_util
from jax.extend import core

from tapeless.api.imports.jax_programs.composites import composite
from tapeless.api.imports.jax_programs.factorisations import WRITTEN
from tapeless.api.imports.jax_programs.rules import RULED, bind, inner_jaxprs, specification

STOP, CHECKPOINT, RULES = "tapeless.stop_gradient", "tapeless.checkpoint", "tapeless.custom_rule"
CHECKPOINTS = ("remat2", "checkpoint", "remat")
CALLS = ("jit", "pjit", "closed_call")
CONTROL = ("cond", "scan", "while")
NAMED = {name: f"chlo.{name}" for name in ("erf_inv",)}
"""Functions that StableHLO writes as polynomials by cases, which have other derivatives than the function."""
KINKED = {"abs": "tapeless.abs", "clamp": "tapeless.clamp"}
"""Functions of floats that have JAX's own derivative where two pieces meet."""

source_info_util.register_exclusion(str(Path(__file__).parents[3]))  # the user's lines are those of equations

RuleNames = Callable[[core.JaxprEqn], Mapping[str, str] | None]
"""The names of the functions that are the rules of an equation, by what they are for; None if it needs none."""

FunctionName = Callable[[core.JaxprEqn], str | None]
"""The name of the function that a call with a rule is known by."""


class Marking:
    """How a jaxpr is evaluated with marks; `rule_names` are attributes of the composites that have rules."""

    def __init__(self, rule_names: RuleNames, function_name: FunctionName) -> None:
        self._rule_names = rule_names
        self._function_name = function_name
        self._has_marks: dict[int, bool] = {}

    def closed(self, jaxpr: core.ClosedJaxpr, *arguments: Any) -> list[Any]:
        """The results of a jaxpr with its constants."""
        return self._results(jaxpr.jaxpr, jaxpr.consts, arguments, None)

    def _results(self, jaxpr: core.Jaxpr, constants: Sequence[Any], arguments: Sequence[Any], outer: Any) -> list[Any]:
        """The results of a jaxpr; `outer` is the place of its call, and that of operations with none in the user's
        files.
        """
        values: dict[core.Var, Any] = dict(zip(jaxpr.constvars, constants, strict=True))
        values.update(zip(jaxpr.invars, arguments, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, core.Literal) else values[atom]

        for equation in jaxpr.eqns:
            own = equation.source_info
            place = own.traceback if source_info_util.user_frame(own.traceback) is not None else outer
            stack = source_info_util.current_name_stack() + own.name_stack
            with source_info_util.user_context(place, name_stack=stack), equation.ctx.manager:
                results = self._equation(equation, [read(each) for each in equation.invars], place)
            values.update(zip(equation.outvars, results, strict=True))
        return [read(each) for each in jaxpr.outvars]

    def _equation(self, equation: core.JaxprEqn, operands: Sequence[Any], place: Any) -> Sequence[Any]:
        name = equation.primitive.name
        if name in CALLS:
            body = equation.params["jaxpr"]
            return self._results(body.jaxpr, body.consts, operands, place)
        if name in WRITTEN:
            return WRITTEN[name](*operands, **equation.params)
        if name in KINKED and is_float(operands):
            return composite(KINKED[name], lambda *given: bind(equation, given), operands, {})
        if name in NAMED:
            return composite(NAMED[name], lambda *given: bind(equation, given), operands, {})
        if name == "stop_gradient":
            return composite(STOP, lambda *given: list(given), operands, {})
        if name in CHECKPOINTS:
            body = equation.params["jaxpr"]
            return composite(CHECKPOINT, lambda *given: self._results(body, (), given, place), operands, {})
        if (known := self._function_name(equation)) is not None:
            return composite(known, lambda *given: bind(equation, given), operands, {})
        if name in RULED and (names := self._rule_names(equation)) is not None:
            marked = self._marked(equation, place)
            return composite(RULES, lambda *given: bind(marked, given), operands, names)
        return bind(self._marked(equation, place), operands)

    def _marked(self, equation: core.JaxprEqn, place: Any) -> core.JaxprEqn:
        """The equation with marks in its bodies, and with its place in those of loops and branches."""
        if equation.primitive.name not in CONTROL and not any(map(self._is_marked, inner_jaxprs(equation))):
            return equation
        marked = {name: self._in_parameter(value, place) for name, value in equation.params.items()}
        return equation.replace(params=marked)

    def _in_parameter(self, value: Any, place: Any) -> Any:
        if isinstance(value, core.ClosedJaxpr):
            inputs = map(specification, value.in_avals)
            return jax.make_jaxpr(lambda *given: self._results(value.jaxpr, value.consts, given, place))(*inputs)
        if isinstance(value, tuple) and any(isinstance(each, core.ClosedJaxpr) for each in value):
            items = [self._in_parameter(each, place) for each in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return value

    def _is_marked(self, jaxpr: core.Jaxpr) -> bool:
        """Whether there is something to mark in a jaxpr, found once."""
        if id(jaxpr) not in self._has_marks:
            self._has_marks[id(jaxpr)] = any(
                equation.primitive.name in (*RULED, *CHECKPOINTS, *NAMED, *KINKED, *WRITTEN, "stop_gradient")
                or any(map(self._is_marked, inner_jaxprs(equation)))
                for equation in jaxpr.eqns
            )
        return self._has_marks[id(jaxpr)]


def is_float(operands: Sequence[Any]) -> bool:
    """Whether the operands of an equation have derivatives."""
    return all(jax.numpy.issubdtype(jax.typeof(each).dtype, jax.numpy.floating) for each in operands)
