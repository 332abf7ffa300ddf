"""Calls of functions that come from modules of other producers: their functions join the module being made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, FixedForm, Form, ScalarForm, TupleForm
from tapeless.frontend.session import Session
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.capture import static_value
from tapeless.frontend.values.value import Value
from tapeless.trees import DICT, Static, items_of, node_of
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call(t: Translator, function: Imported, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """A `func.call` of the function; the parameters of the source that calls it have its types already."""
    assert not keywords
    name = _placed(t.session, function)
    pairs = zip(function.takes, arguments, strict=True)
    operands = [each for tree, value in pairs for each in _operands(t, tree, value)]
    form = _form(t, function.gives)
    callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
    operation = t.builder.operation("func.call", joins.types(t.builder, form), operands, callee)
    return joins.rebuild(t, form, iter(list(operation.results)))


def _operands(t: Translator, tree: Any, value: Value) -> Iterator[ir.Value]:
    """The leaves of an argument, in the order of the tree: dicts are read by their keys."""
    node = node_of(tree)
    if node is None:
        yield from joins.flatten(t, value, _form(t, tree))
        return
    items = value.items
    if node.kind == DICT:
        items = [items[value.node.keys.index(key)] for key in node.keys]
    for part, item in zip(items_of(tree), items, strict=True):
        yield from _operands(t, part, item)


def _form(t: Translator, tree: Any) -> Form:
    """The form of values of these types."""
    node = node_of(tree)
    if node is not None:
        return TupleForm(tuple(_form(t, item) for item in items_of(tree)), node)
    if isinstance(tree, Static):
        return FixedForm(static_value(t, tree.value))
    if isinstance(tree, ScalarType):
        return ScalarForm(tree, weak=False)
    return ArrayForm(tree.dtype, tuple(None if size is None else Affine(size) for size in tree.shape))


def _placed(session: Session, function: Imported) -> str:
    """The name of the function in the module being made, which it joins with all that its own module holds."""
    if function not in session.imported:
        module = ir.Module.parse(function.module)
        names = {name: session.fresh_name(name) for name in map(_name_of, module.body.operations) if name is not None}
        for operation in list(module.body.operations):
            copied = operation.operation.clone(ip=ir.InsertionPoint(session.module.body))
            _rename(copied, names)
        session.imported[function] = names[function.name]
    return session.imported[function]


def _name_of(operation: ir.OpView) -> str | None:
    attributes = operation.operation.attributes
    return ir.StringAttr(attributes["sym_name"]).value if "sym_name" in attributes else None


def _rename(operation: ir.Operation, names: Mapping[str, str]) -> None:
    """Gives a copied operation, and all that is in it, the names that functions have now."""
    for name in list(operation.attributes):
        attribute = operation.attributes[name]
        renamed = _renamed(attribute, names)
        if renamed is not attribute:
            operation.attributes[name] = renamed
    if "sym_name" in operation.attributes:
        known = ir.StringAttr(operation.attributes["sym_name"]).value
        operation.attributes["sym_name"] = ir.StringAttr.get(names[known])
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                _rename(inner.operation, names)


def _renamed(attribute: ir.Attribute, names: Mapping[str, str]) -> ir.Attribute:
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        return ir.FlatSymbolRefAttr.get(names[attribute.value])
    if isinstance(attribute, ir.ArrayAttr) and any(isinstance(each, ir.FlatSymbolRefAttr) for each in attribute):
        return ir.ArrayAttr.get([_renamed(each, names) for each in attribute])
    return attribute
