"""Contestants ready to be called: arguments in their own arrays, calls that wait for results, memory, bytes of code."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from untuned import quantities
from untuned.bundles import compile_times
from untuned.memory import resident_growth
from untuned.program import Program
from untuned.task import Contestant, Task, bundle_file, has_fixed_sizes

Call = Callable[[], Any]


@dataclass(frozen=True)
class Ready:
    """A call that returns when its result is there; `code_bytes` and `peak_bytes` are asked after the first call.

    `compiled` are seconds by the clock and of the processor, where the code was compiled elsewhere.
    """

    call: Call
    code_bytes: Callable[[], int | None] = lambda: None
    peak_bytes: Callable[[], int | None] | None = None
    compiled: tuple[float, float] | None = None

    def peak(self) -> int | None:
        return resident_growth(self.call) if self.peak_bytes is None else self.peak_bytes()


def warm_up(task: Task) -> None:
    """Has libraries load what every program needs, so that the first program's compile time is its own."""
    names = {each.name for each in task.contestants}
    if "tapeless" in names and task.bundles is None:
        import tapeless as tl

        tl.compile(tl.function(_twice), (np.ones(3),), target=task.target)(np.ones(3))
    if "jax" in names:
        import jax

        quantities.set_bits_of_jax(task.dtype)
        jax.config.update("jax_default_matmul_precision", "highest")
        jax.block_until_ready(jax.jit(_twice)(jax.numpy.ones(3)))
    if names & {"torch", "torch.compile"}:
        import torch

        torch.set_num_threads(task.threads)
        torch.ones(3, requires_grad=True).sum().backward()


def _twice(x):
    return x * 2.0


def prepare(contestant: Contestant, program: Program, task: Task, arguments: tuple[Any, ...]) -> Ready:
    """A contestant on these arguments; nothing is compiled yet, or all of it."""
    return MAKERS[contestant.name](contestant, program, task, arguments)


def _tapeless(contestant: Contestant, program: Program, task: Task, arguments: tuple[Any, ...]) -> Ready:
    import tapeless as tl

    assert contestant.spelling is not None and contestant.method is not None
    if has_fixed_sizes(program, contestant):
        arguments = quantities.as_in_jax(arguments, task.dtype)
    if task.bundles is not None:
        file = bundle_file(Path(task.bundles), program, contestant, task.dtype, task.size)
        times = compile_times(file)
        kernel, content = tl.load(file), file.read_bytes
    else:
        function = quantities.of_tapeless(program, contestant.spelling, contestant.method, arguments)
        kernel = tl.compile(
            function,
            arguments,
            method=contestant.method,
            target=task.target,
            threads=task.threads,
            checks=task.checks,
            denormals=task.denormals if task.target == "cpu" else "keep",
        )
        times, content = None, kernel.to_bytes
    given = on_gpu(arguments) if task.target == "cuda" else arguments
    peak = (lambda: _pool_growth(lambda: kernel(*given))) if task.target == "cuda" else None
    # Kernels for GPUs that were compiled here are text for those that were launched.
    is_whole = task.target == "cpu" or task.bundles is not None
    return Ready(lambda: kernel(*given), lambda: _code_bytes(content()) if is_whole else None, peak, times)


def on_gpu(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arrays where kernels for GPUs take them from without a copy: those of PyTorch, or of JAX."""
    try:
        import torch
    except ImportError:
        import jax

        with jax.enable_x64(True):
            return tuple(jax.device_put(each) if isinstance(each, np.ndarray) else each for each in arguments)
    return tuple(torch.tensor(each, device="cuda") if isinstance(each, np.ndarray) else each for each in arguments)


def _pool_growth(call: Call) -> int:
    """Bytes that a call takes at most of the pool, and those of the results that PyTorch makes for it."""
    from tapeless.runtime.cuda.driver import driver

    pool, torch = driver().pool, sys.modules.get("torch")
    held = torch.cuda.memory_allocated if torch is not None else lambda: 0
    pool.peak = before = pool.live
    made = -held()
    results = call()
    made += held()
    del results
    return pool.peak - before + made


def _code_bytes(bundle: bytes) -> int:
    """Bytes that a kernel's code and constants have in memory, or its text for a GPU."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        return sum(each.file_size for each in archive.infolist() if each.filename.endswith((".image", ".ptx")))


def _jax(contestant: Contestant, program: Program, task: Task, arguments: tuple[Any, ...]) -> Ready:
    import jax

    static = [place for place, each in enumerate(arguments) if isinstance(each, int)]
    given = tuple(jax.device_put(each) if isinstance(each, np.ndarray) else each for each in arguments)
    jax.block_until_ready(given)
    compiled = jax.jit(quantities.of_jax(program), static_argnums=static).lower(*given).compile()
    others = [each for place, each in enumerate(given) if place not in static]

    def peak() -> int:
        memory = compiled.memory_analysis()
        return memory.temp_size_in_bytes + memory.output_size_in_bytes

    return Ready(
        lambda: jax.block_until_ready(compiled(*others)),
        lambda: _serialised_bytes(compiled),
        peak if task.target == "cuda" else None,
    )


def _serialised_bytes(compiled: Any) -> int | None:
    """None of programs that JAX runs and cannot serialise, such as those that sort."""
    import jax

    try:
        return len(compiled.runtime_executable().serialize())
    except jax.errors.JaxRuntimeError:
        return None


def jax_in_double_precision(program: Program, arguments: tuple[Any, ...]) -> Call:
    """References for results, compiled: JAX's of the same data in f64."""
    import jax

    with jax.enable_x64(True):
        wide = tuple(_wide(each) for each in arguments)
        static = [place for place, each in enumerate(arguments) if isinstance(each, int)]
        compiled = jax.jit(quantities.of_jax(program), static_argnums=static).lower(*wide).compile()
    others = [each for place, each in enumerate(wide) if place not in static]

    def call() -> list[np.ndarray]:
        with jax.enable_x64(True):
            return [np.asarray(each) for each in jax.tree.leaves(compiled(*others))]

    return call


def _wide(argument: Any) -> Any:
    is_single = isinstance(argument, np.ndarray) and argument.dtype == np.float32
    return argument.astype(np.float64) if is_single else argument


def _torch(contestant: Contestant, program: Program, task: Task, arguments: tuple[Any, ...]) -> Ready:
    import torch

    device = task.target
    torch.set_default_device(device)
    given = tuple(torch.tensor(each, device=device) if isinstance(each, np.ndarray) else each for each in arguments)
    wrapped = torch.compile if contestant.name == "torch.compile" else None
    function = quantities.of_torch(program, wrapped)
    if device == "cpu":
        return Ready(lambda: function(*given))

    def call() -> Any:
        result = function(*given)
        torch.cuda.synchronize()
        return result

    def peak() -> int:
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        call()
        return torch.cuda.max_memory_allocated() - before

    return Ready(call, peak_bytes=peak)


def _numpy(contestant: Contestant, program: Program, task: Task, arguments: tuple[Any, ...]) -> Ready:
    by_hand = program.numpy
    assert by_hand is not None
    return Ready(lambda: by_hand(*arguments))


MAKERS = {"tapeless": _tapeless, "jax": _jax, "torch": _torch, "torch.compile": _torch, "numpy": _numpy}
