"""The C header of a saved kernel: the prototype, and the meaning of every parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tapeless.abi import Expr, Result
from tapeless.backend.saving.c_function import check_name
from tapeless.backend.saving.c_names import C_TYPES, CFunction, CParameter
from tapeless.runtime.bundle.cpu import RUNTIME_HEADER
from tapeless.runtime.bundle.signature_text import signature_text
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.interface import Interface

SIGNS = {"add": "+", "sub": "-", "mul": "*", "floordiv": "/"}
HOW_IT_ENDS = """\
Returns TL_OK, or TL_CHECK_FAILED, TL_OUT_OF_MEMORY or TL_BAD_SIZE; *error is filled then, unless it is NULL.
Arrays lie row by row, without gaps, aligned as their elements are; those that are written overlap no others.
Any number of threads may call at once."""


def c_header(function: CFunction, interface: Interface, code: CompiledCode) -> str:
    """The text of the header."""
    guard = f"{function.symbol.upper()}_H"
    doc = [line.strip() for line in (interface.doc or "").strip().splitlines()]
    about = [signature_text(interface, code.abi, code.structure), f"from {interface.file}:{interface.line}"]
    lines = [*about, *(["", *doc] if doc else []), "", *_described(function), "", *HOW_IT_ENDS.splitlines()]
    return f"""#ifndef {guard}
#define {guard}

#include <stdbool.h>
#include <stdint.h>

#include "{RUNTIME_HEADER}"

#ifdef __cplusplus
extern "C" {{
#endif

{_comment(lines)}
int32_t {function.symbol}({", ".join(_prototype(function))});

{_comment(["The check that failed, with {} for each of error->values; NULL unless error->kind is TL_CHECK_FAILED."])}
const char *{check_name(function.symbol)}(const tl_error *error);

#ifdef __cplusplus
}}
#endif

#endif
"""


def _comment(lines: Sequence[str]) -> str:
    """Whatever stands in doc strings and names of files ends no comment."""
    safe = [line.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/") for line in lines]
    return "/* " + "\n * ".join(safe).replace(" * \n", " *\n") + " */"


def _prototype(function: CFunction) -> Iterator[str]:
    for argument in function.arguments:
        kind = C_TYPES[argument.entry.dtype]
        yield f"const {kind} *{argument.name}" if argument.entry.kind == "array" else f"{kind} {argument.name}"
        yield from (f"int64_t {size}" for size in argument.sizes if size is not None)
    for result in function.results:
        kind = C_TYPES[result.entry.dtype]
        if isinstance(result.entry, Result) and result.entry.place == "allocated":
            yield f"{kind} **{result.name}"
            yield f"int64_t {result.name}_sizes[{len(result.entry.dims)}]"
        else:
            yield f"{kind} *{result.name}"
    yield "tl_error *error"


def _described(function: CFunction) -> Iterator[str]:
    for argument in function.arguments:
        sizes = (name or str(size) for name, size in zip(argument.sizes, argument.entry.dims, strict=True))
        shape = "".join(f"[{size}]" for size in sizes)
        yield f"{argument.name}: {C_TYPES[argument.entry.dtype]}{shape}"
    for result in function.results:
        yield f"{result.name}: {_result_text(result, function.arguments)}"


def _result_text(result: CParameter, arguments: Sequence[CParameter]) -> str:
    entry, kind = result.entry, C_TYPES[result.entry.dtype]
    assert isinstance(entry, Result)
    if entry.place == "value":
        return f"receives the {kind}"
    if entry.place == "allocated":
        return f"receives the address of {kind}s, to be freed with tl_free, and their sizes on {len(entry.dims)} axes"
    shape = "".join(f"[{_size(expression, arguments)}]" for expression in entry.dims if expression is not None)
    return f"{kind}{shape}, provided by the caller, written completely"


def _size(expression: Expr, arguments: Sequence[CParameter], inner: bool = False) -> str:
    """A size as C, but that division rounds down."""
    if isinstance(expression, int):
        return str(expression)
    operator, *operands = expression
    if operator == "dim":
        argument, axis = operands
        return arguments[argument].sizes[axis] or str(arguments[argument].entry.dims[axis])
    if operator == "arg":
        return arguments[operands[0]].name
    left, right = (_size(operand, arguments, inner=operator in SIGNS) for operand in operands)
    if operator in SIGNS:
        text = f"{left} {SIGNS[operator]} {right}"
        return f"({text})" if inner else text
    return f"{operator}({left}, {right})"
