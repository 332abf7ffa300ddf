"""The requested function of a module: its types, and the module without unused functions."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from functools import partial

from tapeless._mlir import ir
from tapeless.abi import HALF_ATTRIBUTE, UNSIGNED_ATTRIBUTE
from tapeless.backend.reading.modules import TEXT
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.passes.diagnostics import place_of
from tapeless.passes.ir.calls import argument_names
from tapeless.spelling import suggestion
from tapeless.types import SCALARS, ArrayType, ScalarType, Type, bf16, bool_, f16, u32

FUNCTION, RULE = "func.func", "ad.custom_rule"

# Types of elements as MLIR writes them.
SCALAR_TYPES: dict[str, ScalarType] = {
    each.name: each for each in SCALARS if not (each.is_bool or each.is_unsigned or each.is_half)
} | {"i1": bool_}


@dataclass(frozen=True)
class CoreFunction:
    """A function of a module of core IR: the bytecode of the module, the names and types of parameters and results."""

    name: str
    module: bytes
    names: tuple[str, ...]
    takes: tuple[Type, ...]
    gives: tuple[Type, ...]
    file: str
    line: int


def find(module: ir.Module, name: str) -> ir.Operation:
    """The function of that name, which must have a body."""
    functions = {
        ir.StringAttr(each.operation.attributes["sym_name"]).value: each.operation
        for each in module.body.operations
        if each.operation.name == FUNCTION
    }
    if name not in functions:
        defined = [each for each, found in functions.items() if len(found.regions[0].blocks)]
        has = f"the functions {', '.join(map(repr, defined))}" if defined else "no functions"
        raise ArgumentError(
            f"the module has no function '{name}', but {has}; give one of its functions as name="
            f"{suggestion(name, defined)}"
        )
    if not len(functions[name].regions[0].blocks):
        raise ArgumentError(f"the function '{name}' is only declared in the module; give a module that defines it")
    return functions[name]


def core_function(module: ir.Module, name: str) -> CoreFunction:
    """The function of that name in a module of core IR, which loses the functions that it does not call."""
    function = find(module, name)
    _keep_what_it_needs(module, name)
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    facts = partial(_facts, function, "arg_attrs")
    names = tuple(argument_names(function))
    place = place_of(function.location)
    return CoreFunction(
        name,
        _bytecode(module),
        names,
        tuple(
            _type(each, f"argument '{known}'", facts(place))
            for place, (each, known) in enumerate(zip(signature.inputs, names, strict=True))
        ),
        _results(name, function, signature),
        place.file if place else TEXT,
        place.line if place else 1,
    )


def _symbol(operation: ir.OpView) -> str | None:
    attributes = operation.operation.attributes
    return ir.StringAttr(attributes["sym_name"]).value if "sym_name" in attributes else None


def _keep_what_it_needs(module: ir.Module, name: str) -> None:
    """Erases functions that are not called, and rules of these."""
    operations = [each.operation for each in module.body.operations]
    named = {_symbol(each): each for each in operations}
    rules = [each for each in operations if each.name == RULE]
    kept, waiting = set[str](), [name]
    while waiting:
        current = waiting.pop()
        if current in kept:
            continue
        kept.add(current)
        waiting += _references(named[current])
        for rule in rules:
            if rule.opview.primal.value == current:
                waiting += _references(rule)
    for operation in operations:
        owner = operation.opview.primal.value if operation.name == RULE else _symbol(operation)
        if owner not in kept:
            operation.erase()


def _references(operation: ir.Operation) -> list[str]:
    """The names of functions in the attributes of an operation, and of those in it."""
    found: list[str] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        for name in inner.attributes:
            found.extend(_symbols(inner.attributes[name]))
        return ir.WalkResult.ADVANCE

    operation.walk(visit)
    return found


def _symbols(attribute: ir.Attribute) -> Iterator[str]:
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        yield attribute.value
    elif isinstance(attribute, ir.ArrayAttr):
        for each in attribute:
            yield from _symbols(each)


def _facts(function: ir.Operation, attribute: str, place: int) -> Collection[str]:
    """What the marks of an argument, or of a result, say: that it has no sign, or is an array of 16-bit floats."""
    if attribute not in function.attributes:
        return ()
    marks = function.attributes[attribute][place]
    return [ir.StringAttr(marks[HALF_ATTRIBUTE]).value] if HALF_ATTRIBUTE in marks else [each.name for each in marks]


def _results(name: str, function: ir.Operation, signature: ir.FunctionType) -> tuple[Type, ...]:
    if not signature.results:
        raise TypeMismatch(f"the function '{name}' gives no results; give one that returns numbers or arrays")
    facts = partial(_facts, function, "res_attrs")
    return tuple(_type(each, f"result {place}", facts(place)) for place, each in enumerate(signature.results))


def _type(type_: ir.Type, role: str, facts: Collection[str]) -> Type:
    if isinstance(type_, ir.RankedTensorType) and type_.rank == 0:
        raise TypeMismatch(f"{role} of the function is {type_}; core IR has numbers for arrays without axes")
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    marked = {u32: UNSIGNED_ATTRIBUTE} if str(element) == "i32" else {f16: f16.name, bf16: bf16.name}
    scalar = next((each for each, mark in marked.items() if mark in facts), SCALAR_TYPES.get(str(element)))
    if isinstance(element, ir.ComplexType):
        raise TypeMismatch(f"{role} of the function is {type_}; pass real and imaginary parts as two arrays")
    if scalar is None or (element is not type_ and type_.encoding is not None):
        known = ", ".join(SCALAR_TYPES)
        raise TypeMismatch(f"{role} of the function is {type_}; give numbers, or arrays without layout, of {known}")
    if element is type_:
        return scalar
    sizes = (None if type_.is_dynamic_dim(axis) else type_.get_dim_size(axis) for axis in range(type_.rank))
    return ArrayType(scalar, tuple(sizes))


def _bytecode(module: ir.Module) -> bytes:
    written = io.BytesIO()
    module.operation.write_bytecode(written)
    return written.getvalue()
