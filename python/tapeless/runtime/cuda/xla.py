"""The function that XLA calls for kernels on a GPU: they run on XLA's buffers, after the work queued on its stream.

Plans are carried out by Python, so this one takes Python's lock, which is free while it waits for the GPU.
"""

from __future__ import annotations

from typing import Final

from tapeless.abi import Parameter, Result
from tapeless.errors import TargetError
from tapeless.runtime.cuda.calls import CudaCalls
from tapeless.runtime.cuda.image import DeviceImage
from tapeless.runtime.exports import XLA_TYPES, digest_of
from tapeless.runtime.kernel import Kernel
from tapeless.runtime.xla_frames import (
    GET,
    INVALID_ARGUMENT,
    NOT_FOUND,
    Exchanged,
    Frame,
    answered,
    attribute,
    error_of,
    exchanged,
    stream_of,
)

ATTRIBUTE: Final = "kernel"
# Types of numbers that stand for wider ones, in programs without numbers of 64 bits.
NARROWER: Final = {XLA_TYPES["f64"]: XLA_TYPES["f32"], XLA_TYPES["i64"]: XLA_TYPES["i32"]}

_kept: dict[str, Kernel] = {}


def exported(kernel: Kernel) -> str:
    """The digest by which XLA calls a kernel for GPUs from now on; it stays for as long as the process runs."""
    assert isinstance(kernel.code.image, DeviceImage)
    digest = digest_of(kernel.code)
    _kept.setdefault(digest, kernel)
    return digest


@GET
def xla_call(address: int) -> int | None:
    """Runs the kernel that a call frame names; gives None, or an error of XLA."""
    frame = Frame.from_address(address)
    if answered(frame):
        return None
    try:
        kernel = _kept.get(attribute(frame, ATTRIBUTE) or "")
        if kernel is None:
            return error_of(frame, NOT_FOUND, "this process has no kernel of the digest that a compiled program names")
        operands, results = exchanged(frame.operands), exchanged(frame.results)
        _check(kernel, operands, results)
        assert isinstance(kernel.calls, CudaCalls)
        kernel.calls.into(stream_of(frame), operands, results)
    except BaseException as error:  # nothing may be raised into XLA
        return error_of(frame, INVALID_ARGUMENT, f"{type(error).__name__}: {error}")
    return None


def _check(kernel: Kernel, operands: list[Exchanged], results: list[Exchanged]) -> None:
    """Raises for buffers of other types and ranks than the kernel has."""
    wanted: list[Parameter | Result] = [*kernel.abi.parameters, *kernel.abi.results]
    is_right = [len(operands), len(results)] == [len(kernel.abi.parameters), len(kernel.abi.results)]
    for k, (given, entry) in enumerate(zip([*operands, *results], wanted, strict=False)):
        type_ = XLA_TYPES[entry.dtype]
        may_be_narrower = entry.kind == "scalar" and k < len(operands)
        types = (type_, NARROWER.get(type_)) if may_be_narrower else (type_,)
        is_right &= given.type in types and len(given.shape) == len(entry.dims)
    if not is_right:
        raise TargetError(
            f"the operands or results of a compiled program are not those of {kernel!r}; compile the program again"
        )
