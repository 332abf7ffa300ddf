"""Calls of decorated functions: arguments, results, versions, errors."""

from __future__ import annotations

import os
import threading
import warnings

import numpy as np
import pytest

import tapeless as tl


@tl.function
def scale_add(x: tl.f64[:], y: tl.f64[:], s: tl.f64 = 2.0) -> tl.f64[:]:
    """Adds a multiple."""
    return x * s + y


@tl.function
def anything(x, y):
    return x * y


@tl.function
def several(x: tl.f64[:], n: tl.i64):
    return x[0], (n + 1, x > 0.5), x + 1.0


@tl.function
def rows(x: tl.f64[:, 3]) -> tl.f64:
    return tl.sum(x)


X, Y = np.arange(5.0), np.ones(5)


def test_arguments_by_position_name_and_default() -> None:
    for result in (scale_add(X, Y), scale_add(X, y=Y), scale_add(y=Y, x=X, s=2), scale_add(X, Y, 2.0)):
        np.testing.assert_array_equal(result, X * 2.0 + Y)
    np.testing.assert_array_equal(scale_add(X, Y, s=-1), Y - X)


def test_the_function_keeps_its_name_and_doc() -> None:
    assert scale_add.__name__ == "scale_add"
    assert scale_add.__doc__ == "Adds a multiple."
    assert scale_add.source.name == "scale_add"


@tl.function
def keyword_only(x: tl.f64, *, k: tl.f64 = 2.0) -> tl.f64:
    return x * k


def test_keyword_only_parameters_need_their_name() -> None:
    assert (keyword_only(3.0), keyword_only(3.0, k=5)) == (6.0, 15.0)
    assert keyword_only.lower()(3.0, k=1.0) == 3.0
    for call in (keyword_only, keyword_only.lower(tl.f64, tl.f64)):
        with pytest.raises(tl.ArgumentError, match="takes 1 argument but 2 were given"):
            call(3.0, 5.0)


WRONG_CALLS = [
    ((X,), {}, r"scale_add\(\) needs a value for 'y'"),
    ((X, Y, 1.0, 2.0), {}, r"takes 3 arguments but 4 were given; its parameters are x, y, s"),
    ((X, Y), {"z": 1.0}, r"has no parameter 'z'"),
    ((X, Y), {"x": X}, r"got two values for 'x'"),
]


@pytest.mark.parametrize(("arguments", "named", "message"), WRONG_CALLS)
def test_wrong_numbers_of_arguments(arguments: tuple, named: dict, message: str) -> None:
    with pytest.raises(tl.ArgumentError, match=message):
        scale_add(*arguments, **named)


def test_wrong_types_and_sizes_are_found_before_anything_runs() -> None:
    with pytest.raises(tl.TypeMismatch, match=r"'x' is an array of float32"):
        scale_add(X.astype(np.float32), Y)
    with pytest.raises(tl.TypeMismatch, match=r"'x' is an array of float64 with 2 dimensions"):
        scale_add(X[None], Y)
    with pytest.raises(tl.TypeMismatch, match=r"'x' is a list"):
        scale_add([1.0], Y)
    with pytest.raises(tl.ShapeMismatch, match=r"'x' has size 2 in dimension 1"):
        rows(np.ones((3, 2)))
    with pytest.raises(tl.TypeMismatch, match=r"'n' is a float"):
        several(X, 1.0)


def test_sizes_that_do_not_broadcast_name_the_line() -> None:
    with pytest.raises(tl.ShapeMismatch, match=r"test_calls.py"):
        scale_add(X, np.ones(4))


def test_unannotated_parameters_are_compiled_per_dtype_and_rank() -> None:
    np.testing.assert_array_equal(anything(X, Y), X * Y)
    np.testing.assert_array_equal(anything(X[:, None], Y[:, None]), (X * Y)[:, None])
    single = anything(X.astype(np.float32), Y.astype(np.float32))
    assert single.dtype == np.float32
    assert anything(3, 4) == 12 and type(anything(3, 4)) is int
    assert anything(3.0, 4.0) == 12.0 and type(anything(3.0, 4.0)) is float
    np.testing.assert_array_equal(anything(X, 2.0), 2.0 * X)
    for _ in range(3):
        np.testing.assert_array_equal(anything(X, Y), X * Y)
        assert type(anything(3, 4)) is int
    with pytest.raises(tl.TypeMismatch, match="the right operand is a dict with 'a'"):
        anything(X, {"a": 1.0})


