"""Operations in programs of other libraries: functions of numbers and arrays, and how they are transformed.

An operation is one node of such a program. The derivatives of a function, and the function on all slices of its
arguments, are operations again, so that what another library does with a program can be repeated any number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tapeless.abi import Expr, evaluate
from tapeless.api.decorated import TapelessFunction, with_options
from tapeless.api.exports.flat import scalar_type
from tapeless.api.transforms.batching import vmap
from tapeless.api.transforms.derive import derive
from tapeless.api.transforms.directional import jvp, vjp
from tapeless.api.transforms.functions import value_and_grad
from tapeless.api.transforms.written import cotangent_text
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, ShapeMismatch
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.structures import Structure
from tapeless.signature import REQUIRED, Parameter
from tapeless.types import ArrayType, Type, strong

Shape = tuple[int, ...]


class SizeIsData(ArgumentError):
    """A size of a result is a number that a program computes; `places` are those of the operands it depends on."""

    def __init__(self, message: str, places: Sequence[int]) -> None:
        super().__init__(message)
        self.places = tuple(places)


@dataclass(frozen=True)
class Operation:
    """A function whose parameters are numbers and arrays of known types."""

    function: TapelessFunction

    def __repr__(self) -> str:
        return self.function.source.name

    @computed_once
    def types(self) -> tuple[Type, ...]:
        """The types of the operands."""
        return tuple(_known(each.type) for each in self.function.source.parameters)

    @property
    def structure(self) -> Structure:
        """How flat results make up the result."""
        return self.function.results_of(self.types)[0]

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the flat results, without their sizes."""
        return tuple(_open(each) for each in self.function.results_of(self.types)[1])

    @property
    def float_results(self) -> list[int]:
        """The places of results that have derivatives."""
        return [k for k, each in enumerate(self.result_types) if scalar_type(each).is_float]

    @property
    def is_loss(self) -> bool:
        """Whether the result is one number, so that one gradient is all of the derivative."""
        (first, *others), structure = self.result_types or (None,), self.structure
        return structure == 0 and not others and first is not None and first.rank == 0 and scalar_type(first).is_float

    def kernel(self, shapes: Sequence[Shape]) -> Kernel:
        """The kernel for operands of these sizes; sizes of 1 broadcast.

        Where it takes a computation to know the sizes of results, the code is for these sizes alone.
        """
        kernel = self._open_kernel(shapes)
        if _chooses_sizes(kernel):
            kernel = self.function.kernel_of(tuple(map(_with_sizes, self.types, shapes)))
        if _chooses_sizes(kernel):
            raise ArgumentError(
                f"{kernel.interface.origin}: the size of a result is found while it is computed, and other "
                "libraries have to know it before; return an array of a size that the arguments tell, and how much of "
                "it counts"
            )
        return kernel

    def needs_sizes(self, shapes: Sequence[Shape]) -> bool:
        """Whether the code is for sizes of operands that are known."""
        return _chooses_sizes(self._open_kernel(shapes))

    def _open_kernel(self, shapes: Sequence[Shape]) -> Kernel:
        return self.function.kernel_of(tuple(map(_with_unit_axes, self.types, shapes)))

    def value_and_gradient(self, active: tuple[int, ...]) -> ValueAndGradient:
        """Of a loss: its value, and one adjoint per active operand."""
        made = _once(self.function, (value_and_grad, active), lambda: value_and_grad(self.function, argnums=active))
        return ValueAndGradient(made, active)

    def pushed(self, active: tuple[int, ...]) -> Push:
        """The derivative along tangents of the active operands, which come behind the operands."""
        made = _once(self.function, (jvp, active), lambda: _along(self.function, self.types, active))
        return Push(made, self, active)

    def on(self, target: str) -> Operation:
        """The same for another target."""
        options = replace(self.function.options, target=target)
        return self if options == self.function.options else Operation(with_options(self.function, options))

    def mapped(self, axes: tuple[int | None, ...]) -> Mapped:
        """The same on every slice of operands along axes, with results stacked along the first axis."""
        made = _once(self.function, (vmap, axes), lambda: vmap(self.function, in_axes=axes))
        return Mapped(made, self, axes)


