"""The rows of the gate: which program, what of it, on which data, told in which reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import tapeless as tl
from gate import programs
from gate.references import has_wide_vectors

Arguments = tuple[Any, ...]
RNG_SEED = 20


@dataclass(frozen=True)
class Row:
    """A function to compile, with arguments; `compiles` says that compiling it is what is measured.

    `reference` is the work that its time is told in, `wide` the one where vectors are wide, if that is another.
    """

    name: str
    function: Callable[[], Any]
    arguments: Callable[[np.random.Generator], Arguments]
    reference: str
    wide: str = ""
    compiles: bool = False

    def reference_here(self) -> str:
        """The reference on this machine."""
        return self.wide if self.wide and has_wide_vectors() else self.reference

    def kernel(self) -> Any:
        return tl.compile(self.function(), self.given())

    def given(self) -> Arguments:
        return self.arguments(np.random.default_rng(RNG_SEED))


def _value(program: Callable[..., Any]) -> Callable[[], Any]:
    return partial(tl.function, program)


def _gradient(program: Callable[..., Any], argnums: Any = 0, method: str = "redundant") -> Callable[[], Any]:
    return lambda: tl.value_and_grad(tl.function(program), argnums=argnums, method=method)


def _vector(n: int) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: (rng.normal(size=n),)


def _vectors(count: int, n: int) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: tuple(rng.normal(size=n) for _ in range(count))


def _matrix(n: int, m: int) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: (rng.normal(size=(n, m)),)


def _matrices(n: int, dtype: Any = np.float64) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: tuple(rng.normal(size=(n, n)).astype(dtype) for _ in range(2))


def _keyed(n: int) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: (rng.integers(0, 64, n), rng.normal(size=n))


def _sparse(rng: np.random.Generator, rows: int = 800, each: int = 8) -> Arguments:
    columns = rng.integers(0, rows, rows * each)
    return np.arange(0, rows * each + 1, each), columns, rng.normal(size=rows * each), rng.normal(size=rows)


def _layers(rng: np.random.Generator) -> Arguments:
    return rng.normal(size=(120, 100)), rng.normal(size=(20, 120)), rng.normal(size=100)


def _points(rng: np.random.Generator) -> Arguments:
    return rng.normal(size=(1000, 4)), rng.normal(size=(12, 4))


def _clusters(rng: np.random.Generator) -> Arguments:
    return rng.normal(size=(300, 4)), rng.normal(size=8), rng.normal(size=(8, 4))


def _with(count: int, *more: Any, n: int) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: (*(rng.random(n) for _ in range(count)), *more)


def _numbers(*given: Any) -> Callable[[np.random.Generator], Arguments]:
    return lambda _: given


def _singles(rng: np.random.Generator) -> Arguments:
    return 1.5, rng.random(40000, np.float32), rng.random(40000, np.float32)


def _shear_data(rng: np.random.Generator) -> Arguments:
    return rng.random(800), rng.random(800), 20


def _shear_loss() -> Any:
    """The gradient of a sum of what a procedure leaves behind."""
    return tl.function(_back_of_shear)


def _back_of_shear(x: tl.f64[:], y: tl.f64[:], steps: tl.i64):
    moved, back = tl.vjp(programs.shear, x, y, steps)
    return back((moved[0], moved[1], 0))


def _hvp() -> Any:
    return tl.function(_valley_hvp)


def _valley_hvp(x, v):
    return tl.hvp(programs.valley, x, v)


def _run_rows() -> Iterator[Row]:
    p = programs
    yield Row(
        "scaled vector, small",
        _value(p.scaled),
        lambda rng: (1.5, *_vectors(2, 1000)(rng)),
        "memory",
        "vector neighbours",
    )
    yield Row(
        "scaled vector, middle", _value(p.scaled), lambda rng: (1.5, *_vectors(2, 12000)(rng)), "memory", "vector cache"
    )
    yield Row("scaled vector, f32", _value(p.scaled), _singles, "memory", "vector cache")
    yield Row("waves, value", _value(p.waves), _vector(2000), "arithmetic", "vector functions")
    yield Row("softened, redundant", _gradient(p.softened), _vector(2000), "arithmetic", "vector arithmetic")
    yield Row(
        "softened, coarsened",
        _gradient(p.softened, method="coarsened"),
        _vector(2000),
        "arithmetic",
        "vector arithmetic",
    )
    yield Row("spread, redundant", _gradient(p.spread), _vector(20000), "memory", "vector reading")
    yield Row("log of sums, redundant", _gradient(p.log_of_sums), _matrix(40, 50), "arithmetic", "vector memory")
    yield Row("largest, value", _value(p.largest), _vector(40000), "memory", "vector reading")
    yield Row("running sums, redundant", _gradient(p.running_sums), _vector(15000), "latency", "vector reading")
    yield Row("filtered, redundant", _gradient(p.filtered, (0, 1)), _with(2, n=4000), "latency", "vector reading")
    yield Row("counted, redundant", _gradient(p.counted, 1), _keyed(12000), "places", "vector reading")
    yield Row("smallest of each, value", _value(p.smallest_of_each), _keyed(12000), "places", "vector memory")
    yield Row("heat, redundant", _gradient(p.heat), _with(1, 40, n=500), "memory", "vector steps")
    yield Row("heat, reversible", _gradient(p.heat, method="reversible"), _with(1, 40, n=500), "memory", "vector steps")
    yield Row("blurred, redundant", _gradient(p.blurred), _matrix(120, 120), "memory", "vector neighbours")
    yield Row("orbit, redundant", _gradient(p.orbit, (0, 1)), _with(2, 50, n=400), "memory", "vector neighbours")
    yield Row(
        "orbit, reversible",
        _gradient(p.orbit, (0, 1), "reversible"),
        _with(2, 50, n=400),
        "memory",
        "vector neighbours",
    )
    yield Row("logistic, redundant", _gradient(p.logistic, (0, 1)), _numbers(0.3, 3.5, 2000), "latency")
    yield Row("logistic, coarsened", _gradient(p.logistic, (0, 1), "coarsened"), _numbers(0.3, 3.5, 2000), "latency")
    yield Row("root, coarsened", _gradient(p.root, 0, "coarsened"), _numbers(7.0, 2000), "latency")
    yield Row("halved, redundant", _gradient(p.halved), _numbers(100.0, 0.1), "latency")
    yield Row("product, redundant", _gradient(p.product, (0, 1)), _matrices(48), "arithmetic", "vector arithmetic")
    yield Row(
        "product, f32", _gradient(p.product, (0, 1)), _matrices(64, np.float32), "arithmetic", "vector arithmetic"
    )
    yield Row("network, redundant", _gradient(p.network, (0, 1)), _layers, "arithmetic", "vector arithmetic")
    yield Row(
        "nested loops, coarsened",
        _gradient(p.nested_loops, (0, 1), "coarsened"),
        _layers_and_input,
        "arithmetic",
        "vector reading",
    )
    yield Row("ranked, redundant", _gradient(p.ranked), _vectors(2, 800), "branches", "vector memory")
    yield Row("pieces, redundant", _gradient(p.pieces), _with(1, n=1000), "latency")
    yield Row(
        "chosen, coarsened", _gradient(p.chosen, method="coarsened"), _vector(5000), "arithmetic", "vector neighbours"
    )
    yield Row("looked up, redundant", _gradient(p.looked_up), _table_and_keys, "places", "vector memory")
    yield Row("sparse product, redundant", _gradient(p.sparse_product, (2, 3)), _sparse, "places", "vector neighbours")
    yield Row("nearest, redundant", _gradient(p.nearest, 1), _points, "arithmetic", "vector arithmetic")
    yield Row("mixture, redundant", _gradient(p.mixture, (1, 2)), _clusters, "arithmetic", "vector arithmetic")
    yield Row("valley, Hessian times vector", _hvp, _vectors(2, 12000), "arithmetic", "vector memory")
    yield Row("shear, procedure run back", _shear_loss, _shear_data, "memory", "vector steps")
    yield Row("three numbers, call", _value(p.three), _vector(3), "calls")
    yield Row("one number, call of gradient", _gradient(p.one_number), _numbers(0.7), "calls")


def _layers_and_input(rng: np.random.Generator) -> Arguments:
    return rng.normal(size=(120, 100)), rng.normal(size=100)


def _table_and_keys(rng: np.random.Generator) -> Arguments:
    return rng.normal(size=500), rng.integers(0, 500, 10000)


def _compile_rows() -> Iterator[Row]:
    p = programs
    compiled = partial(Row, reference="compiler", compiles=True)
    yield compiled("compile softened, redundant", _gradient(p.softened), _vector(50))
    yield compiled("compile counted, redundant", _gradient(p.counted, 1), _keyed(50))
    yield compiled("compile heat, reversible", _gradient(p.heat, method="reversible"), _with(1, 5, n=50))
    yield compiled("compile logistic, coarsened", _gradient(p.logistic, 0, "coarsened"), _numbers(0.3, 3.5, 20))
    yield compiled("compile ranked, redundant", _gradient(p.ranked), _vectors(2, 50))
    yield compiled("compile pieces, coarsened", _gradient(p.pieces, method="coarsened"), _vector(50))
    yield compiled("compile bill, redundant", _gradient(p.bill), lambda rng: (rng.random(3), rng.random(20)))


RUN_ROWS = tuple(_run_rows())
COMPILE_ROWS = tuple(_compile_rows())
ROWS = {row.name: row for row in (*RUN_ROWS, *COMPILE_ROWS)}
