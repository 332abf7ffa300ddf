"""Tensors of torch and arrays of JAX as arguments, in processes of their own: both watch forks of theirs."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

TAKES_NOTHING = object()
NUMPY = (
    np.array([1.0, 2.5]),
    np.arange(6, dtype=np.float32).reshape(3, 2),
    np.array([True, False, True]),
    np.array([5, 6, 7]),
)


@tl.function
def scaled(x: tl.f64[:], m: tl.f32[:, 2], flags: tl.bool_[:], counts: tl.i64[:]):
    return tl.sum(x) * 2.0, m + 1.0, tl.sum(tl.where(flags, counts, 0))


@tl.function
def loose(x, m, flags, counts):
    return tl.sum(x) * 2.0, m + 1.0, tl.sum(tl.where(flags, counts, 0))


def check_that_all_are_taken(arrays: list[Any]) -> Callable[..., Any]:
    """The fast call alone takes them after the first call, which notes their types."""
    only_fast = scaled.lower().calls.fast(lambda *_: TAKES_NOTHING)
    for function in (scaled, loose, only_fast):
        for given in (arrays, [*arrays[:2], *NUMPY[2:]]):
            for found, expected in zip(function(*given), scaled(*NUMPY), strict=True):
                np.testing.assert_array_equal(found, expected)
    return only_fast


def refused(first: Any) -> str:
    """The message for a first argument, by both functions."""
    with pytest.raises(tl.TypeMismatch) as error:
        scaled(first, *NUMPY[1:])
    with pytest.raises(tl.TypeMismatch, match=re.escape(str(error.value))):
        loose(first, *NUMPY[1:])
    return str(error.value)


def check_torch() -> None:
    import torch

    tensors = [torch.from_numpy(values.copy()) for values in NUMPY]
    only_fast = check_that_all_are_taken(tensors)
    first = tensors[0]
    trained = first.clone().requires_grad_()
    assert only_fast(trained, *NUMPY[1:]) is TAKES_NOTHING
    assert "that require gradient" in refused(trained)
    assert refused(trained).endswith("; pass x.detach()")
    for other in (first.to_sparse(), first.to("meta")):
        assert only_fast(other, *NUMPY[1:]) is TAKES_NOTHING
        assert "does not hand over its elements" in refused(other)
    assert only_fast(torch._neg_view(first), *NUMPY[1:]) is TAKES_NOTHING
    for other, total in (
        (torch.arange(4.0, dtype=torch.float64)[::2], 4.0),
        (torch.nn.Parameter(first, requires_grad=False), 7.0),
        (first.expand(1, 2)[0], 7.0),
    ):
        assert scaled(other, *NUMPY[1:])[0] == loose(other, *NUMPY[1:])[0] == total
    with pytest.raises(tl.TypeMismatch, match=r"\.to\(torch\.float64\)"):
        scaled(first.float(), *NUMPY[1:])
    check_numbers(torch.tensor(2.5))
    check_short_floats(torch.arange(6, dtype=torch.bfloat16), torch.arange(6, dtype=torch.float16)[::2])


def check_jax() -> None:
    import jax

    jax.config.update("jax_enable_x64", True)
    arrays = [jax.device_put(values) for values in NUMPY]
    only_fast = check_that_all_are_taken(arrays)
    assert only_fast(arrays[0].astype("float32"), *NUMPY[1:]) is TAKES_NOTHING
    with pytest.raises(tl.TypeMismatch, match=r"astype\(np\.float64\)"):
        scaled(arrays[0].astype("float32"), *NUMPY[1:])
    arrays[0].delete()
    assert "deleted" in refused(arrays[0])
    check_numbers(jax.numpy.float32(2.5))
    check_short_floats(jax.numpy.arange(6, dtype="bfloat16"), jax.numpy.arange(6, dtype="float16"))


def check_numbers(number: Any) -> None:
    """An array without axes is a number of its type."""

    @tl.function
    def doubled(x):
        return x * 2.0

    @tl.function
    def doubled_as_f64(x: tl.f64):
        return x * 2.0

    assert type(doubled(number)) is np.float32
    assert doubled(number) == doubled_as_f64(number) == 5.0


def check_short_floats(*arrays: Any) -> None:
    """Floats of 16 bits are read in the first call, too, when the runtime knows nothing of the type."""

    @tl.function
    def kept(x):
        return x[::2]

    for array in arrays:
        for _ in range(2):
            assert str(kept(array).dtype) == str(array.dtype).removeprefix("torch.")
            np.testing.assert_array_equal(kept(array).astype(float), [float(each) for each in array[::2]])
            np.testing.assert_array_equal(kept(array[::2]).astype(float), [float(each) for each in array[::4]])


CHECKS = {"torch": check_torch, "jax": check_jax}


@pytest.mark.parametrize("library", CHECKS)
def test_arguments_of_other_libraries(library: str) -> None:
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    done = subprocess.run((sys.executable, __file__, library), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    CHECKS[sys.argv[1]]()
