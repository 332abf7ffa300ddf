"""`tl.from_mlir`: functions of modules of MLIR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapeless.api.decorated import TapelessFunction
from tapeless.api.imports.functions import Origin, imported_function
from tapeless.backend.lock import COMPILING
from tapeless.backend.own_stack import with_room
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.imported import Imported
from tapeless.signature import REQUIRED, Parameter
from tapeless.tracebacks import user_facing

if TYPE_CHECKING:
    from tapeless.backend.reading.functions import CoreFunction

Line = tuple[str, int]
"""A file, and a line of it."""


@user_facing
def from_mlir(module: str | bytes | PathLike[str], name: str = "main") -> TapelessFunction[..., Any]:
    """A function of a module of MLIR, which is a text, bytecode, or the path of a file with one of them.

    It is what `@tl.function` gives: called, transformed, called in other functions, compiled, saved. Several results
    are a tuple. Within `tl.disable_jit()` it runs compiled all the same, since there is no Python to run in its place.

    >>> square = tl.from_mlir('''
    ... func.func @square(%x: f64) -> f64 {
    ...   %y = arith.mulf %x, %x : f64
    ...   return %y : f64
    ... }
    ... ''', name="square")
    >>> tl.grad(square)(3.0)
    6.0
    """
    if not isinstance(module, (str, bytes, PathLike)):
        raise ArgumentError(
            f"tl.from_mlir takes text, bytes or a path, not a {type(module).__name__}; pass one of them"
        )
    read = read_core(Path(module) if isinstance(module, PathLike) else module, name)
    parameters = [Parameter(each, type_, REQUIRED) for each, type_ in zip(read.names, read.takes, strict=True)]
    gives = read.gives[0] if len(read.gives) == 1 else read.gives
    imported = Imported(read.name, read.module, read.takes, gives)
    return imported_function(imported, parameters, Origin(read.name, read.file, read.line))


@with_room
def read_core(
    content: str | bytes | Path,
    name: str,
    rules: Mapping[str, bytes] | None = None,
    cuts: Sequence[str] = (),
    place: Line | None = None,
    is_trusted: bool = False,
) -> CoreFunction:
    """The function of that name in core IR; `rules` are modules with functions that composites name.

    Its last arguments, as many as there are `cuts`, stand for its last results: as constants for derivatives
    (`tapeless.stop_gradient`), or through a function (`chlo.lgamma`).
    Operations that are at no line of a source are at a `place` that is given. Bytecode that this process wrote
    `is_trusted`; other bytecode, which may bring MLIR down, is read in a process of its own first.
    """
    from tapeless.backend.reading.core_function import read_core_function  # MLIR is loaded with the first module

    with COMPILING:
        return read_core_function(content, name, rules or {}, cuts, place, is_trusted)
