"""`tl.grad` and `tl.value_and_grad` of function values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.frontend.control import joins
from tapeless.frontend.control.joins import form_leaves
from tapeless.frontend.transforms import requests
from tapeless.frontend.transforms.arguments import Argnums, Arguments
from tapeless.frontend.transforms.forms import filled, is_float_form, sized_form
from tapeless.frontend.transforms.leaves import Leaf, is_differentiable, leaves, like, named_leaves, with_ssa
from tapeless.frontend.transforms.outline import Outlined, outline
from tapeless.frontend.transforms.requests import Seeds
from tapeless.frontend.transforms.titles import symbol_of
from tapeless.frontend.values.value import Scalar, Transform, Tuple, Value, describe

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True)
class Selection:
    """The arguments that a function is differentiated in, and their leaves."""

    arguments: Arguments
    positions: tuple[int, ...]
    is_single: bool

    @property
    def chosen(self) -> list[Value]:
        """The selected arguments."""
        values = list(self.arguments.values.values())
        return [values[position] for position in self.positions]

    @property
    def moving(self) -> list[Leaf]:
        """The leaves of the selected arguments."""
        return [leaf for value in self.chosen for leaf in leaves(value)]

    def body(self, t: Translator, function: Value) -> Callable[[list[Value]], Value]:
        """The function of those leaves alone; the other arguments are captured."""

        def call(moved: list[Value]) -> Value:
            values, replacements = list(self.arguments.values.values()), iter(moved)
            for position in self.positions:
                values[position] = like(values[position], replacements)
            return self.arguments.call(t, function, values)

        return call

    def packed(self, derivatives: Sequence[Value]) -> Value:
        """One derivative per leaf in the structure of the arguments; a tuple for several `argnums`."""
        remaining = iter(derivatives)
        parts = [like(value, remaining) for value in self.chosen]
        return parts[0] if self.is_single else Tuple(tuple(parts))


def select(t: Translator, kind: str, arguments: Arguments, argnums: Argnums) -> Selection:
    """The selection of `argnums`; every leaf in it must be a float."""
    wanted = argnums if isinstance(argnums, tuple) else (argnums,)
    positions = tuple(arguments.select(t, each) for each in wanted)
    if not positions or len(set(positions)) != len(positions):
        raise t.error(f"argnums={argnums}", "name every argument to differentiate once", ArgumentError)
    selection = Selection(arguments, positions, not isinstance(argnums, tuple))
    for position in positions:
        name = list(arguments.values)[position]
        _check_floats(t, kind, arguments.values[name], name)
    return selection


def _check_floats(t: Translator, kind: str, value: Value, name: str) -> None:
    """Every number in the argument must be a float, and there must be some."""
    found = named_leaves(value, name)
    for path, leaf in found or [(name, value)]:
        if not is_differentiable(leaf):
            raise t.error(
                f"tl.{kind} in '{path}', which is {describe(leaf)}",
                "differentiate in floats; choose others with argnums",
                TypeMismatch,
            )


def grad(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """The gradient; with `has_aux`, the pair of gradient and auxiliary result."""
    value, gradient = _value_and_gradient(t, transform, arguments)
    return Tuple((gradient, value.items[1])) if transform.has_aux else gradient


def value_and_grad(t: Translator, transform: Transform, arguments: Arguments) -> Value:
    """The function's result and the gradient."""
    return Tuple(_value_and_gradient(t, transform, arguments))


def _value_and_gradient(t: Translator, transform: Transform, arguments: Arguments) -> tuple[Value, Value]:
    selection = select(t, transform.kind, arguments, transform.argnums)
    moving = selection.moving
    title = f"{transform.kind}_{symbol_of(transform.function)}"
    function = outline(t, title, moving, _checked(t, transform, selection))
    made = requests.vjp(t, function, range(len(moving)), Seeds(_seeds(t, function)), transform.method)
    value = joins.rebuild(t, function.form, iter(made.results))
    return value, selection.packed([with_ssa(t, *pair) for pair in zip(moving, made.derivatives, strict=True)])


def _checked(t: Translator, transform: Transform, selection: Selection) -> Callable[[list[Value]], Value]:
    """The function, whose loss must be a scalar float."""
    call = selection.body(t, transform.function)

    def body(moved: list[Value]) -> Value:
        result = t.held(call(moved))
        loss = result
        if transform.has_aux:
            if not isinstance(result, Tuple) or len(result.items) != 2:
                raise t.error(
                    f"with has_aux=True the function returns {describe(result)}", "return (loss, aux)", ArgumentError
                )
            loss = result.items[0]
        if not isinstance(loss, Scalar) or not loss.dtype.is_float:
            others = "has_aux=True for (loss, aux)" if isinstance(loss, Tuple) else "tl.jacrev for arrays"
            raise t.error(
                f"the loss of tl.{transform.kind} is {describe(loss)}",
                f"return a scalar float, for example tl.sum(...); use {others}",
                ArgumentError,
            )
        return result

    return body


def _seeds(t: Translator, function: Outlined) -> list[ir.Value]:
    """One for the loss, zero for every float of the auxiliary result."""
    loss, *others = [form for form in form_leaves(sized_form(t, function)) if is_float_form(form)]
    return [filled(t, loss, 1), *(filled(t, form, 0) for form in others)]
