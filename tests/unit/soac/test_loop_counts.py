"""How many loops are left of a program: fusion and simplification as numbers."""

from __future__ import annotations

import pytest
from collected import after, count_ops

CORE = "soac-inline,canonicalize,cse,soac-simplify"
FUSED = CORE + ",fuse,canonicalize,cse"
OPERATORS = ("soac.map", "soac.reduce", "soac.scan", "soac.fused")

# Operators (with nested ones) in the program as written, after simplification and fusion.
LOOPS = {
    "arithmetic_on_arrays": 1,  # four expressions of the same two arrays
    "log_sums": 7,  # a maximum and a sum per logsumexp, one nested in a map; softmax adds the division
    "variance": 2,  # the mean, then the squares and their sum
    "kmeans_cost": 3,  # points, centres, coordinates: one perfect nest
    "mixture_log_likelihood": 3,  # points; terms with their maximum; their exponentials with the sum
    "map_several_results": 1,
    "nested_maps": 3,
    "heat_steps": 1,
    "logistic_loss": 1,
    "diagonal": 1,
    "row_softmax": 4,  # rows; maximum; exponentials and their sum; quotients
    "deep_nest": 3,
}

# Checks that remain inside loops.
CHECK_FREE = ("matmul_by_loops", "logistic_loss", "kmeans_cost", "cholesky", "float_from_int_start", "diagonal")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", LOOPS)
def test_number_of_operators(name: str) -> None:
    counts = count_ops(after(name, FUSED))
    assert sum(counts[operator] for operator in OPERATORS) == LOOPS[name]


@pytest.mark.parametrize("name", CHECK_FREE)
def test_no_checks_in_loops(name: str) -> None:
    module = after(name, FUSED)
    body = module.body.operations[0].regions[0].blocks[0]
    outside = sum(op.operation.name == "soac.assert" for op in body.operations)
    assert count_ops(module)["soac.assert"] == outside


@pytest.mark.parametrize("name", ["row_softmax", "mixture_log_likelihood", "logistic_loss"])
def test_transcendental_work_is_not_repeated(name: str) -> None:
    before, fused = count_ops(after(name, CORE)), count_ops(after(name, FUSED))
    for function in ("math.exp", "math.log", "math.log1p"):
        assert fused[function] <= before[function]


def test_simplification_reaches_a_fixed_point() -> None:
    once, twice = after("cholesky", FUSED), after("cholesky", FUSED + ",soac-simplify,canonicalize,cse")
    assert count_ops(once) == count_ops(twice)
