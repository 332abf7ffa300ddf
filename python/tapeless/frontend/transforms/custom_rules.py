"""Which functions have derivative rules of the user's own, and when these are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.transforms import rule_functions
from tapeless.frontend.transforms.closing import Closed

if TYPE_CHECKING:
    from tapeless.frontend.session import Customised
    from tapeless.frontend.translator import Translator


RUN, INVERSE = ".run", ".inv"
"""How the names of the functions end that a procedure and its inverse become."""


def attach(t: Translator, function: ir.Operation) -> None:
    """Makes the rules of all functions that a function about to be differentiated can call."""
    if t.session.customised:
        _attach(t, function, set())


def _attach(t: Translator, function: ir.Operation, visited: set[str]) -> None:
    for name in _callees(function):
        if name in visited:
            continue
        visited.add(name)
        customised = t.session.customised.get(name)
        if customised is not None and not customised.is_attached:
            customised.is_attached = True
            for made in _rules(t, customised):
                _attach(t, made.function, visited)
        _attach(t, _named(t, name), visited)


def _callees(operation: ir.Operation) -> Iterator[str]:
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                if "callee" in inner.operation.attributes:
                    yield ir.FlatSymbolRefAttr(inner.operation.attributes["callee"]).value
                yield from _callees(inner.operation)


def _named(t: Translator, name: str) -> ir.Operation:
    """The function of a name, or the procedure that a declared function stands for."""
    named = {
        ir.StringAttr(op.operation.attributes["sym_name"]).value: op.operation
        for op in t.session.module.body
        if "sym_name" in op.operation.attributes
    }
    return named.get(name.removesuffix(RUN).removesuffix(INVERSE), named[name])


def _rules(t: Translator, customised: Customised) -> Iterator[Closed]:
    """The functions of the rules, each kind declared for the function they belong to."""
    source, rules = customised.source, customised.source.rules
    if rules.is_empty:
        raise t.error(
            f"'{source.name}' is to be differentiated by a rule of its own, and has none",
            f"give it one with {source.name}.defvjp(fwd, bwd) or {source.name}.defjvp(rule)",
        )
    primal = _named(t, customised.function.name)
    signature = rule_functions.Primal(
        source,
        customised.arguments,
        customised.function.form,
        ir.FunctionType(ir.TypeAttr(primal.attributes["function_type"]).value),
    )
    if rules.forward is not None:
        yield from _declare(t, customised, "vjp", rule_functions.reverse(t, signature))
    if rules.push is not None:
        yield from _declare(t, customised, "jvp", [rule_functions.forward(t, signature)])


def _declare(t: Translator, customised: Customised, kind: str, functions: list[Closed]) -> list[Closed]:
    attributes = {
        "primal": ir.FlatSymbolRefAttr.get(customised.function.name),
        "kind": ir.StringAttr.get(kind),
        "functions": ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(function.name) for function in functions]),
    }
    position = ir.InsertionPoint(t.session.module.body)
    ir.Operation.create("ad.custom_rule", [], [], attributes, loc=t.builder.location, ip=position)
    return functions
