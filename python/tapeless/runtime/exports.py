"""Kernels for programs of other compilers: named by a digest, and described as the C runtime reads it.

What is added stays for as long as the process runs: programs that name a kernel may be run at any time.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from tapeless.abi import DTYPES, OPERATORS, Expr, Parameter, Result, Site, sites_to_json
from tapeless.runtime.calling.binding import slot_count
from tapeless.runtime.calling.calls import Calls
from tapeless.runtime.code import CompiledCode, image_digest
from tapeless.runtime.failure import surroundings
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.library import load_library

TEXT = ctypes.c_char_p
ADDRESS = ctypes.c_void_p
I64 = ctypes.c_int64
ANY_SIZE = -1
# Steps of expressions for sizes.
NUMBER, DIM = 0, 1
SIZE_OPERATORS = {"add": 2, "sub": 3, "mul": 4, "floordiv": 5, "min": 6, "max": 7}
# XLA's numbers of the types of elements.
XLA_TYPES = {"f64": 12, "f32": 11, "f16": 10, "bf16": 16, "i64": 5, "i32": 4, "u32": 8, "i1": 1}
assert set(XLA_TYPES) == set(DTYPES)
assert set(SIZE_OPERATORS) == set(OPERATORS)


class Exchanged(ctypes.Structure):
    """`tl_exchanged` of runtime/tapeless_runtime.h."""

    _fields_ = (("type", I64), ("rank", I64), ("sizes", ADDRESS))


class SizeStep(ctypes.Structure):
    """`tl_size_step` of runtime/tapeless_runtime.h."""

    _fields_ = (("kind", I64), ("a", I64), ("b", I64))


class ExportedSize(ctypes.Structure):
    """`tl_size` of runtime/tapeless_runtime.h."""

    _fields_ = (("count", I64), ("steps", ADDRESS))


class ExportedSite(ctypes.Structure):
    """`tl_site` of runtime/tapeless_runtime.h."""

    _fields_ = (("before", TEXT), ("message", TEXT), ("behind", TEXT), ("floats", I64))


class Export(ctypes.Structure):
    """`tl_export` of runtime/tapeless_runtime.h."""

    _fields_ = (
        ("digest", TEXT),
        ("name", TEXT),
        ("kernel", ADDRESS),
        ("slots", I64),
        ("operand_count", I64),
        ("result_count", I64),
        ("site_count", I64),
        ("operands", ADDRESS),
        ("results", ADDRESS),
        ("sizes", ADDRESS),
        ("sites", ADDRESS),
    )


# By digest: the kernel and everything that its description points to.
_kept: dict[str, tuple[Any, ...]] = {}


def exported(kernel: Kernel) -> str:
    """The digest by which other programs of this process call a kernel for the CPU from now on."""
    code, calls = kernel.code, kernel.calls
    assert isinstance(calls, Calls)
    digest = digest_of(code)
    if digest in _kept:
        return digest
    operands, operand_sizes = _exchanged(code.abi.parameters)
    results, result_sizes = _exchanged(code.abi.results)
    steps = [_steps(size) for result in code.abi.results for size in result.dims]
    sizes = (ExportedSize * len(steps))(*(ExportedSize(len(each), ctypes.addressof(each)) for each in steps))
    sites = (ExportedSite * len(code.sites))(*map(_site, code.sites))
    export = Export(
        digest=digest.encode(),
        name=f"{kernel.__name__}()".encode(),
        kernel=calls.address,
        slots=slot_count(code.abi),
        operand_count=len(operands),
        result_count=len(results),
        site_count=len(sites),
        operands=ctypes.addressof(operands),
        results=ctypes.addressof(results),
        sizes=ctypes.addressof(sizes),
        sites=ctypes.addressof(sites),
    )
    if not load_library().tl_add_export(ctypes.addressof(export)):
        raise MemoryError(f"there is no memory to make {kernel!r} known to other programs")
    _kept[digest] = (kernel, export, operands, operand_sizes, results, result_sizes, steps, sizes, sites)
    return digest


def digest_of(code: CompiledCode) -> str:
    """A digest of the code, of how it is called, and of its messages when it fails."""
    parts = (code.abi.to_json(), sites_to_json(code.sites), image_digest(code.image, code.entry))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _exchanged(entries: Sequence[Parameter | Result]) -> tuple[ctypes.Array, list[ctypes.Array]]:
    """The description of operands or results, and the sizes that it points to."""
    sizes = [
        (I64 * max(len(entry.dims), 1))(*(size if isinstance(size, int) else ANY_SIZE for size in entry.dims))
        for entry in entries
    ]
    described = [
        Exchanged(XLA_TYPES[entry.dtype], len(entry.dims), ctypes.addressof(fixed))
        for entry, fixed in zip(entries, sizes, strict=True)
    ]
    return (Exchanged * len(described))(*described), sizes


def _steps(size: Expr | None) -> ctypes.Array:
    """An expression of a size in the order of a stack."""
    steps = list(_in_order(size))
    return (SizeStep * len(steps))(*steps)


def _in_order(size: Expr | None) -> Iterator[SizeStep]:
    if isinstance(size, int):
        yield SizeStep(NUMBER, size, 0)
        return
    assert size is not None, "the caller provides the memory of results"
    operator, *operands = size
    if operator == "dim":
        yield SizeStep(DIM, *operands)
        return
    for operand in operands:
        yield from _in_order(operand)
    yield SizeStep(SIZE_OPERATORS[operator], 0, 0)


def _site(site: Site) -> ExportedSite:
    before, behind = surroundings(site)
    floats = sum(1 << k for k, dtype in enumerate(site.types) if dtype == "f64")
    return ExportedSite(f"{site.kind}: {before}".encode(), site.message.encode(), behind.encode(), floats)
