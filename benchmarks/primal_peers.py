"""The same nine programs in C, compiled on the spot, and in JAX."""

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

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


def c_programs(library: ctypes.CDLL) -> dict[str, Program]:
    """Each C program as a function from arrays to a fresh result."""
    for name in ("dot", "kmeans", "gmm"):
        getattr(library, name).restype = ctypes.c_double

    def filling(name: str, shape: Callable[..., Any], sizes: Callable[..., tuple[int, ...]]) -> Program:
        def call(*arrays: Any) -> np.ndarray:
            out = np.empty(shape(*arrays))
            getattr(library, name)(*map(c_argument, (*arrays, out, *sizes(*arrays))))
            return out

        return call

    def stencil(u: np.ndarray) -> np.ndarray:
        out, scratch = np.empty_like(u), np.empty_like(u)
        library.stencil(*map(c_argument, (u, out, scratch, u.size, 100)))
        return out

    def scalar(name: str, sizes: Callable[..., tuple[Any, ...]]) -> Program:
        return lambda *arrays: getattr(library, name)(*map(c_argument, (*arrays, *sizes(*arrays))))

    return {
        "saxpy": filling("saxpy", lambda a, x, y: x.shape, lambda a, x, y: (x.size,)),
        "dot": scalar("dot", lambda x, y: (x.size,)),
        "logsumexp": filling("logsumexp", lambda x: x.shape[0], lambda x: x.shape),
        "stencil": stencil,
        "matmul": filling("matmul", lambda a, b: a.shape, lambda a, b: (a.shape[0],)),
        "histogram": filling("histogram", lambda keys, weights: 256, lambda keys, weights: (keys.size, 256)),
        "prefix_sum": filling("prefix_sum", lambda x: x.shape, lambda x: (x.size,)),
        "kmeans": scalar("kmeans", lambda points, centres: (len(points), *centres.shape)),
        "gmm": scalar("gmm", lambda points, weights, means, _: (np.empty_like(weights), len(points), *means.shape)),
    }


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


def on_device(name: str, arguments: tuple[Any, ...]) -> Callable[[], jax.Array]:
    """The jitted program on arrays JAX already holds, waiting for its result."""
    jitted, placed = jax.jit(JAX_PROGRAMS[name]), jax.device_put(arguments)
    return lambda: jax.block_until_ready(jitted(*placed))
