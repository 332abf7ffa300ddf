"""Composites of StableHLO as a primitive of JAX.

That of JAX itself cannot be exported with symbolic sizes: the functions that it names take their values first, and the
composite does not hand them over. This one does, and says how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
from jax._src import core as internal
from jax._src.interpreters import mlir, partial_eval
from jax._src.lib.mlir import ir
from jax._src.lib.mlir.dialects import hlo
from jax.extend import core

SIZES = "sizes"
"""The attribute that says how many of the first operands are sizes."""


def composite(
    name: str, body: Callable[..., Any], operands: Sequence[Any], attributes: Mapping[str, str]
) -> Sequence[Any]:
    """A composite with a body, which has names of other functions as attributes."""
    specifications = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in map(jax.typeof, operands)]
    traced = jax.make_jaxpr(body)(*specifications)
    closed = partial_eval.close_jaxpr(partial_eval.convert_constvars_jaxpr(traced.jaxpr))
    return primitive.bind(
        *traced.consts, *operands, jaxpr=closed, name=name, attributes=tuple(sorted(attributes.items()))
    )


def _types(*_operands: Any, jaxpr: core.ClosedJaxpr, **_rest: Any) -> Any:
    return jaxpr.out_avals


def _lowering(
    context: Any, *operands: Any, jaxpr: core.ClosedJaxpr, name: str, attributes: Sequence[tuple[str, str]]
) -> Any:
    constants = internal.jaxpr_const_args(jaxpr.jaxpr)
    values = [mlir.ir_constants(each, const_lowering=context.const_lowering, aval=aval) for each, aval in constants]
    takes = (*(aval for _, aval in constants), *context.avals_in)
    function, _, _ = mlir.lower_called_computation(
        name, jaxpr, context.module_context, len(constants), takes, context.avals_out, context.tokens_in
    )
    given = {key: ir.StringAttr.get(value) for key, value in attributes}
    if context.dim_var_values:
        given[SIZES] = mlir.i64_attr(len(context.dim_var_values))
    flat, _ = mlir.ir_tree_registry.flatten((*context.dim_var_values, *values, *operands))
    return hlo.CompositeOp(
        function.type.results,
        flat,
        name=ir.StringAttr.get(name),
        decomposition=ir.FlatSymbolRefAttr.get(function.name.value),
        composite_attributes=ir.DictAttr.get(given),
        version=mlir.i32_attr(1),
    ).results


primitive = core.Primitive("tapeless_composite")
primitive.multiple_results = True
primitive.def_abstract_eval(_types)
mlir.register_lowering(primitive, _lowering)
