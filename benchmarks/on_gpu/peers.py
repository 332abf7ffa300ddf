"""Arguments and results of JAX and PyTorch, JAX's functions compiled, and what they give in double precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from on_gpu import in_jax as jax_programs
from on_gpu.comparison import largest_difference

jax.config.update("jax_enable_x64", True)
# Products of matrices in the precision of their arguments, as Tapeless makes them.
jax.config.update("jax_default_matmul_precision", "highest")


def in_jax(argument: Any) -> Any:
    return jax.device_put(argument) if isinstance(argument, np.ndarray) else argument


def in_torch(argument: Any) -> Any:
    """Arrays stay where they are; a float is a number of the kind that takes the precision of arrays."""
    import torch

    torch.set_default_device("cuda")
    torch.backends.cudnn.allow_tf32 = False
    if isinstance(argument, jax.Array):
        return torch.from_dlpack(argument)
    return torch.tensor(argument, dtype=torch.float64) if isinstance(argument, float) else argument


def compiled(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Callable[[], Any], float]:
    """A call by JAX, and the megabytes that it takes beside its arguments; whole numbers are compiled into it."""
    whole = [position for position, argument in enumerate(arguments) if isinstance(argument, int)]
    ready = jax.jit(function, static_argnums=whole).lower(*arguments).compile()
    memory = ready.memory_analysis()
    others = [argument for position, argument in enumerate(arguments) if position not in whole]
    return lambda: ready(*others), (memory.temp_size_in_bytes + memory.output_size_in_bytes) / 1e6


def reference(kernel: str, arguments: tuple[Any, ...]) -> Any:
    """What JAX finds in double precision, on the host; None for what it has no program of."""
    if kernel not in jax_programs.FUNCTIONS:
        return None
    wide = tuple(
        argument.astype(np.float64) if isinstance(argument, jax.Array) and argument.dtype == np.float32 else argument
        for argument in arguments
    )
    call, _ = compiled(jax_programs.FUNCTIONS[kernel], wide)
    return [np.asarray(each) for each in jax.tree.leaves(call())]


def difference(found: Any, expected: Any) -> float | None:
    """How far results are from those of double precision; None where one of them is missing."""
    return None if found is None or expected is None else largest_difference(jax.tree.leaves(found), expected)
