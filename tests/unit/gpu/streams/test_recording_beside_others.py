"""Recordings of calls beside those of other libraries, on other threads and streams: neither spoils the other."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu import fake_libraries as libraries
from emulated_gpu.fake_cuda import FakeCuda, fake_driver
from emulated_gpu.fake_libraries import Side, install
from emulated_gpu.late_streams import GLOBAL, LEGACY, RELAXED, THREAD_LOCAL, Refused
from tapeless.runtime.cuda.pool import SMALLEST
from tapeless.runtime.cuda.recordings.stretches import Recording

from .copying import PLANS, SHAPE, copying, elements, numbers


def in_a_thread(work: Callable[[], Any]) -> None:
    """Has something done by another thread, and waits for it."""
    errors: list[BaseException] = []

    def attempt() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("place", ["default stream", "blocking stream", "side stream"])
def test_others_work_while_a_call_is_recorded(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """What another thread queues is not recorded, and does not spoil the recording."""
    cuda = FakeCuda()
    stream = LEGACY if place == "default stream" else cuda.stream(is_blocking=place == "blocking stream")
    calls, done = copying(fake_driver(cuda), "recorded in stretches"), []
    before = Recording._recorded

    def beside(self: Recording, work: Callable[[Any], Any], *rest: Any) -> Any:
        def both(device: Any) -> Any:
            in_a_thread(lambda: cuda.streams.queue(stream, lambda: done.append(place)))
            in_a_thread(cuda.streams.check_safe)
            in_a_thread(cuda.streams.synchronise_all)
            return work(device)

        return before(self, both, *rest)

    monkeypatch.setattr(Recording, "_recorded", beside)
    for round_ in range(4):
        np.testing.assert_array_equal(calls.general(numbers(round_)), numbers(round_))
    cuda.streams.synchronise(stream)
    assert len(done) >= 2


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("mode", [GLOBAL, THREAD_LOCAL, RELAXED])
def test_calls_leave_recordings_of_others_alone(mode: int, plan: str) -> None:
    """Another thread records on a stream of its own while calls allocate, load, wait, and give memory back."""
    cuda = FakeCuda()
    gpu, stream = fake_driver(cuda), cuda.stream()
    in_a_thread(lambda: cuda.streams.begin(stream, mode))
    calls = copying(gpu, plan, constants=2)
    for round_ in range(4):
        np.testing.assert_array_equal(calls.general(numbers(round_)), numbers(round_))
    x = libraries.WithStream(cuda, SHAPE, cuda.stream())
    x.write_late(numbers(5))
    np.testing.assert_array_equal(elements(calls.general(x).address), numbers(5))
    del calls
    with gpu.turns:
        gpu.pool.trim()
    cuda.streams.queue(stream, lambda: None)
    assert len(cuda.streams.end(stream)) == 1


@pytest.mark.parametrize("mode", [GLOBAL, THREAD_LOCAL, RELAXED])
def test_a_call_in_a_recording_of_the_same_thread_is_refused(monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    """It would have to wait for what is not done, but recorded."""
    cuda = FakeCuda()
    stream = cuda.stream()
    install(monkeypatch, libraries.Tensor, "torch", lambda: Side(stream))
    calls, x = copying(fake_driver(cuda)), libraries.Tensor(cuda, SHAPE, stream)
    x.write_late(numbers(0))
    cuda.streams.begin(stream, mode)
    with pytest.raises(tl.TargetError, match=r"being captured in a graph.*; call the kernel before or after"):
        calls.general(x)
    with pytest.raises(tl.TargetError, match="being captured in a graph"):
        calls.on_stream(stream, [numbers(1)])
    np.testing.assert_array_equal(calls.general(numbers(1)), numbers(1))
    np.testing.assert_array_equal(elements(calls.on_stream(cuda.stream(), [x]).address)[:0], numbers(1)[:0])
    cuda.streams.end(stream)


def test_a_recording_on_a_blocking_stream_forbids_the_default_stream() -> None:
    """As for everybody; the recording goes on."""
    cuda = FakeCuda()
    stream = cuda.stream(is_blocking=True)
    calls = copying(fake_driver(cuda))
    x = libraries.WithStream(cuda, SHAPE, LEGACY)
    cuda.streams.begin(stream, RELAXED)
    with pytest.raises(tl.TargetError, match="being captured in a graph"):
        calls.general(x)
    assert cuda.streams.end(stream) == []


def test_results_that_go_in_a_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch lets go of a result while it records on the stream that it works on."""
    cuda = FakeCuda()
    stream = cuda.stream()
    working = [cuda.stream()]
    install(monkeypatch, libraries.Tensor, "torch", lambda: Side(working[0]))
    gpu = fake_driver(cuda)
    calls = copying(gpu)
    result = calls.general(libraries.Tensor(cuda, SHAPE, working[0]))
    working[0] = stream
    cuda.streams.begin(stream, GLOBAL)
    del result
    with gpu.turns:
        assert gpu.pool.live == SMALLEST  # where kernels report failures
    assert cuda.streams.end(stream) == []


def test_threads_keep_what_they_work_with() -> None:
    """The context of the thread and its mode of recording are as before, also after a call that fails."""
    cuda = FakeCuda()
    calls = copying(fake_driver(cuda))
    contexts = cuda.contexts[threading.get_ident()]
    contexts.append(0xD0)
    cuda.streams.exchange_mode(THREAD_LOCAL)
    calls.general(numbers(0))
    with pytest.raises(tl.TypeMismatch):
        calls.general(numbers(0).astype(np.float32))
    assert contexts == [0xD0]
    assert cuda.streams.exchange_mode(GLOBAL) == THREAD_LOCAL


def test_the_model_finds_faults() -> None:
    """What the driver would refuse or get wrong, the stand-in does."""
    cuda = FakeCuda()
    side, blocking = cuda.stream(), cuda.stream(is_blocking=True)
    seen: list[str] = []
    cuda.streams.queue(side, lambda: seen.append("side"))
    cuda.streams.queue(blocking, lambda: seen.append("blocking"))
    cuda.streams.synchronise(LEGACY)
    cuda.streams.queue(LEGACY, lambda: seen.append("default"))
    cuda.streams.synchronise(LEGACY)
    assert seen == ["blocking", "default"]
    cuda.streams.begin(blocking, GLOBAL)
    with pytest.raises(Refused, match="906"):
        cuda.streams.queue(LEGACY, lambda: None)
    with pytest.raises(Refused, match="901"):
        cuda.streams.end(blocking)
    cuda.streams.begin(side, GLOBAL)
    with pytest.raises(Refused, match="900"):
        in_a_thread(cuda.streams.check_safe)
    with pytest.raises(Refused, match="901"):
        cuda.streams.end(side)
    assert cuda.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), 8) == 201
