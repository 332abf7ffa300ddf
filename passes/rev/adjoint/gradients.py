"""`rev-gradients`: procedures are differentiated by running them backwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.rev.cells import holds_fixed
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir.build import zeros_like
from tapeless.passes.rev.adjoint.adjoint import Adjoint
from tapeless.passes.rev.adjoint.asked import asked_of
from tapeless.passes.rev.adjoint.control import SUFFIX
from tapeless.passes.rev.adjoint.restored import compared, require_restored
from tapeless.passes.rev.adjoint.shadows import has_shadow
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.inversion.invert import RUN, Invert, inverse_name
from tapeless.passes.rev.to_core.signature import argument_types, result_types, types_of

FORWARD, BACKWARD = ".forward", ".backward"


@dataclass(frozen=True)
class Gradients:
    """Gives procedures that functions call a derivative rule of their own, when the module asks for derivatives.

    ```mlir
    "ad.custom_rule"() {primal = @f.run, kind = "vjp", functions = [@f.forward, @f.backward]} : () -> ()
    ```
    `@f.forward` runs the procedure and keeps its first and last cells alone; `@f.backward` runs the adjoint of its
    inverse on these and on the cotangents, so that no state of a loop is stored, and compares what it finds with the
    first cells. Rules for the derivatives themselves are made as often as requests are nested in the module. Right-hand
    sides are differentiated by the method `coarsened` if all requests that reach procedures name it. Blocks must be
    normal (`rev-normalise`).
    """

    name: ClassVar[str] = "rev-gradients"

    def run(self, module: ir.Module) -> None:
        names = _called(module)
        asked = asked_of(module, [name + RUN for name in names])
        for order in range(1, asked.depth + 1):
            if names:
                inverses, is_last = tuple(map(inverse_name, names)), order == asked.depth
                run_inner(Invert(procedures=tuple(names)), module)
                run_inner(Adjoint(procedures=inverses, last=is_last, method=asked.method), module)
            for name in names:
                _add_rule(module, name)
            names = [_adjoint_name(name) for name in names]


def _called(module: ir.Module) -> list[str]:
    """The procedures with shadows that functions declare, to call their lowered forms."""
    with_shadows = [op.procedure_name for op in procedures(module) if any(map(has_shadow, op.parameter_types))]
    declared = {op.name.value for op in module.body.operations if isinstance(op, func.FuncOp) and op.is_external}
    return [name for name in with_shadows if name + RUN in declared]


def _adjoint_name(name: str) -> str:
    return inverse_name(name) + SUFFIX


def _add_rule(module: ir.Module, name: str) -> None:
    procedure = next(op for op in procedures(module) if op.procedure_name == name)
    functions = [_forward(procedure), _backward(procedure)]
    with ir.InsertionPoint(procedure), procedure.location:
        symbols = [ir.FlatSymbolRefAttr.get(function.name.value) for function in functions]
        attributes = {
            "primal": ir.FlatSymbolRefAttr.get(name + RUN),
            "kind": ir.StringAttr.get("vjp"),
            "functions": ir.ArrayAttr.get(symbols),
        }
        ir.Operation.create("ad.custom_rule", attributes=attributes)


def _forward(procedure: ir.OpView) -> func.FuncOp:
    """Runs the procedure; keeps its final cells, those it only reads, and its initial ones to compare."""
    name = procedure.procedure_name
    kept = [type_ for argument in _kept(procedure) for type_ in types_of(argument)]
    results = result_types(procedure)
    made = _function(procedure, name + FORWARD, argument_types(procedure), [*results, *results, *kept])
    with ir.InsertionPoint(made.entry_block), procedure.location:
        arguments = list(made.entry_block.arguments)
        left = list(func.CallOp(results, name + RUN, arguments).results)
        by_parameter = _split(_parameters(procedure), arguments)
        rest = [value for argument in _kept(procedure) for value in by_parameter[argument]]
        func.ReturnOp([*left, *left, *rest])
    return made


def _backward(procedure: ir.OpView) -> func.FuncOp:
    """Runs the adjoint of the inverse on the last cells, which must lead to the first ones; gives the shadows."""
    kept = [type_ for argument in _kept(procedure) for type_ in types_of(argument)]
    results = result_types(procedure)
    name = procedure.procedure_name
    made = _function(procedure, name + BACKWARD, [*results, *kept, *results], argument_types(procedure))
    parameters = _parameters(procedure)
    changed = [each for each in parameters if each not in _only_read(procedure)]
    arguments = list(made.entry_block.arguments)
    with ir.InsertionPoint(made.entry_block), procedure.location:
        values = _split([*changed, *_only_read(procedure)], arguments)
        first = _split(compared(procedure), arguments[sum(map(len, values.values())) :])
        bars = _split(changed, arguments[len(results) + len(kept) :])
        shadowed = [each for each in parameters if has_shadow(each.type)]
        shadows = [_first_shadow(each, values[each], bars.get(each)) for each in shadowed]
        given = [value for each in parameters for value in values[each]] + [value for held in shadows for value in held]
        run = _adjoint_name(name) + RUN
        types = [*results, *(value.type for held in shadows for value in held)]
        _declare(procedure, run, [value.type for value in given], types)
        left = list(func.CallOp(types, run, given).results)
        require_restored(procedure, first, _split(changed, left), values, inverse_name(name))
        rest = iter(left[len(results) :])
        found = {each: [next(rest) for _ in held] for each, held in zip(shadowed, shadows, strict=True)}
        func.ReturnOp([bar for each in parameters for bar in _adjoint(each, values[each], found.get(each))])
    return made


def _first_shadow(parameter: ir.Value, values: Sequence[ir.Value], bars: Sequence[ir.Value] | None) -> list[ir.Value]:
    """The cotangent of a cell, or 0 for one that is only read; the shadow of a stack has as many entries as that."""
    if holds_fixed(parameter.type):
        return [zeros_like(values[1]) if bars is None else bars[1]]
    return [zeros_like(values[0]) if bars is None else bars[0], *values[1:]]


def _adjoint(parameter: ir.Value, values: Sequence[ir.Value], shadow: Sequence[ir.Value] | None) -> list[ir.Value]:
    """The adjoints of a parameter; a fixed-point number has that of the float beside its units."""
    if shadow is None:
        return [zeros_like(value) for value in values]
    if holds_fixed(parameter.type):
        return [zeros_like(values[0]), shadow[0]]
    return [shadow[0], *(zeros_like(value) for value in values[1:])]


def _parameters(procedure: ir.OpView) -> list[ir.Value]:
    return list(procedure.body.blocks[0].arguments)


def _only_read(procedure: ir.OpView) -> list[ir.Value]:
    pairs = zip(_parameters(procedure), procedure.mode_names, strict=True)
    return [argument for argument, mode in pairs if mode != "inout"]


def _kept(procedure: ir.OpView) -> list[ir.Value]:
    """The parameters whose first values the way back is given."""
    return [*_only_read(procedure), *compared(procedure)]


def _split(parameters: Sequence[ir.Value], values: Sequence[ir.Value]) -> dict[ir.Value, list[ir.Value]]:
    """The values of each parameter, from all of them in a row; there may be more behind."""
    rest = iter(values)
    return {parameter: [next(rest) for _ in types_of(parameter)] for parameter in parameters}


def _function(procedure: ir.OpView, name: str, inputs: Sequence[ir.Type], results: Sequence[ir.Type]) -> func.FuncOp:
    with ir.InsertionPoint(procedure), procedure.location:
        made = func.FuncOp(name, ir.FunctionType.get(list(inputs), list(results)), visibility="private")
    made.add_entry_block()
    return made


def _declare(procedure: ir.OpView, name: str, inputs: Sequence[ir.Type], results: Sequence[ir.Type]) -> None:
    with ir.InsertionPoint(procedure), procedure.location:
        func.FuncOp(name, ir.FunctionType.get(list(inputs), list(results)), visibility="private")
