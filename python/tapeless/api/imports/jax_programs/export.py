"""Jaxprs as portable artifacts of StableHLO, with the functions of rules as artifacts beside them."""

from __future__ import annotations

from collections.abc import Mapping

import jax
from jax._src.config import use_shardy_partitioner
from jax._src.export.shape_poly import UnexpectedDimVar
from jax.extend import core

from tapeless.api.imports.jax_programs.functions_with_names import name_of
from tapeless.api.imports.jax_programs.marks import Marking
from tapeless.api.imports.jax_programs.rules import (
    PARTS,
    RULED,
    digest_of,
    ruled_equations,
    specification,
    traced_rules,
)
from tapeless.errors import ArgumentError

PREFIX = "tapeless_rule"

MOST_NESTED = 4
"""How deep rules are nested in rules; derivatives of higher order in a function that has one are refused."""

NOT_THERE = ""
"""What composites call rules that there are not; derivatives that need one are refused."""


def missing_rules(equation: core.JaxprEqn) -> dict[str, str]:
    """The parts of the rules that an equation should have, as not there."""
    return {part: NOT_THERE for kind in RULED[equation.primitive.name] for part in PARTS[kind]}


def _unsolved(reason: str, is_rule: bool) -> str:
    """What to say of a size that is in the shape of no argument."""
    what = "a rule of the function reads a size that none of its arguments has" if is_rule else "a size cannot be found"
    return f"{what}; pass an array that has it. JAX says: {reason.partition(' Please see')[0].splitlines()[0]}"


class Exporter:
    """Exports a jaxpr and all rules in it; `rules` are artifacts by the names that composites call them."""

    def __init__(self) -> None:
        self.rules: dict[str, bytes] = {}
        self._known: dict[str, str] = {}
        self._names: dict[int, dict[str, str]] = {}
        self._functions: dict[int, str] = {}
        self._kept: list[core.ClosedJaxpr] = []

    def artifact(self, jaxpr: core.ClosedJaxpr, depth: int = 0) -> bytes:
        """The artifact of a jaxpr, which is itself a rule nested so deep; those of its rules are in `rules` then."""
        self._kept.append(jaxpr)  # names are found by the identities of its equations
        for equation in ruled_equations(jaxpr.jaxpr):
            function = name_of(equation)
            if function is not None:
                self._functions[id(equation)] = function
                continue
            names = {part: self._named(rule, depth + 1) for part, rule in traced_rules(equation)}
            # JAX refuses forward mode without a rule, and so does this.
            self._names[id(equation)] = {"jvp": NOT_THERE, **missing_rules(equation), **names}
        marking = Marking(self._names_of, lambda equation: self._functions.get(id(equation)))
        function = jax.jit(lambda *given: marking.closed(jaxpr, *given), keep_unused=True)
        with use_shardy_partitioner(False):  # the dialect of shardings is no part of the MLIR that reads artifacts
            try:
                exported = jax.export.export(function, platforms=["cpu"])(*map(specification, jaxpr.in_avals))
            except UnexpectedDimVar as error:
                raise ArgumentError(_unsolved(str(error), depth > 0)) from None
        return exported.mlir_module_serialized

    def _names_of(self, equation: core.JaxprEqn) -> Mapping[str, str] | None:
        return self._names.get(id(equation))

    def _named(self, rule: core.ClosedJaxpr, depth: int) -> str:
        """The name of a rule, which is exported when it is first met: rules may call the function that they are the
        rules of.

        Each rule may also have another one in it, without end: a power of n has one of n - 1 in its rule.
        """
        digest = digest_of(rule)
        if digest not in self._known:
            if depth > MOST_NESTED:
                return NOT_THERE
            self._known[digest] = name = f"{PREFIX}_{len(self._known)}"
            self.rules[name] = self.artifact(rule, depth)
        return self._known[digest]
