"""`stablehlo-to-core`: functions of StableHLO brought to core IR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.abi import HALF_ATTRIBUTE, UNSIGNED_ATTRIBUTE
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import Upstream
from tapeless.passes.driver.inner import run_inner_upstream
from tapeless.passes.imports.real_numbers import check_real
from tapeless.passes.imports.stablehlo import (
    composites,
    control,
    convolution,
    elementwise,
    gather,
    normalisation,
    reductions,
    scatter,
    shape_rules,
    sort,
    windows,
)
from tapeless.passes.imports.stablehlo.halves import is_half, nearest
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, check_type, core_type, refuse, typed
from tapeless.passes.imports.stablehlo.unsigned import is_unsigned

RULES: dict[str, Rule] = {
    **elementwise.RULES,
    **shape_rules.RULES,
    **reductions.RULES,
    **windows.RULES,
    **convolution.RULES,
    **gather.RULES,
    **scatter.RULES,
    **sort.RULES,
    **normalisation.RULES,
    **control.RULES,
    **composites.RULES,
}


UNSIGNED = "ui32"
"""The type without a sign that arguments and results may have."""

FOREIGN = ("stablehlo.", "chlo.")


@dataclass(frozen=True)
class ToCore:
    """Translates every public function of a module of StableHLO, with its callees, to core IR.

    ```mlir
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
      %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
    becomes a function of `tensor<4xf32>` and `f32`, tensors without axes being numbers, whose result is a `soac.map`
    with a product in it: broadcasts are values that maps read. Operations that have no translation are refused by
    name, at their place in the source. Functions that have no operation of StableHLO stay as they are.
    """

    name: ClassVar[str] = "stablehlo-to-core"

    def run(self, module: ir.Module) -> None:
        """Translates functions, and removes the originals."""
        check_real(module)
        translator = Translator(functions_of(module), RULES)
        foreign = _foreign(translator.functions)
        others = [op for op in module.body.operations if _name(op) not in foreign]
        named = {name for op in others for name in _symbols(op.operation)}
        for name in foreign:
            if not _is_private(translator.functions[name]) or name in named:
                _translate(translator, translator.functions[name])
        for name in foreign:
            translator.functions[name].operation.erase()
        for name in _attribute_names(module.operation):
            if name.startswith("mhlo."):
                del module.operation.attributes[name]
        if foreign:
            run_inner_upstream([Upstream("cse")], module)


def functions_of(module: ir.Module) -> dict[str, ir.OpView]:
    """The functions of a module by name."""
    return {_name(op): op for op in module.body.operations if isinstance(op, func.FuncOp)}


def _foreign(functions: Mapping[str, ir.OpView]) -> list[str]:
    """The functions to translate: those with operations or types that core IR has not, and their callers."""
    symbols = {name: set(_symbols(function.operation)) for name, function in functions.items()}
    found = {name for name, function in functions.items() if _is_foreign(function)}
    while more := {
        name for name, named in symbols.items() if name not in found and named & found and _calls(functions[name])
    }:
        found |= more
    return [name for name in functions if name in found]


def _is_foreign(function: ir.OpView) -> bool:
    types = [each for each in (*function.type.inputs, *function.type.results) if isinstance(each, ir.RankedTensorType)]
    if any(each.rank == 0 or is_unsigned(each) or is_half(each) for each in types):
        return True
    return any(name.startswith(FOREIGN) for name in _operations(function.operation))


def _calls(function: ir.OpView) -> bool:
    """Whether a function does nothing but call others."""
    return all(name.startswith("func.") for name in _operations(function.operation))


def _operations(root: ir.Operation) -> list[str]:
    names: list[str] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        names.append(op.name)
        return ir.WalkResult.ADVANCE

    root.walk(visit)
    return names


def _symbols(root: ir.Operation) -> list[str]:
    """The names that operations refer to."""
    names: list[str] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        for name in _attribute_names(op):
            _collect(op.attributes[name], names)
        return ir.WalkResult.ADVANCE

    root.walk(visit)
    return names


def _collect(attribute: ir.Attribute, names: list[str]) -> None:
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        names.append(attribute.value)
    elif isinstance(attribute, ir.ArrayAttr):
        for each in attribute:
            _collect(each, names)


def _attribute_names(op: ir.Operation) -> list[str]:
    return list(op.attributes.keys())


def _name(op: ir.OpView) -> str:
    return op.attributes["sym_name"].value if "sym_name" in op.attributes else ""


def _is_private(function: ir.OpView) -> bool:
    return "sym_visibility" in function.attributes and function.attributes["sym_visibility"].value == "private"


def _translate(translator: Translator, function: ir.OpView) -> None:
    """Puts the translation of a function, which has its name, before it."""
    if len(function.regions[0].blocks) != 1:
        refuse(function, "has no body of one block; give it one, or remove it")
    type_ = function.type
    for kind, types in (("argument", type_.inputs), ("result", type_.results)):
        for position, each in enumerate(types):
            check_type(function, each, f"{kind} {position}", UNSIGNED)
    with function.location:
        signature = ir.FunctionType.get(
            [core_type(each) for each in type_.inputs], [core_type(each) for each in type_.results]
        )
        made = func.FuncOp(_name(function), signature, ip=ir.InsertionPoint(function))
        if _is_private(function):
            made.attributes["sym_visibility"] = ir.StringAttr.get("private")
        _mark(made, "arg_attrs", type_.inputs)
        _mark(made, "res_attrs", type_.results)
        block = made.add_entry_block([argument.location for argument in function.arguments])
        with ir.InsertionPoint(block):
            given = [_number(*pair) for pair in zip(block.arguments, type_.inputs, strict=True)]
            results = translator.function_body(function, given)
            func.ReturnOp([typed(result, each) for result, each in zip(results, type_.results, strict=True)])


def _number(argument: ir.Value, type_: ir.RankedTensorType) -> ir.Value:
    """An argument; numbers of 16 bits, which callers give as `f32`, are rounded."""
    return nearest(type_.element_type)(argument) if is_half(type_) and not type_.rank else argument


def _mark(function: ir.OpView, attribute: str, types: Sequence[ir.Type]) -> None:
    """Tells callers of arguments, or of results, that have no sign, and of arrays of 16-bit floats."""
    marks: list[dict[str, ir.Attribute]] = []
    for each in types:
        facts: dict[str, ir.Attribute] = {UNSIGNED_ATTRIBUTE: ir.UnitAttr.get()} if is_unsigned(each) else {}
        marks.append({HALF_ATTRIBUTE: ir.StringAttr.get(str(each.element_type))} if _is_half_array(each) else facts)
    if any(marks):
        function.attributes[attribute] = ir.ArrayAttr.get([ir.DictAttr.get(each) for each in marks])


def _is_half_array(type_: ir.Type) -> bool:
    return is_half(type_) and bool(type_.rank)
