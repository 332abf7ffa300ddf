"""Composites that say how they are differentiated: `tapeless.stop_gradient`, `tapeless.checkpoint`, and rules.

| composite | attributes | becomes |
| --- | --- | --- |
| `tapeless.stop_gradient` | | `ad.stop_gradient` |
| `tapeless.checkpoint` | | `ad.checkpoint` around the decomposition |
| `tapeless.custom_rule` | `jvp`, or `forward` and `backward`, or all: functions | a call, with `ad.custom_rule` |

An empty name stands for a rule that the module has not: derivatives that need it are refused.
The functions of rules stand in the module, take and give what `ad.custom_rule` says, and may have such composites too.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import func, ir
from tapeless.dialects import ad
from tapeless.passes.imports.emit.lazy import Value, in_memory
from tapeless.passes.imports.stablehlo.translator import Translator, core_type, refuse

KINDS: dict[str, tuple[str, ...]] = {"vjp": ("forward", "backward"), "jvp": ("jvp",)}
"""The attributes that name the functions of each kind of rule."""

Values = Sequence[Value]


def stop_gradient(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """Values that differentiation takes as constants."""
    arrays = [in_memory(operand) for operand in operands]
    return [ad.StopGradientOp(array, array.type).out for array in arrays]


def checkpoint(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A body that the return sweep runs again."""
    arrays = [in_memory(operand) for operand in operands]
    made = ad.CheckpointOp([core_type(result.type) for result in op.results])
    with ir.InsertionPoint(made.body.blocks.append()):
        ad.YieldOp([in_memory(result) for result in t.call(op, decomposition(op), arrays)])
    return list(made.outs)


def custom_rule(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A call of a function that has derivative rules of its own."""
    arrays = [in_memory(operand) for operand in operands]
    name = _function(t, op, decomposition(op))
    if name not in t.ruled:
        t.ruled.add(name)
        for kind, functions in _rules(op).items():
            given = [_function(t, op, each) for each in functions] if all(functions) else _unknown(t, op, name, kind)
            _declare(t, op, name, kind, given)
    return list(func.CallOp([core_type(result.type) for result in op.results], name, arrays).results)


def decomposition(op: ir.Operation) -> str:
    """The name of the function that a composite stands for."""
    return ir.FlatSymbolRefAttr(op.attributes["decomposition"]).value


def _rules(op: ir.Operation) -> dict[str, list[str]]:
    given = ir.DictAttr(op.attributes["composite_attributes"]) if "composite_attributes" in op.attributes else {}
    found = {}
    for kind, parts in KINDS.items():
        if all(part in given for part in parts):
            found[kind] = [ir.StringAttr(given[part]).value for part in parts]
    if not found:
        refuse(op, "names no rule; give it the attribute 'jvp', or 'forward' and 'backward', with names of functions")
    return found


def _function(t: Translator, op: ir.Operation, name: str) -> str:
    """The name of the private function of core IR that a function of the module becomes, which may call itself."""
    if name not in t.functions or not t.functions[name].regions[0].blocks:
        refuse(op, f"names @{name}, which has no body; define it in the module")
    if name not in t.private:
        source = t.functions[name]
        t.private[name] = f"{name}.{len(t.private)}"
        types = source.type
        signature = ir.FunctionType.get(list(map(core_type, types.inputs)), list(map(core_type, types.results)))
        with ir.InsertionPoint(source), source.location:
            made = func.FuncOp(t.private[name], signature, visibility="private")
            block = made.add_entry_block([argument.location for argument in source.arguments])
        with ir.InsertionPoint(block), source.location:
            func.ReturnOp([in_memory(each) for each in t.function_body(source, list(block.arguments))])
    return t.private[name]


def _unknown(t: Translator, op: ir.Operation, primal: str, kind: str) -> list[str]:
    """Declarations of rules that the producer left out: differentiating the function is refused where they are."""
    takes, gives = ([core_type(each.type) for each in values] for values in (op.operands, op.results))
    types = {"jvp": [([*takes, *takes], [*gives, *gives])], "vjp": [(takes, gives), (gives, takes)]}[kind]
    names = [f"{primal}.without_rule_{position}" for position in range(len(types))]
    with ir.InsertionPoint(t.functions[decomposition(op)]), op.location:
        for name, (inputs, results) in zip(names, types, strict=True):
            func.FuncOp(name, ir.FunctionType.get(inputs, results), visibility="private")
    return names


def _declare(t: Translator, op: ir.Operation, primal: str, kind: str, functions: Sequence[str]) -> None:
    attributes = {
        "primal": ir.FlatSymbolRefAttr.get(primal),
        "kind": ir.StringAttr.get(kind),
        "functions": ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(each) for each in functions]),
    }
    position = ir.InsertionPoint(t.functions[decomposition(op)])
    ir.Operation.create("ad.custom_rule", [], [], attributes, loc=op.location, ip=position)
