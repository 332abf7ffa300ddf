"""Kernels on NVIDIA GPUs. As `tl.cuda`: what they keep of a GPU's memory, and how it is given back.

Nothing of the driver is loaded before one of its functions is called, or a kernel.

>>> tl.cuda.trim()  # doctest: +SKIP
0
"""

from __future__ import annotations

from typing import NamedTuple

from tapeless.tracebacks import user_facing

__all__ = ["Memory", "memory", "trim"]


class Memory(NamedTuple):
    """Bytes on the GPU.

    `live` is in use: results that callers hold, constants of kernels, recordings of their calls. `cached` is kept for
    calls to come. `peak` is the most that was live since the process started. `free` is what nobody has, no other
    library either, of `total`.
    """

    live: int
    cached: int
    peak: int
    free: int
    total: int


@user_facing
def memory() -> Memory:
    """The memory of the GPU that kernels keep; raises TargetError where there is none."""
    from tapeless.runtime.cuda.driver import driver

    gpu = driver()
    with gpu.turns:
        return Memory(gpu.pool.live, gpu.pool.cached, gpu.pool.peak, *gpu.free_bytes())


@user_facing
def trim() -> int:
    """Gives all memory that is not in use back to the GPU, for other libraries; how many bytes that was.

    Recordings of calls go, too, with the memory that they keep: calls that come again are recorded again. Waits for
    all that the GPU is doing. Raises TargetError where there is no GPU.
    """
    from tapeless.runtime.cuda.driver import driver

    gpu = driver()
    with gpu.turns:
        before = gpu.pool.live + gpu.pool.cached
        gpu.pool.give_up()
        return before - gpu.pool.live - gpu.pool.cached
