"""Kernels on memory of a program that XLA compiled, after what is queued on its stream; call frames are made here."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_cuda import FakeCuda, fake_driver
from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_cuda
from tapeless.runtime.cuda import xla
from tapeless.runtime.cuda.device import Piece
from tapeless.runtime.xla_frames import (
    ADDRESS,
    GET,
    I32,
    I64,
    INVALID_ARGUMENT,
    METADATA,
    NOT_FOUND,
    STRING,
    Api,
    Attributes,
    Buffer,
    Buffers,
    ErrorArguments,
    Exchanged,
    Extension,
    Frame,
    Metadata,
    StreamArguments,
    Text,
)

from .copying import SHAPE, copying, elements, numbers

NUMPY_TYPES = {"float64": 12, "float32": 11, "int64": 5, "int32": 4, "uint32": 8, "bool": 1}
F64 = 12


def test_operands_are_waited_for_and_results_are_there() -> None:
    cuda = FakeCuda()
    gpu, stream = fake_driver(cuda), cuda.stream()
    calls = copying(gpu)
    source, target = cuda.memory(512), cuda.memory(512)
    for round_ in range(4):
        late = numbers(round_)
        cuda.streams.queue(stream, lambda late=late: ctypes.memmove(source, late.ctypes.data, late.nbytes))
        calls.into(stream, [Exchanged(F64, source, SHAPE)], [Exchanged(F64, target, SHAPE)])
        np.testing.assert_array_equal(elements(target), late)


def test_memory_of_another_size_is_refused() -> None:
    cuda = FakeCuda()
    calls, stream, memory = copying(fake_driver(cuda)), cuda.stream(), cuda.memory(512)
    with pytest.raises(tl.ShapeMismatch, match="the program has memory for"):
        calls.into(stream, [Exchanged(F64, memory, SHAPE)], [Exchanged(F64, memory, (3,))])


@tl.function
def mixed(x: tl.f64[:, 2], i: tl.i64, s: tl.f32, flags: tl.bool_[:]):
    return x * x[i, 0], tl.sum(x), s * 2.0, i + 1, flags, tl.sum(x) > 1.0


class Called(Exception):
    """An error that the function gave to XLA."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def call(gpu: FakeGpu, digest: str, operands: Sequence[np.ndarray], results: Sequence[np.ndarray]) -> None:
    """Calls the function as XLA does, with copies on the GPU."""
    errors, kept, asked = [], [], []

    @GET
    def create_error(address: int) -> int:
        arguments = ErrorArguments.from_address(address)
        errors.append(Called(arguments.code, arguments.message.decode()))
        return 1

    @GET
    def get_stream(address: int) -> None:
        arguments = StreamArguments.from_address(address)
        asked.append(arguments.context)
        arguments.stream = 1

    api = Api(create_error=create_error, get_stream=get_stream)
    places = [gpu.pool.allocate(max(each.nbytes, 1)) for each in (*operands, *results)]
    for place, each in zip(places, operands, strict=False):
        gpu.upload(place, each.ctypes.data, each.nbytes)
    texts = [ctypes.create_string_buffer(text.encode()) for text in ("kernel", digest)]
    name, value = (Text(ctypes.addressof(text), len(text) - 1) for text in texts)
    kinds, names, values = (I32 * 1)(STRING), (ADDRESS * 1)(), (ADDRESS * 1)()
    names[0], values[0] = ctypes.addressof(name), ctypes.addressof(value)
    frame = Frame(
        api=ctypes.addressof(api),
        context=77,
        operands=_buffers(operands, places, kept),
        results=_buffers(results, places[len(operands) :], kept),
        attributes=Attributes(0, None, 1, *map(ctypes.addressof, (kinds, names, values))),
    )
    try:
        found = xla.xla_call(ctypes.addressof(frame))
        assert bool(found) == bool(errors)
        if errors:
            raise errors[0]
        assert asked == [77]
        for place, each in zip(places[len(operands) :], results, strict=True):
            gpu.download([Piece(each.ctypes.data, place, each.nbytes)])
    finally:
        for place in places:
            gpu.pool.free(place)


def _buffers(arrays: Sequence[np.ndarray], places: Sequence[int], kept: list[Any]) -> Buffers:
    made = []
    for each, place in zip(arrays, places, strict=False):
        sizes = (I64 * max(each.ndim, 1))(*each.shape)
        made.append(Buffer(0, None, NUMPY_TYPES[each.dtype.name], place, each.ndim, ctypes.addressof(sizes)))
        kept.append(sizes)
    pointers = (ADDRESS * len(made))(*map(ctypes.addressof, made))
    kept += [made, pointers]
    return Buffers(0, None, len(made), None, ctypes.addressof(pointers))


X, FLAGS = np.arange(1.0, 7.0).reshape(3, 2), np.array([True, False])


def operands(i: Any = 1, x: np.ndarray = X) -> list[np.ndarray]:
    return [x, np.array(i), np.array(0.25, np.float32), FLAGS]


def results() -> list[np.ndarray]:
    numbers = [np.zeros((), dtype) for dtype in (np.float64, np.float32, np.int64)]
    return [np.zeros((3, 2)), *numbers, np.zeros(2, np.bool_), np.zeros((), np.bool_)]


def test_frames_of_xla() -> None:
    with emulated_cuda(keeps_kernels=True) as gpu:
        kernel = mixed.lower(target="cuda")
        digest = xla.exported(kernel)
        for index in (1, 2, np.int32(0)):
            found = results()
            call(gpu, digest, operands(index), found)
            for ours, expected in zip(found, mixed(X, int(index), np.float32(0.25), FLAGS), strict=True):
                np.testing.assert_allclose(ours, expected, rtol=1e-12)
        with pytest.raises(Called, match=r"IndexOutOfRange: .*test_xla.py:\d+: index 5 is out of range") as error:
            call(gpu, digest, operands(5), results())
        assert error.value.code == INVALID_ARGUMENT
        with pytest.raises(Called, match="no kernel of the digest") as error:
            call(gpu, "0" * 64, operands(), results())
        assert error.value.code == NOT_FOUND
        for wrong in (operands()[:-1], operands(x=X.astype(np.float32)), operands(x=X[0])):
            with pytest.raises(Called, match="are not those of"):
                call(gpu, digest, wrong, results())
        with pytest.raises(Called, match="are not those of"):
            call(gpu, digest, operands(), [np.zeros((3, 2), np.float32), *results()[1:]])


def test_the_version_is_told_without_a_call() -> None:
    metadata = Metadata(struct_size=ctypes.sizeof(Metadata), major=-1, minor=-1)
    extension = Extension(ctypes.sizeof(Extension), METADATA, None, ctypes.addressof(metadata))
    frame = Frame(extensions=ctypes.addressof(extension))
    assert xla.xla_call(ctypes.addressof(frame)) is None
    assert (metadata.major, metadata.minor, metadata.traits) == (0, 3, 0)
