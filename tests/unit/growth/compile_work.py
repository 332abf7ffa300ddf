"""The work of a compilation, counted in calls: unlike time, it is the same on every machine and on every day."""

from __future__ import annotations

import cProfile
import linecache
from collections.abc import Callable

from families import FAMILIES

import tapeless as tl
from tapeless.api.decorated import TapelessFunction
from tapeless.api.options import Options
from tapeless.api.parameters import signature_types
from tapeless.backend.compile import CompileOptions, lower
from tapeless.frontend import emit

# Each form: the source of a function `g` of the same arguments, and possibly a direction, that is compiled.
FORMS: dict[str, str] = {
    "value": "g = f\n",
    "gradient": "g = tl.grad(f)\n",
    "tangent": "@tl.function\ndef g(x: {type}, dx: {type}):\n    return tl.jvp(f, (x,), (dx,))\n",
}


def program_of(family: str, form: str, n: int) -> TapelessFunction:
    """A form of the program of a family with n statements."""
    program = FAMILIES[family]
    return function_of(program.text(n) + FORMS[form].format(type=program.type), f"<{n} {family}, {form}>")


def function_of(text: str, name: str) -> TapelessFunction:
    """The function `g` that a text defines; the text is found by this name when the function is read."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, TapelessFunction] = {"tl": tl}  # type: ignore[dict-item]
    exec(compile(text, name, "exec"), names)
    return names["g"]


def compile_to_llvm(function: TapelessFunction, method: str = Options().method) -> None:
    """Runs the frontend and every pass, for the annotated types."""
    source = function.source
    emitted = emit(source, signature_types(source.name, source.parameters, None), method=method)
    lower(emitted.module, CompileOptions())


def calls_during(work: Callable[[], None]) -> int:
    """How many functions, in Python and in the bindings, are called."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())
