"""`tl.sparse_jacobian` and `tl.sparse_hessian`: derivatives as matrices of scipy, by few products."""

from __future__ import annotations

import functools
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tapeless.api.decorated import TapelessFunction
from tapeless.api.pickling import Recipe
from tapeless.api.sparse.pattern import Pattern
from tapeless.api.sparse.plan import FORWARD, MODES, REVERSE, plan_hessian, plan_jacobian
from tapeless.api.sparse.prepared import DISAGREEMENT, Prepared
from tapeless.api.sparse.probing import Probe
from tapeless.api.sparse.products import Derivative, Point
from tapeless.api.transforms.argnums import Argnums, checked_argnums
from tapeless.api.transforms.derive import as_function
from tapeless.errors import ArgumentError, GradientMismatch, ShapeMismatch
from tapeless.methods import MethodChoice
from tapeless.runtime.calling.parameters import bind_call
from tapeless.spelling import nearest_or_all
from tapeless.tracebacks import user_facing
from tapeless.trees import leaves, read, statics

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_KEPT = 8
"""For how many layouts and values of integers the patterns are kept."""


@user_facing
def sparse_jacobian(
    f: Callable[..., Any],
    wrt: Argnums = 0,
    pattern: Any = None,
    method: str | None = None,
    mode: str | None = None,
    check: bool = True,
    fallback: bool | None = None,
) -> SparseDerivative:
    """The Jacobian as a function of the same arguments that gives a `scipy.sparse.csr_array`.

    Rows are the elements of the results, columns those of the arguments that `wrt` names; a tuple of arguments has its
    columns side by side. The pattern is found at the first call, or given: a matrix of scipy, or an array that is not
    zero where derivatives may be. `mode` is "fwd" or "rev", by default what needs fewer products. Unless `check` is
    False, every call compares the matrix with a product with a random vector.

    >>> matrix = tl.sparse_jacobian(lambda x: x[1:] * x[:-1])(np.array([1.0, 2.0, 3.0]))
    >>> matrix.toarray()
    array([[2., 1., 0.],
           [0., 3., 2.]])
    """
    if mode is not None and mode not in MODES:
        raise ArgumentError(f"unknown mode {mode!r}{nearest_or_all(str(mode), MODES)}")
    recipe = Recipe(sparse_jacobian, (f, wrt, pattern, method, mode, check, fallback))
    return _made("sparse_jacobian", recipe, wrt, pattern, MethodChoice.checked(method, fallback), mode, check)


@user_facing
def sparse_hessian(
    f: Callable[..., Any],
    wrt: Argnums = 0,
    pattern: Any = None,
    method: str | None = None,
    check: bool = True,
    fallback: bool | None = None,
) -> SparseDerivative:
    """The Hessian of a scalar function, as a function of the same arguments that gives a `scipy.sparse.csr_array`.

    Arguments are those of `tl.sparse_jacobian`; a pattern counts together with its mirror image.

    >>> matrix = tl.sparse_hessian(lambda x: tl.sum(x[1:] * x[:-1] ** 2))(np.array([1.0, 2.0, 3.0]))
    >>> matrix.toarray()
    array([[4., 2., 0.],
           [2., 6., 4.],
           [0., 4., 0.]])
    """
    recipe = Recipe(sparse_hessian, (f, wrt, pattern, method, check, fallback))
    return _made("sparse_hessian", recipe, wrt, pattern, MethodChoice.checked(method, fallback), FORWARD, check)


def _made(
    kind: str, recipe: Recipe, wrt: Argnums, pattern: Any, method: MethodChoice, mode: str | None, check: bool
) -> SparseDerivative:
    inner = as_function(kind, recipe.arguments[0])
    if not isinstance(check, bool):
        raise ArgumentError(f"check={check!r} is not a bool; give True or False")
    names = [parameter.name for parameter in inner.source.parameters]
    chosen = checked_argnums(inner, wrt, "wrt")
    places = tuple(
        names.index(each) if isinstance(each, str) else each % len(names)
        for each in (chosen if isinstance(chosen, tuple) else (chosen,))
    )
    if not places or len({*places}) < len(places):
        raise ArgumentError(f"wrt={wrt!r} names no parameter, or one twice; name each once")
    _matrix_class(kind)
    is_hessian = kind == "sparse_hessian"
    given = None if pattern is None else Pattern.given(pattern)
    if given is not None and is_hessian and given.shape[0] == given.shape[1]:
        given = given.joined(given.transposed)
    return SparseDerivative(kind, inner, Derivative(inner, places, method, is_hessian), given, mode, check, recipe)


def _matrix_class(kind: str) -> type[csr_array]:
    try:
        from scipy.sparse import csr_array
    except ImportError:
        raise ImportError(f"tl.{kind} gives matrices of scipy, which is not installed; `pip install scipy`") from None
    return csr_array


