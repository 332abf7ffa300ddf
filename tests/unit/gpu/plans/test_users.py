"""The target cuda as users meet it, on the emulated GPU: calls, gradients, saving and loading, errors."""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_cuda
from tapeless.errors import TargetError


@tl.function
def loss(x: tl.f64[:, :], w: tl.f64[:]):
    return tl.sum(tl.exp(x @ w)) + tl.sum(w * w)


@tl.function
def pick(x: tl.f64[:], i: int):
    return x[i] * 2.0


X = np.random.default_rng(0).normal(size=(300, 7))
W = np.linspace(-1, 1, 7)


@pytest.fixture
def gpu() -> Iterator[FakeGpu]:
    with emulated_cuda(keeps_kernels=True) as found:
        yield found


def no_gpu() -> Any:
    """A machine without a GPU, for bundles that are loaded, even where there is one."""
    missing = TargetError("there is no NVIDIA driver")
    return mock.patch("tapeless.runtime.bundle.cuda.driver", side_effect=missing)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("method", ["redundant", "reversible"])
def test_gradients_agree_with_the_cpu(gpu: FakeGpu, method: str) -> None:
    gradient = tl.grad(loss, argnums=(0, 1), method=method)
    kernel = tl.compile(gradient, (X, W), target="cuda")
    for found, expected in zip(kernel(X, W), gradient(X, W), strict=True):
        assert np.allclose(found, expected, rtol=1e-13, atol=1e-13)
    gpu.check_guards()
    assert any(call[0] == "launch" for call in gpu.calls)


def test_second_order(gpu: FakeGpu) -> None:
    hessian = tl.hessian(loss, argnums=1)
    assert np.allclose(tl.compile(hessian, (X, W), target="cuda")(X, W), hessian(X, W), rtol=1e-12)


def test_a_failed_check_names_the_line(gpu: FakeGpu) -> None:
    kernel = tl.compile(pick, (X[0], 3), target="cuda")
    assert kernel(X[0], 3) == X[0][3] * 2
    with pytest.raises(tl.IndexOutOfRange, match=r"test_users\.py"):
        kernel(X[0], 7)
    assert kernel(X[0], -1) == X[0][-1] * 2


def test_a_bundle_for_processors_and_gpus(gpu: FakeGpu, tmp_path: Path) -> None:
    """Where there is a GPU, it is used if it was named first."""
    path = tmp_path / "loss.tlk"
    tl.compile(loss, (X, W), target="cuda").save(path, targets=["cuda:sm_90", "native"])
    with zipfile.ZipFile(path) as archive:
        assert {"cuda-sm_90/kernels.ptx", "cuda-sm_90/plan.json"} <= set(archive.namelist())
    with mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu):
        on_gpu = tl.load(path)
    assert "cuda" in repr(on_gpu)
    with no_gpu():
        on_cpu = tl.load(path)
    assert "cpu" in repr(on_cpu)
    assert np.isclose(on_gpu(X, W), on_cpu(X, W), rtol=1e-13)


def test_a_kernel_is_saved_for_what_it_was_compiled_for(gpu: FakeGpu, tmp_path: Path) -> None:
    path = tmp_path / "loss.tlk"
    tl.compile(loss, (X, W), target="cuda").save(path)
    with zipfile.ZipFile(path) as archive:
        assert "cuda-sm_90/plan.json" in archive.namelist()
    with no_gpu(), pytest.raises(tl.BundleError, match="needs an NVIDIA GPU"):
        tl.load(path)


def test_what_was_compiled_is_not_compiled_again_to_save_it(gpu: FakeGpu, tmp_path: Path) -> None:
    path, kernel = tmp_path / "loss.tlk", tl.compile(loss, (X, W), target="cuda")
    again = mock.patch("tapeless.backend.saving.cuda.compile_module", side_effect=AssertionError("compiled again"))
    with again, mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu):
        kernel.save(path)
        assert tl.load(path)(X, W) == kernel(X, W)
        assert tl.load(path).ptx() == kernel.ptx()
        with pytest.raises(AssertionError, match="compiled again"):
            kernel.save(path, targets=["cuda:sm_90", "cuda:sm_80"])


def test_kernels_for_gpus_pickle(gpu: FakeGpu) -> None:
    kernel = tl.compile(loss, (X, W), target="cuda")
    data = pickle.dumps(kernel)
    with mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu):
        assert pickle.loads(data)(X, W) == kernel(X, W)


def test_an_older_gpu_is_refused(gpu: FakeGpu, tmp_path: Path) -> None:
    path = tmp_path / "loss.tlk"
    tl.compile(loss, (X, W), target="cuda").save(path, targets=["cuda:sm_100"])
    with (
        mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu),
        pytest.raises(tl.BundleError, match="from sm_100 on, and this one is sm_90"),
    ):
        tl.load(path)


def test_without_a_gpu_kernels_compile_and_say_what_is_missing() -> None:
    kernel = tl.compile(pick, (X[0], 3), target="cuda:sm_90")
    assert ".target sm_90" in kernel.asm()
    assert kernel.ptx() == kernel.asm()
    assert "PTX" in kernel.explain()
    missing = TargetError("there is no NVIDIA driver")
    with mock.patch("tapeless.runtime.cuda.calls.driver", side_effect=missing), pytest.raises(TargetError):
        kernel(X[0], 3)
    with pytest.raises(TargetError, match="has no PTX; compile it with target='cuda'"):
        tl.compile(pick, (X[0], 3)).ptx()


def test_unknown_generations_are_refused() -> None:
    with pytest.raises(tl.ArgumentError, match="cuda:sm_90"):
        tl.compile(loss, (X, W), target="cuda:sm_91")
    with pytest.raises(tl.ArgumentError, match="unknown target"):
        tl.compile(loss, (X, W), target="cpu:sm_90")


@tl.function
def gathered(x: tl.f64[:], at: tl.i64[:]):
    return tl.map(lambda i: x[i], at)


def test_only_kernels_that_can_fail_look_at_the_status() -> None:
    """Sizes are compared by the plan, indices in the kernel, where every thread would read the status."""
    status = "kernel0_param_0];"
    by_the_plan = tl.compile(lambda x, y: x + y, (tl.f64[:], tl.f64[:]), target="cuda:sm_90")
    assert status not in by_the_plan.asm()
    assert status in tl.compile(gathered, target="cuda:sm_90").asm()
