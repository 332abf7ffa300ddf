"""Kernels for programs of other compilers: named by a digest, and described as the C runtime reads it.

What is added stays for as long as the process runs: programs that name a kernel may be run at any time.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from typing import Any

from tapeless.abi import DTYPES, Parameter, Result, Site, sites_to_json
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
# XLA's numbers of the types of elements.
XLA_TYPES = {"f64": 12, "f32": 11, "f16": 10, "bf16": 16, "i64": 5, "i32": 4, "u32": 8, "i1": 1}
assert set(XLA_TYPES) == set(DTYPES)


class Exchanged(ctypes.Structure):
    """`tl_exchanged` of runtime/tapeless_runtime.h."""

    _fields_ = (("type", I64), ("rank", I64), ("sizes", ADDRESS))


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
        sites=ctypes.addressof(sites),
    )
    if not load_library().tl_add_export(ctypes.addressof(export)):
        raise MemoryError(f"there is no memory to make {kernel!r} known to other programs")
    _kept[digest] = (kernel, export, operands, operand_sizes, results, result_sizes, sites)
    return digest


def digest_of(code: CompiledCode) -> str:
    """A digest of the code, of how it is called, and of what it says when it fails."""
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


def _site(site: Site) -> ExportedSite:
    before, behind = surroundings(site)
    floats = sum(1 << k for k, dtype in enumerate(site.types) if dtype == "f64")
    return ExportedSite(f"{site.kind}: {before}".encode(), site.message.encode(), behind.encode(), floats)
