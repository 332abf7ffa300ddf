"""The ways to compile and run a program."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import tapeless as tl
from fuzz.program import Program
from tapeless.api.options import Options
from tapeless.api.parameters import signature_types
from tapeless.api.program import Program as Compilation
from tapeless.backend.compile import generate
from tapeless.frontend import emit
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.runtime.kernel import Kernel

Values = tuple[Any, ...]
numbers = itertools.count()


def defined(text: str) -> dict[str, Any]:
    """The names that a text defines, with a source that can be read back."""
    name = f"<generated {next(numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, name, "exec"), names)
    return names


def oracle(function: tl.TapelessFunction, arguments: Values) -> Any:
    """Neither simplified nor fused nor vectorised."""
    source = function.source
    compilation = Compilation(source, signature_types(source.name, source.parameters, arguments), Options())
    emitted = emit(source, compilation.types)
    PassPipeline.named("cpu-sequential").run(emitted.module)
    return Kernel(compilation.interface, replace(generate(emitted.module), structure=emitted.structure))(*arguments)


def float_names(program: Program) -> list[str]:
    return [each.name for each in program.parameters if each.type.is_float]


def pullback_text(program: Program, results: Values, method: str = "redundant") -> str:
    """A function of the arguments and of cotangents that gives the adjoints by a method."""
    names = ", ".join(each.name for each in program.parameters)
    cotangents = ", ".join(f"w{place}" for place in range(len(results)))
    given = cotangents if len(results) == 1 else f"({cotangents})"
    pulled = f"tl.vjp(generated, {names}, method={method!r})[1]({given})"
    return f"\n\n@tl.function\ndef pulled({names}, {cotangents}):\n    return {pulled}\n"


def curvature_text(program: Program, results: Values) -> str:
    """A function of the arguments, directions and weights that gives second derivatives of the weighted results."""
    names = [each.name for each in program.parameters]
    moved = float_names(program)
    weights = [f"w{place}" for place in range(len(results))]
    parts = [f"r{place}" for place in range(len(results))]
    left = ", ".join(parts) if len(parts) > 1 else parts[0]
    terms = [_term(part, weight, value) for part, weight, value in zip(parts, weights, results, strict=True)]
    total = " + ".join(term for term in terms if term)
    directions = [f"d_{name}" for name in moved]
    return f"""

@tl.function
def curvature({", ".join([*names, *directions, *weights])}):
    def loss({", ".join(moved)}):
        {left} = generated({", ".join(names)})
        return {total}
    return tl.hvp(loss, ({", ".join(moved)},), ({", ".join(directions)},))
"""


def _term(part: str, weight: str, value: Any) -> str:
    if np.asarray(value).dtype.kind != "f":
        return ""
    return f"tl.sum({part} * {weight})" if np.ndim(value) else f"{part} * {weight}"


def with_threads(function: Callable[..., Any], threads: int) -> Callable[..., Any]:
    return tl.jit(function, threads=threads)
