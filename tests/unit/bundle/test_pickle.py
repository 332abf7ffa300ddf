"""Kernels travel between processes: by pickle, by multiprocessing, by joblib."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

X = np.arange(12.0).reshape(4, 3)
SHARDS = list(X)


@tl.function
def energy(x: tl.f64[:], power: tl.i64 = 2):
    """The sum of powers."""
    return tl.sum(x**power)


@pytest.fixture(scope="module")
def kernel() -> tl.Kernel:
    return tl.compile(tl.grad(energy), threads=2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_kernel_gives_the_same_bits(kernel: tl.Kernel, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(kernel, protocol))
    assert repr(again) == repr(kernel) and again.__doc__ == kernel.__doc__
    assert np.array_equal(again(X[1]), kernel(X[1]))
    assert np.array_equal(again(X[1], power=3), kernel(X[1], 3))


def test_errors_name_the_users_line_there_too() -> None:
    picked = pickle.loads(pickle.dumps(tl.compile(tl.function(lambda x, i: x[i]), (tl.f64[:], tl.i64))))
    with pytest.raises(tl.IndexOutOfRange, match=r"test_pickle\.py"):
        picked(X[0], 3)


def test_a_loaded_kernel_is_pickled_with_all_its_targets(kernel: tl.Kernel, tmp_path: Path) -> None:
    kernel.save(tmp_path / "f.tlk", targets=("native", "aarch64", "x86_64"))
    loaded = tl.load(tmp_path / "f.tlk")
    again = pickle.loads(pickle.dumps(loaded))
    assert again.to_bytes() == (tmp_path / "f.tlk").read_bytes()


def test_a_damaged_pickle_is_refused(kernel: tl.Kernel) -> None:
    data = bytearray(pickle.dumps(kernel))
    data[len(data) // 2] ^= 1
    with pytest.raises(tl.BundleError, match="the bundle is damaged"):
        pickle.loads(bytes(data))


def test_a_default_that_is_no_number_cannot_travel() -> None:
    ones = np.ones(2)
    moved = tl.compile(tl.function(lambda x, by=ones: x + by), (tl.f64[:], tl.f64[:]))
    with pytest.raises(tl.ArgumentError, match="the default of 'by' is not a number"):
        pickle.dumps(moved)


def test_a_copy_works(kernel: tl.Kernel) -> None:
    for again in (copy.copy(kernel), copy.deepcopy(kernel)):
        assert np.array_equal(again(X[0]), kernel(X[0]))


def test_kernels_go_to_spawned_processes(kernel: tl.Kernel) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        gradients = pool.map(kernel, SHARDS)
    assert all(np.array_equal(found, kernel(shard)) for found, shard in zip(gradients, SHARDS, strict=True))


def test_kernels_go_through_joblib(kernel: tl.Kernel) -> None:
    joblib = pytest.importorskip("joblib")
    gradients = joblib.Parallel(n_jobs=2)(joblib.delayed(kernel)(shard) for shard in SHARDS)
    assert all(np.array_equal(found, kernel(shard)) for found, shard in zip(gradients, SHARDS, strict=True))
