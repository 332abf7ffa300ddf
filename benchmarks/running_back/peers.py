"""JAX's gradients of the same loops: their calls, and the bytes that they are compiled to hold."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from functools import partial
from typing import Any

from harness import Contestant

from running_back.cases import Case, State


def gradients(name: str, case: Case, arguments: State) -> dict[str, Contestant]:
    """JAX's calls, stored and with checkpoints."""
    made: dict[str, Contestant] = {}
    for contestant, jitted in _jitted(name, case, arguments):
        import jax

        jax.config.update("jax_cpu_enable_async_dispatch", False)
        placed = [*map(jax.device_put, arguments[:-1]), arguments[-1]]
        made[contestant] = partial(lambda call, given: jax.block_until_ready(call(*given)), jitted, placed)
    return made


def bytes_held(name: str, case: Case, arguments: State) -> dict[str, int]:
    """What JAX's gradients hold beside their arguments, as its compiler lays out memory; nothing is run."""
    held = {}
    for contestant, jitted in _jitted(name, case, arguments):
        found = jitted.lower(*arguments).compile().memory_analysis()
        held[contestant] = found.temp_size_in_bytes + found.output_size_in_bytes
    return held


def _jitted(name: str, case: Case, arguments: State) -> Iterator[tuple[str, Any]]:
    if importlib.util.find_spec("jax") is None:
        print("jax is not installed: it is left out")
        return
    import jax

    from running_back import jax_programs

    for contestant, repeat in jax_programs.REPEATS.items():
        derivative = jax.value_and_grad(partial(jax_programs.PROGRAMS[name], repeat), argnums=case.wrt)
        yield contestant, jax.jit(derivative, static_argnums=len(arguments) - 1)
