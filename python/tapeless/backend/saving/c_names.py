"""The C function of a kernel: which parameters it has, in which order, by which names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tapeless.abi import Abi, Parameter, Result
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import ArgumentError
from tapeless.runtime.structures import Structure, word_of
from tapeless.trees import named_leaves

C_TYPES = {
    "f64": "double",
    "f32": "float",
    "f16": "uint16_t",
    "bf16": "uint16_t",
    "i64": "int64_t",
    "i32": "int32_t",
    "u32": "uint32_t",
    "i1": "bool",
}
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PREFIX = "tapeless_"
ERROR = "error"
# Words of C and C++, and names that the header itself uses.
WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr continue
decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch template
this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
xor_eq int32_t int64_t uint16_t uint32_t error
"""
RESERVED = frozenset(WORDS.split())


def symbol_of(name: str) -> str:
    """The name in C of a function that was given none."""
    return PREFIX + re.sub(r"[^A-Za-z0-9_]", "_", name)


def check_symbol(symbol: str) -> None:
    """Raises ArgumentError for strings that cannot be the name of a function in C and C++."""
    if not isinstance(symbol, str) or not IDENTIFIER.fullmatch(symbol) or symbol in RESERVED:
        raise ArgumentError(f"symbol={symbol!r} is no name of a function in C; give letters, digits and underscores")
    if symbol.startswith("tl_"):
        raise ArgumentError(f"symbol='{symbol}' begins like the functions of the C runtime; give a name without 'tl_'")


@dataclass(frozen=True)
class CParameter:
    """An argument or a result with its name in C; the names of its open sizes follow it."""

    name: str
    entry: Parameter | Result

    @property
    def sizes(self) -> tuple[str | None, ...]:
        """The name of each size, None for those that are fixed."""
        return tuple(
            None if size is not None else f"{self.name}_size{axis}" for axis, size in enumerate(self.entry.dims)
        )


@dataclass(frozen=True)
class CFunction:
    """`int32_t symbol(arguments and their sizes, results, tl_error *error)`."""

    symbol: str
    arguments: tuple[CParameter, ...]
    results: tuple[CParameter, ...]

    @staticmethod
    def of(symbol: str, names: Sequence[str], abi: Abi, structure: Structure) -> CFunction:
        """Parameters keep their names where C allows it; results are `result`, or `result0`, `result1_0` in tuples.

        Parts of structures are named after their paths: `params_w` is `params['w']`.
        """
        taken: set[str] = set(RESERVED)
        arguments = tuple(
            CParameter(_unused(word_of(name), taken), p) for name, p in zip(names, abi.parameters, strict=True)
        )
        results = {place: word_of(path) for path, place in named_leaves(structure, "result")}
        return CFunction(
            symbol, arguments, tuple(CParameter(_unused(results[k], taken), r) for k, r in enumerate(abi.results))
        )


def _unused(name: str, taken: set[str]) -> str:
    """The name, made different where C or another parameter has it, also as the name of a size."""
    cleaned = name if IDENTIFIER.fullmatch(name) else re.sub(r"\W|[^\x00-\x7f]", "_", f"_{name}")
    while any(_may_meet(cleaned, other) for other in taken):
        cleaned += "_"
    taken.add(cleaned)
    return cleaned


def _may_meet(name: str, other: str) -> bool:
    return name == other or other.startswith(f"{name}_size") or name.startswith(f"{other}_size")
