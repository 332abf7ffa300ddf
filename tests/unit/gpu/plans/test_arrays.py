"""Arrays that lie on the GPU already: used in place, checked, and given back in the caller's kind."""

from __future__ import annotations

import ctypes
import json
import sys
import types
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_cuda
from tapeless.abi import Abi, Parameter, Result
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda import dlpack
from tapeless.runtime.cuda.calls import CudaCalls
from tapeless.runtime.cuda.device_array import DeviceArray
from tapeless.runtime.cuda.dlpack import NAME, ManagedTensor
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.cuda.kernel_source import Ptx

COPY = {
    "version": 1,
    "kernels": {},
    "steps": [
        {"do": "copy", "to": "o0", "from": "a0", "bytes": ["muli", "index", ["muli", "index", "a0.0", 3], 8]},
        {"do": "return", "values": []},
    ],
}
ABI = Abi(
    (Parameter("array", "f64", (None, 3)),),
    (Result("array", "f64", "out", (["dim", 0, 0], 3)),),
)


def copying(gpu: FakeGpu) -> Any:
    return CudaCalls(
        CompiledCode("f", DeviceImage(Ptx(b""), json.dumps(COPY), "sm_90"), ABI, ()), ["x"], "f", gpu
    ).general


class Array:
    """An array of a library for GPUs; its memory is a numpy array."""

    def __init__(self, data: np.ndarray, strides: tuple[int, ...] | None = None) -> None:
        self.data = data
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": data.shape,
            "typestr": data.dtype.str,
            "data": (data.ctypes.data, False),
            "strides": strides,
        }


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A library by the name of one that is known."""
    module = types.ModuleType("cupy")
    module.asarray = lambda array: ("cupy", array)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(Array, "__module__", "cupy")
    return module


def test_arrays_are_used_in_place_and_given_back_in_kind(cupy: types.ModuleType) -> None:
    gpu = FakeGpu()
    x = np.arange(12.0).reshape(4, 3)
    kind, found = copying(gpu)(Array(x))
    assert kind == "cupy"
    assert isinstance(found, DeviceArray)
    assert found.shape == (4, 3)
    assert not any(call[0] == "upload" for call in gpu.calls)
    seen = np.ctypeslib.as_array((ctypes.c_double * 12).from_address(found.address)).reshape(4, 3)
    assert np.array_equal(seen, x)
    live = gpu.pool.live
    del found
    with gpu.turns:
        assert gpu.pool.live < live


def test_arrays_that_start_anywhere_are_copied(cupy: types.ModuleType) -> None:
    """Kernels access 16 bytes at once."""
    gpu = FakeGpu()
    memory = np.arange(40.0)
    start = 1 if memory.ctypes.data % 16 == 0 else 0
    x = memory[start : start + 12].reshape(4, 3)
    _, found = copying(gpu)(Array(x))
    seen = np.ctypeslib.as_array((ctypes.c_double * 12).from_address(found.address)).reshape(4, 3)
    assert np.array_equal(seen, x)
    assert [call[0] for call in gpu.calls].count("copy") == 2


def test_functions_take_arrays_on_a_gpu(cupy: types.ModuleType) -> None:
    """Types are found without annotations; a kernel for the CPU says what to do."""

    @tl.function
    def doubled(x):
        return x * 2.0

    x = Array(np.arange(6.0).reshape(2, 3))
    with emulated_cuda():
        kind, found = tl.jit(doubled, target="cuda")(x)
        seen = np.ctypeslib.as_array((ctypes.c_double * 6).from_address(found.address))
        assert kind == "cupy"
        assert np.array_equal(seen, 2 * np.arange(6.0))
    with pytest.raises(TypeMismatch, match=r"'x' is an array on a GPU; .*target='cuda'"):
        doubled(x)


def test_numpy_arrays_come_back_as_numpy() -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert np.array_equal(copying(FakeGpu())(x), x)
    assert copying(FakeGpu())(np.zeros((0, 3))).shape == (0, 3)


def test_what_does_not_fit_is_refused(cupy: types.ModuleType) -> None:
    call = copying(FakeGpu())
    with pytest.raises(TypeMismatch, match=r"not contiguous.*cupy\.ascontiguousarray\(x\)"):
        call(Array(np.zeros((4, 3)), strides=(8, 32)))
    with pytest.raises(TypeMismatch, match="float32"):
        call(Array(np.zeros((4, 3), np.float32)))
    with pytest.raises(TypeMismatch, match="1 dimension"):
        call(Array(np.zeros(4)))
    with pytest.raises(ShapeMismatch, match="has size 4 in dimension 1"):
        call(Array(np.zeros((3, 4))))


def test_capsules_describe_the_array_and_keep_it_alive() -> None:
    freed: list[int] = []
    array = DeviceArray(4096, (2, 5), np.dtype(np.float32), 0, freed.append)
    capsule = array.__dlpack__(stream=1)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    managed = ManagedTensor.from_address(pointer(capsule, NAME))
    tensor = managed.tensor
    assert (tensor.data, tensor.ndim, tensor.code, tensor.bits, tensor.lanes) == (4096, 2, 2, 32, 1)
    assert tensor.shape[:2] == [2, 5]
    assert array.__dlpack_device__() == (2, 0)
    del array
    assert not freed
    managed.deleter(ctypes.byref(managed))
    assert freed == [4096]


def test_arrays_that_outlive_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that gives an array back after Python has ended calls nothing of it."""
    monkeypatch.setattr(dlpack, "_lent", {})
    freed: list[int] = []
    capsule = DeviceArray(4096, (3,), np.dtype(float), 0, freed.append).__dlpack__()
    managed = next(iter(dlpack._lent.values()))[0]
    dlpack._forget()
    managed.deleter(ctypes.byref(managed))
    assert not freed
    del capsule
    dlpack._lent.clear()
    assert freed == [4096]