class SparseDerivative:
    """A function that gives a derivative as a `csr_array`; matrices of one pattern share their index arrays.

    `pattern(*args)` is the pattern that a call uses, `products(*args)` how many products it takes.
    """

    def __init__(
        self,
        kind: str,
        f: TapelessFunction,
        derivative: Derivative,
        pattern: Pattern | None,
        mode: str | None,
        check: bool,
        recipe: Recipe,
    ) -> None:
        self._kind, self._f, self._derivative = kind, f, derivative
        self._given, self._mode, self._check, self._recipe = pattern, mode, check, recipe
        self._prepared: OrderedDict[Any, Prepared] = OrderedDict()
        functools.update_wrapper(self, f.source.function)

    @user_facing
    def __call__(self, *arguments: Any, **named: Any) -> csr_array:
        point, key, prepared = self._at(arguments, named)
        matrix, expected = self._matrix(prepared, point)
        if expected is None:
            return matrix
        units = prepared.difference(matrix, expected)
        if not units.any():
            return matrix
        lacking = self._found(point).without(prepared.plan.pattern)
        if not lacking.count:
            self._check_agreement(units * prepared.tolerance)
            return matrix
        if self._given is not None:
            raise ArgumentError(self._too_small(prepared, point, lacking, units))
        prepared = self._keep(key, prepared.plan.pattern.joined(lacking), point)
        return self._matrix(prepared, point)[0]

    @user_facing
    def pattern(self, *arguments: Any, **named: Any) -> csr_array:
        """The pattern that a call with these arguments uses, as a matrix of bools."""
        pattern = self._at(arguments, named)[2].plan.pattern
        return self._csr(pattern, np.ones(pattern.count, bool))

    @user_facing
    def products(self, *arguments: Any, **named: Any) -> int:
        """How many products a call with these arguments takes, beside the one of the check."""
        return self._at(arguments, named)[2].plan.products

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by how it was made; patterns are found again."""
        return self._recipe

    def __repr__(self) -> str:
        return f"<tl.{self._kind} of {self._f.source.name}>"

    def _at(self, arguments: Sequence[Any], named: dict[str, Any]) -> tuple[Point, Any, Prepared]:
        """The derivative at a call's arguments, the key of its pattern, and its preparation."""
        values = bind_call(self._f.source.name, self._f.source.parameters, arguments, named)
        key = self._key(values)
        prepared = self._prepared.get(key)
        point = self._derivative.at(values, prepared.rows if prepared else None)
        if prepared is None:
            prepared = self._keep(key, self._fitting(point) if self._given else self._found(point), point)
        return point, key, prepared

    def _keep(self, key: Any, pattern: Pattern, point: Point) -> Prepared:
        plan = plan_hessian(pattern) if self._derivative.is_hessian else plan_jacobian(pattern, self._mode)
        self._prepared[key] = prepared = Prepared(plan, point, self._check)
        while len(self._prepared) > MOST_KEPT:
            self._prepared.popitem(last=False)
        return prepared

    def _key(self, values: Sequence[Any]) -> Any:
        """Shapes, dtypes and values that choose code; where patterns are found, also the values that are no floats."""
        tree = read(tuple(values), "", lambda value, _: np.asarray(value))
        arrays = list(leaves(tree))
        shapes = tuple((array.shape, array.dtype.str) for array in arrays)
        digest = hashlib.blake2b()
        for array in arrays:
            if self._given is None and array.dtype.kind != "f":
                digest.update(np.ascontiguousarray(array).data)
        return shapes, digest.digest(), tuple(map(id, statics(tree)))

    def _matrix(self, prepared: Prepared, point: Point) -> tuple[csr_array, np.ndarray | None]:
        data, expected = prepared.entries(point)
        return self._csr(prepared.plan.pattern, data), expected

    def _csr(self, pattern: Pattern, data: np.ndarray) -> csr_array:
        made = _matrix_class(self._kind)((data, pattern.indices, pattern.indptr), shape=pattern.shape, copy=False)
        made.has_canonical_format = True
        return made

    def _found(self, point: Point) -> Pattern:
        """The pattern at a point, from the program."""
        if self._mode == REVERSE:
            shape = (point.shape[1], point.shape[0])
            return Probe(shape, point.rows.dtype, point.probed(REVERSE)).pattern().transposed
        rows = point.probed(REVERSE) if not self._mode or self._derivative.is_hessian else None
        found = Probe(point.shape, point.columns.dtype, point.probed(FORWARD), rows).pattern()
        return found.joined(found.transposed) if self._derivative.is_hessian else found

    def _fitting(self, point: Point) -> Pattern:
        """The pattern that was given, which must have the shape of the matrix."""
        assert self._given is not None
        if self._given.shape != point.shape:
            raise ShapeMismatch(
                f"the pattern given to tl.{self._kind} has shape {self._given.shape}, and the matrix of "
                f"{self._f.source.name}() has {point.shape}; give a pattern of that shape"
            )
        return self._given

    def _check_agreement(self, differences: np.ndarray) -> None:
        """No entry lacks: a difference is one of rounding, or of derivative rules that contradict each other."""
        if float(differences.max()) > DISAGREEMENT:
            raise GradientMismatch(
                f"tl.{self._kind} of {self._f.source.name}(): the matrix differs from its product with a random "
                "vector, and no entry of its pattern lacks; look for derivative rules that do not agree in forward and "
                "reverse mode, or for cancellation, and give mode='fwd', mode='rev' or check=False"
            )

    def _too_small(self, prepared: Prepared, point: Point, lacking: Pattern, units: np.ndarray) -> str:
        """The message about a pattern that lacks entries: those in the rows or columns that differ come first."""
        seen = lacking.rows if prepared.plan.checked_mode == FORWARD else lacking.indices
        first = int(np.argmax(units[seen] > 0))
        row, column = int(lacking.rows[first]), int(lacking.indices[first])
        result = f"{'the gradient by ' if self._derivative.is_hessian else ''}{point.rows.name_of(row)}"
        return (
            f"the pattern given to tl.{self._kind} lacks {lacking.count} entries of {self._f.source.name}(), such as "
            f"({row}, {column}): {result} depends on {point.columns.name_of(column)}; give a pattern with all entries, "
            "or none, to have it found"
        )
