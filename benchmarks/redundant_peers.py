"""How JAX and PyTorch run the programs of the redundant benchmark: one function without arguments per contestant."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Contestant = Callable[[], Any]


@dataclass(frozen=True)
class Work:
    """A program by name, its arguments, and the positions of those that are differentiated."""

    program: str
    arguments: tuple[Any, ...]
    wrt: tuple[int, ...]

    def with_chosen(self, arguments: Sequence[Any], chosen: Sequence[Any]) -> list[Any]:
        """The arguments with others in the place of the differentiated ones."""
        given = dict(zip(self.wrt, chosen, strict=True))
        return [given.get(position, value) for position, value in enumerate(arguments)]


class Jax:
    """Jitted, on arrays JAX already holds; whole numbers are known when a program is compiled."""

    name = "jax"
    package = "jax"

    def __init__(self) -> None:
        import jax
        import redundant_jax

        # Waiting for another thread would only add to the time of a single core.
        jax.config.update("jax_cpu_enable_async_dispatch", False)
        self.jax, self.programs = jax, redundant_jax.PROGRAMS

    def primal(self, work: Work) -> Contestant:
        return self._jitted(self.programs[work.program], work.arguments)

    def gradient(self, work: Work) -> Contestant:
        derivative = self.jax.value_and_grad(self.programs[work.program], argnums=work.wrt)
        return self._jitted(derivative, work.arguments)

    def second_order(self, work: Work, tangents: tuple[np.ndarray, ...]) -> Contestant:
        """The gradient and its derivative along the tangents."""

        def both(*arguments: Any) -> Any:
            def gradient(*chosen: Any) -> Any:
                return self.jax.grad(self.programs[work.program], work.wrt)(*work.with_chosen(arguments, chosen))

            return self.jax.jvp(gradient, tuple(arguments[position] for position in work.wrt), tangents)

        return self._jitted(both, work.arguments)

    def _jitted(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Contestant:
        static = tuple(k for k, value in enumerate(arguments) if isinstance(value, int))
        jitted = self.jax.jit(function, static_argnums=static)
        placed = [value if k in static else self.jax.device_put(value) for k, value in enumerate(arguments)]
        return lambda: self.jax.block_until_ready(jitted(*placed))


class Torch:
    """Plain autograd on tensors."""

    name = "torch"
    package = "torch"

    def __init__(self) -> None:
        import redundant_torch
        import torch

        torch.set_num_threads(1)
        self.torch, self.programs = torch, redundant_torch.PROGRAMS

    def primal(self, work: Work) -> Contestant:
        program, tensors = self._program(work), self._tensors(work.arguments)

        def call() -> Any:
            with self.torch.no_grad():
                return program(*tensors)

        return call

    def gradient(self, work: Work) -> Contestant:
        program, tensors = self._program(work), self._tensors(work.arguments, work.wrt)
        leaves = [tensors[position] for position in work.wrt]

        def call() -> Any:
            value = program(*tensors)
            # A gradient may come as one number seen as an array; the others' are arrays.
            return value.detach(), tuple(part.contiguous() for part in self.torch.autograd.grad(value, leaves))

        return call

    def second_order(self, work: Work, tangents: tuple[np.ndarray, ...]) -> Contestant:
        """The gradient and its derivative along the tangents; reverse mode twice, as a Hessian is symmetric."""
        program, tensors = self.programs[work.program], self._tensors(work.arguments, work.wrt)
        leaves, along = [tensors[position] for position in work.wrt], self._tensors(tangents)
        derivatives = self.torch.autograd.grad

        def call() -> Any:
            gradient = derivatives(program(*tensors), leaves, create_graph=True)
            return tuple(part.detach() for part in gradient), derivatives(gradient, leaves, along)

        return call

    def _program(self, work: Work) -> Callable[..., Any]:
        return self.programs[work.program]

    def _tensors(self, arguments: Sequence[Any], wrt: Sequence[int] = ()) -> list[Any]:
        tensors = [value if isinstance(value, int) else self.torch.tensor(np.asarray(value)) for value in arguments]
        for position in wrt:
            tensors[position].requires_grad_(True)
        return tensors


class CompiledTorch(Torch):
    """The same after torch.compile."""

    name = "torch.compile"

    def _program(self, work: Work) -> Callable[..., Any]:
        return self.torch.compile(super()._program(work), dynamic=False)


Peer = Jax | Torch
PEERS: tuple[type[Peer], ...] = (Jax, Torch, CompiledTorch)


def installed_peers(with_compilers: bool) -> list[Peer]:
    """Those whose package is there; the others are named and left out. A slow compiler is for full runs only."""
    found: list[Peer] = []
    for peer in PEERS:
        if peer is CompiledTorch and not with_compilers:
            continue
        if importlib.util.find_spec(peer.package):
            found.append(peer())
        else:
            print(f"{peer.package} is not installed: {peer.name} is left out")
    return found
