"""The reference, made from the tables and the doc strings of the package: the language, the API, the errors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import tapeless as tl
from tapeless import lang
from tapeless.api.options import Options
from tapeless.api.sparse.matrices import SparseDerivative
from tapeless.api.transforms.custom import CustomFunction
from tapeless.api.transforms.pullback import Pullback
from tapeless.manual import SECTIONS, syntax
from tapeless.manual.text import derivative, session
from tapeless.runtime.status import Status
from tapeless.types import ArrayType

# What functions give that has no public name.
GIVEN = (CustomFunction, Pullback, SparseDerivative, Status, ArrayType)

LANGUAGE = """\
What `@tl.function` and `@tl.reversible` understand. Everything else is refused with the line, and with what to write
instead. Operators are also the functions of the same names of `np` and `math`, and methods where numpy has them
(`names.md`); called from Python they compute at once. All examples are run by the tests of Tapeless."""
ERRORS = """\
Every error is a `tl.TapelessError` (or a `MemoryError`), and says what to do. Those of a program have its file and
line. Tracebacks end at your own line; `TAPELESS_TRACEBACK=full` in the environment shows the frames below it."""


def pages() -> dict[str, str]:
    """The generated pages by name."""
    return {"language": language(), "api": api(), "errors": errors()}


def language() -> str:
    """Every statement, expression and operator."""
    lines = [
        "# The language",
        LANGUAGE,
        "## Statements",
        *_syntax(syntax.STATEMENTS.values()),
        "## Expressions",
        *_syntax(syntax.EXPRESSIONS.values()),
        "## Types and constants",
        *_types(),
    ]
    for section, entries in SECTIONS.items():
        lines += [f"## {section}"]
        for name, entry in entries.items():
            operator = lang.OPERATORS[name]
            lines += [f"### tl.{name}", f"`tl.{name}{_signature(operator)}`", operator.summary]
            lines += [f"- Shapes: {entry.shapes}.\n- Derivative: {_formula(entry.derivative, derivative(entry))}."]
            lines += [_code(session(entry))]
    return "\n\n".join(lines) + "\n"


def _formula(given: str | tuple[str, ...], text: str) -> str:
    return text if isinstance(given, str) else ", ".join(f"`{partial}`" for partial in given)


def _syntax(table: Any) -> Iterator[str]:
    for each in table:
        yield f"{each.written}: {each.meaning}."
        yield _code(each.session)


def _types() -> Iterator[str]:
    rows = [f"| `tl.{each}` | `{getattr(tl, each).numpy}` |" for each in ("f64", "f32", "i64", "i32", "bool_")]
    yield "\n".join(["| type | in numpy |", "| --- | --- |", *rows])
    yield "`tl.f64[:]` is a vector, `tl.f64[:, 3]` a matrix with three columns."
    yield "`tl.e`, `tl.pi`, `tl.inf` and `tl.nan` are numbers."


def api() -> str:
    """Every public name that is no operator and no error, with what it gives."""
    lines = ["# The API", "What is called from Python. All examples are run by the tests of Tapeless.", "## Functions"]
    public = [(name, getattr(tl, name)) for name in tl.__all__ if name not in lang.PUBLIC]
    values = [(name, value) for name, value in public if not _is_error(value)]
    for name, value in values:
        if inspect.isfunction(value):
            lines += [f"### tl.{name}", f"`tl.{name}{_signature(value)}`", *_text(value)]
    lines += ["## Options", "Of `tl.jit`, `tl.compile` and `f.lower`.", *_text(Options), *_fields()]
    lines += ["## Classes"]
    classes = [(f"tl.{name}", value) for name, value in values if inspect.isclass(value)]
    for name, value in [*classes, *((each.__name__, each) for each in GIVEN)]:
        lines += [f"### {name}", *_text(value), *_members(value)]
    lines += ["## Types and modules"]
    for name, value in values:
        if not inspect.isclass(value) and not inspect.isfunction(value):
            lines += [f"### tl.{name}", *_text(value), *_functions(f"tl.{name}", value)]
    return "\n\n".join(lines) + "\n"


def _functions(name: str, module: Any) -> Iterator[str]:
    """The public functions of a module."""
    members = [(each, getattr(module, each)) for each in getattr(module, "__all__", ())]
    for each, member in members:
        if callable(member):
            yield f"- `{name}.{each}{_signature(member)}`: {(inspect.getdoc(member) or '').partition(chr(10))[0]}"


def _fields() -> Iterator[str]:
    rows = [f"| `{name}` | `{each.default!r}` |" for name, each in inspect.signature(Options).parameters.items()]
    yield "\n".join(["| option | default |", "| --- | --- |", *rows])


def _members(value: type) -> Iterator[str]:
    rows = []
    for name, member in inspect.getmembers(value):
        text = inspect.getdoc(member)
        if name.startswith("_") or not text or not (callable(member) or isinstance(member, property)):
            continue
        first = text.partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        rows.append(f"| `{name}{'' if isinstance(member, property) else '()'}` | {first} |")
    if rows:
        yield "\n".join(["| member | meaning |", "| --- | --- |", *rows])


def errors() -> str:
    """Every error class: when it comes, what to do, and one of them."""
    lines = [
        "# Errors",
        ERRORS,
    ]
    for name in tl.__all__:
        value = getattr(tl, name)
        if _is_error(value):
            bases = ", ".join(f"`{base.__name__}`" for base in value.__bases__)
            lines += [f"## tl.{name}", f"A {bases}.", *_text(value)]
    return "\n\n".join(lines) + "\n"


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BaseException)


def _signature(value: Any) -> str:
    text = str(inspect.signature(value))
    return re.sub(r"(tapeless|typing|collections\.abc)(\.\w+)*\.(?=\w)", "", text).replace("'", "")


def _text(value: Any) -> Iterator[str]:
    """A doc string with its sessions as code."""
    for paragraph in (inspect.getdoc(value) or "").split("\n\n"):
        yield _code(paragraph) if paragraph.startswith(">>>") else paragraph


def _code(text: str) -> str:
    return f"```pycon\n{text.rstrip()}\n```"
