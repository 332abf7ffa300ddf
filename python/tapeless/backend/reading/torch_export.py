"""Graphs of PyTorch as bytecode of StableHLO, by the bindings that come with them."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tapeless._mlir import ir, passmanager, stablehlo, torch_decompositions, torch_dialect, torch_importer
from tapeless.backend.reading.cuts import keep
from tapeless.backend.reading.functions import find
from tapeless.errors import ArgumentError
from tapeless.passes.diagnostics import place_of

PASSES = (
    "builtin.module(torchdynamo-export-to-torch-backend-pipeline)",
    "builtin.module(torch-backend-to-stablehlo-backend-pipeline{allow-non-finites=True})",
    "builtin.module(func.func(stablehlo-canonicalize-dynamism))",
)
"""The last one: operations that are given their shape, which is a constant, become those that have it in their type."""


def decompositions() -> dict[Any, Any]:
    """What PyTorch takes apart so that the rest has translations."""
    return dict(torch_decompositions().get_decomposition_table())


def stablehlo_of(graph: Any, constants: Mapping[int, np.ndarray]) -> bytes:
    """The bytecode of a functional graph, whose function is `main`; arguments that are constants are known by place."""
    context = ir.Context()
    torch_dialect().register_dialect(context)
    stablehlo()  # makes its passes known
    importer = torch_importer().FxImporter(context=context)
    try:
        importer.import_stateless_graph(graph, func_name="main")
    except (ir.MLIRError, RuntimeError, NotImplementedError, AssertionError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].strip()
        raise ArgumentError(
            f"the exported graph has no translation to StableHLO: {reason}; write this part with other operations"
        ) from None
    module = importer.module
    for passes in PASSES:
        try:
            passmanager.PassManager.parse(passes, context).run(module.operation)
        except (ir.MLIRError, RuntimeError) as error:
            raise _refusal(module, error) from None
    with context, ir.Location.unknown():
        _put_back(module, constants)
    written = io.BytesIO()
    module.operation.write_bytecode(written)
    return written.getvalue()


ILLEGAL = re.compile(r"""failed to legalize operation '(torch\.aten\.[\w.]+)'|name = "(torch\.aten\.[\w.]+)"\}""")


def _refusal(module: ir.Module, error: Exception) -> ArgumentError:
    """The operations of PyTorch that the passes name, or else those that they left, with the line of the first."""
    named = {first or second for first, second in ILLEGAL.findall(str(error))}
    places: dict[str, str] = {}

    def visit(op: ir.Operation) -> ir.WalkResult:
        name = ir.StringAttr(op.attributes["name"]).value if op.name == "torch.operator" else op.name
        if name.startswith("torch.aten.") and (name in named or not named):
            place = place_of(op.location)
            is_in_a_file = place is not None and Path(place.file).is_absolute()
            places.setdefault(name.split(".")[2], f"{place.file}:{place.line}: " if place and is_in_a_file else "")
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    if not places:
        reason = next((line for line in str(error).splitlines() if "error:" in line), str(error).splitlines()[0])
        return ArgumentError(
            f"the exported graph has no translation to StableHLO: {reason}; write this part with other operations"
        )
    calls = ", ".join(f"torch.{name}" for name in places)
    return ArgumentError(
        f"{next(iter(places.values()))}the module calls {calls}, which tl.from_torch does not translate; write this "
        "part with other operations, or compute it outside of the module"
    )


def _put_back(module: ir.Module, constants: Mapping[int, np.ndarray]) -> None:
    """Constants in place of the arguments that stand for them."""
    function = find(module, "main")
    block = function.regions[0].blocks[0]
    for position, value in constants.items():
        argument = block.arguments[position]
        made = ir.Operation.create(
            "stablehlo.constant",
            [argument.type],
            attributes={"value": _elements(value, ir.RankedTensorType(argument.type))},
            loc=argument.location,
            ip=ir.InsertionPoint.at_block_begin(block),
        )
        argument.replace_all_uses_with(made.results[0])
    keep(function, [k for k in range(len(block.arguments)) if k not in constants])


def _elements(value: np.ndarray, type_: ir.RankedTensorType) -> ir.Attribute:
    element, flat = type_.element_type, value.ravel()
    make = ir.IntegerAttr if isinstance(element, ir.IntegerType) else ir.FloatAttr
    if not value.size:
        return ir.Attribute.parse(f"dense<> : {type_}")
    if (flat == flat[0]).all():
        return ir.DenseElementsAttr.get_splat(type_, make.get(element, flat[0].item()))
    if value.dtype == np.bool_:
        return ir.DenseElementsAttr.get([make.get(element, each.item()) for each in flat], type_)
    return ir.DenseElementsAttr.get(np.ascontiguousarray(value), shape=list(value.shape), type=element)
