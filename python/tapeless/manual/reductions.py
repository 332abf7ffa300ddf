"""Reductions, running sums, and products of vectors and matrices."""

from __future__ import annotations

from tapeless.manual.entry import CONDITION, INTEGERS, LINEAR, Entry

AXES = "all axes, or those of `axis`, which `keepdims=True` keeps with size 1"
SAME = "those of x"
WITHOUT = "as without `nan`; 0 where there is NaN"
BILINEAR = "linear in each operand"

REDUCTIONS: dict[str, Entry] = {
    "sum": Entry("tl.sum(tl.array([[1.0, 2.0], [3.0, 4.0]]), axis=0)", "array([4., 6.])", AXES, LINEAR),
    "prod": Entry("tl.prod(tl.array([2.0, 3.0, 4.0]))", "24.0", AXES, "the product of the others, also where one is 0"),
    "min": Entry("tl.min(tl.array([3.0, 1.0, 2.0]))", "1.0", AXES, "that of the first smallest element"),
    "max": Entry("tl.max(tl.array([3.0, 1.0, 2.0]))", "3.0", AXES, "that of the first largest element"),
    "mean": Entry("tl.mean(tl.array([3.0, 1.0, 2.0]))", "2.0", AXES, LINEAR),
    "average": Entry("tl.average(tl.array([1.0, 3.0]), weights=tl.array([3.0, 1.0]))", "1.5", AXES, "of a quotient"),
    "median": Entry(
        "tl.median(tl.array([3.0, 1.0, 2.0]))", "2.0", AXES, "that of the middle element, or half of each of two"
    ),
    "var": Entry("tl.var(tl.array([1.0, 2.0, 3.0]), ddof=1)", "1.0", AXES, "2 (x - mean(x)) / (n - ddof)"),
    "std": Entry("tl.std(tl.array([1.0, 3.0]))", "1.0", AXES, "(x - mean(x)) / ((n - ddof) std(x))"),
    "nansum": Entry("tl.nansum(tl.array([1.0, tl.nan, 2.0]))", "3.0", AXES, WITHOUT),
    "nanprod": Entry("tl.nanprod(tl.array([4.0, tl.nan, 2.0]))", "8.0", AXES, WITHOUT),
    "nanmin": Entry("tl.nanmin(tl.array([4.0, tl.nan, 2.0]))", "2.0", AXES, WITHOUT),
    "nanmax": Entry("tl.nanmax(tl.array([4.0, tl.nan, 2.0]))", "4.0", AXES, WITHOUT),
    "nanmean": Entry("tl.nanmean(tl.array([4.0, tl.nan, 2.0]))", "3.0", AXES, WITHOUT),
    "nanvar": Entry("tl.nanvar(tl.array([4.0, tl.nan, 2.0]))", "1.0", AXES, WITHOUT),
    "nanstd": Entry("tl.nanstd(tl.array([4.0, tl.nan, 2.0]))", "1.0", AXES, WITHOUT),
    "norm": Entry("tl.norm(tl.array([3.0, 4.0]))", "5.0", AXES, "x / norm(x), which is no number at 0"),
    "logsumexp": Entry("tl.logsumexp(tl.array([1000.0, 1000.0]))", "1000.6931471805599", AXES, "softmax(x)"),
    "softmax": Entry(
        "tl.softmax(tl.array([0.0, 0.0]))", "array([0.5, 0.5])", SAME, "s (v - sum(s v)) along v, where s is the result"
    ),
    "any": Entry("tl.any(tl.array([True, False]))", "True", AXES, CONDITION),
    "all": Entry("tl.all(tl.array([True, False]))", "False", AXES, CONDITION),
    "argmin": Entry("tl.argmin(tl.array([3.0, 1.0, 2.0]))", "1", AXES, INTEGERS),
    "argmax": Entry("tl.argmax(tl.array([3.0, 1.0, 2.0]))", "0", AXES, INTEGERS),
    "cumsum": Entry("tl.cumsum(tl.array([1.0, 2.0, 3.0]))", "array([1., 3., 6.])", SAME, LINEAR),
    "cumprod": Entry(
        "tl.cumprod(tl.array([1.0, 2.0, 3.0]))", "array([1., 2., 6.])", SAME, "products of the others of each prefix"
    ),
    "diff": Entry("tl.diff(tl.array([1.0, 4.0, 9.0]))", "array([3., 5.])", "one axis shorter by n", LINEAR),
    "bincount": Entry(
        "tl.bincount(tl.array([0, 2, 2]))",
        "array([1, 0, 2])",
        "(largest + 1,), at least (minlength,)",
        "linear in weights",
    ),
    "interp": Entry(
        "tl.interp(0.5, tl.array([0.0, 1.0]), tl.array([2.0, 4.0]))",
        "3.0",
        "those of x",
        "slope of the piece; linear in fp",
    ),
    "dot": Entry(
        "tl.dot(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))", "11.0", "as numpy's dot, up to matrices", BILINEAR
    ),
    "vdot": Entry("tl.vdot(tl.ones((2, 2)), tl.ones((2, 2)))", "4.0", "equal numbers of elements", BILINEAR),
    "vecdot": Entry(
        "tl.vecdot(tl.ones((2, 3)), tl.ones(3))",
        "array([3., 3.])",
        "without the axis, those before it broadcast",
        BILINEAR,
    ),
    "inner": Entry("tl.inner(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))", "11.0", "equal last axes", BILINEAR),
    "outer": Entry(
        "tl.outer(tl.array([1.0, 2.0]), tl.array([3.0, 4.0]))",
        "array([[3., 4.],\n       [6., 8.]])",
        "(n,) and (m,) to (n, m)",
        BILINEAR,
    ),
    "matmul": Entry(
        "tl.matmul(tl.ones((2, 3)), tl.ones((3, 1)))",
        "array([[3.],\n       [3.]])",
        "(n, k) and (k, m) to (n, m); axes before these broadcast",
        BILINEAR,
    ),
    "einsum": Entry(
        "tl.einsum('ij,j->i', tl.ones((2, 3)), tl.iota(3))", "array([3., 3.])", "as the subscripts say", BILINEAR
    ),
    "cross": Entry(
        "tl.cross(tl.array([1.0, 0.0, 0.0]), tl.array([0.0, 1.0, 0.0]))",
        "array([0., 0., 1.])",
        "last axes of size 3",
        BILINEAR,
    ),
    "quantile": Entry(
        "tl.quantile(tl.array([1.0, 2.0, 4.0]), 0.75)", "3.0", "without the axes", "of what lies beside it"
    ),
    "percentile": Entry(
        "tl.percentile(tl.array([1.0, 2.0, 4.0]), 50.0)", "2.0", "without the axes", "of what lies beside it"
    ),
    "ptp": Entry("tl.ptp(tl.array([1.0, 5.0, 2.0]))", "4.0", "without the axes", "of the extremes"),
    "count_nonzero": Entry("tl.count_nonzero(tl.array([1.0, 0.0, 2.0]))", "2", "without the axes", "0"),
    "cov": Entry(
        "tl.cov(tl.array([[1.0, 2.0], [2.0, 0.0]]))",
        "array([[ 0.5, -1. ],\n       [-1. ,  2. ]])",
        "(n, m) to (n, n)",
        BILINEAR,
    ),
    "corrcoef": Entry(
        "tl.corrcoef(tl.array([[1.0, 2.0], [2.0, 0.0]]))",
        "array([[ 1., -1.],\n       [-1.,  1.]])",
        "(n, m) to (n, n)",
        "of the quotient of covariances",
    ),
    "tensordot": Entry(
        "tl.tensordot(tl.ones((2, 3)), tl.ones(3), axes=1)", "array([3., 3.])", "without the summed axes", BILINEAR
    ),
    "kron": Entry(
        "tl.kron(tl.array([1.0, 2.0]), tl.array([1.0, 3.0]))",
        "array([1., 3., 2., 6.])",
        "products of the sizes",
        BILINEAR,
    ),
    "trapezoid": Entry("tl.trapezoid(tl.array([0.0, 1.0, 4.0]))", "3.0", "without the axis", LINEAR),
    "gradient": Entry("tl.gradient(tl.array([0.0, 1.0, 4.0]))", "array([1., 2., 3.])", "those of f", LINEAR),
    "convolve": Entry(
        "tl.convolve(tl.array([1.0, 2.0]), tl.array([1.0, 3.0]))",
        "array([1., 5., 6.])",
        "(n,) and (m,) to (n + m - 1,)",
        BILINEAR,
    ),
    "correlate": Entry(
        "tl.correlate(tl.array([1.0, 2.0, 3.0]), tl.array([1.0, 1.0]))",
        "array([3., 5.])",
        "(n,) and (m,) to (n - m + 1,), or as `mode` says",
        BILINEAR,
    ),
    "polyval": Entry("tl.polyval(tl.array([2.0, 0.0, 1.0]), 3.0)", "19.0", "those of x", "of the polynomial"),
    "sinc": Entry("tl.sinc(0.5)", "0.6366197723675814", "those of x", "of the quotient, of its series near 0"),
    "trace": Entry("tl.trace(tl.array([[1.0, 2.0], [3.0, 4.0]]))", "5.0", "(n, m) to a number", LINEAR),
}
