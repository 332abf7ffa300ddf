"""Arguments that are still being made and results that are still being read, on streams where everything is late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu import fake_libraries as libraries
from emulated_gpu.fake_cuda import FakeCuda, fake_driver
from emulated_gpu.fake_libraries import Bare, Side, install
from emulated_gpu.late_streams import LEGACY, PER_THREAD
from tapeless.runtime.cuda.pool import OWN

from .copying import PLANS, SHAPE, copying, elements, kernel, numbers, read_late

CALLS = 4  # the first, the one that is recorded, and those that are replayed


@dataclass(frozen=True)
class Producer:
    """A kind of arrays: the stream that they are made on, and the package that they come from."""

    kind: type[Bare]
    stream: Callable[[FakeCuda], int] = lambda cuda: cuda.stream()
    package: str | None = None


def _blocking(cuda: FakeCuda) -> int:
    return cuda.stream(is_blocking=True)


PRODUCERS = {
    "interface, default stream": Producer(libraries.WithStream, lambda cuda: LEGACY),
    "interface, per thread": Producer(libraries.WithStream, lambda cuda: PER_THREAD),
    "interface, handle": Producer(libraries.WithStream),
    "interface, handle of a blocking stream": Producer(libraries.WithStream, _blocking),
    "interface without a stream": Producer(libraries.WithoutStream, lambda cuda: LEGACY),
    "interface of the second version": Producer(libraries.SecondVersion, lambda cuda: LEGACY),
    "DLPack only": Producer(libraries.Capsuled),
    "torch, side stream": Producer(libraries.Tensor, package="torch"),
    "torch, default stream": Producer(libraries.Tensor, lambda cuda: 0, "torch"),
    "CuPy, side stream": Producer(libraries.WithStream, package="cupy"),
    "CuPy, blocking side stream": Producer(libraries.WithStream, _blocking, "cupy"),
    "JAX": Producer(libraries.WithBoth, package="jax"),
    "JAX that knows what is there": Producer(libraries.WithReadiness, package="jax"),
    "JAX without a handshake": Producer(libraries.WithoutHandshake, package="jax"),
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("producer", PRODUCERS)
def test_arguments_are_waited_for(monkeypatch: pytest.MonkeyPatch, producer: str, plan: str) -> None:
    """Results are there when a call returns, and nothing is written over them that the caller's stream has to read."""
    found, cuda = PRODUCERS[producer], FakeCuda()
    stream = found.stream(cuda)
    if found.package is not None:
        install(monkeypatch, found.kind, found.package, lambda: Side(stream))
    gpu = fake_driver(cuda)
    calls, others = copying(gpu, plan), copying(gpu, plan)
    x, other = found.kind(cuda, SHAPE, stream), libraries.WithStream(cuda, SHAPE, cuda.stream())
    for round_ in range(CALLS):
        x.write_late(numbers(round_))
        result = calls.general(x)
        np.testing.assert_array_equal(elements(result.address), numbers(round_))
        read = read_late(cuda, stream, result.address)
        address = result.address
        del result
        other.write_late(numbers(100 + round_))
        between = [others.general(other), calls.general(other), others.general(numbers(200))]
        if found.package != "jax" and producer != "DLPack only":  # these let go of arrays when they are done with them
            assert address not in [each.address for each in between[:2]]
            cuda.streams.finish_all()
            np.testing.assert_array_equal(read[0], numbers(round_))
        np.testing.assert_array_equal(elements(between[0].address), numbers(100 + round_))
        del between


