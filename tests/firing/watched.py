"""Programs taken through their pipelines, with a note of every pass that changed them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from unittest.mock import patch

import tapeless as tl
from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions
from tapeless.passes.driver.steps import Step


@dataclass
class Firing:
    """An instrument that compares the module before and after each pass, those that passes run inside included.

    Between two passes of a pipeline nothing changes, so that the digest behind one is that before the next.
    """

    ran: set[str] = field(default_factory=set)
    fired: set[str] = field(default_factory=set)
    _before: list[bytes] = field(default_factory=list)
    _behind_last: bytes | None = None

    def before(self, step: Step, module: ir.Module) -> None:
        """Keeps a digest of the module."""
        self.ran.add(step.name)
        known = None if step.within else self._behind_last
        self._before.append(_digest(module) if known is None else known)

    def after(self, step: Step, module: ir.Module) -> None:
        """Notes the pass if the digest is another now."""
        now = _digest(module)
        if self._before.pop() != now:
            self.fired.add(step.name)
        self._behind_last = None if step.within else now

    def failed(self, step: Step, module: ir.Module) -> None:
        """Forgets the digests."""
        self._before.pop()
        self._behind_last = None


class _Watched(Exception):
    """The pipeline has run, and no code is wanted."""


@dataclass
class Steps:
    """An instrument that lists what runs."""

    names: list[str] = field(default_factory=list)

    def before(self, step: Step, module: ir.Module) -> None:
        """Notes the name of the pass."""
        self.names.append(step.name)

    def after(self, step: Step, module: ir.Module) -> None:
        """Nothing."""

    def failed(self, step: Step, module: ir.Module) -> None:
        """Nothing."""


def passes_that_fire(function: Callable[..., Any], arguments: tuple[Any, ...], target: str) -> Firing:
    """The passes of a compilation that changed something; the code generator does not run."""
    firing = Firing()
    _watch(firing, function, arguments, target)
    return firing


def steps_of_compilation(function: Callable[..., Any], arguments: tuple[Any, ...], target: str) -> list[str]:
    """The passes of a compilation in order, those that others run inside included."""
    steps = Steps()
    _watch(steps, function, arguments, target)
    return steps.names


def _watch(instrument: Firing | Steps, function: Callable[..., Any], arguments: tuple[Any, ...], target: str) -> None:
    def run(module: ir.Module, options: CompileOptions) -> None:
        options.pipeline.run(module, verify_each=False, instruments=(instrument,))
        raise _Watched

    with patch("tapeless.backend.compile.compile_module", run):
        try:
            tl.compile(function, arguments, target=target)
        except _Watched:
            return
    raise AssertionError("the kernel came from a cache; give an empty cache folder")


def _digest(module: ir.Module) -> bytes:
    code = BytesIO()
    module.operation.write_bytecode(code)
    return hashlib.blake2b(code.getbuffer(), digest_size=16).digest()