@dataclass(frozen=True, repr=False)
class ValueAndGradient(Operation):
    """Gives the value of a loss, and its gradient by the active operands."""

    active: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Linear(Operation):
    """An operation that is linear in its last operands, for fixed others: it is the derivative of `base`."""

    base: Operation
    active: tuple[int, ...]

    @property
    def fixed_count(self) -> int:
        """How many operands come before those that it is linear in."""
        return len(self.base.types)

    def transposed(self) -> Linear:
        """The operation that takes cotangents of float results in the place of these operands, and gives theirs."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Push(Linear):
    """Takes operands of a function and tangents of the active ones; gives tangents of results, zeros for integers."""

    def transposed(self) -> Pull:
        """Takes cotangents of float results instead, and gives adjoints of the active operands."""
        made = _once(self.base.function, (vjp, self.active), lambda: _back(self.base, self.active))
        return Pull(made, self.base, self.active)


@dataclass(frozen=True, repr=False)
class Pull(Linear):
    """Takes operands of a function and cotangents of its float results; gives adjoints of the active operands."""

    def transposed(self) -> Push:
        """Takes tangents of the active operands instead, and gives tangents of results."""
        return self.base.pushed(self.active)


@dataclass(frozen=True, repr=False)
class Mapped(Operation):
    """An operation on every slice of its operands along axes; None for operands that all slices share."""

    inner: Operation
    axes: tuple[int | None, ...]


def result_shapes(kernel: Kernel, shapes: Sequence[Shape], evaluated: Any = evaluate) -> list[Shape]:
    """The sizes of results; raises SizeIsData where they depend on numbers among the operands."""
    used = sorted({place for result in kernel.abi.results for size in result.dims for place in _numbers_in(size)})
    if used:
        names = ", ".join(f"'{kernel.interface.flat_names[place]}'" for place in used)
        raise SizeIsData(
            f"{kernel.interface.origin}: the size of a result depends on {names}, and other libraries have to "
            "know sizes before a program runs; pass it as an int of Python, which jax.jit takes by static_argnums",
            used,
        )
    found = [tuple(evaluated(size, shapes, ()) for size in result.dims) for result in kernel.abi.results]
    for shape in found:
        if any(isinstance(size, int) and size < 0 for size in shape):
            raise ShapeMismatch(f"{kernel.interface.origin}: a result would have the shape {shape}; pass other sizes")
    return found


def _numbers_in(size: Expr | None) -> list[int]:
    """The operands whose values an expression of a size reads."""
    if not isinstance(size, (list, tuple)):
        return []
    operator, *operands = size
    if operator == "arg":
        return [operands[0]]
    return [] if operator == "dim" else [place for each in operands for place in _numbers_in(each)]


def _once(f: TapelessFunction, key: Any, make: Callable[[], TapelessFunction]) -> TapelessFunction:
    """A derived object of a function, kept with it: finding it again is part of every call."""
    if key not in f.derived:
        f.derived[key] = make()
    return f.derived[key]


def _known(type_: Type | None) -> Type:
    assert type_ is not None, "flat functions have types for all parameters"
    return type_


def _open(type_: Type) -> Type:
    return ArrayType(type_.dtype, (None,) * type_.rank) if isinstance(type_, ArrayType) else strong(type_)


def _chooses_sizes(kernel: Kernel) -> bool:
    return any(result.place == "allocated" for result in kernel.abi.results)


def _with_sizes(type_: Type, shape: Shape) -> Type:
    return ArrayType(type_.dtype, tuple(shape)) if isinstance(type_, ArrayType) else type_


def _with_unit_axes(type_: Type, shape: Shape) -> Type:
    """The type with a fixed size where that is 1."""
    if not isinstance(type_, ArrayType):
        return type_
    sizes = (1 if size == 1 else fixed for size, fixed in zip(shape, type_.shape, strict=True))
    return ArrayType(type_.dtype, tuple(sizes))


def _parameters(f: TapelessFunction, types: Sequence[Type]) -> list[Parameter]:
    return [Parameter(each.name, type_, REQUIRED) for each, type_ in zip(f.source.parameters, types, strict=True)]


def _restricted(count: int, active: tuple[int, ...]) -> tuple[str, str]:
    """`f` as a function of its active parameters, and the values of these."""
    names = {place: f"q{place}" for place in active}
    given = ", ".join(names.get(place, f"p{place}") for place in range(count))
    return f"lambda {', '.join(names.values())}: f({given})", ", ".join(f"p{place}" for place in active)


def _along(f: TapelessFunction, types: Sequence[Type], active: tuple[int, ...]) -> TapelessFunction:
    """The function of operands and tangents that gives the derivative along these."""
    count = len(types)
    function, values = _restricted(count, active)
    tangents = "".join(f"p{count + position}, " for position in range(len(active)))
    taken = _parameters(f, types)
    taken += [Parameter(f"the tangent of {taken[place].name}", strong(types[place]), REQUIRED) for place in active]
    return derive(f, "jvp", f"jvp({function}, ({values},), ({tangents}))[1]", taken, {"jvp": jvp})


def _back(base: Operation, active: tuple[int, ...]) -> TapelessFunction:
    """The function of operands and cotangents of float results that gives adjoints."""
    f, types = base.function, base.types
    function, values = _restricted(len(types), active)
    names = {place: f"p{len(types) + position}" for position, place in enumerate(base.float_results)}
    taken = _parameters(f, types)
    taken += [Parameter(f"the cotangent of result {place}", base.result_types[place], REQUIRED) for place in names]
    objects: dict[str, Any] = {}
    cotangent = cotangent_text(base.structure, names, objects)
    return derive(f, "vjp", f"vjp({function}, {values})[1]({cotangent})", taken, {"vjp": vjp, **objects})
