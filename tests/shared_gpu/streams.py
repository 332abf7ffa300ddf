"""Arguments that are still being made, and results that are still being read, on streams of other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl
from shared_gpu.bundles import EXPECTED
from shared_gpu.checks import LATE, ROUNDS, Check, agree, kernel, late, library, numbers, refused

KERNELS = ("scaled", "total", "positive")


def _host(array: Any) -> Any:
    return array.cpu() if hasattr(array, "cpu") else array.get() if hasattr(array, "get") else array


def torch_makes_late(folder: Path) -> str:
    """An argument is written on a side stream that is busy; the result is read there without another word."""
    torch = library("torch")
    for name in KERNELS:
        call, stream = kernel(folder, name), torch.cuda.Stream()
        x = torch.zeros(len(numbers(0)), dtype=torch.float64, device="cuda")
        sources = [torch.from_numpy(numbers(round_)).cuda() for round_ in range(ROUNDS)]
        torch.cuda.synchronize()
        for round_, source in enumerate(sources):
            with late(stream):
                x.copy_(source)
                result = call(x)
                copied = result.clone() if name != "total" else result
            stream.synchronize()
            agree(_host(copied), EXPECTED[name](numbers(round_)), f"{name}, call {round_ + 1}")
    return f"{len(KERNELS)} kernels, {ROUNDS} calls each"


def named_stream(folder: Path) -> str:
    """The stream is given by name: as a handle, as torch's, as CuPy's, by the protocol; the caller works elsewhere."""
    torch = library("torch")
    call, side = kernel(folder, "scaled"), torch.cuda.Stream()

    class Spoken:
        def __cuda_stream__(self) -> tuple[int, int]:
            return 0, side.cuda_stream

    forms: dict[str, Any] = {"handle": side.cuda_stream, "torch": side, "protocol": Spoken()}
    try:
        forms["cupy"] = library("cupy").cuda.ExternalStream(side.cuda_stream)
    except Exception as error:
        print(f"  without CuPy's streams: {error}")
    x = torch.zeros(len(numbers(0)), dtype=torch.float64, device="cuda")
    for round_, (form, stream) in enumerate(forms.items()):
        source = torch.from_numpy(numbers(round_)).cuda()
        torch.cuda.synchronize()
        with late(side):
            x.copy_(source)
        agree(_host(call(x, stream=stream)), EXPECTED["scaled"](numbers(round_)), form)
    refused(tl.ArgumentError, lambda: call(x, stream="side"), "no stream")
    return ", ".join(forms)


def cupy_makes_late(folder: Path) -> str:
    """CuPy tells its stream with the array; what keeps it busy is torch's."""
    torch, cupy = library("torch"), library("cupy")
    for kind in ({"non_blocking": True}, {"non_blocking": False}):
        call, stream = kernel(folder, "scaled"), cupy.cuda.Stream(**kind)
        sources = [cupy.asarray(numbers(round_)) for round_ in range(ROUNDS)]
        x = cupy.zeros(len(numbers(0)))
        cupy.cuda.Device().synchronize()
        for round_, source in enumerate(sources):
            with stream:
                with torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)):
                    torch.cuda._sleep(LATE)
                x[...] = source
                result = call(x)
                copied = result.copy()
            stream.synchronize()
            agree(_host(copied), EXPECTED["scaled"](numbers(round_)), f"{kind}, call {round_ + 1}")
    return f"both kinds of streams, {ROUNDS} calls each"


def jax_makes_late(folder: Path) -> str:
    """JAX returns before an array is there, and waits by DLPack."""
    jax = library("jax")
    jax.config.update("jax_enable_x64", True)
    call = kernel(folder, "scaled")

    @jax.jit
    def slow(x: Any, matrix: Any) -> Any:
        turned = jax.lax.fori_loop(0, 300, lambda _, m: 0.5 * (m @ matrix), matrix)
        return x + 0.0 * turned[0, 0]

    matrix = jax.numpy.eye(2048)
    slow(jax.numpy.asarray(numbers(0)), matrix).block_until_ready()
    for round_ in range(ROUNDS):
        x = slow(jax.numpy.asarray(numbers(round_)), matrix)
        result = call(x)
        assert isinstance(result, jax.Array)
        agree(np.asarray(jax.jit(lambda y: y + 1.0)(result)), EXPECTED["scaled"](numbers(round_)) + 1.0, f"{round_}")
    return f"{ROUNDS} calls"


