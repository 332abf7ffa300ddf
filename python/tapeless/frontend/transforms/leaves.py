"""The numbers and arrays inside structures, in order; None, strings and functions belong to the structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import (
    FUNCTIONS,
    STRUCTURES,
    Array,
    Opaque,
    Record,
    Scalar,
    Structured,
    Tuple,
    Value,
    describe,
    literal,
    structured,
    type_of,
)
from tapeless.trees import DICT, LIST, TUPLE, step

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Leaf = Scalar | Array


def leaves(value: Value) -> list[Value]:
    """The numbers and arrays in a value."""
    if isinstance(value, STRUCTURES):
        return [leaf for item in value.items for leaf in leaves(item)]
    return [] if is_static(value) else [value]


def named_leaves(value: Value, name: str) -> list[tuple[str, Value]]:
    """The numbers and arrays in a value with the paths to them."""
    if isinstance(value, STRUCTURES):
        named = [(item, name + step(value.node, k)) for k, item in enumerate(value.items)]
        return [leaf for each in named for leaf in named_leaves(*each)]
    return [] if is_static(value) else [(name, value)]


def parts(value: Value) -> list[Value]:
    """Everything in a value that is no structure."""
    if isinstance(value, STRUCTURES):
        return [part for item in value.items for part in parts(item)]
    return [value]


def like(value: Value, replacements: Iterator[Value]) -> Value:
    """A value of the same structure with other leaves."""
    if isinstance(value, STRUCTURES):
        return structured(value.node, [like(item, replacements) for item in value.items])
    return value if is_static(value) else next(replacements)


def is_static(value: Value) -> bool:
    """Whether a value belongs to the structure it stands in: it has no derivative, and is the same on all paths."""
    return isinstance(value, (Opaque, *FUNCTIONS))


@dataclass(frozen=True)
class Pair:
    """A leaf, its counterpart, and the name of that in a message."""

    leaf: Value
    given: Value
    role: str


def paired(t: Translator, wanted: Value, given: Value, role: str, path: str) -> list[Pair]:
    """The leaves of a value with those of another, which must have its structure; `role` names that one."""
    if isinstance(wanted, STRUCTURES):
        parts = zip(wanted.items, _corresponding(t, wanted, given, f"{role} '{path}'"), strict=True)
        named = [(*pair, role, path + step(wanted.node, k)) for k, pair in enumerate(parts)]
        return [pair for each in named for pair in paired(t, *each)]
    if is_static(wanted):
        return []
    if isinstance(given, STRUCTURES):
        raise t.error(
            f"{role} '{path}' is {describe(given)}, and belongs to {describe(wanted)}",
            "give it the same structure",
            ArgumentError,
        )
    return [Pair(wanted, given, f"{role} '{path}'")]


def _corresponding(t: Translator, wanted: Structured, given: Value, role: str) -> Sequence[Value]:
    """The parts of a structure in the order of those of another one like it."""
    node = wanted.node
    if isinstance(given, STRUCTURES) and given.node == node and len(given.items) == len(wanted.items):
        return given.items
    if isinstance(given, Record) and given.node.kind == DICT == node.kind and set(given.node.keys) == set(node.keys):
        found = dict(zip(given.node.keys, given.items, strict=True))
        return [found[key] for key in node.keys]
    are_rows = all(isinstance(each, Tuple) and each.node.kind in (TUPLE, LIST) for each in (wanted, given))
    if are_rows and len(given.items) == len(wanted.items):
        return given.items
    raise t.error(
        f"{role} is {describe(given)}, and belongs to {describe(wanted)}",
        "give it the same structure",
        ArgumentError,
    )


def replaced(value: Value, change: Callable[[Value], Value]) -> Value:
    """The value with every leaf changed."""
    return like(value, iter([change(leaf) for leaf in leaves(value)]))


def is_differentiable(leaf: Value) -> bool:
    """Whether a leaf has derivatives: a float, or an array of them."""
    return isinstance(leaf, (Scalar, Array)) and leaf.dtype.is_float


def with_ssa(t: Translator, leaf: Leaf, value: ir.Value) -> Leaf:
    """The leaf of the same type and sizes that another SSA value holds."""
    if isinstance(leaf, Scalar):
        return promotion.from_ssa(t.builder, value, leaf.dtype, weak=leaf.weak)
    return Array(leaf.dtype, leaf.dims, value)


def filled_like(t: Translator, leaf: Leaf, number: int) -> Leaf:
    """A number in the type and shape of a leaf."""
    if isinstance(leaf, Array):
        return whole_arrays.filled(t, leaf.dims, literal(number), leaf.dtype)
    constant = promotion.ssa(t.builder, literal(number), leaf.dtype)
    return promotion.from_ssa(t.builder, constant, leaf.dtype, weak=leaf.weak)


def matching(t: Translator, value: Value, leaf: Leaf, role: str) -> Leaf:
    """A derivative given by the user, which must have the type and shape of a leaf."""
    number = t.held(t.number(value, role))
    if isinstance(number, Scalar) != isinstance(leaf, Scalar) or type_of(number).rank != type_of(leaf).rank:
        raise t.error(
            f"{role} is {describe(number)}, and belongs to {describe(leaf)}", "give it that type", TypeMismatch
        )
    if number.dtype != leaf.dtype and not _adapts(number, leaf):
        raise t.error(f"{role} is {describe(number)}, and belongs to {describe(leaf)}", "convert it", TypeMismatch)
    if isinstance(number, Scalar):
        return with_ssa(t, leaf, promotion.ssa(t.builder, number, leaf.dtype))
    for axis, (given, wanted) in enumerate(zip(number.dims, leaf.dims, strict=True)):
        if given.is_constant and wanted.is_constant and given != wanted:
            raise t.error(
                f"{role} has size {given.constant} in axis {axis}, and belongs to an array with {wanted.constant}",
                "give it the same shape",
                ShapeMismatch,
            )
        broadcasting.same_size(t, given, wanted, axis)
    return Array(leaf.dtype, leaf.dims, broadcasting.with_static_sizes(t, number.ssa, leaf.dims))


def _adapts(number: Leaf, leaf: Leaf) -> bool:
    """Weak numbers take the type of the other operand, and whole numbers become floats."""
    return isinstance(number, Scalar) and leaf.dtype.is_float and (number.weak or not number.dtype.is_float)