@pytest.mark.parametrize("producer", [name for name in PRODUCERS if PRODUCERS[name].package != "jax"])
def test_the_same_stream_gets_the_same_memory(monkeypatch: pytest.MonkeyPatch, producer: str) -> None:
    """Calls of one stream come after what it does with results, so that they find their recordings again."""
    found, cuda = PRODUCERS[producer], FakeCuda()
    stream = found.stream(cuda)
    if found.package is not None:
        install(monkeypatch, found.kind, found.package, lambda: Side(stream))
    calls = copying(fake_driver(cuda))
    x, addresses, reads = found.kind(cuda, SHAPE, stream), set(), []
    for round_ in range(CALLS):
        x.write_late(numbers(round_))
        result = calls.general(x)
        reads.append(read_late(cuda, stream, result.address))
        addresses.add(result.address)
        del result
    assert len(addresses) == 1
    if producer != "DLPack only":
        cuda.streams.finish_all()
        for round_, read in enumerate(reads):
            np.testing.assert_array_equal(read[0], numbers(round_))


FORMS: dict[str, Callable[[int], Any]] = {
    "handle": lambda stream: stream,
    "numpy's integer": np.int64,
    "cuda_stream": lambda stream: type("Stream", (), {"cuda_stream": stream})(),
    "ptr": lambda stream: type("Stream", (), {"ptr": stream})(),
    "protocol": lambda stream: type("Stream", (), {"__cuda_stream__": lambda self: (0, stream)})(),
    "protocol, as a property": lambda stream: type("Stream", (), {"__cuda_stream__": (0, stream)})(),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("place", [0, LEGACY, PER_THREAD, None])
def test_a_stream_is_named(monkeypatch: pytest.MonkeyPatch, form: str, place: int | None) -> None:
    """Torch works elsewhere than on the stream that makes the argument."""
    cuda = FakeCuda()
    current = cuda.stream()
    install(monkeypatch, libraries.Tensor, "torch", lambda: Side(current))
    stream = cuda.stream() if place is None else place
    call, x = kernel(fake_driver(cuda)), libraries.Tensor(cuda, SHAPE, stream)
    for round_ in range(CALLS):
        x.write_late(numbers(round_))
        result = call(x, stream=FORMS[form](stream))
        np.testing.assert_array_equal(elements(result.address), numbers(round_))
    np.testing.assert_array_equal(call(x=numbers(9), stream=stream), numbers(9))


@pytest.mark.parametrize("wrong", ["side", True, 1.5, -1, object(), [1]])
def test_what_is_no_stream_is_refused(wrong: Any) -> None:
    with pytest.raises(tl.ArgumentError, match=r"is no stream; pass an integer handle or an object with"):
        kernel(fake_driver(FakeCuda()))(numbers(0), stream=wrong)


def test_a_handle_of_no_stream_is_refused() -> None:
    with pytest.raises(tl.TargetError, match="0x77 is no stream of GPU 0; pass one of this GPU"):
        kernel(fake_driver(FakeCuda()))(numbers(0), stream=0x77)


def test_a_parameter_may_have_the_name() -> None:
    def scaled(stream: tl.f64[:]):
        return stream * 2.0

    call = tl.compile(scaled)
    np.testing.assert_array_equal(call(stream=numbers(0)), numbers(0) * 2.0)

    def other(x: tl.f64[:]):
        return x * 2.0

    with pytest.raises(tl.ArgumentError, match="this kernel runs on the CPU; leave it out"):
        tl.compile(other)(numbers(0), stream=3)


@pytest.mark.parametrize(
    "package, kind",
    [("cupy", libraries.WithStream), ("torch", libraries.Capsuled)],
    ids=["CuPy", "DLPack, taken by torch"],
)
def test_memory_waits_for_the_stream_that_lets_go_of_it(
    monkeypatch: pytest.MonkeyPatch, package: str, kind: type[Bare]
) -> None:
    """A result is read on another stream than that of the call, and let go of there."""
    cuda = FakeCuda()
    stream, reader = cuda.stream(), cuda.stream()
    working = [stream]
    install(monkeypatch, libraries.Tensor if kind is libraries.Capsuled else kind, package, lambda: Side(working[0]))
    gpu = fake_driver(cuda)
    calls, x = copying(gpu), kind(cuda, SHAPE, stream)
    x.write_late(numbers(0))
    result = calls.general(x)
    address, read = result.address, read_late(cuda, reader, result.address)
    working[0] = reader
    del result
    working[0] = stream
    x.write_late(numbers(1))
    results = [calls.general(x) for _ in range(3)]
    assert address not in [each.address for each in results]
    assert not read
    cuda.streams.finish_all()
    np.testing.assert_array_equal(read[0], numbers(0))
    assert calls.general(x).address == address


def test_streams_that_come_and_go_leave_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    calls = copying(gpu)
    monkeypatch.setattr("tapeless.runtime.cuda.pool.MOST_ELSEWHERE", 2048)
    for _ in range(40):
        calls.general(libraries.WithStream(cuda, SHAPE, cuda.stream()))
    with gpu.turns:
        assert gpu.pool.cached <= 4096
    assert gpu.pool.at_home == OWN


def test_results_say_that_nobody_has_to_wait() -> None:
    cuda = FakeCuda()
    result = copying(fake_driver(cuda)).general(libraries.WithStream(cuda, SHAPE, LEGACY))
    assert result.__cuda_array_interface__["stream"] is None
    for stream in (None, -1, 1, 2, cuda.stream()):
        result.__dlpack__(stream=stream, max_version=(1, 0), dl_device=(2, 0), copy=False)
    for stream in (0, -2):
        with pytest.raises(ValueError, match="ambiguous"):
            result.__dlpack__(stream=stream)
    with pytest.raises(BufferError, match="lies on GPU 0"):
        result.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="copy=True"):
        result.__dlpack__(copy=True)


