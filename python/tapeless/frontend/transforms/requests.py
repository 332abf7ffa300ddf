"""The operations `ad.vjp` and `ad.jvp` on outlined functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import FALLBACK
from tapeless.dialects.array_types import stack_type
from tapeless.dialects.groups import MANY_RUNS, SEGMENTS
from tapeless.errors import ArgumentError
from tapeless.frontend.transforms.outline import Outlined
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.mixed_types import check_runs
from tapeless.methods import MethodChoice

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Seeds:
    """Tangents or cotangents; with `rows`, each has a leading axis of that many seeds, maybe those of an identity."""

    values: Sequence[ir.Value]
    rows: Affine | None = None
    is_identity: bool = False


@dataclass(frozen=True)
class Derivative:
    """The results of a request: those of the function, and the derivatives."""

    results: list[ir.Value]
    derivatives: list[ir.Value]


def vjp(t: Translator, function: Outlined, wrt: Sequence[int], seeds: Seeds, method: MethodChoice) -> Derivative:
    """Adjoints of the operands `wrt`, for one cotangent per float result."""
    return _request(t, "ad.vjp", function, wrt, seeds, [function.operands[k].type for k in wrt], method)


def jvp(t: Translator, function: Outlined, wrt: Sequence[int], seeds: Seeds, method: MethodChoice) -> Derivative:
    """Tangents of the float results, for one tangent per operand of `wrt`."""
    moving = [type_ for type_ in function.result_types if _is_float(type_)]
    return _request(t, "ad.jvp", function, wrt, seeds, moving, method)


def _is_float(type_: ir.Type) -> bool:
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, (ir.F64Type, ir.F32Type))


def _request(
    t: Translator,
    name: str,
    function: Outlined,
    wrt: Sequence[int],
    seeds: Seeds,
    types: Sequence[ir.Type],
    method: MethodChoice,
) -> Derivative:
    i64 = t.builder.types.i64
    try:
        chosen = method.within(t.session.method)
    except ArgumentError as error:
        raise t.error(str(error), None, ArgumentError) from None
    attributes = {
        "callee": ir.FlatSymbolRefAttr.get(function.name),
        "wrt": ir.ArrayAttr.get([ir.IntegerAttr.get(i64, position) for position in wrt]),
        "method": ir.StringAttr.get(chosen),
        SEGMENTS: ir.DenseI32ArrayAttr.get([len(function.operands), len(seeds.values)]),
    }
    if method.fallback is not None:
        attributes[FALLBACK] = ir.BoolAttr.get(method.fallback)
    if seeds.rows is not None:
        size = seeds.rows.constant if seeds.rows.is_constant else None
        attributes["seed_size"] = ir.IntegerAttr.get(i64, -1 if size is None else size)
        if seeds.is_identity and name == "ad.jvp":
            attributes["identity"] = ir.UnitAttr.get()
        types = [stack_type(t.builder.types.dynamic if size is None else size, type_) for type_ in types]
    check_runs(t, "the arguments of the derived function", [each.type for each in function.operands], MANY_RUNS)
    check_runs(t, "the results of this derivative", [*function.result_types, *types], MANY_RUNS)
    operands = [*function.operands, *seeds.values]
    operation = t.builder.operation(name, [*function.result_types, *types], operands, attributes)
    results = list(operation.results)
    count = len(function.result_types)
    return Derivative(results[:count], results[count:])
