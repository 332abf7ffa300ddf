"""The programs that are watched: those of the tests, and those of the benchmarks that no pass was written for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")
TARGETS = {"cpu": "cpu", "cuda": "cuda:sm_90"}
TESTS, UNTUNED = "tests", "untuned"

Compilation = tuple[Callable[..., Any], tuple[Any, ...]]


def cases() -> list[tuple[str, str, str]]:
    """Collection, program and spelling of every case."""
    from untuned.programs import PROGRAMS as UNTUNED_PROGRAMS

    from programs import PROGRAMS

    in_tests = [(TESTS, name, "") for name in PROGRAMS]
    in_benchmarks = [
        (UNTUNED, name, spelling) for name, each in UNTUNED_PROGRAMS.items() for spelling in each.spellings
    ]
    return in_tests + in_benchmarks


def compilations(case: tuple[str, str, str], method: str) -> Iterator[Compilation]:
    """The functions of a case and what they are compiled for: values and derivatives by a method."""
    collection, name, spelling = case
    yield from _in_tests(name, method) if collection == TESTS else _untuned(name, spelling, method)


def _in_tests(name: str, method: str) -> Iterator[Compilation]:
    from programs import PROGRAMS
    from programs_on_gpu import ones_like

    function = tl.function(PROGRAMS[name].function)
    arguments = PROGRAMS[name].arguments(np.random.default_rng(0))
    if method == METHODS[0]:
        yield function, arguments
    value, pullback = tl.vjp(function, *arguments, method=method)
    yield pullback.derivative, (*pullback.primals, *pullback.cotangents(ones_like(value)))


def _untuned(name: str, spelling: str, method: str) -> Iterator[Compilation]:
    from untuned.programs import PROGRAMS
    from untuned.quantities import of_tapeless

    program = PROGRAMS[name]
    yield of_tapeless(program, spelling, method), program.arguments("small", "f64")
