"""What is measured: problems with their arguments, and kernels with the time of the best CUDA known."""

from __future__ import annotations

from dataclasses import dataclass

from on_gpu import data


@dataclass(frozen=True)
class Row:
    """A kernel by its name in `programs`, milliseconds of the best CUDA known if any is, and the arguments it takes."""

    title: str
    kernel: str
    bound: float | None = None
    takes: int | None = None


@dataclass(frozen=True)
class Problem:
    """Arguments and the kernels that run on them; where there are several, the first is the one without derivatives."""

    title: str
    arguments: data.Maker
    rows: tuple[Row, ...]


def both(
    title: str,
    kernel: str,
    arguments: data.Maker,
    bounds: tuple[float | None, float | None] = (None, None),
    takes: tuple[int | None, int | None] = (None, None),
) -> Problem:
    """A value and its gradient."""
    value, gradient = zip(bounds, takes, strict=True)
    return Problem(title, arguments, (Row("value", kernel, *value), Row("gradient", f"{kernel} gradient", *gradient)))


OPERATORS = (
    both("sum of 1e8", "sum", data.normal, (0.092, 0.089), (1, 1)),
    both("product of 1e8", "product", data.near_one, (0.093, 0.294), (1, 1)),
    both("minimum of 1e8", "minimum", data.normal, (0.095, 0.197), (1, 1)),
    both("cumsum of 1e8", "cumsum", data.normal, (0.2195, 0.227), (1, 2)),
    both("cumprod of 1e8", "cumprod", data.near_one, (0.226, 0.442), (1, 2)),
    both("scan with min of 1e8", "scan min", data.normal, (0.226, 0.567), (1, 2)),
    both("histogram of 1e8, 401 bins", "histogram", data.keyed, (0.188, 0.191), (3, 4)),
    both("histogram of minima, 401 bins", "histogram min", data.keyed, (0.180, 0.276), (3, 4)),
)


def product(size: int, kind: str, value: float, gradient: float) -> Problem:
    """A product of square matrices."""
    maker = data.matrices(size, kind)
    return both(f"matrix product {size}, {kind}", f"matrix product {kind}", maker, (value, gradient), (2, 3))


PRODUCTS = (
    product(1024, "f64", 0.0537, 0.107),
    product(2048, "f64", 0.296, 0.601),
    product(4096, "f64", 2.2, 4.58),
    product(1024, "f32", 0.0651, 0.128),
    product(2048, "f32", 0.344, 0.696),
    product(4096, "f32", 2.69, 5.39),
)


def kmeans(title: str, n: int, k: int, d: int, value: float | None, newton: float) -> Problem:
    rows = (
        Row("value", "k-means", value),
        Row("gradient", "k-means gradient", newton),
        Row("gradient, Hessian", "k-means newton", newton),
    )
    return Problem(title, data.clusters(n, k, d), rows)


LEARNING = (
    kmeans("k-means 5 x 494019 x 35", 494_019, 5, 35, 0.022, 0.030),
    kmeans("k-means 1024 x 2M x 10", 2_000_000, 1024, 10, None, 0.651),
    both("GMM 10k x 200, d 32", "gmm", data.mixture(10_000, 200, 32), (None, 0.192)),
    both("GMM 10k x 200, d 64", "gmm", data.mixture(10_000, 200, 64), (None, 0.495)),
    both("GMM 10k x 200, d 128", "gmm", data.mixture(10_000, 200, 128), (None, 1.715)),
    both("LSTM 1024 x 20 x 300 x 192", "lstm", data.sequences(1024, 20, 300, 192)),
    both("LSTM 1024 x 300 x 80 x 256", "lstm", data.sequences(1024, 300, 80, 256), (8.08, 21.0)),
)


def lookups(title: str, kernel: str, arguments: data.Maker, value: float | None, gradient: float | None) -> Problem:
    """Gradients are sums into tables: in a fixed order, and in any."""
    rows = (
        Row("value", kernel, value),
        Row("gradient", f"{kernel} gradient", gradient),
        Row("gradient, any order", f"{kernel} gradient, any order", gradient),
    )
    return Problem(title, arguments, rows)


FLOW = Problem(
    "flow 120 x 120 x 150, 100 steps",
    data.obstacles(100),
    (
        Row("value", "flow", 8.93),
        Row("gradient", "flow gradient", 20.3),
        Row("gradient, few states", "flow gradient, few states", 29.1),
    ),
)
BUNDLE = Problem(
    "9.1M observations",
    data.views(9_125_125, 257, 65_132),
    (Row("errors", "bundle", 0.243), Row("Jacobian 2 x 15", "bundle jacobian", 0.870)),
)
PHYSICS = (
    FLOW,
    lookups("17M look-ups, pointwise", "pointwise", data.pointwise(17_000_000, 100_000), 0.570, 0.618),
    lookups("10.2M look-ups, multipole", "multipole", data.multipole(10_200_000, 10_000), None, None),
    lookups("1M look-ups of 8 nuclides", "nuclides", data.nuclides(1_000_000), None, None),
    BUNDLE,
    both("wave in 256^3, 1000 steps", "wave", data.box(256, 1000)),
    Problem("the same, 2500 steps (168 GB)", data.box(256, 2500), (Row("gradient", "wave gradient"),)),
)

PROBLEMS = (*OPERATORS, *PRODUCTS, *LEARNING, *PHYSICS)
