"""What kernels leave on a GPU when they go: nothing, whoever takes them and whenever."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu import fake_libraries as libraries
from emulated_gpu.fake_cuda import EVENT, GRAPH, MODULE, STREAM, FakeCuda, fake_driver
from emulated_gpu.kernels import emulated_cuda
from emulated_gpu.late_streams import LEGACY
from tapeless.runtime.bundle.cuda import obstacle
from tapeless.runtime.cuda import arrays
from tapeless.runtime.cuda import driver as driver_module
from tapeless.runtime.cuda.calls import CudaCalls
from tapeless.runtime.cuda.driver import Driver
from tapeless.runtime.cuda.pool import SMALLEST

from .copying import PLANS, SHAPE, code, copying, elements, numbers

TESTS = Path(__file__).parents[3]


def alive(cuda: FakeCuda) -> dict[str, int]:
    """Handles and bytes that were given out."""
    kinds = {"modules": MODULE, "graphs": GRAPH, "events": EVENT, "streams": STREAM}
    return {name: cuda.count(kind) for name, kind in kinds.items()} | {"buffers": len(cuda.buffers)}


def test_the_driver_alone() -> None:
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    assert alive(cuda) == {"modules": 0, "graphs": 0, "events": 1, "streams": 1, "buffers": 0}
    assert gpu.number == 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("way", ["at once", "in a circle", "in another thread", "during a call", "after a failure"])
@pytest.mark.parametrize("plan", PLANS)
def test_nothing_stays(plan: str, way: str) -> None:
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    before = alive(cuda)
    for _ in range(5):
        held: list[Any] = [copying(gpu, plan, constants=3)]
        for round_ in range(4):
            held[0].general(numbers(round_))
        assert alive(cuda) != before
        if way == "in a circle":
            held.append(held)
            del held
            gc.collect()
        elif way == "in another thread":
            thread = threading.Thread(target=held.clear)
            thread.start()
            thread.join()
        elif way == "during a call":
            with gpu.turns:
                held.clear()
                assert alive(cuda) != before  # nothing is unloaded in the middle of something
            with gpu.turns:
                pass
        elif way == "after a failure":
            with pytest.raises(tl.TypeMismatch):
                held[0].general(1.0)
            held.clear()
        else:
            held.clear()
        assert alive(cuda) == before
    assert gpu.pool.live == gpu.pool.cached == gpu.pool.users == 0


def test_others_keep_what_they_have() -> None:
    """With one of two kernels go its own things; the pool keeps what the other may use."""
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    stays, goes = copying(gpu, constants=1), copying(gpu, constants=2)
    for round_ in range(4):
        stays.general(numbers(round_))
        goes.general(numbers(round_))
    graphs, buffers = cuda.count(GRAPH), len(cuda.buffers)
    del goes
    assert cuda.count(GRAPH) < graphs
    assert len(cuda.buffers) == buffers
    np.testing.assert_array_equal(stays.general(numbers(7)), numbers(7))


def test_results_outlive_their_kernel() -> None:
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    x = libraries.WithStream(cuda, SHAPE, cuda.stream())
    x.write_late(numbers(0))
    result = copying(gpu).general(x)
    np.testing.assert_array_equal(elements(result.address), numbers(0))
    with gpu.turns:
        assert gpu.pool.live == 512
    address = result.address
    del result
    with gpu.turns:
        assert gpu.pool.live == 0
        gpu.pool.trim()
    assert address not in cuda.buffers


def test_modules_go_with_their_kernel() -> None:
    """Kernels of a program, on the runtime's own driver."""

    @tl.function
    def scaled(x: tl.f64[:]):
        return x * 2.0 + tl.sum(x)

    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    x = numbers(0)
    with (
        emulated_cuda(keeps_kernels=True),
        mock.patch("tapeless.runtime.cuda.calls.driver", lambda: gpu),
        mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu),
    ):
        data = tl.compile(scaled, target="cuda").to_bytes()
        gc.collect()
        for _ in range(5):
            kernel = tl.load(data)
            for _ in range(3):
                np.testing.assert_allclose(kernel(x), x * 2.0 + np.sum(x), rtol=1e-12)
            assert cuda.count(MODULE) > 0
            del kernel
            assert cuda.count(MODULE) == cuda.count(GRAPH) == len(cuda.buffers) == 0


def test_constants_that_find_no_room_leave_nothing() -> None:
    cuda = FakeCuda(limit=1200)
    gpu = fake_driver(cuda)
    calls = copying(gpu, constants=3)
    with pytest.raises(MemoryError, match=r"cannot give 512 bytes.*torch\.cuda\.empty_cache\(\)"):
        calls.general(numbers(0))
    with gpu.turns:
        assert (gpu.pool.live, gpu.pool.users, len(cuda.buffers)) == (0, 0, 0)
    cuda.limit = 1 << 20
    np.testing.assert_array_equal(calls.general(numbers(0)), numbers(0))


def test_an_allocation_gets_what_others_left() -> None:
    """What is kept goes back to the driver before an allocation fails, whichever stream it is at home on."""
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    calls = copying(gpu)
    results = [calls.general(libraries.WithStream(cuda, (4096,), cuda.stream())) for _ in range(6)]
    del results
    cuda.limit = sum(map(len, cuda.buffers.values())) + 1024
    np.testing.assert_array_equal(calls.general(np.ones(8192)), np.ones(8192))


