"""Kernels inside programs of JAX and PyTorch on a GPU: on their memory, after what is queued on their streams.

The first check needs the runtime alone, the others the compiler, too.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tapeless as tl
from shared_gpu.bundles import EXPECTED, scaled
from shared_gpu.checks import ROUNDS, Check, Skipped, agree, kernel, late, library, numbers, refused


def _jax() -> Any:
    jax = library("jax")
    if jax.default_backend() != "gpu":
        raise Skipped("JAX has no GPU")
    jax.config.update("jax_enable_x64", True)
    return jax


def _compiler() -> None:
    try:
        tl.compile(scaled)
    except ImportError as error:
        raise Skipped("no compiler") from error


def saved_kernels_in_jax(folder: Path) -> str:
    """XLA calls saved kernels on its buffers, between operations of its own."""
    jax = _jax()
    from tapeless.runtime.cuda import xla

    function = ctypes.cast(xla.xla_call, ctypes.c_void_p)
    jax.ffi.register_ffi_target("tapeless_saved", jax.ffi.pycapsule(function), platform="CUDA")
    for name in ("scaled", "total"):
        digest = xla.exported(kernel(folder, name))
        for round_ in range(ROUNDS):
            x = numbers(round_)
            shape = x.shape if name == "scaled" else ()
            result = jax.ShapeDtypeStruct(shape, np.float64)

            @jax.jit
            def program(x: Any, digest: str = digest, result: Any = result) -> Any:
                return jax.ffi.ffi_call("tapeless_saved", result)(x * 3.0 + 1.0, kernel=digest) * 2.0

            agree(program(x), 2.0 * EXPECTED[name](x * 3.0 + 1.0), f"{name}, call {round_ + 1}")
    return f"2 kernels, {ROUNDS} calls each"


def _looked_up(table: tl.f64[:], i: tl.i64[:], s: tl.f64):
    return tl.sum(tl.tanh(table[i] * s))


def functions_in_jax(_folder: Path) -> str:
    """Values, derivatives and batches of tl.to_jax, beside the same of JAX; failed checks are errors of XLA."""
    jax = _jax()
    _compiler()
    import jax.numpy as jnp

    ours, rng = tl.to_jax(_looked_up), np.random.default_rng(0)

    def theirs(table: Any, i: Any, s: Any) -> Any:
        return jnp.sum(jnp.tanh(table[i] * s))

    arguments = jnp.asarray(rng.random(1000)), jnp.asarray(rng.integers(0, 1000, 50_000)), jnp.asarray(0.7)
    transformations: dict[str, Callable[[Any], Any]] = {
        "jit": jax.jit,
        "grad": lambda f: jax.jit(jax.grad(f, argnums=(0, 2))),
        "jvp": lambda f: jax.jit(lambda t, i, s: jax.jvp(lambda t, s: f(t, i, s), (t, s), (t, 2.0 * s))),
        "vmap": lambda f: jax.jit(lambda t, i, s: jax.vmap(f, (0, None, None))(jnp.stack([t, 2.0 * t]), i, s)),
        "jvp of grad": lambda f: jax.jit(lambda t, i, s: jax.jvp(lambda t: jax.grad(f)(t, i, s), (t,), (t,))),
    }
    for name, transformation in transformations.items():
        found, expected = (jax.tree.leaves(transformation(f)(*arguments)) for f in (ours, theirs))
        for k, pair in enumerate(zip(found, expected, strict=True)):
            agree(*pair, f"{name}, result {k}")
    refused(
        jax.errors.JaxRuntimeError,
        lambda: jax.block_until_ready(ours(arguments[0], arguments[1] + 1000, arguments[2])),
        "IndexOutOfRange",
        "inside.py",
    )
    run = jax.jit(jax.grad(ours))
    duration = _microseconds(lambda: jax.block_until_ready(run(*arguments)))
    return f"{len(transformations)} transformations, {duration:.0f} us"


def functions_in_torch(_folder: Path) -> str:
    """Values and derivatives of tl.to_torch, on a side stream that is busy, beside the same of torch."""
    torch = library("torch")
    if not torch.cuda.is_available():
        raise Skipped("torch has no GPU")
    _compiler()
    ours, rng = tl.to_torch(_looked_up), np.random.default_rng(0)
    table, index = torch.from_numpy(rng.random(1000)).cuda(), torch.from_numpy(rng.integers(0, 1000, 50_000)).cuda()
    for round_ in range(ROUNDS):
        with late(torch.cuda.Stream()):
            x = (table * (1.0 + round_)).requires_grad_(True)
            s = torch.tensor(0.7, dtype=torch.float64, device="cuda", requires_grad=True)
            found = [ours(x, index, s)]
            found += torch.autograd.grad(found[0], (x, s), create_graph=True)
            found += torch.autograd.grad((found[1] ** 2).sum(), (x, s))
            expected = [torch.tanh(x[index] * s).sum()]
            expected += torch.autograd.grad(expected[0], (x, s), create_graph=True)
            expected += torch.autograd.grad((expected[1] ** 2).sum(), (x, s))
            assert all(each.is_cuda for each in found)
            for k, pair in enumerate(zip(found, expected, strict=True)):
                agree(*(each.detach().cpu() for each in pair), f"call {round_ + 1}, result {k}")
    run = torch.compile(lambda x: ours(x, index, s.detach()) * 2.0, fullgraph=True)
    agree(run(table).cpu(), 2.0 * torch.tanh(table[index] * 0.7).sum().cpu(), "torch.compile")
    return f"{ROUNDS} calls, {_microseconds(lambda: ours(table, index, 0.7)):.0f} us"


def _microseconds(work: Callable[[], Any], count: int = 200) -> float:
    for _ in range(10):
        work()
    start = time.perf_counter()
    for _ in range(count):
        work()
    return 1e6 * (time.perf_counter() - start) / count


INSIDE: dict[str, Check] = {
    "saved kernels in JAX": saved_kernels_in_jax,
    "functions in JAX": functions_in_jax,
    "functions in torch": functions_in_torch,
}
