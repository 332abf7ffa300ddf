"""What a value of a generated program is: element type, sizes, and for integers the range they lie in."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fuzz.sizes import Size

FLOATS = ("f64", "f32")


@dataclass(frozen=True)
class Type:
    """A scalar (no sizes) or an array; integers with a bound are `0 <= value < bound`, for every set."""

    dtype: str
    sizes: tuple[Size, ...] = ()
    bound: Size | None = None

    @property
    def rank(self) -> int:
        return len(self.sizes)

    @property
    def elements(self) -> int:
        """How many elements the first set of arguments gives it."""
        return math.prod(size[0] for size in self.sizes)

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    def shaped(self, *sizes: Size) -> Type:
        """The same elements in another shape."""
        return Type(self.dtype, sizes, self.bound)

    def fits(self, other: Type) -> bool:
        """Whether a value of the other type can stand where this one is wanted."""
        return self.dtype == other.dtype and self.sizes == other.sizes and within(other.bound, self.bound)


def within(inner: Size | None, outer: Size | None) -> bool:
    """Whether integers below the inner bound are below the outer one."""
    return outer is None or (inner is not None and all(a <= b for a, b in zip(inner, outer, strict=True)))


def floats(*sizes: Size) -> Type:
    return Type("f64", sizes)


def integers(*sizes: Size, bound: Size | None = None) -> Type:
    return Type("i64", sizes, bound)


BOOL = Type("bool_")
