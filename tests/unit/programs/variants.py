"""The ways to run a program that must all give the same result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import tapeless as tl
from programs.axes import ORACLE
from shared_context import shared_context
from tapeless.api.options import Options
from tapeless.api.parameters import signature_types
from tapeless.api.program import Program
from tapeless.backend.compile import generate
from tapeless.frontend import Source, emit
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.runtime.kernel import Kernel

Run = Callable[[Callable[..., Any], Sequence[Any]], Any]


def call(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """A plain call: simplified, fused, vectorised, checked."""
    return tl.function(function)(*arguments)


def unchecked(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Without run-time checks."""
    return tl.jit(function, checks="off")(*arguments)


def threaded(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """With two threads."""
    return tl.jit(function, threads=2)(*arguments)


def sequential(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The oracle: neither simplified nor fused nor vectorised."""
    source = Source.of(function)
    program = Program(source, signature_types(source.name, source.parameters, tuple(arguments)), Options())
    emitted = emit(source, program.types, shared_context())
    PassPipeline.named(ORACLE).run(emitted.module)
    return Kernel(program.interface, replace(generate(emitted.module), structure=emitted.structure))(*arguments)


# For every target of the axis.
VARIANTS: dict[str, dict[str, Run]] = {
    "cpu": {"call": call, "unchecked": unchecked, "threaded": threaded},
    ORACLE: {"sequential": sequential},
}


def single_precision(arguments: Sequence[Any]) -> list[Any]:
    """The arguments with every float in single precision."""
    return [_single(argument) for argument in arguments]


def _single(argument: Any) -> Any:
    if isinstance(argument, float):
        return np.float32(argument)
    if isinstance(argument, np.ndarray) and argument.dtype == np.float64:
        return argument.astype(np.float32)
    return argument


def assert_same(found: Any, wanted: Any, tolerance: float) -> None:
    """Compares results, tuples piece by piece; integers and bools must be equal."""
    if isinstance(wanted, tuple):
        assert isinstance(found, tuple)
        assert len(found) == len(wanted)
        for part, reference in zip(found, wanted, strict=True):
            assert_same(part, reference, tolerance)
        return
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape
    assert found.dtype.kind == wanted.dtype.kind
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(found, wanted)
