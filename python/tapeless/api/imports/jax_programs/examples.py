"""Examples of arguments as JAX takes them: types of the language stand for arrays, with symbols for open sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import jax

from tapeless.types import ArrayType, ScalarType

PREFIX = "size"


def as_examples(given: Sequence[Any]) -> tuple[Any, ...]:
    """The trees with what JAX traces functions with in place of types; each open size is one of its own.

    Arrays that share a size are given by `jax.export.symbolic_shape`.
    """
    scope = next(_scopes(given), None) or jax.export.SymbolicScope()
    used = 0

    def specified(leaf: Any) -> Any:
        nonlocal used
        if isinstance(leaf, ScalarType):
            return jax.ShapeDtypeStruct((), leaf.numpy)
        if not isinstance(leaf, ArrayType):
            return leaf
        names = [f"{PREFIX}{used + k}" if size is None else str(size) for k, size in enumerate(leaf.shape)]
        used += len(names)
        return jax.ShapeDtypeStruct(jax.export.symbolic_shape(", ".join(names), scope=scope), leaf.dtype.numpy)

    return jax.tree.map(specified, tuple(given))


def _scopes(given: Sequence[Any]) -> Iterator[Any]:
    """The scopes of the symbols in examples; JAX wants one for all of them."""
    for leaf in jax.tree.leaves(tuple(given)):
        for size in getattr(leaf, "shape", ()):
            if hasattr(size, "scope"):
                yield size.scope
