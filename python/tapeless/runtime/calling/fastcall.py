"""The fast call of a kernel: a Python function written for its signature, and the runtime reading arrays itself.

Only what is as expected is handled here: arrays of the right dtype, numbers. Everything else, wrong arguments included,
goes to `fallback`, which takes the same arguments.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tapeless.abi import Abi, Result, fitting
from tapeless.runtime.calling.arguments import NUMPY_DTYPES
from tapeless.runtime.calling.binding import slot_count
from tapeless.runtime.calling.numbers import NO_ORIGINS, Origins, converted, taken_by
from tapeless.runtime.calling.ordering import with_arrays_in_order
from tapeless.runtime.calling.plan import MISMATCH, PlannedKernel, number_reader, planned_call
from tapeless.runtime.calling.producers import note_types
from tapeless.runtime.calling.results import LARGE_BYTES, allocate
from tapeless.runtime.calling.size_text import size_text
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.failure import Failure, to_exception
from tapeless.runtime.library import load_library
from tapeless.runtime.structures import Structure
from tapeless.trees import Branch, Static, closed

Call = Callable[..., Any]

WORDS = {"f64": "d", "f32": "f4x", "i64": "q", "i32": "q", "u32": "q", "i1": "q"}
FIELDS = {
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int64,
    "u32": ctypes.c_int64,
    "i1": ctypes.c_int64,
}
# What `tl_call` has room for.
MOST_SLOTS = 256
# Expressions and tuples that are nested deeper are not written as source.
MOST_NESTED = 50
READ = {"f64": "{}", "f32": "float32({})", "i64": "{}", "i32": "{}", "u32": "{} & 0xFFFFFFFF", "i1": "{} != 0"}
RANGES_OF_32_BITS = {"i32": "-0x80000000 <= {} < 0x80000000", "u32": "0 <= {} < 0x100000000"}
# Functions in Python that a fast call calls before the kernel.
CALLED = frozenset({allocate.__code__, fitting.__code__, converted.__code__})
# What evaluating sizes and packing scalars may raise for arguments that are not as expected.
UNUSUAL = (AttributeError, IndexError, TypeError, ValueError, ArithmeticError, MemoryError, struct.error)


def can_call_fast(abi: Abi, structure: Structure) -> bool:
    """Left to the general call: arrays that the kernel allocates, many slots, sources that are too long."""
    return (
        slot_count(abi) <= MOST_SLOTS
        and all(result.place != "allocated" for result in abi.results)
        and _is_flat(structure, MOST_NESTED)
        and all(_is_flat(size, MOST_NESTED) for result in abi.outs for size in result.dims)
    )


def _is_flat(tree: Any, levels: int) -> bool:
    """Whether structures, or the lists of expressions, are nested at most so deeply."""
    if not isinstance(tree, (tuple, list, Branch)):
        return True
    return levels > 0 and all(_is_flat(part, levels - 1) for part in (tree.items if isinstance(tree, Branch) else tree))


def make_fast_call(code: CompiledCode, planned: PlannedKernel, fallback: Call, origins: Origins = NO_ORIGINS) -> Call:
    """A function of the kernel's parameters by position.

    Numbers with one of `origins` are of the type that the kernel was chosen for; others choose another.
    """
    make = partial(_make, code, planned, origins)
    return make(with_arrays_in_order(code.abi, make, fallback), fallback)


def _make(code: CompiledCode, planned: PlannedKernel, origins: Origins, mismatched: Call, fallback: Call) -> Call:
    names: dict[str, Any] = {
        **{f"dtype{number}": NUMPY_DTYPES[result.dtype] for number, result in enumerate(code.abi.outs)},
        "empty": np.empty,
        "allocate": allocate,
        "fitting": fitting,
        "float32": np.float32,
        "pack": struct.Struct("<" + "".join(_scalar_words(code.abi))).pack,
        "Results": _results_type(code.abi),
        "call": planned_call(planned),
        "addressof": ctypes.addressof,
        "fallback": fallback,
        "recover": _recovery(code, mismatched),
        "keep_alive": planned,
        "UNUSUAL": UNUSUAL,
        "is_own": _is_own,
        "converted": converted,
    }
    exec(fast_call_source(code.abi, code.structure, names, origins), names)
    return names["fast_call"]


def _is_own(error: BaseException) -> bool:
    """Whether a fast call itself, or its callee, raised the error, and not a signal handler that ran meanwhile."""
    assert error.__traceback__ is not None
    called = error.__traceback__.tb_next
    return called is None or (called.tb_next is None and called.tb_frame.f_code in CALLED)


def _scalar_words(abi: Abi) -> Iterator[str]:
    return (WORDS[parameter.dtype] for parameter in abi.parameters if parameter.kind == "scalar")


def _results_type(abi: Abi) -> type[ctypes.Structure]:
    """One 8-byte field per scalar result."""
    fields: list[tuple[str, type[Any]]] = []
    for number, result in enumerate(abi.returned):
        fields.append((f"r{number}", FIELDS[result.dtype]))
        if result.dtype == "f32":
            fields.append((f"unused{number}", ctypes.c_int32))
    return type("Results", (ctypes.Structure,), {"_fields_": fields})


def _recovery(code: CompiledCode, fallback: Call) -> Call:
    """The recovery when the runtime did not run the kernel to its end."""
    last_error = load_library().tl_last_error
    sites = dict(enumerate(code.sites))

    def recover(status: int, *arguments: Any) -> Any:
        if status == MISMATCH:
            note_types(arguments)
            return fallback(*arguments)
        failure = Failure()
        last_error(ctypes.addressof(failure))
        raise to_exception(failure, sites)

    return recover


def fast_call_source(abi: Abi, structure: Structure, names: dict[str, Any], origins: Origins = NO_ORIGINS) -> str:
    """The text of the function, arguments named a0, a1, ..., provided results o0, o1, ...; adds the names it uses."""
    arguments = ", ".join(f"a{number}" for number in range(len(abi.parameters)))
    lines = [f"def fast_call({arguments}):"]
    prepared = [*_numbers(abi, arguments, names, origins), *_provided(abi), *_packed(abi)]
    if prepared:
        lines += ["    try:", *(f"    {line}" for line in prepared)]
        lines += ["    except UNUSUAL as error:", "        if not is_own(error):", "            raise"]
        lines += [f"        return fallback({arguments})"]
    arrays = [f"a{number}" for number, parameter in enumerate(abi.parameters) if parameter.kind == "array"]
    arrays += [f"o{number}" for number in range(len(abi.outs))]
    words = "words" if any(_scalar_words(abi)) else "None"
    results = "addressof(results)" if abi.returned else "None"
    lines += ["    results = Results()"] if abi.returned else []
    lines += [
        f"    status = call(({''.join(f'{name}, ' for name in arrays)}), {words}, {results})",
        "    if status:",
        f"        return recover(status, {arguments})",
        f"    return {_expression(structure, list(_leaves(abi)), names)}",
    ]
    return "\n".join(lines)


def _numbers(abi: Abi, arguments: str, names: dict[str, Any], origins: Origins) -> Iterator[str]:
    """The Python numbers n0, n1, ... of scalar arguments, those of 32 bits in range; None, which is never packed."""
    for number, parameter in enumerate(abi.parameters):
        if parameter.kind == "array":
            continue
        taken = taken_by(parameter.dtype, origins.get(number))
        names[f"taken{number}"] = taken
        converted = f"converted(a{number}, taken{number})"
        if NUMPY_DTYPES[parameter.dtype].type in taken.types:
            names[f"read{number}"] = number_reader(parameter.dtype)
            converted = f"read{number}(a{number}, type(a{number}))"
        usual = taken.python.__name__
        is_usual = f"a{number} if type(a{number}) is {usual} else " if taken.python in taken.types else ""
        yield f"    n{number} = {is_usual}{converted}"
        if f"read{number}" in names:
            yield f"    if n{number} is None:"
            yield f"        n{number} = converted(a{number}, taken{number})"
        if parameter.dtype in RANGES_OF_32_BITS:
            yield f"    if not {RANGES_OF_32_BITS[parameter.dtype].format(f'n{number}')}:"
            yield f"        return fallback({arguments})"


def _provided(abi: Abi) -> Iterator[str]:
    """Memory for the results."""
    for number, result in enumerate(abi.outs):
        like = _shaped_like(abi, result)
        sizes = "".join(f"{size_text(abi, expr)}, " for expr in result.dims)
        shape = f"a{like}.shape" if like is not None else f"({sizes})"
        yield f"    o{number} = empty({shape}, dtype{number})"
        yield f"    if o{number}.nbytes >= {LARGE_BYTES}:"
        yield f"        o{number} = allocate(o{number}.shape, '{result.dtype}')"


def _shaped_like(abi: Abi, result: Result) -> int | None:
    """The number of the argument whose shape a result has, if the sizes say so."""
    sizes = [list(size) if isinstance(size, (list, tuple)) else [] for size in result.dims]
    if not sizes[0] or sizes[0][0] != "dim":
        return None
    number = sizes[0][1]
    own = [["dim", number, axis] for axis in range(len(abi.parameters[number].dims))]
    return number if sizes == own else None


def _packed(abi: Abi) -> list[str]:
    scalars = [f"n{number}" for number, parameter in enumerate(abi.parameters) if parameter.kind == "scalar"]
    return [f"    words = pack({', '.join(scalars)})"] if scalars else []


def _leaves(abi: Abi) -> Iterator[str]:
    """One expression per result, in order."""
    provided, returned = 0, 0
    for result in abi.results:
        if result.place == "out":
            yield f"o{provided}"
            provided += 1
        else:
            yield READ[result.dtype].format(f"results.r{returned}")
            returned += 1


def _expression(structure: Structure, leaves: Sequence[str], names: dict[str, Any]) -> str:
    if isinstance(structure, int):
        return leaves[structure]
    name = f"made{len(names)}"
    if isinstance(structure, Static):
        names[name] = structure.value
        return name
    if isinstance(structure, Branch):
        names[name] = partial(closed, structure.node)
        return f"{name}(({''.join(f'{_expression(part, leaves, names)}, ' for part in structure.items)}))"
    return f"({''.join(f'{_expression(part, leaves, names)}, ' for part in structure)})"
