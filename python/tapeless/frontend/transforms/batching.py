"""`tl.vmap` of function values: a map over one axis of some arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.errors import ArgumentError
from tapeless.frontend.arrays import axes
from tapeless.frontend.operators import mapping
from tapeless.frontend.transforms.arguments import Arguments, signature_of
from tapeless.frontend.transforms.leaves import leaves, like
from tapeless.frontend.values.value import Array, Scalar, Transform, Value, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def vmap(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """The function on every row of the mapped arguments; results are stacked along axis 0."""
    values = list(arguments.values.values())
    axes = _axes(t, transform, arguments)
    mapped = [
        _leading(t, name, leaf, axis)
        for (name, value), axis in zip(arguments.values.items(), axes, strict=True)
        if axis is not None
        for leaf in leaves(value)
    ]
    if not mapped:
        raise t.error("tl.vmap without a mapped argument", "give an axis to at least one in in_axes", ArgumentError)

    def body(rows: list[Value]) -> Value:
        remaining = iter(rows)
        pairs = zip(values, axes, strict=True)
        return arguments.call(
            t, transform.function, [value if axis is None else like(value, remaining) for value, axis in pairs]
        )

    return mapping.map_rows(t, mapped, body)


def _axes(t: Translator, transform: Transform, arguments: Arguments) -> list[int | None]:
    """The mapped axis of every argument, or None; one axis for all leaves out defaults, and numbers in their place."""
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
