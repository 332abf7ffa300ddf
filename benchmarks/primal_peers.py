"""The same nine programs in C, compiled on the spot, and in JAX."""

import ctypes
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

# Waiting for another thread would only add to the time of a single core.
jax.config.update("jax_cpu_enable_async_dispatch", False)
SOURCES = Path(__file__).parent / "c"
COMMAND = ("cc", "-O3", "-march=native", "-shared", "-fPIC")
Program = Callable[..., Any]


def compiled_c(folder: Path) -> ctypes.CDLL:
    """All C programs as one library."""
    library = folder / "primal.so"
    subprocess.run([*COMMAND, "-o", str(library), *map(str, sorted(SOURCES.glob("*.c"))), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def c_argument(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_int64(value) if isinstance(value, int) else ctypes.c_double(value)


@dataclass(frozen=True)
class CProgram:
    """What a C function gets after the arguments: fresh arrays of these shapes, then sizes."""

    arrays: Callable[..., tuple[Any, ...]]
    sizes: Callable[..., tuple[int, ...]]
    returns_scalar: bool = False


C_PROGRAMS = {
    "saxpy": CProgram(lambda a, x, y: (x.shape,), lambda a, x, y: (x.size,)),
    "dot": CProgram(lambda x, y: (), lambda x, y: (x.size,), returns_scalar=True),
    "logsumexp": CProgram(lambda x: (x.shape[0],), lambda x: x.shape),
    "stencil": CProgram(lambda u: (u.shape, u.shape), lambda u: (u.size, 100)),
    "matmul": CProgram(lambda a, b: (a.shape,), lambda a, b: (a.shape[0],)),
    "histogram": CProgram(lambda keys, weights: (256,), lambda keys, weights: (keys.size, 256)),
    "prefix_sum": CProgram(lambda x: (x.shape,), lambda x: (x.size,)),
    "kmeans": CProgram(lambda *_: (), lambda points, centres: (len(points), *centres.shape), returns_scalar=True),
    "gmm": CProgram(
        lambda points, weights, *_: (weights.shape,),
        lambda points, weights, means, scales: (len(points), *means.shape),
        returns_scalar=True,
    ),
}


def in_c(library: ctypes.CDLL, name: str, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    """The C program on these arguments; every call makes its result anew, as the other contestants do."""
    function, program = getattr(library, name), C_PROGRAMS[name]
    function.restype = ctypes.c_double if program.returns_scalar else None
    inputs = [c_argument(value) for value in arguments]
    shapes, sizes = program.arrays(*arguments), [c_argument(size) for size in program.sizes(*arguments)]

    def call() -> Any:
        fresh = [np.empty(shape) for shape in shapes]
        value = function(*inputs, *map(c_argument, fresh), *sizes)
        return value if program.returns_scalar else fresh[0]

    return call


def stencil(u: jax.Array) -> jax.Array:
    def step(_: int, u: jax.Array) -> jax.Array:
        return u.at[1:-1].set(0.25 * u[:-2] + 0.5 * u[1:-1] + 0.25 * u[2:])

    return jax.lax.fori_loop(0, 100, step, u)


def histogram(keys: jax.Array, weights: jax.Array) -> jax.Array:
    return jnp.zeros(256).at[keys].add(weights)


def kmeans(points: jax.Array, centres: jax.Array) -> jax.Array:
    distances = jnp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    return jnp.sum(jnp.min(distances, axis=1))


def gmm(points: jax.Array, weights: jax.Array, means: jax.Array, scales: jax.Array) -> jax.Array:
    distances = jnp.sum(((points[:, None, :] - means) * scales) ** 2, axis=2)
    return jnp.sum(logsumexp(weights - 0.5 * distances, axis=1))


JAX_PROGRAMS: dict[str, Program] = {
    "saxpy": lambda a, x, y: a * x + y,
    "dot": jnp.dot,
    "logsumexp": lambda x: logsumexp(x, axis=1),
    "stencil": stencil,
    "matmul": jnp.matmul,
    "histogram": histogram,
    "prefix_sum": jnp.cumsum,
    "kmeans": kmeans,
    "gmm": gmm,
}


def in_jax(name: str, arguments: tuple[Any, ...]) -> Callable[[], jax.Array]:
    """The jitted program on arrays JAX already holds, waiting for its result."""
    jitted, placed = jax.jit(JAX_PROGRAMS[name]), jax.device_put(arguments)
    return lambda: jax.block_until_ready(jitted(*placed))
