"""Composites that say how they are differentiated: `tapeless.stop_gradient`, `tapeless.checkpoint`, and rules.

| composite | attributes | becomes |
| --- | --- | --- |
| `tapeless.stop_gradient` | | `ad.stop_gradient` |
| `tapeless.checkpoint` | | `ad.checkpoint` around the decomposition |
| `tapeless.custom_rule` | `jvp`, or `forward` and `backward`, or all: functions | a call, with `ad.custom_rule` |

Where the producer left sizes open, the first operands may be sizes that the decomposition takes as integers, as many as
the attribute `sizes` says; functions with rules find them in the arrays that they take.

An empty name stands for a rule that the module has not: derivatives that need it are refused.
The functions of rules stand in the module, take and give what `ad.custom_rule` says, and may have such composites too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import arith, func, ir
from tapeless.dialects import ad
from tapeless.passes.imports.emit.lazy import Value, in_memory, shape_of
from tapeless.passes.imports.emit.open_sizes import Size, same, value_of
from tapeless.passes.imports.stablehlo.translator import Translator, core_type, refuse, typed

KINDS: dict[str, tuple[str, ...]] = {"vjp": ("forward", "backward"), "jvp": ("jvp",)}
"""The attributes that name the functions of each kind of rule."""

Values = Sequence[Value]


def stop_gradient(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """Values that differentiation takes as constants."""
    arrays = [in_memory(operand) for operand in operands[_sizes(op) :]]
    return [ad.StopGradientOp(array, array.type).out for array in arrays]


def checkpoint(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A body that the return sweep runs again."""
    arrays = [in_memory(operand) for operand in operands]
    made = ad.CheckpointOp([core_type(result.type) for result in op.results])
    with ir.InsertionPoint(made.body.blocks.append()):
        ends = t.call(op, decomposition(op), arrays)
        ad.YieldOp([typed(end, result.type) for end, result in zip(ends, op.results, strict=True)])
    return list(made.outs)


def custom_rule(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A call of a function that has derivative rules of its own."""
    first, primal = _sizes(op), decomposition(op)
    known = {place: _found(t, op, operands[first:], place) for place in range(first) if _is_read(t, primal, place)}
    name = _function(t, op, primal, first, known)
    if name not in t.ruled:
        t.ruled.add(name)
        for kind, functions in _rules(op).items():
            given = [_function(t, op, each) for each in functions] if all(functions) else _unknown(t, op, name, kind)
            _declare(t, op, name, kind, given)
    takes = t.functions[primal].type.inputs
    arrays = [typed(operand, type_) for operand, type_ in zip(operands[first:], takes[first:], strict=True)]
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


def _sizes(op: ir.Operation) -> int:
    """How many of the first operands of a composite are sizes."""
    given = ir.DictAttr(op.attributes["composite_attributes"]) if "composite_attributes" in op.attributes else {}
    return ir.IntegerAttr(given["sizes"]).value if "sizes" in given else 0


def _is_read(t: Translator, name: str, place: int) -> bool:
    return name in t.functions and bool(list(t.functions[name].arguments[place].uses))


def _found(t: Translator, op: ir.Operation, arrays: Values, place: int) -> Axis:
    """The array, and its axis, that has a size that an operand is."""
    (wanted,) = t.sizes_of(op.operands[place])
    for position, array in enumerate(arrays):
        for axis, size in enumerate(shape_of(array)):
            if same(size, wanted):
                return position, axis
    refuse(op, f"has a rule and reads a size, its operand {place}, that none of its arrays has; pass one that has it")


Axis = tuple[int, int]
"""The position of an array, and one of its axes."""


def _function(
    t: Translator, op: ir.Operation, name: str, first: int = 0, sizes: Mapping[int, Axis] | None = None
) -> str:
    """The name of the private function of core IR that a function of the module becomes, which may call itself.

    Its `first` arguments in the module are sizes, which are those of axes of the other ones.
    """
    if name not in t.functions or not t.functions[name].regions[0].blocks:
        refuse(op, f"names @{name}, which has no body; define it in the module")
    if name not in t.private:
        source = t.functions[name]
        t.private[name] = f"{name}.{len(t.private)}"
        types = source.type
        takes = types.inputs[first:]
        signature = ir.FunctionType.get(list(map(core_type, takes)), list(map(core_type, types.results)))
        with ir.InsertionPoint(source), source.location:
            made = func.FuncOp(t.private[name], signature, visibility="private")
            block = made.add_entry_block([argument.location for argument in list(source.arguments)[first:]])
        with ir.InsertionPoint(block), source.location:
            arrays = list(block.arguments)
            axes = [(sizes or {}).get(place) for place in range(first)]
            given = [0 if axis is None else shape_of(arrays[axis[0]])[axis[1]] for axis in axes]
            integers = [_integer(size, type_) for size, type_ in zip(given, types.inputs, strict=False)]
            ends = t.function_body(source, [*integers, *arrays], given)
            func.ReturnOp([typed(end, type_) for end, type_ in zip(ends, types.results, strict=True)])
    return t.private[name]


def _integer(size: Size, type_: ir.RankedTensorType) -> ir.Value:
    return arith.IndexCastOp(type_.element_type, value_of(size)).result


def _unknown(t: Translator, op: ir.Operation, primal: str, kind: str) -> list[str]:
    """Declarations of rules that the producer left out: differentiating the function is refused where they are."""
    arrays = list(op.operands)[_sizes(op) :]
    takes, gives = ([core_type(each.type) for each in values] for values in (arrays, op.results))
    types = {"jvp": [([*takes, *takes], [*gives, *gives])], "vjp": [(takes, gives), (gives, takes)]}[kind]
    names = [f"{primal}.without_{kind}_{position}" for position in range(len(types))]
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
