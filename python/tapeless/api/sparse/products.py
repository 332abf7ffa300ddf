"""Products of a derivative with many vectors at once, each kind one function of the language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tapeless.api.decorated import TapelessFunction
from tapeless.api.function import function
from tapeless.api.parameters import argument_types
from tapeless.api.sparse.layout import Layout
from tapeless.api.sparse.plan import FORWARD
from tapeless.api.transforms.batching import vmap
from tapeless.api.transforms.derive import derive
from tapeless.api.transforms.directional import hvp, jvp, vjp
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError, TypeMismatch
from tapeless.methods import MethodChoice
from tapeless.signature import REQUIRED, Parameter
from tapeless.trees import described, leaves
from tapeless.types import ScalarType


@function
def along(f: Any, moving: Any, fixed: Any, seeds: Any, method: Any, fallback: Any) -> Any:
    """The Jacobian times each of the seeds."""
    return vmap(lambda seed: jvp(lambda x: f(x, fixed), (moving,), (seed,), method=method, fallback=fallback)[1])(seeds)


@function
def against(f: Any, moving: Any, fixed: Any, seeds: Any, method: Any, fallback: Any) -> Any:
    """Each of the seeds times the Jacobian."""
    return vmap(lambda seed: vjp(lambda x: f(x, fixed), moving, method=method, fallback=fallback)[1](seed)[0])(seeds)


@function
def twice(f: Any, moving: Any, fixed: Any, seeds: Any, method: Any, fallback: Any) -> Any:
    """The Hessian times each of the seeds."""
    return vmap(lambda seed: hvp(lambda x: f(x, fixed), (moving,), (seed,), method=method, fallback=fallback)[0])(seeds)


KINDS = {"along": along, "against": against, "twice": twice}


@dataclass(frozen=True)
class Derivative:
    """The Jacobian of a function by some of its parameters, or the Hessian, as a linear map."""

    f: TapelessFunction
    wrt: tuple[int, ...]
    method: MethodChoice
    is_hessian: bool

    def at(self, values: Sequence[Any], rows: Layout | None = None) -> Point:
        """The derivative at these values of the parameters; `rows` is the layout of the results, if it is known."""
        parameters = self.f.source.parameters
        types = argument_types(parameters, values)
        given = [_converted(type_, value) for type_, value in zip(types, values, strict=True)]
        moving = {parameters[k].name: given[k] for k in self.wrt}
        fixed = tuple(value for k, value in enumerate(given) if k not in self.wrt)
        return Point(self, moving, fixed, rows)

    @computed_once
    def parted(self) -> TapelessFunction:
        """The function of two tuples: the arguments to differentiate by, and the others."""
        fixed = [k for k in range(len(self.f.source.parameters)) if k not in self.wrt]
        places = {k: f"p0[{n}]" for n, k in enumerate(self.wrt)} | {k: f"p1[{n}]" for n, k in enumerate(fixed)}
        written = ", ".join(
            f"{each.name}={places[k]}" if each.keyword_only else places[k]
            for k, each in enumerate(self.f.source.parameters)
        )
        return derive(self.f, "parted", f"f({written})", [_any("moving"), _any("fixed")], {})

    def products(self, kind: str, *, exact: bool) -> TapelessFunction:
        """The products of one of the `KINDS`; with `exact`, NaN is kept whatever the function's options allow."""
        options = ", ".join(f"{value!r}" for value in self.method.options.values())
        taken = [_any("moving"), _any("fixed"), _any("seeds")]
        made = derive(self.parted, kind, f"products(f, p0, p1, p2, {options})", taken, {"products": KINDS[kind]})
        if exact and made.options.fastmath_flags and "nnan" in made.options.fastmath_flags:
            return made.with_options(replace(made.options, fastmath=False))
        return made


def _any(name: str) -> Parameter:
    return Parameter(name, None, REQUIRED)


def _converted(type_: Any, value: Any) -> Any:
    """A Python integer that is passed for a float, as the float."""
    return float(value) if isinstance(type_, ScalarType) and type_.is_float and isinstance(value, int) else value


class Point:
    """The derivative at one point."""

    def __init__(self, of: Derivative, moving: dict[str, Any], fixed: tuple[Any, ...], rows: Layout | None) -> None:
        self._of = of
        self._primals = tuple(moving.values()), fixed
        self.columns = Layout.of(moving)
        for name, tree in zip(moving, self.columns.tree, strict=True):
            if not any(part.is_float for part in leaves(tree)):
                raise TypeMismatch(f"{of.f.source.name}(): '{name}' has no floats to differentiate by; name another")
        self.rows = rows or self._rows()

    def _rows(self) -> Layout:
        """The results as one vector; for a Hessian, the gradient."""
        result = self._of.parted(*self._primals)
        found, name = Layout.of({"result": result}), self._of.f.source.name
        if self._of.is_hessian:
            if [(part.shape, part.is_float) for part in found.parts] != [((), True)]:
                raise ArgumentError(
                    f"{name}() is the loss of tl.sparse_hessian and gives {described(result)}; "
                    "return a scalar float, for example tl.sum(...)"
                )
            return self.columns
        if not any(part.is_float for part in found.parts):
            raise TypeMismatch(f"{name}() has no floats among its results; return one")
        return found

    @property
    def shape(self) -> tuple[int, int]:
        """How many elements the results and the arguments have."""
        return self.rows.size, self.columns.size

    def spread(self, mode: str, seeds: np.ndarray) -> Any:
        """Seeds, the rows of a matrix, in the structure that products in a mode take."""
        return self.columns.spread(seeds) if self._is_along(mode) else self.rows.spread(seeds)[0]

    def products(self, mode: str, spread: Any, count: int, *, exact: bool = False) -> np.ndarray:
        """The matrix times each of the seeds (forward mode), or these times the matrix, as rows."""
        kind = "twice" if self._of.is_hessian else "along" if mode == FORWARD else "against"
        found = self._of.products(kind, exact=exact)(*self._primals, spread)
        layout = self.rows if self._is_along(mode) else self.columns
        return layout.gathered((found,) if kind == "along" else found, count)

    def probed(self, mode: str) -> Callable[[np.ndarray], np.ndarray]:
        """The products as a function of a matrix of seeds, which keeps NaN."""
        return lambda seeds: self.products(mode, self.spread(mode, seeds), len(seeds), exact=True)

    def _is_along(self, mode: str) -> bool:
        return mode == FORWARD or self._of.is_hessian
