"""Calls whose arguments are as those of an earlier call are not checked again, and others are."""

from __future__ import annotations

import json
import math
import sys
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu import fake_libraries as libraries
from emulated_gpu.fake_cuda import FakeCuda, fake_driver
from emulated_gpu.fake_libraries import Side, install
from tapeless.abi import Abi, Parameter, Result
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda import calls as calls_module
from tapeless.runtime.cuda.calls import CudaCalls
from tapeless.runtime.cuda.identities import Identities
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_source import Ptx

from .copying import SHAPE, copying, elements, numbers


def checks_of(calls: CudaCalls, *arguments: Any) -> tuple[int, Any]:
    """How often arguments are checked in a call, and its result."""
    with mock.patch.object(calls_module, "Sources", wraps=calls_module.Sources) as sources:
        result = calls.general(*arguments)
    return sources.call_count, result


@pytest.fixture
def working(monkeypatch: pytest.MonkeyPatch) -> tuple[FakeCuda, int]:
    cuda = FakeCuda()
    stream = cuda.stream()
    install(monkeypatch, libraries.Tensor, "torch", lambda: Side(stream))
    return cuda, stream


def test_a_call_that_comes_again_is_known(working: tuple[FakeCuda, int]) -> None:
    cuda, stream = working
    calls, x = copying(fake_driver(cuda)), libraries.Tensor(cuda, SHAPE, stream)
    counts = []
    for round_ in range(4):
        x.write_late(numbers(round_))
        count, result = checks_of(calls, x)
        np.testing.assert_array_equal(elements(result.address), numbers(round_))
        counts.append(count)
    assert counts == [1, 0, 0, 0]


def test_results_are_tensors_of_torch(working: tuple[FakeCuda, int]) -> None:
    cuda, stream = working
    gpu = fake_driver(cuda)
    calls, x = copying(gpu), libraries.Tensor(cuda, SHAPE, stream)
    x.write_late(numbers(0))
    for _ in range(3):
        live = gpu.pool.live
        result = calls.general(x)
        assert type(result) is libraries.Tensor and result.home is libraries.Tensor.allocator
        assert gpu.pool.live <= live + 512  # what kernels report to


def test_the_pool_gives_back_what_torch_lacks(working: tuple[FakeCuda, int], monkeypatch: pytest.MonkeyPatch) -> None:
    cuda, stream = working
    gpu = fake_driver(cuda)
    calls, x = copying(gpu), libraries.Tensor(cuda, SHAPE, stream)
    x.write_late(numbers(0))
    calls.general(numbers(1))
    assert gpu.pool.cached
    allocator: Any = libraries.Tensor.allocator
    empty = allocator.empty

    def scarce(*arguments: Any, **named: Any) -> Any:
        if gpu.pool.cached:
            raise MemoryError("no more")
        return empty(*arguments, **named)

    torch = sys.modules["torch"]
    monkeypatch.setattr(torch, "empty", scarce)
    np.testing.assert_array_equal(elements(calls.general(x).address), numbers(0))
    monkeypatch.setattr(torch, "empty", mock.Mock(side_effect=MemoryError("none at all")))
    with pytest.raises(
        MemoryError, match=r"torch has no memory for a result of shape \(64,\); .* let go of tensors \(none at all\)"
    ):
        calls.general(x)


