"""`tl.sparse_jacobian` and `tl.sparse_hessian` against dense derivatives, and patterns that do not fit."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tapeless as tl
from tapeless.methods import IMPLEMENTED

from .tables import PATTERNS, arguments, scattered

pytestmark = pytest.mark.one_in(3)

SYMMETRIC = [name for name, each in PATTERNS.items() if each.shape[0] == each.shape[1]]


def products(x, rows, columns):
    """A scalar whose Hessian has the pattern of two lists and its mirror image."""
    return tl.sum(tl.sin(x[rows] * x[columns]))


def neighbours(x):
    return x[1:] - x[:-1] * x[:-1]


@pytest.fixture(autouse=True, scope="module")
def sparse():
    return pytest.importorskip("scipy.sparse")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("method", IMPLEMENTED)
@pytest.mark.parametrize("mode", ["fwd", "rev", None])
def test_jacobians_are_the_dense_ones(method, mode):
    jacobian, dense = tl.sparse_jacobian(scattered, method=method, mode=mode), tl.jacfwd(scattered)
    for name, pattern in PATTERNS.items():
        given = arguments(pattern)
        found = jacobian(*given)
        assert found.shape == pattern.shape and found.nnz == np.count_nonzero(pattern), name
        assert np.allclose(found.toarray(), dense(*given), rtol=1e-13, atol=1e-13), name
        assert np.array_equal(jacobian.pattern(*given).toarray(), pattern), name


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", IMPLEMENTED)
def test_hessians_are_the_dense_ones(method):
    hessian, dense = tl.sparse_hessian(products, method=method), tl.hessian(products)
    for name in SYMMETRIC:
        x, rows, columns, _ = arguments(PATTERNS[name])
        found = hessian(x, rows, columns)
        assert np.allclose(found.toarray(), dense(x, rows, columns), rtol=1e-13, atol=1e-13), name
    assert hessian.products(x, rows, columns) > 0


def test_matrices_share_index_arrays_and_sizes_have_their_own():
    jacobian = tl.sparse_jacobian(neighbours)
    first, again, other = jacobian(np.ones(5)), jacobian(np.arange(5.0)), jacobian(np.ones(7))
    assert np.shares_memory(first.indices, again.indices) and np.shares_memory(first.indptr, again.indptr)
    assert other.shape == (6, 7) and first.has_canonical_format
    assert np.array_equal((first.T @ first).toarray(), first.toarray().T @ first.toarray())
    assert np.array_equal(first.copy().indices, first.indices) and first.copy().indices.flags.writeable


def test_several_arguments_stand_side_by_side_and_structures_have_parts():
    def f(x, k, *, p):
        return {"r": x[k] * p["a"], "n": len(x), "s": p["b"] * p["b"]}

    jacobian = tl.sparse_jacobian(f, wrt=("p", 0))
    found = jacobian(np.array([2.0, 3.0]), np.array([1, 1]), p={"a": np.array([5.0, 7.0]), "b": 4.0, "n": 3})
    assert np.array_equal(found.toarray(), [[3, 0, 0, 0, 5], [0, 3, 0, 0, 7], [0, 0, 8, 0, 0]])


def test_single_precision_stays():
    x = np.linspace(0, 1, 6, dtype=np.float32)
    found = tl.sparse_jacobian(neighbours)(x)
    assert found.dtype == np.float32 and np.array_equal(found.toarray(), tl.jacfwd(neighbours)(x))
    mixed = tl.sparse_jacobian(lambda x, y: x.astype("float64") * y, wrt=(0, 1))
    assert mixed(x, x.astype(np.float64)).dtype == np.float64


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0)])
def test_matrices_without_rows_or_columns(shape):
    f = tl.function(lambda x, m: tl.zeros(m) + tl.sum(x))
    for mode in ("fwd", "rev", None):
        found = tl.sparse_jacobian(f, mode=mode)(np.ones(shape[1]), shape[0])
        assert found.shape == shape and found.nnz == 0


def test_patterns_follow_integer_arguments():
    jacobian = tl.sparse_jacobian(lambda x, k: x[k] * x[k], check=False)
    x = np.arange(1.0, 5.0)
    for k in ([0, 1], [3, 2], [2, 2], [0, 1]):
        assert np.array_equal(jacobian(x, np.array(k)).toarray(), 2.0 * np.eye(4)[k] * x)


def test_a_pattern_that_is_given_is_used():
    x = np.arange(1.0, 5.0)
    expected = tl.jacfwd(neighbours)(x)
    larger = np.triu(np.ones((3, 4)))
    for pattern in (expected, larger, pytest.importorskip("scipy.sparse").coo_array(larger)):
        found = tl.sparse_jacobian(neighbours, pattern=pattern)(x)
        assert found.nnz == np.count_nonzero(pattern if isinstance(pattern, np.ndarray) else larger)
        assert np.array_equal(found.toarray(), expected)


@pytest.mark.parametrize("mode", ["fwd", "rev", None])
@pytest.mark.parametrize("entry", [(0, 0), (1, 2), (2, 3)])
def test_a_pattern_that_lacks_an_entry_is_refused(mode, entry):
    pattern = tl.jacfwd(neighbours)(np.ones(4)) != 0
    pattern[entry] = False
    words = rf"lacks 1 entries of neighbours\(\), such as \({entry[0]}, {entry[1]}\): result\[{entry[0]}\] depends on x"
    with pytest.raises(tl.ArgumentError, match=words):
        tl.sparse_jacobian(neighbours, pattern=pattern, mode=mode)(np.ones(4))
    unchecked = tl.sparse_jacobian(neighbours, pattern=pattern, mode=mode, check=False)(np.ones(4))
    assert unchecked.nnz == 5


def test_small_patterns_of_hessians_and_empty_ones_are_refused():
    hessian = tl.sparse_hessian(lambda x: tl.sum(x[1:] * x[:-1]), pattern=np.eye(3))
    with pytest.raises(tl.ArgumentError, match=r"such as \(0, 1\): the gradient by x\[0\] depends on x\[1\]"):
        hessian(np.ones(3))
    with pytest.raises(tl.ArgumentError, match=r"lacks 6 entries .* result\[0\] depends on x\[0\]"):
        tl.sparse_jacobian(neighbours, pattern=np.zeros((3, 4)))(np.ones(4))


def test_half_of_a_symmetric_pattern_is_enough():
    f = tl.function(lambda x: tl.sum(x[1:] * x[:-1] ** 2))
    upper = np.triu(tl.hessian(f)(np.ones(4)))
    assert np.array_equal(tl.sparse_hessian(f, pattern=upper)(np.ones(4)).toarray(), tl.hessian(f)(np.ones(4)))


def test_branches_that_floats_choose_are_joined():
    def f(x):
        y = tl.reverse(x) if x[0] < 0.0 else x
        return tl.where(x > 2.0, tl.sum(x), y * y)

    jacobian, dense = tl.sparse_jacobian(f), tl.jacfwd(f)
    counts = []
    for x in (np.ones(4), -np.ones(4), np.array([1.0, 3.0, 1.0, 1.0]), np.ones(4)):
        found = jacobian(x)
        assert np.array_equal(found.toarray(), dense(x))
        counts.append(found.nnz)
    assert counts == [4, 8, 10, 10]


def test_infinite_entries_are_entries():
    jacobian = tl.sparse_jacobian(lambda x: tl.sqrt(x))
    with pytest.raises(tl.ArgumentError, match="where derivatives are infinite or NaN"):
        jacobian(np.array([0.0, 1.0]))
    jacobian(np.ones(2))
    assert np.array_equal(jacobian(np.array([0.0, 1.0])).diagonal(), [np.inf, 0.5])


def test_rules_that_disagree_are_found_out():
    @tl.custom_vjp
    def odd(x):
        return x * x

    odd.defvjp(lambda x: (odd(x), x), lambda x, ct: (tl.zeros_like(x) + tl.sum(ct),))
    assert np.array_equal(tl.sparse_jacobian(odd, mode="rev")(np.ones(3)).toarray(), np.ones((3, 3)))
    # The full row is taken in reverse mode and the others in forward mode, and the rule has another slope.
    mixed = tl.sparse_jacobian(lambda x: tl.concat((odd(tl.sum(x) * tl.ones(1)), x * x[0])))
    with pytest.raises(tl.GradientMismatch, match="no entry of its pattern lacks; look for derivative rules"):
        mixed(np.arange(40.0))


REFUSED = {
    "an unknown mode": (lambda: tl.sparse_jacobian(neighbours, mode="forward"), tl.ArgumentError, "unknown mode"),
    "an unknown method": (lambda: tl.sparse_hessian(neighbours, method="fast"), tl.ArgumentError, "unknown method"),
    "no parameter": (lambda: tl.sparse_jacobian(neighbours, wrt="y"), tl.ArgumentError, "wrt names 'y', which is no"),
    "one twice": (lambda: tl.sparse_jacobian(neighbours, wrt=(0, "x")), tl.ArgumentError, "or one twice"),
    "an index": (lambda: tl.sparse_jacobian(neighbours, wrt=1), tl.ArgumentError, "wrt=1, but neighbours"),
    "no bool": (lambda: tl.sparse_jacobian(neighbours, check=1), tl.ArgumentError, "check=1 is not a bool"),
    "no function": (lambda: tl.sparse_jacobian(3.0), tl.ArgumentError, "tl.sparse_jacobian takes a function"),
    "a shape": (
        lambda: tl.sparse_jacobian(neighbours, pattern=np.eye(4))(np.ones(4)),
        tl.ShapeMismatch,
        r"has shape \(4, 4\), and the matrix of neighbours\(\) has \(3, 4\)",
    ),
    "integers": (lambda: tl.sparse_jacobian(neighbours)(np.arange(4)), tl.TypeMismatch, "'x' has no floats"),
    "integer results": (lambda: tl.sparse_jacobian(lambda x: len(x))(np.ones(4)), tl.TypeMismatch, "no floats among"),
    "arguments": (lambda: tl.sparse_jacobian(neighbours)(), tl.ArgumentError, "needs a value for 'x'"),
    "a loss that is none": (lambda: tl.sparse_hessian(neighbours)(np.ones(4)), tl.ArgumentError, "scalar"),
    "a function of the language": (
        lambda: tl.function(lambda x: tl.sparse_jacobian(neighbours)(x))(np.ones(4)),
        tl.FrontendError,
        "'tl.sparse_jacobian' is not a function of the language",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        call()


def test_methods_of_objects_and_pickles():
    class Scaled:
        def __init__(self, k):
            self.k = k

        def value(self, x):
            return x[self.k] * x

    held = Scaled(np.array([0, 0, 1]))
    jacobian = tl.sparse_jacobian(held.value)
    x = np.arange(1.0, 4.0)
    for k in ([0, 0, 1], [2, 1, 0]):
        held.k = np.array(k)
        assert np.array_equal(jacobian(x).toarray(), tl.jacfwd(held.value)(x))
    again = pickle.loads(pickle.dumps(tl.sparse_jacobian(tl.function(scattered))))
    given = arguments(PATTERNS["banded"])
    assert np.array_equal(again(*given).toarray(), tl.jacfwd(scattered)(*given))
    assert repr(again) == "<tl.sparse_jacobian of scattered>"
