"""Reductions, running sums, statistics, sorting and samples."""

from __future__ import annotations

from tapeless.lang.operator import along, operator, reduction, table

REDUCING = table(
    sum=reduction("Sum of all elements, or along an axis."),
    prod=reduction("Product of all elements, or along an axis."),
    min=operator(
        lambda x, *others, axis=None, keepdims=False: None, "Smallest element; of several arguments, elementwise."
    ),
    max=operator(
        lambda x, *others, axis=None, keepdims=False: None, "Largest element; of several arguments, elementwise."
    ),
    mean=reduction("Mean of all elements, or along an axis."),
    argmin=reduction("Index of the first smallest element."),
    argmax=reduction("Index of the first largest element."),
    cumsum=along("Sums of all prefixes along an axis.", 0),
    cumprod=along("Products of all prefixes along an axis.", 0),
    logsumexp=reduction("log(sum(exp(x))), without overflow."),
    softmax=along("exp(x) / sum(exp(x)), without overflow, along an axis.", -1),
    norm=reduction("Square root of the sum of squares."),
    any=reduction("Whether any element is true."),
    all=reduction("Whether all elements are true."),
    sort=along("Sorted along an axis, stably, NaN last.", -1),
    argsort=along("The stable permutation that sorts along an axis.", -1),
    var=operator(
        lambda x, axis=None, *, ddof=0, keepdims=False, correction=None: None, "Variance, with n - ddof as divisor."
    ),
    std=operator(
        lambda x, axis=None, *, ddof=0, keepdims=False, correction=None: None, "Standard deviation, the root of `var`."
    ),
    nansum=reduction("Sum of all elements that are not NaN."),
    nanprod=reduction("Product of all elements that are not NaN."),
    nanmin=reduction("Smallest element that is not NaN."),
    nanmax=reduction("Largest element that is not NaN."),
    nanmean=reduction("Mean of all elements that are not NaN."),
    nanvar=operator(lambda x, axis=None, *, ddof=0, keepdims=False: None, "Variance of all elements that are not NaN."),
    nanstd=operator(
        lambda x, axis=None, *, ddof=0, keepdims=False: None, "Standard deviation of all elements that are not NaN."
    ),
    average=operator(lambda x, axis=None, weights=None, *, keepdims=False: None, "Mean with weights."),
    median=reduction("The element in the middle, or the mean of the two there."),
    quantile=operator(lambda x, q, axis=None, *, keepdims=False: None, "Where a share q of the elements is below."),
    percentile=operator(lambda x, q, axis=None, *, keepdims=False: None, "Where q percent of the elements are below."),
    ptp=reduction("The largest element less the smallest."),
    count_nonzero=reduction("How many elements are not zero."),
    cov=operator(lambda m, *, rowvar=True, ddof=1: None, "Covariances of the rows of a matrix."),
    corrcoef=operator(lambda m, *, rowvar=True: None, "Correlations of the rows of a matrix."),
    trapezoid=operator(lambda y, x=None, dx=1.0, axis=-1: None, "The integral by the rule of the trapezium."),
    gradient=operator(lambda f, *spacing, axis=None: None, "Differences of neighbours along each axis."),
    polyval=operator(lambda p, x: None, "A polynomial, the coefficient of its highest power first."),
    convolve=operator(lambda a, v, mode="full": None, "The convolution of two vectors."),
    correlate=operator(lambda a, v, mode="valid": None, "Sums of products of a vector with another that is moved."),
)
