"""`tl.from_jax`: functions written for JAX."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tapeless.api.decorated import TapelessFunction
from tapeless.api.imports.functions import Origin, imported_function
from tapeless.api.imports.mlir import read_core
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.imported import Imported
from tapeless.tracebacks import user_facing


@user_facing
def from_jax(function: Callable[..., Any], *examples: Any) -> TapelessFunction[..., Any]:
    """A function written for JAX, for arguments like the examples: numbers, arrays, `jax.ShapeDtypeStruct`, and trees.

    It is what `@tl.function` gives, with the types and sizes of the examples: dtypes are JAX's (`f32` unless 64 bits
    are enabled there). Sizes may be open: with `jax.export.symbolic_shape("n, 4")` as a shape, or `tl.f32[:, 4]` as an
    example, one function serves all sizes, and calls check what JAX supposes of them. `stop_gradient`,
    rules of `jax.custom_jvp` and `jax.custom_vjp`, and `jax.checkpoint` keep their meaning for derivatives, and loops
    of any kind are differentiated in reverse. JAX runs when the function is read, and not in its calls. Needs JAX:
    `pip install tapeless[jax]`.

    >>> import jax
    >>> halved = lambda x: jax.lax.while_loop(lambda v: v > 1.0, lambda v: 0.5 * v, x)
    >>> float(tl.grad(tl.from_jax(halved, 1.0))(6.0))
    0.125
    """
    if not callable(function):
        raise ArgumentError(f"tl.from_jax takes a function of JAX, not {function!r}; write tl.from_jax(f, *examples)")
    try:
        from tapeless.api.imports.jax_programs.reading import read_program
    except ModuleNotFoundError as error:
        if error.name not in ("jax", "jaxlib"):
            raise
        raise ImportError("tl.from_jax needs JAX; `pip install tapeless[jax]`") from None
    program = read_program(function, examples)
    origin = _origin(function)
    read = read_core(program.artifact, "main", program.rules, place=(origin.file, origin.line), is_trusted=True)
    imported = Imported(read.name, read.module, program.takes, program.gives)
    return imported_function(imported, program.parameters, origin)


def _origin(function: Callable[..., Any]) -> Origin:
    """The name and the place of the Python function behind decorators and partials."""
    inner: Any = inspect.unwrap(function)
    inner = inspect.unwrap(getattr(inner, "func", inner))
    code = getattr(inner, "__code__", None)
    name = getattr(inner, "__name__", type(inner).__name__)
    doc = inspect.getdoc(inner)
    name = "lambda" if name == "<lambda>" else name
    if code is None:
        return Origin(name, "<jax>", 1, doc=doc)
    return Origin(name, code.co_filename, code.co_firstlineno, doc=doc)