def test_arrays_that_are_ready_need_no_handshake(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = FakeCuda()
    stream = cuda.stream()
    install(monkeypatch, libraries.WithReadiness, "jax", lambda: Side(stream))
    calls = copying(fake_driver(cuda))
    x = libraries.WithReadiness(cuda, SHAPE, stream)
    x.write_late(numbers(0))
    for handshakes in (1, 1):  # the first call waits until they are there
        np.testing.assert_array_equal(elements(calls.general(x).address), numbers(0))
        assert x.handshakes == handshakes
        cuda.streams.finish_all()


def test_results_are_arguments_without_a_wait() -> None:
    cuda = FakeCuda()
    calls = copying(fake_driver(cuda))
    x = libraries.WithStream(cuda, SHAPE, cuda.stream())
    x.write_late(numbers(0))
    again = calls.general(calls.general(x))
    np.testing.assert_array_equal(elements(again.address), numbers(0))


def test_capsules_that_nobody_takes_give_the_array_back() -> None:
    cuda = FakeCuda()
    gpu = fake_driver(cuda)
    result = copying(gpu).general(libraries.WithStream(cuda, SHAPE, LEGACY))
    capsule = result.__dlpack__()
    del result
    with gpu.turns:
        assert gpu.pool.live > 0
    del capsule
    with gpu.turns:
        assert gpu.pool.live == 0


def test_arrays_of_a_second_gpu_are_refused() -> None:
    cuda = FakeCuda()
    x = libraries.WithStream(cuda, SHAPE, LEGACY, cuda.memory(8 * SHAPE[0], number=1))
    with pytest.raises(tl.TargetError, match=r"'x' lies on GPU 1, .* GPU 0.*; copy it there, .*CUDA_VISIBLE_DEVICES=1"):
        copying(fake_driver(cuda)).general(x)


class Gradual(libraries.Capsuled):
    """As a tensor of torch that needs a gradient."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        raise RuntimeError("requires grad")

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        raise BufferError("tensors that require gradient")


def test_arrays_that_are_not_handed_on_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = FakeCuda()
    monkeypatch.setattr(Gradual, "__module__", "torch")
    message = r"'x' lies on a GPU, but .*\(tensors that require gradient\); pass x\.detach\(\)"
    with pytest.raises(tl.TypeMismatch, match=message):
        copying(fake_driver(cuda)).general(Gradual(cuda, SHAPE, LEGACY))
    with pytest.raises(tl.TypeMismatch, match=message):
        tl.jit(lambda x: x * 2.0, target="cuda:sm_90")(Gradual(cuda, SHAPE, LEGACY))