def test_size_one_needs_no_other_version() -> None:
    np.testing.assert_array_equal(anything(np.ones(1), np.ones(1)), np.ones(1))
    assert anything(np.ones(0), np.ones(0)).shape == (0,)


def test_results_are_python_numbers_arrays_and_nested_tuples() -> None:
    first, (count, large), shifted = several(X, 41)
    assert type(first) is float and first == 0.0
    assert type(count) is int and count == 42
    assert large.dtype == np.bool_
    np.testing.assert_array_equal(large, X > 0.5)
    np.testing.assert_array_equal(shifted, X + 1.0)
    assert all(part.flags.writeable for part in (large, shifted))


LAYOUTS = {
    "strided": np.arange(10.0)[::2],
    "reversed": np.arange(5.0)[::-1],
    "big-endian": np.arange(5.0).astype(">f8"),
    "column": np.arange(15.0).reshape(5, 3)[:, 1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_give_the_same_numbers_and_are_not_changed(layout: str) -> None:
    value = LAYOUTS[layout]
    before = value.copy()
    np.testing.assert_array_equal(scale_add(value, value), value * 3.0)
    np.testing.assert_array_equal(value, before)


def test_the_same_array_twice() -> None:
    np.testing.assert_array_equal(scale_add(X, X, 1.0), 2.0 * X)


def test_many_threads_at_once() -> None:
    wrong: list[int] = []

    def work(seed: int) -> None:
        value = np.random.default_rng(seed).random(500)
        for _ in range(200):
            if not np.array_equal(scale_add(value, value, 1.0), 2.0 * value):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_that_compile_the_same_function_at_once() -> None:
    @tl.function
    def fresh(x, k):
        return x * 3.0 + k

    results: dict[int, np.ndarray] = {}

    def work(number: int) -> None:
        results[number] = fresh(X, float(number))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, result in results.items():
        np.testing.assert_array_equal(result, X * 3.0 + number)
    assert len(results) == 6


def test_a_forked_child_calls_and_compiles() -> None:
    scale_add(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        right = np.array_equal(scale_add(X, Y), X * 2.0 + Y) and np.array_equal(anything(X, 3.0), 3.0 * X)
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@tl.function
def filled(n: tl.i64, m: tl.i64) -> tl.f64[:, :]:
    return tl.zeros((n, m)) + 1.0


@tl.function
def positive(x: tl.f64[:]) -> tl.f64[:]:
    count = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            count += 1
    found = tl.zeros(count)
    count = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            found[count] = x[i]
            count += 1
    return found


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 5), (300, 400)])
def test_results_of_computed_size(shape: tuple[int, int]) -> None:
    np.testing.assert_array_equal(filled(*shape), np.ones(shape))


@pytest.mark.parametrize("shape", [(2**40, 1), (2**32, 2**32), (2**62, 2**62)])
def test_huge_results_are_a_memory_error(shape: tuple[int, int]) -> None:
    with pytest.raises(MemoryError):
        filled(*shape)


def test_negative_sizes_are_refused() -> None:
    with pytest.raises(tl.ShapeMismatch, match=r"test_calls.py:\d+: filled\(\): .* negative size -1 in dimension 0"):
        filled(-1, 2)


@pytest.mark.parametrize("size", [0, 1, 50, 100_000])
def test_results_whose_size_is_found_while_running(size: int) -> None:
    x = np.random.default_rng(size).standard_normal(size)
    np.testing.assert_array_equal(positive(x), x[x > 0.0])


def test_large_results_are_independent_of_each_other() -> None:
    large = np.ones(100_000)
    first = scale_add(large, large)
    second = scale_add(large, large, 5.0)
    assert not np.shares_memory(first, second)
    np.testing.assert_array_equal(first, 3.0 * large)
