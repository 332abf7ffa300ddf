"""List comprehensions and generator expressions: Python runs the same functions on numpy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")
X, M = np.array([0.5, 1.5, -0.3]), np.arange(6.0).reshape(3, 2)
k = 10.0


def sum_of_elements(x: Any, m: Any) -> Any:
    return sum(v * v for v in x)


def array_of_elements(x: Any, m: Any) -> Any:
    return np.array([v * v for v in x]).sum()


def array_of_rows(x: Any, m: Any) -> Any:
    return (np.array([x * i for i in range(4)]) ** 2).sum()


def nest(x: Any, m: Any) -> Any:
    return sum(x[i] * m[i, j] for i in range(3) for j in range(2))


def flat_array_of_a_nest(x: Any, m: Any) -> Any:
    flat = np.array([v * w for v in x for w in m[0]])
    return (flat * np.arange(6)).sum() + flat.shape[0]


def matrix(x: Any, m: Any) -> Any:
    return (np.array([[x[i] * x[j] for j in range(len(x))] for i in range(3)]) * [1.0, 2.0, 3.0]).sum()


def triangle(x: Any, m: Any) -> Any:
    return sum(sum(x[i] * x[j] for j in range(i)) for i in range(len(x)))


def pairs_below(x: Any, m: Any) -> Any:
    return sum(x[i] * x[j] ** 2 for i in range(len(x)) for j in range(i))


def pairs_of_others(x: Any, m: Any) -> Any:
    return sum([x[i] * x[j] ** 2 for i in range(3) for j in range(3) if i != j])


def triples(x: Any, m: Any) -> Any:
    return sum((x[i] * x[j] * m[k, 0] for i in range(3) for j in range(i + 1) for k in range(j, 3)), start=x[0])


def rows_added(x: Any, m: Any) -> Any:
    """Python adds rows to one row."""
    return np.sum(sum(m[i] * x[i] for i in range(3)) ** 2)


def rows_of_pairs_added(x: Any, m: Any) -> Any:
    return np.sum(sum((m[i] * x[j] for i in range(3) for j in range(i)), m[0]) ** 2)


def no_elements(x: Any, m: Any) -> Any:
    return sum(v for v in x if v > 100) + x[0]


def some_elements(x: Any, m: Any) -> Any:
    return sum(v for v in x if v > 0)


def conditions(x: Any, m: Any) -> Any:
    return np.mean([v**2 for v in x if v > 0 if v < 1])


def condition_before_the_element(x: Any, m: Any) -> Any:
    """The element is not computed where the condition does not hold."""
    return sum(np.sqrt(v) for v in x if v > 0)


def pairs(x: Any, m: Any) -> Any:
    return max(v * w for v, w in zip(x, x[::-1], strict=True))


def nested_targets(x: Any, m: Any) -> Any:
    return sum(a * b * c for (a, b), c in zip(m, x, strict=False))


def counted_rows(x: Any, m: Any) -> Any:
    return sum([row.sum() * count * x[0] for count, row in enumerate(m)])


def list_with_a_name(x: Any, m: Any) -> Any:
    parts = [x * i for i in range(3)]
    return (parts[0] + parts[2]).sum() + len(parts)


def list_of_a_tuple(x: Any, m: Any) -> Any:
    return np.stack([x * factor for factor in (1.0, 2.0)]).sum()


def list_with_known_conditions(x: Any, m: Any) -> Any:
    first, second = [x[i] for i in range(5) if i % 2 == 0 and i < 4]
    return first * second


def variables_of_their_own(x: Any, m: Any) -> Any:
    """`k` is the module's, `v` is the function's, whatever the comprehensions call theirs."""
    v = 2.0
    first = sum(k * k for k in x)
    return first * v * k + sum(v for v in x)


def what_is_around(x: Any, m: Any) -> Any:
    total = 0.0
    for i in range(3):
        scale = x[i]
        total += sum(scale * v for v in x)
    return total


def lists_of_numbers(x: Any, m: Any) -> Any:
    return np.sum([x[0], 2 * x[1]]) + np.dot([1.0, 2.0, 3.0], x) + np.max((x[0], x[1]))


PROGRAMS = [
    sum_of_elements,
    array_of_elements,
    array_of_rows,
    nest,
    flat_array_of_a_nest,
    matrix,
    triangle,
    pairs_below,
    pairs_of_others,
    triples,
    rows_added,
    rows_of_pairs_added,
    no_elements,
    some_elements,
    conditions,
    condition_before_the_element,
    pairs,
    nested_targets,
    counted_rows,
    list_with_a_name,
    list_of_a_tuple,
    list_with_known_conditions,
    variables_of_their_own,
    what_is_around,
    lists_of_numbers,
]
COMPILED = {program: tl.function(program) for program in PROGRAMS}


@pytest.mark.one_in(8)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values_and_gradients(program: Any) -> None:
    function, h = COMPILED[program], 1e-6
    np.testing.assert_allclose(function(X, M), program(X, M), rtol=1e-14)
    slopes = [(program(X + step, M) - program(X - step, M)) / (2 * h) for step in h * np.eye(3)]
    for method in METHODS:
        np.testing.assert_allclose(tl.grad(function, method=method)(X, M), slopes, atol=1e-7)


@pytest.mark.parametrize(
    "program", [array_of_rows, some_elements, matrix, pairs, pairs_below], ids=lambda program: program.__name__
)
def test_batches(program: Any) -> None:
    rows = np.stack([X, 2 * X, -X])
    batched = tl.vmap(COMPILED[program], in_axes=(0, None))
    np.testing.assert_allclose(batched(rows, M), [program(row, M) for row in rows], rtol=1e-14)


def test_second_derivatives() -> None:
    cubes = tl.function(lambda x: sum(v**3 for v in x if v > 0))
    np.testing.assert_allclose(tl.hessian(cubes)(X), np.diag([3.0, 9.0, 0.0]), rtol=1e-14)


@pytest.mark.parametrize("size", [0, 1, 100])
def test_arrays_of_any_length(size: int) -> None:
    x = np.linspace(0.0, 1.0, size)
    squares = tl.function(lambda x: np.array([v * v for v in x]))
    np.testing.assert_array_equal(squares(x), x * x)


def test_python_orders_lists_so_they_are_no_operands_of_comparisons() -> None:
    with pytest.raises(tl.TypeMismatch, match="operand is a list of"):
        tl.function(lambda x: [v for v in (x, x)] > [x])(1.0)