def jax_reads_late(folder: Path) -> str:
    """JAX has a result as the argument of a long computation when it is let go of; others must not write over it."""
    jax = library("jax")
    jax.config.update("jax_enable_x64", True)
    call = kernel(folder, "scaled")

    @jax.jit
    def slow(x: Any, matrix: Any) -> Any:
        turned = jax.lax.fori_loop(0, 300, lambda _, m: 0.5 * (m @ matrix), matrix)
        return jax.lax.optimization_barrier((x, turned))[0] + 0.0 * turned[0, 0]

    matrix, x = jax.numpy.eye(2048), jax.numpy.asarray(numbers(0))
    slow(x, matrix).block_until_ready()
    for round_ in range(ROUNDS):
        result = call(x)
        later = slow(result, matrix)
        del result
        others = [call(numbers(1)) for _ in range(3)]
        agree(np.asarray(later), EXPECTED["scaled"](numbers(0)), f"round {round_ + 1}")
        agree(others[2], EXPECTED["scaled"](numbers(1)), "the calls meanwhile")
    return f"{ROUNDS} rounds"


def only_dlpack(folder: Path) -> str:
    """An array that speaks nothing but DLPack; torch orders the stream that it is given."""
    torch = library("torch")

    class Capsule:
        def __init__(self, tensor: Any) -> None:
            self.__dlpack__ = tensor.__dlpack__
            self.__dlpack_device__ = tensor.__dlpack_device__

    call, stream = kernel(folder, "scaled"), torch.cuda.Stream()
    x = torch.zeros(len(numbers(0)), dtype=torch.float64, device="cuda")
    for round_ in range(ROUNDS):
        source = torch.from_numpy(numbers(round_)).cuda()
        torch.cuda.synchronize()
        with late(stream):
            x.copy_(source)
            result = call(Capsule(x))
        agree(_host(torch.from_dlpack(result)), EXPECTED["scaled"](numbers(round_)), f"call {round_ + 1}")
    return f"{ROUNDS} calls"


def results_are_read_late(folder: Path) -> str:
    """A result is let go of while a busy stream has yet to read it; other calls must not write over it."""
    torch = library("torch")
    call = kernel(folder, "scaled")
    others = [torch.from_numpy(numbers(round_)).cuda() for round_ in range(1, ROUNDS + 1)]
    first = torch.from_numpy(numbers(0)).cuda()
    for where in ("the stream of the call", "another stream"):
        side, reader = torch.cuda.Stream(), torch.cuda.Stream()
        torch.cuda.synchronize()
        with torch.cuda.stream(side):
            result = call(first)
        with late(side if where == "the stream of the call" else reader):
            read = result.clone()
            if where == "another stream":
                result.record_stream(reader)
            del result
        kept = [call(other) for other in others]
        torch.cuda.synchronize()
        agree(_host(read), EXPECTED["scaled"](numbers(0)), where)
        for round_, each in enumerate(kept):
            agree(_host(each), EXPECTED["scaled"](numbers(round_ + 1)), f"{where}, call {round_ + 1} after it")
    return "on the stream of the call and on another"


def captured_streams(folder: Path) -> str:
    """A call in a capture of torch is refused; the capture and torch go on."""
    torch = library("torch")
    call = kernel(folder, "scaled")
    x = torch.from_numpy(numbers(0)).cuda()
    call(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = x * 3.0
        refused(tl.TargetError, lambda: call(x), "captured")
        z = y + 1.0
    graph.replay()
    agree(_host(z), numbers(0) * 3.0 + 1.0, "the graph of torch")
    agree(_host(call(x)), EXPECTED["scaled"](numbers(0)), "the call after it")
    return "refused, the capture ended well"


STREAMS: dict[str, Check] = {
    "torch, side stream": torch_makes_late,
    "stream=": named_stream,
    "CuPy, side stream": cupy_makes_late,
    "JAX, not there yet": jax_makes_late,
    "JAX, read late": jax_reads_late,
    "DLPack only": only_dlpack,
    "results read late": results_are_read_late,
    "call in a capture": captured_streams,
}