CHANGES = {
    "another type": ("dtype", "float32"),
    "another GPU": ("device", "cuda:1"),
    "a gradient is asked for": ("requires_grad", True),
    "gaps": ("is_contiguous", lambda: False),
    "a sign that waits": ("is_neg", lambda: True),
    "another size": ("shape", (32,)),
    "another place": ("address", None),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_checked(working: tuple[FakeCuda, int], change: str) -> None:
    cuda, stream = working
    calls, x = copying(fake_driver(cuda)), libraries.Tensor(cuda, SHAPE, stream)
    for _ in range(3):
        calls.general(x)
    name, value = CHANGES[change]
    setattr(x, name, cuda.memory(8 * SHAPE[0]) if value is None else value)
    assert checks_of(calls, x)[0] == 1


def test_numbers_are_known_by_their_bits() -> None:
    """0.0 and -0.0 are equal, and a recording of one must not be taken for the other."""
    text = json.dumps(
        {"version": 1, "kernels": {}, "constants": [], "steps": [{"do": "return", "values": [{"value": "a0"}]}]}
    )
    abi = Abi((Parameter("scalar", "f64", ()),), (Result("scalar", "f64", "returned", ()),))
    calls = CudaCalls(
        CompiledCode("f", DeviceImage(Ptx(b""), text, "sm_90"), abi, ()), ["x"], "f", fake_driver(FakeCuda())
    )
    for _ in range(3):
        for value in (0.0, -0.0, np.float64(-0.0), 2.0, math.inf):
            assert float.hex(calls.general(value)) == float.hex(float(value))
        assert math.isnan(calls.general(math.nan))


def test_types_of_numbers_are_told_apart() -> None:
    of = Identities().of
    values = [0.0, -0.0, 0, False, np.float32(0.0), np.float32(-0.0), np.float64(0.0), np.int32(0), np.bool_(False)]
    found = [of([value]) for value in values]
    assert len(set(found)) == len(values) and None not in found
    assert of([math.nan]) == of([math.nan])
    assert of([np.zeros(3)]) is None and of(["text"]) is None


def test_arrays_of_jax_are_known_when_they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Array(libraries.WithReadiness):
        dtype = "float64"

        def unsafe_buffer_pointer(self) -> int:
            return self.address

    cuda = FakeCuda()
    stream = cuda.stream()
    install(monkeypatch, Array, "jaxlib", lambda: Side(stream))
    monkeypatch.setitem(sys.modules, "jax", sys.modules["jaxlib"])
    calls, x = copying(fake_driver(cuda)), Array(cuda, SHAPE, stream)
    counts = []
    for round_ in range(6):
        x.write_late(numbers(round_))
        if round_ % 2 == 0:
            cuda.streams.finish_all()
        count, result = checks_of(calls, x)
        np.testing.assert_array_equal(elements(result.address), numbers(round_))
        counts.append(count)
    assert counts == [1, 1, 0, 1, 0, 1]


def test_arrays_of_two_libraries_are_always_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a stream of its own, and a known call waits for one."""
    cuda = FakeCuda()
    stream = cuda.stream()
    install(monkeypatch, libraries.Tensor, "torch", lambda: Side(stream))
    steps = [{"do": "copy", "to": "o0", "from": "a1", "bytes": ["muli", "index", "a1.0", 8]}]
    text = json.dumps({"version": 1, "kernels": {}, "constants": [], "steps": [*steps, {"do": "return", "values": []}]})
    array = Parameter("array", "f64", (None,))
    abi = Abi((array, array), (Result("array", "f64", "out", (["dim", 0, 0],)),))
    gpu = fake_driver(cuda)
    calls = CudaCalls(CompiledCode("f", DeviceImage(Ptx(b""), text, "sm_90"), abi, ()), ["x", "y"], "f", gpu)
    own = copying(gpu).general(libraries.WithStream(cuda, SHAPE, cuda.stream()))
    x = libraries.Tensor(cuda, SHAPE, stream)
    for round_ in range(3):
        x.write_late(numbers(round_))
        count, result = checks_of(calls, own, x)
        np.testing.assert_array_equal(elements(result.address), numbers(round_))
        assert count == 1


def test_a_known_call_in_a_capture_is_refused(working: tuple[FakeCuda, int]) -> None:
    cuda, stream = working
    gpu = fake_driver(cuda)
    calls, x = copying(gpu), libraries.Tensor(cuda, SHAPE, stream)
    for _ in range(3):
        calls.general(x)
    with (
        mock.patch.object(type(gpu), "is_recording", return_value=True),
        pytest.raises(tl.TargetError, match="is being captured in a graph"),
    ):
        calls.general(x)


def test_few_calls_are_known(working: tuple[FakeCuda, int], monkeypatch: pytest.MonkeyPatch) -> None:
    cuda, stream = working
    monkeypatch.setattr(calls_module, "MOST_KNOWN", 3)
    calls = copying(fake_driver(cuda))
    for _ in range(8):
        calls.general(libraries.Tensor(cuda, SHAPE, stream))
        assert len(calls._known) <= 3


def test_results_in_ever_new_places_come_from_the_pool(working: tuple[FakeCuda, int]) -> None:
    """Torch puts each result elsewhere while others are held; a recording is for one place."""
    cuda, stream = working
    gpu = fake_driver(cuda)
    calls, x = copying(gpu), libraries.Tensor(cuda, SHAPE, stream)
    held = []
    for round_ in range(calls_module.MOST_MISSES + 6):
        x.write_late(numbers(round_))
        held.append(calls.general(x))
        np.testing.assert_array_equal(elements(held[-1].address), numbers(round_))
    assert isinstance(held[0], libraries.Tensor) and isinstance(held[-1], libraries.Taken)
    held.clear()
    for round_ in range(4):
        x.write_late(numbers(round_))
        np.testing.assert_array_equal(elements(calls.general(x).address), numbers(round_))
    assert calls._loaded.graphs is not None and calls._loaded.graphs.has_replayed


def test_results_of_many_launches_come_from_the_pool(
    working: tuple[FakeCuda, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda, stream = working
    monkeypatch.setattr(calls_module, "MANY_LAUNCHES", -1)
    calls, x = copying(fake_driver(cuda)), libraries.Tensor(cuda, SHAPE, stream)
    x.write_late(numbers(0))
    kinds = [type(calls.general(x)) for _ in range(4)]
    assert kinds == [libraries.Tensor, *[libraries.Taken] * 3]
    assert calls._loaded.graphs is not None and calls._loaded.graphs.has_replayed
