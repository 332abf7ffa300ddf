"""From a function of JAX and examples of its arguments to artifacts of StableHLO, and trees of the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax

from tapeless.api.imports.jax_programs import refusals
from tapeless.api.imports.jax_programs.examples import as_examples
from tapeless.api.imports.jax_programs.export import Exporter
from tapeless.api.imports.jax_programs.signature import parameter_names, structured
from tapeless.api.imports.places import parameters_for
from tapeless.dataclasses_on_use import dataclass
from tapeless.signature import Parameter
from tapeless.types import TypeTree


@dataclass(frozen=True)
class Program:
    """A function of JAX as StableHLO: its artifact, those of rules, and the trees of its arguments and results."""

    artifact: bytes
    rules: Mapping[str, bytes]
    parameters: Sequence[Parameter]
    takes: tuple[TypeTree, ...]
    gives: TypeTree


def read_program(function: Callable[..., Any], examples: Sequence[Any]) -> Program:
    """Traces a function once; arguments and results of the artifact are in the order of the language's trees."""
    examples = as_examples(examples)
    jaxpr, shapes = jax.make_jaxpr(function, return_shape=True)(*examples)
    refusals.check(jaxpr.jaxpr)
    takes = structured(jax.tree.structure(tuple(examples)), jaxpr.in_avals, parameter_names(function, len(examples)))
    gives = structured(jax.tree.structure((shapes,)), jaxpr.out_avals, ["the result"])

    def in_order(*values: Any) -> list[Any]:
        given = dict(zip(takes.order, values, strict=True))
        results = jax.core.jaxpr_as_fun(jaxpr)(*(given[position] for position in range(len(given))))
        return [results[position] for position in gives.order]

    is_in_order = takes.order == tuple(range(len(takes.order))) and gives.order == tuple(range(len(gives.order)))
    if not is_in_order:
        avals = [jax.ShapeDtypeStruct(jaxpr.in_avals[k].shape, jaxpr.in_avals[k].dtype) for k in takes.order]
        jaxpr = jax.make_jaxpr(in_order)(*avals)
    exporter = Exporter()
    artifact = exporter.artifact(jaxpr)
    return Program(
        artifact,
        exporter.rules,
        parameters_for(parameter_names(function, len(examples)), takes.trees),
        takes.trees,
        gives.trees[0],
    )