def test_memory_is_counted_and_given_back() -> None:
    cuda = FakeCuda(limit=1 << 20)
    gpu = fake_driver(cuda)
    with mock.patch.object(driver_module, "driver", lambda: gpu):
        calls = copying(gpu)
        assert tl.cuda.memory() == (0, 0, 0, 1 << 20, 1 << 20)
        for _ in range(3):
            calls.general(numbers(0))
        found = tl.cuda.memory()
        assert found.live == SMALLEST < found.cached <= found.peak  # where kernels report failures
        assert found.free == found.total - sum(map(len, cuda.buffers.values()))
        assert tl.cuda.trim() == found.live + found.cached
        assert tl.cuda.memory()[:2] == (0, 0)
        assert not cuda.buffers and not cuda.count(GRAPH)
        np.testing.assert_array_equal(calls.general(numbers(1)), numbers(1))


def test_without_a_gpu_it_is_said() -> None:
    with mock.patch.object(driver_module, "Library", side_effect=tl.TargetError("there is no NVIDIA driver")):
        for work in (tl.cuda.memory, tl.cuda.trim):
            driver_module.driver.cache_clear()
            with pytest.raises(tl.TargetError, match="there is no NVIDIA driver"):
                work()


def test_nothing_of_a_gpu_is_imported_before_it_is_used() -> None:
    text = "import sys, tapeless as tl; tl.cuda.Memory; print('tapeless.runtime.cuda.driver' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_code_for_a_newer_generation_names_both() -> None:
    calls = CudaCalls(code(architecture="sm_100"), ["x"], "f", fake_driver(FakeCuda()))
    with pytest.raises(tl.TargetError, match=r"from sm_100 on, and this one is sm_90; compile it with target='cuda'"):
        calls.general(numbers(0))


def in_a_fork(work: Any) -> str:
    """What a forked process says."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, str(work()).encode())
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_told_to_be_spawned() -> None:
    """What the driver says is of no use there; what goes, is left to the process that it belongs to."""
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    calls = copying(gpu, constants=1)
    calls.general(numbers(0))
    told = "TargetError: CUDA was in use before this process was forked, "
    assert in_a_fork(lambda: calls.general(numbers(0))).startswith(told)
    with gpu.turns:
        assert in_a_fork(lambda: calls.general(numbers(0))).startswith(told)
    assert "get_context('spawn')" in in_a_fork(lambda: fake_driver(cuda))
    with mock.patch("tapeless.runtime.bundle.cuda.driver", lambda: gpu):
        assert obstacle({"architecture": "sm_90"}) is None
        assert "a forked process cannot use it" in in_a_fork(lambda: obstacle({"architecture": "sm_90"}))

    def goes() -> int:
        before = len(cuda.buffers)
        calls.__dict__.pop("_loaded")
        gc.collect()
        return len(cuda.buffers) - before

    assert in_a_fork(goes) == "0"
    np.testing.assert_array_equal(calls.general(numbers(1)), numbers(1))


ENDS = """
import atexit, ctypes, sys
sys.path.insert(0, {tests!r})
import numpy as np
from emulated_gpu.fake_cuda import FakeCuda, fake_driver
from emulated_gpu import fake_libraries as libraries
from tapeless.runtime.cuda import driver as module
from unit.gpu.streams.copying import SHAPE, copying, numbers
from unittest import mock

cuda = FakeCuda()
with mock.patch.object(module, "Driver", lambda: fake_driver(cuda)):
    atexit.register(lambda: driver_is_gone())
    gpu = module.driver()
calls = copying(gpu, constants=1)
for round_ in range(3):
    calls.general(numbers(round_))
result = calls.general(libraries.WithStream(cuda, SHAPE, 1))
circle = [calls, result]
circle.append(circle)
taken = result.__dlpack__()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(taken))  # by somebody who never gives it back
del result, circle
def driver_is_gone():
    for name in [name for name in dir(cuda) if name.startswith("cu")]:
        setattr(cuda, name, lambda *arguments: print("the driver was called") or 4)
    gpu.library.__dict__.clear()
    gpu.library._library = cuda
"""


def test_a_process_ends_with_kernels_and_results_alive() -> None:
    """The driver may be gone before them, and is not called any more."""
    program = ENDS.format(tests=str(TESTS))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_results_that_go_when_modules_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that Python does not know of may hold a result to the last."""
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    result = copying(gpu).general(libraries.WithStream(cuda, SHAPE, LEGACY))
    gpu.turns.end()
    for name in ("sys", "partial", "suppress", "CURRENT", "_free"):
        monkeypatch.setattr(arrays, name, None)
    result.__del__()
    assert gpu.pool.live == 512


def test_the_first_gpu_is_made_once() -> None:
    made = []
    with mock.patch.object(driver_module, "Driver", lambda: made.append(fake_driver(FakeCuda())) or made[-1]):
        driver_module.driver.cache_clear()
        first = driver_module.driver()
        assert driver_module.driver() is first
        assert isinstance(first, Driver)
    driver_module.driver.cache_clear()
