"""`tl.vmap` of function values: a map over one axis of some arguments, or of their parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tapeless.errors import ArgumentError
from tapeless.frontend.arrays import axes
from tapeless.frontend.operators import mapping
from tapeless.frontend.transforms.arguments import Arguments, signature_of
from tapeless.frontend.transforms.leaves import leaves, like, named_leaves
from tapeless.frontend.values.value import STRUCTURES, Array, Scalar, Structured, Transform, Value, describe
from tapeless.trees import DICT, LIST, TUPLE, Node, items_of, node_of, step, words

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def vmap(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """The function on every row of the mapped arguments; results are stacked along the axes asked for."""
    values = list(arguments.values.values())
    named = zip(arguments.values.items(), _axes(t, transform, arguments), strict=True)
    axes = [_leaf_axes(t, value, axis, name, "in_axes") for (name, value), axis in named]
    mapped = [
        _leading(t, path, leaf, axis)
        for (name, value), each in zip(arguments.values.items(), axes, strict=True)
        for (path, leaf), axis in zip(named_leaves(value, name), each, strict=True)
        if axis is not None
    ]
    if not mapped:
        raise t.error("tl.vmap without a mapped argument", "give an axis to at least one in in_axes", ArgumentError)

    def body(rows: list[Value]) -> Value:
        remaining = iter(rows)
        return arguments.call(
            t, transform.function, [_row(value, each, remaining) for value, each in zip(values, axes, strict=True)]
        )

    result = mapping.map_rows(t, mapped, body)
    if transform.out_axes == 0:
        return result
    places = _leaf_axes(t, result, transform.out_axes, "result", "out_axes")
    stacked = zip(named_leaves(result, "result"), places, strict=True)
    return like(result, iter([_moved(t, path, leaf, axis) for (path, leaf), axis in stacked]))


def _row(value: Value, axes: Sequence[int | None], rows: Iterator[Value]) -> Value:
    """An argument of the function: a row of a mapped argument, the rest as it is."""
    pairs = zip(leaves(value), axes, strict=True)
    return like(value, iter([leaf if axis is None else next(rows) for leaf, axis in pairs]))


def _leaf_axes(t: Translator, value: Value, axes: Any, path: str, name: str) -> list[int | None]:
    """One axis for every leaf of a value, from a tree that is a prefix of its structure."""
    node = node_of(axes)
    if node is None:
        return [axes] * len(leaves(value))
    if not isinstance(value, STRUCTURES) or not _fits(node, items_of(axes), value):
        raise t.error(
            f"{name} has {words(node, len(items_of(axes)))} for '{path}', which is {describe(value)}",
            "give an axis, None, or a structure of them like it",
            ArgumentError,
        )
    given = dict(zip(node.keys, items_of(axes), strict=True)) if node.kind == DICT else None
    entries = [given[key] for key in value.node.keys] if given is not None else items_of(axes)
    pairs = enumerate(zip(value.items, entries, strict=True))
    return [axis for k, pair in pairs for axis in _leaf_axes(t, *pair, path + step(value.node, k), name)]


def _fits(node: Node, items: Sequence[Any], value: Structured) -> bool:
    """Whether axes have the structure of a value, for its first level."""
    if node.kind == DICT == value.node.kind:
        return set(node.keys) == set(value.node.keys)
    rows = (TUPLE, LIST)
    is_alike = node == value.node or (node.kind in rows and value.node.kind in rows)
    return is_alike and len(items) == len(value.items)


def _axes(t: Translator, transform: Transform, arguments: Arguments) -> list[Any]:
    """The mapped axes of every argument, or None; one axis for all leaves out defaults, and numbers in their place."""
    if not isinstance(transform.in_axes, tuple):
        signature = signature_of(t, transform.function)
        optional = signature.defaults or {} if signature else {}
        fixed = {name for name, value in arguments.values.items() if name in optional and isinstance(value, Scalar)}
        return [transform.in_axes if name in arguments.given - fixed else None for name in arguments.values]
    count = len(arguments.given)
    if len(transform.in_axes) != count:
        raise t.error(
            f"in_axes has {len(transform.in_axes)} entries for {count} arguments",
            "give one for every argument, None for those not mapped",
            ArgumentError,
        )
    axes = iter(transform.in_axes)
    return [next(axes) if name in arguments.given else None for name in arguments.values]


def _leading(t: Translator, name: str, leaf: Value, axis: int) -> Array:
    """The array with the mapped axis first."""
    held = t.held(leaf)
    if not isinstance(held, Array) or not -held.rank <= axis < held.rank:
        raise t.error(
            f"tl.vmap over axis {axis} of '{name}', which is {describe(held)}",
            "map an axis it has, or give None for it in in_axes",
            ArgumentError,
        )
    axis %= held.rank
    return axes.permuted(t, held, (axis, *(each for each in range(held.rank) if each != axis)))


def _moved(t: Translator, path: str, leaf: Value, axis: int | None) -> Array:
    """A result whose leading axis belongs at another place."""
    array = t.array(leaf)
    if axis is None or not -array.rank <= axis < array.rank:
        raise t.error(
            f"out_axes={axis} for '{path}', which is {describe(array)} with the mapped axis",
            "give an axis that it has; for a result that is the same for all, take the row [0]",
            ArgumentError,
        )
    order = list(range(1, array.rank))
    order.insert(axis % array.rank, 0)
    return axes.permuted(t, array, tuple(order))
