"""Values with Python's operators, and the language's own operators on them: the notation of composed operators."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import NoneType
from typing import TYPE_CHECKING, Any

from tapeless import lang
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.arrays import whole_arrays
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.expressions import python_operators
from tapeless.frontend.indexing import extraction, slices
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.values import promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Opaque, Pending, Scalar, Tuple, Value, integer, literal
from tapeless.types import ScalarType, bool_

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


@dataclass(frozen=True, eq=False)
class Term:
    """A number or an array, with the operators that it has in programs."""

    t: Translator
    value: Number

    @property
    def dims(self) -> tuple[Affine, ...]:
        return () if isinstance(self.value, Scalar) else self.value.dims

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def dtype(self) -> ScalarType:
        return self.value.dtype

    def size(self, axis: int) -> Term:
        return Term(self.t, integer(self.dims[axis]))

    def _combined(self, kind: type[ast.operator], left: Any, right: Any) -> Term:
        return Term(self.t, python_operators.binary(self.t, kind, as_value(left), as_value(right)))

    def combined(self, kind: type[ast.operator], other: Any) -> Term:
        """`self op other` for an operator of Python."""
        return self._combined(kind, self, other)

    def _compared(self, kind: type[ast.cmpop], other: Any) -> Term:
        return Term(self.t, python_operators.compare(self.t, kind, self.value, as_value(other)))

    def __add__(self, other: Any) -> Term:
        return self._combined(ast.Add, self, other)

    def __sub__(self, other: Any) -> Term:
        return self._combined(ast.Sub, self, other)

    def __rsub__(self, other: Any) -> Term:
        return self._combined(ast.Sub, other, self)

    def __mul__(self, other: Any) -> Term:
        return self._combined(ast.Mult, self, other)

    def __truediv__(self, other: Any) -> Term:
        return self._combined(ast.Div, self, other)

    def __rtruediv__(self, other: Any) -> Term:
        return self._combined(ast.Div, other, self)

    def __floordiv__(self, other: Any) -> Term:
        return self._combined(ast.FloorDiv, self, other)

    def __mod__(self, other: Any) -> Term:
        return self._combined(ast.Mod, self, other)

    def __and__(self, other: Any) -> Term:
        return self._combined(ast.BitAnd, self, other)

    def __or__(self, other: Any) -> Term:
        return self._combined(ast.BitOr, self, other)

    def __xor__(self, other: Any) -> Term:
        return self._combined(ast.BitXor, self, other)

    def __neg__(self) -> Term:
        return Term(self.t, python_operators.negate(self.t, self.value))

    def __invert__(self) -> Term:
        return Term(self.t, python_operators.invert(self.t, self.value))

    def __lt__(self, other: Any) -> Term:
        return self._compared(ast.Lt, other)

    def __le__(self, other: Any) -> Term:
        return self._compared(ast.LtE, other)

    def __gt__(self, other: Any) -> Term:
        return self._compared(ast.Gt, other)

    def __ge__(self, other: Any) -> Term:
        return self._compared(ast.GtE, other)

    def equals(self, other: Any) -> Term:
        """`self == other`, elementwise."""
        return self._compared(ast.Eq, other)

    def differs(self, other: Any) -> Term:
        """`self != other`, elementwise."""
        return self._compared(ast.NotEq, other)

    def held(self) -> Term:
        """The same, computed."""
        return Term(self.t, force(self.t, self.value))

    def part(self, axis: int, start: Affine, size: Affine) -> Term:
        """Some positions of an axis, which are known to be there."""
        array = self.t.array(self.value)
        spans = [slices.whole(each) for each in array.dims]
        spans[axis] = Span(start, size, 1)
        return Term(self.t, extraction.select(self.t, array, Selection(tuple(spans), ())))

    def at(self, axis: int, position: int) -> Term:
        """One position of an axis, which is known to be there; the axis is dropped."""
        array = self.t.array(self.value)
        spans = [slices.whole(each) for each in array.dims]
        spans[axis] = Span(Affine(position), Affine(1), 1, dropped=True)
        return Term(self.t, extraction.select(self.t, array, Selection(tuple(spans), ())))

    def with_axes(self, positions: tuple[int, ...]) -> Term:
        """New axes of size 1 at some positions of the result."""
        return Term(self.t, extraction.with_new_axes(self.t, self.value, positions)) if positions else self

    def broadcast(self, dims: tuple[Affine, ...]) -> Term:
        """Repeated to given sizes."""
        if not dims:
            return self
        return Term(self.t, whole_arrays.broadcast_to(self.t, self.value, dims, self.dtype)).held()


class Language:
    """The operators by name, on terms and Python's constants: `tl.sum(x, axis=0)`."""

    def __init__(self, t: Translator) -> None:
        self.t = t

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operator = lang.OPERATORS[name]

        def call(*arguments: Any, **named: Any) -> Any:
            values = [as_value(each) for each in arguments]
            return self.term(self.t.call(operator, values, {key: as_value(each) for key, each in named.items()}))

        return call

    def term(self, value: Value) -> Any:
        """A number or array as a term, a tuple as one of terms, None and strings as themselves."""
        if isinstance(value, (Scalar, Array, Pending)):
            return Term(self.t, value)
        if isinstance(value, Tuple):
            return tuple(self.term(item) for item in value.items)
        return value.value if isinstance(value, Opaque) and isinstance(value.value, (str, NoneType)) else value

    def number(self, argument: Any, role: str = "this operand") -> Term:
        """An argument, which must be a number or an array."""
        return Term(self.t, self.t.number(as_value(argument), role))

    def floats(self, *arguments: Any) -> list[Term]:
        """Arguments as floats of the type that they have in common."""
        terms = [self.number(each) for each in arguments]
        dtype = promotion.floating(promotion.common(promotion.weight(each.value) for each in terms)[0])
        return [self.astype(each, dtype) for each in terms]

    def listed(self, argument: Any) -> Term:
        """An argument that is a number, an array, or a list of them."""
        if not isinstance(argument, tuple):
            return self.number(argument)
        return Term(self.t, self.t.number(self.t.call(lang.OPERATORS["array"], [as_value(argument)])))

    def array(self, argument: Any, role: str = "this operand") -> Term:
        """An argument, which must be an array, computed."""
        return Term(self.t, self.t.array(as_value(argument), role))

    def require(self, condition: Term, message: str, error: str = "ArgumentError") -> None:
        """A condition that is checked when running, with a message that has a remedy."""
        self.t.builder.check(promotion.ssa(self.t.builder, condition.value, bool_), error, message)

    def constant(self, argument: Any, role: str) -> int:
        """An argument, which must be an integer known when compiling."""
        return self.t.constant(as_value(argument), role)


def as_value(item: Any) -> Value:
    """The translator's value for a term, a tuple of terms, a size, a type or a constant of Python."""
    if isinstance(item, Term):
        return item.value
    if isinstance(item, (bool, int, float)):
        return literal(item)
    if isinstance(item, Affine):
        return integer(item)
    if isinstance(item, tuple):
        return Tuple(tuple(as_value(each) for each in item))
    return Opaque(item) if item is None or isinstance(item, (str, ScalarType)) else item


def composed(definition: Callable[..., Any]) -> Callable[..., Value]:
    """The handler of an operator whose definition is written on terms."""

    def handler(t: Translator, *arguments: Value, **named: Value) -> Value:
        tl = Language(t)
        given = {name: tl.term(value) for name, value in named.items()}
        return as_value(definition(tl, *(tl.term(value) for value in arguments), **given))

    return handler
