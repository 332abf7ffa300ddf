"""Functions that the command line names, `FILE.py:FUNCTION` or `FILE.mlir:FUNCTION`, and the text of types."""

from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tapeless import types
from tapeless.spelling import nearest_or_all

TYPE = re.compile(r"\s*(?:tl\.)?(\w+)\s*(?:\[([^\]]*)\])?\s*")
# A file may be called like a module that is imported already.
PREFIX = "_named_"
BETWEEN_TYPES = re.compile(r",(?![^\[]*\])")
# Files with modules of MLIR, as text or as bytecode.
MLIR = (".mlir", ".mlirbc")


def is_mlir(text: str) -> bool:
    """Whether the name of a function names a file with a module of MLIR."""
    return text.rpartition(":")[0].endswith(MLIR) or text.endswith(MLIR)


def function_named(text: str) -> Callable[..., Any]:
    """The function of a Python file, which is run as an import would run it, or of a module of MLIR."""
    if is_mlir(text):
        return _function_of_module(text)
    path, colon, name = text.rpartition(":")
    if not colon or not path or not name:
        raise click.UsageError(f"'{text}' names no function; write FILE.py:FUNCTION or FILE.mlir:FUNCTION")
    module = _run(Path(path))
    if not hasattr(module, name):
        functions = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        known = nearest_or_all(name, functions) if functions else "; it has no functions"
        raise click.UsageError(f"{path} has no '{name}'{known}")
    function = getattr(module, name)
    if not callable(function):
        raise click.UsageError(f"'{name}' of {path} is a {type(function).__name__}, not a function")
    return function


def _function_of_module(text: str) -> Callable[..., Any]:
    """The function of a module; `main` where no name is given."""
    import tapeless as tl

    path, _, name = (text, "", "main") if text.endswith(MLIR) else text.rpartition(":")
    if not name:
        raise click.UsageError(f"'{text}' names no function; write FILE.mlir:FUNCTION")
    if not Path(path).is_file():
        raise click.UsageError(f"there is no file '{path}'")
    return tl.from_mlir(Path(path), name=name)


def float_parameters(function: Any) -> tuple[int, ...]:
    """The positions of the parameters of a function of a module that have derivatives."""
    parameters = enumerate(function.source.parameters)
    return tuple(position for position, each in parameters if getattr(each.type, "dtype", each.type).is_float)


def _run(path: Path) -> Any:
    if not path.is_file():
        raise click.UsageError(f"there is no file '{path}'")
    name = f"{PREFIX}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise click.UsageError(f"'{path}' is not a Python file; its name must end in .py, or in .mlir for a module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == path.resolve()]
        place = f"{path}:{lines[-1]}" if lines else str(path)
        raise click.ClickException(f"{place}: running the file raised {type(error).__name__}: {error}") from error
    return module


def signature(text: str) -> tuple[types.Type, ...]:
    """Types as users write them: `f64[:], tl.f64[:, 3], i64`."""
    return tuple(_type(each) for each in BETWEEN_TYPES.split(text)) if text.strip() else ()


def _type(text: str) -> types.Type:
    match = TYPE.fullmatch(text)
    scalars = {scalar.name: scalar for scalar in types.SCALARS}
    if match is None:
        raise click.BadParameter(f"'{text.strip()}' is no type; write f64, f64[:] or f64[:, 3]")
    name, sizes = match[1], match[2]
    if name not in scalars:
        raise click.BadParameter(f"there is no type '{name}'{nearest_or_all(name, scalars)}")
    return scalars[name] if sizes is None else scalars[name][tuple(_size(each.strip()) for each in sizes.split(","))]


def _size(text: str) -> int | slice:
    if text == ":":
        return slice(None)
    if not text.isdecimal():
        raise click.BadParameter(f"'{text}' is no size of an array; write : or a number")
    return int(text)
