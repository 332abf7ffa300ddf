"""Numbers and arrays of a structure as one vector, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.trees import leaves, made, mapped, read


@dataclass(frozen=True)
class Leaf:
    """A number or an array in a structure; its elements begin at `first` in the vector if they are floats."""

    path: str
    shape: tuple[int, ...]
    dtype: np.dtype
    first: int

    @property
    def is_float(self) -> bool:
        return self.dtype.kind == "f"

    @property
    def size(self) -> int:
        """How many elements the vector has of it."""
        return math.prod(self.shape) if self.is_float else 0


@dataclass(frozen=True)
class Layout:
    """The floats of a tuple of structures one after the other, each array in row-major order."""

    tree: Any

    @staticmethod
    def of(named: Mapping[str, Any]) -> Layout:
        """The layout of a tuple of values, which have names for messages."""
        end = 0

        def leaf(value: Any, path: str) -> Leaf:
            nonlocal end
            array = np.asarray(value)
            made = Leaf(path, array.shape, array.dtype, end)
            end += made.size
            return made

        return Layout(tuple(read(value, name, leaf) for name, value in named.items()))

    @computed_once
    def parts(self) -> list[Leaf]:
        """The numbers and arrays, in order."""
        return list(leaves(self.tree))

    @property
    def size(self) -> int:
        """The length of the vector."""
        return sum(part.size for part in self.parts)

    @computed_once
    def dtype(self) -> np.dtype:
        """The type of the vector's elements."""
        return np.result_type(np.float32, *(part.dtype for part in self.parts if part.is_float))

    def spread(self, vectors: np.ndarray) -> tuple[Any, ...]:
        """Vectors, the rows of a matrix, in the structures, with one more axis in front; integers are zeros."""

        def stacked(part: Leaf) -> np.ndarray:
            shape = (len(vectors), *part.shape)
            if not part.is_float:
                return np.zeros(shape, part.dtype)
            columns = vectors[:, part.first : part.first + part.size]
            return np.ascontiguousarray(columns, part.dtype).reshape(shape)

        return made(mapped(self.tree, stacked))

    def gathered(self, stacked: tuple[Any, ...], count: int) -> np.ndarray:
        """The rows of a matrix from values in the structures, whose arrays have one more axis of this size in front."""
        values = leaves(read(stacked, "", lambda value, _: np.asarray(value)))
        pairs = zip(self.parts, values, strict=True)
        rows = [value.reshape(count, part.size) for part, value in pairs if part.is_float]
        if len(rows) == 1:
            return rows[0]
        return np.concatenate(rows, axis=1) if rows else np.zeros((count, 0), self.dtype)

    def name_of(self, position: int) -> str:
        """The element at a position of the vector, as one writes it: `x[3]`, `p['w'][1, 2]`."""
        part = next(each for each in self.parts if each.first <= position < each.first + each.size)
        index = np.unravel_index(position - part.first, part.shape)
        return part.path + (f"[{', '.join(str(each) for each in index)}]" if part.shape else "")
