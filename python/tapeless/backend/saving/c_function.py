"""The C function of a kernel as LLVM IR: it fills the slots of a call, runs the kernel and takes its results.

    int32_t tapeless_f(const double *x, int64_t x_size0, double *result, tl_error *error)

Sizes of arguments, and those that these give to results, are checked first: TL_BAD_SIZE says that nothing has run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_letters, digits

from tapeless.abi import LONGEST_AXIS, Parameter, Result
from tapeless.backend.compile import Contract
from tapeless.backend.saving.c_names import CFunction, CParameter
from tapeless.backend.saving.c_sizes import SizeText

LLVM_TYPES = {"f64": "double", "f32": "float", "i64": "i64", "i32": "i32", "u32": "i32", "i1": "i8"}
TL_CHECK_FAILED, TL_BAD_SIZE = 1, 4
ERROR_WORDS = 12
PLAIN = frozenset(ascii_letters + digits + "_.$-")


def check_name(symbol: str) -> str:
    """The function that gives the text of a check."""
    return f"{symbol}_check"


def c_function_text(function: CFunction, contract: Contract) -> str:
    """LLVM IR of the function and of the one that explains failed checks, to stand behind the kernel's."""
    return "\n".join(("", *_function(function, contract), *_checks(function.symbol, contract), ""))


def _function(function: CFunction, contract: Contract) -> Iterator[str]:
    sizes = SizeText(function.arguments)
    slots, loads = [], []
    for parameter in function.arguments:
        slots += list(_argument_slots(parameter, sizes))
    for result in function.results:
        if _place(result) == "out":
            slots += [f"store ptr %{result.name}, ptr {{}}", *_stored(sizes.of_result(result))]
    used = len(slots)
    for result in function.results:
        if _place(result) != "out":
            loads.append((result, used))
            used += 1 + len(result.entry.dims)
    yield f"define i32 @{function.symbol}({', '.join(_parameters(function))}) {{"
    yield f"  %c.slots = alloca [{max(used, 1)} x i64], align 8"
    yield f"  %c.own = alloca [{ERROR_WORDS} x i64], align 8"
    yield "  %c.unwanted = icmp eq ptr %error, null"
    yield "  %c.failure = select i1 %c.unwanted, ptr %c.own, ptr %error"
    yield from (f"  {line}" for line in sizes.lines)
    yield from (f"  {line}" for line in sizes.checks(LONGEST_AXIS))
    yield "  br i1 %sizes.bad, label %c.refused, label %c.sized"
    yield "c.sized:"
    for position, store in enumerate(slots):
        yield f"  {_slot(position)}"
        yield f"  {store.format(f'%c.slot{position}')}"
    yield f"  %c.kind = call i32 @tl_invoke(ptr {_quoted(contract.entry)}, ptr %c.slots, ptr %c.failure)"
    yield "  %c.failed = icmp ne i32 %c.kind, 0"
    yield "  br i1 %c.failed, label %c.end, label %c.done"
    yield "c.done:"
    for result, position in loads:
        yield from _taken(result, position)
    yield "  br label %c.end"
    yield "c.refused:"
    yield f"  store i32 {TL_BAD_SIZE}, ptr %c.failure"
    yield "  br label %c.end"
    yield "c.end:"
    yield f"  %c.status = phi i32 [ %c.kind, %c.sized ], [ 0, %c.done ], [ {TL_BAD_SIZE}, %c.refused ]"
    yield "  ret i32 %c.status"
    yield "}"
    yield "declare i32 @tl_invoke(ptr, ptr, ptr)"


def _quoted(symbol: str) -> str:
    """A symbol as LLVM writes it: bytes of other letters than those of C, which Python's names may have, by number."""
    return '@"' + "".join(chr(byte) if chr(byte) in PLAIN else f"\\{byte:02X}" for byte in symbol.encode()) + '"'


def _place(result: CParameter) -> str:
    assert isinstance(result.entry, Result)
    return result.entry.place


def _parameters(function: CFunction) -> Iterator[str]:
    for argument in function.arguments:
        is_array = argument.entry.kind == "array"
        yield f"ptr %{argument.name}" if is_array else f"{LLVM_TYPES[argument.entry.dtype]} %{argument.name}"
        yield from (f"i64 %{size}" for size in argument.sizes if size is not None)
    for result in function.results:
        yield f"ptr %{result.name}"
        if _place(result) == "allocated":
            yield f"ptr %{result.name}_sizes"
    yield "ptr %error"


def _slot(position: int) -> str:
    return f"%c.slot{position} = getelementptr i64, ptr %c.slots, i64 {position}"


def _argument_slots(argument: CParameter, sizes: SizeText) -> Iterator[str]:
    entry, name = argument.entry, argument.name
    assert isinstance(entry, Parameter)
    if entry.kind == "array":
        yield f"store ptr %{name}, ptr {{}}"
        yield from _stored(sizes.of_argument(argument))
    elif entry.dtype in ("i32", "u32", "i1"):
        yield f"store i64 {sizes.widened(argument)}, ptr {{}}"
    else:
        yield f"store {LLVM_TYPES[entry.dtype]} %{name}, ptr {{}}"


def _stored(sizes: Sequence[str]) -> list[str]:
    return [f"store i64 {size}, ptr {{}}" for size in sizes]


def _taken(result: CParameter, position: int) -> Iterator[str]:
    """Copies a returned result from its slots to where the caller wants it."""
    name, entry = result.name, result.entry
    kind = "ptr" if entry.kind == "array" else LLVM_TYPES[entry.dtype]
    yield f"  {_slot(position)}"
    yield f"  %{name}.value = load {kind}, ptr %c.slot{position}"
    yield f"  store {kind} %{name}.value, ptr %{name}"
    for axis in range(len(entry.dims)):
        yield f"  {_slot(position + 1 + axis)}"
        yield f"  %{name}.size{axis} = load i64, ptr %c.slot{position + 1 + axis}"
        yield f"  %{name}.to{axis} = getelementptr i64, ptr %{name}_sizes, i64 {axis}"
        yield f"  store i64 %{name}.size{axis}, ptr %{name}.to{axis}"


def _checks(symbol: str, contract: Contract) -> Iterator[str]:
    """`const char *symbol_check(const tl_error *error)`: the text of the check that failed, or NULL."""
    texts = [f"{site.file}:{site.line}: {site.kind}: {site.message}".encode() for site in contract.sites]
    for number, text in enumerate(texts):
        yield f'@{symbol}.text{number} = private unnamed_addr constant [{len(text) + 1} x i8] c"{_escaped(text)}\\00"'
    yield f"define ptr @{check_name(symbol)}(ptr %error) {{"
    yield "  %kind = load i32, ptr %error"
    yield "  %place = getelementptr i64, ptr %error, i64 1"
    yield f"  %is_check = icmp eq i32 %kind, {TL_CHECK_FAILED}"
    yield "  br i1 %is_check, label %check, label %none"
    yield "check:"
    yield "  %site = load i64, ptr %place"
    yield f"  switch i64 %site, label %none [{' '.join(f'i64 {k}, label %site{k}' for k in range(len(texts)))}]"
    for number in range(len(texts)):
        yield f"site{number}:"
        yield f"  ret ptr @{symbol}.text{number}"
    yield "none:"
    yield "  ret ptr null"
    yield "}"


def _escaped(text: bytes) -> str:
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in text)
