"""Calls of functions that come from modules of other producers: their functions join the module being made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tapeless._mlir import ir
from tapeless.dialects.symbols import rename_symbols, symbol_name
from tapeless.errors import TypeMismatch
from tapeless.frontend.calls.annotated import as_annotated
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import ArrayForm, FixedForm, Form, ScalarForm, TupleForm
from tapeless.frontend.session import Session
from tapeless.frontend.syntax.imported import Imported
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.capture import static_value
from tapeless.frontend.values.value import STRUCTURES, Array, Scalar, Value, describe
from tapeless.trees import DICT, Node, Static, items_of, node_of, step, words
from tapeless.types import ScalarType

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def call(t: Translator, function: Imported, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """A `func.call` of the function; the parameters of the source that calls it have its types already."""
    assert not keywords
    name = _placed(t.session, function)
    names = [each.name for each in t.frame.source.parameters]
    given = zip(function.takes, arguments, names, strict=True)
    operands = [each for tree, value, known in given for each in _operands(t, tree, value, known)]
    form = _form(t, function.gives)
    callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
    operation = t.builder.operation("func.call", joins.types(t.builder, form), operands, callee)
    return joins.rebuild(t, form, iter(list(operation.results)))


def _operands(t: Translator, tree: Any, value: Value, name: str) -> Iterator[ir.Value]:
    """The leaves of an argument, in the order of the tree: dicts are read by their keys."""
    node = node_of(tree)
    if isinstance(tree, Static):
        return
    if node is None:
        if not isinstance(value, (Scalar, Array)):
            raise t.error(f"'{name}' is {describe(value)}", f"pass {tree!r}", TypeMismatch)
        yield from joins.flatten(t, as_annotated(t, name, tree, value), _form(t, tree))
        return
    for position, (part, item) in enumerate(zip(items_of(tree), _parts(t, node, tree, value, name), strict=True)):
        yield from _operands(t, part, item, name + step(node, position))


def _parts(t: Translator, node: Node, tree: Any, value: Value, name: str) -> Sequence[Value]:
    """The parts of a structure, which must be one like that of the function; those of dicts are found by their keys."""
    count = len(items_of(tree))
    if (
        isinstance(value, STRUCTURES)
        and value.node.kind == node.kind == DICT
        and set(value.node.keys) == set(node.keys)
    ):
        return [value.items[value.node.keys.index(key)] for key in node.keys]
    if not isinstance(value, STRUCTURES) or value.node != node or len(value.items) != count:
        raise t.error(f"'{name}' is {describe(value)}", f"pass {words(node, count)}", TypeMismatch)
    return value.items


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
        names = {
            name: session.fresh_name(name) for name in map(symbol_name, module.body.operations) if name is not None
        }
        for operation in list(module.body.operations):
            copied = operation.operation.clone(ip=ir.InsertionPoint(session.module.body))
            rename_symbols(copied, names)
        session.imported[function] = names[function.name]
    return session.imported[function]
