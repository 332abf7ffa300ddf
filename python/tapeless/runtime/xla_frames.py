"""The part of XLA's C interface (version 0.3) that calls of kernels take: `xla.h` of the C runtime, for Python."""

from __future__ import annotations

import ctypes
from typing import Any, Final, NamedTuple

ADDRESS, I64, I32, SIZE = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_size_t
HEADER = (("struct_size", SIZE), ("extensions", ADDRESS))
VERSION: Final = (0, 3)
METADATA: Final = 1
STRING: Final = 4
INVALID_ARGUMENT: Final = 3
NOT_FOUND: Final = 5
# Types of elements by XLA's numbers.
ELEMENTS: dict[int, Any] = {
    12: ctypes.c_double,
    11: ctypes.c_float,
    5: ctypes.c_int64,
    4: ctypes.c_int32,
    8: ctypes.c_uint32,
    1: ctypes.c_bool,
}


class Extension(ctypes.Structure):
    """`XLA_FFI_Extension_Base`, with the metadata of that kind behind it."""

    _fields_ = (("struct_size", SIZE), ("type", I32), ("next", ADDRESS), ("metadata", ADDRESS))


class Metadata(ctypes.Structure):
    """`XLA_FFI_Metadata`."""

    _fields_ = (
        ("struct_size", SIZE),
        ("header", SIZE * 2),
        ("major", I32),
        ("minor", I32),
        ("traits", ctypes.c_uint32),
    )


class Buffer(ctypes.Structure):
    """`XLA_FFI_Buffer`."""

    _fields_ = (*HEADER, ("type", I32), ("data", ADDRESS), ("rank", I64), ("sizes", ADDRESS))


class Text(ctypes.Structure):
    """`XLA_FFI_ByteSpan`."""

    _fields_ = (("start", ADDRESS), ("length", SIZE))


class Buffers(ctypes.Structure):
    """`XLA_FFI_Args` and `XLA_FFI_Rets`."""

    _fields_ = (*HEADER, ("count", I64), ("kinds", ADDRESS), ("buffers", ADDRESS))


class Attributes(ctypes.Structure):
    """`XLA_FFI_Attrs`."""

    _fields_ = (*HEADER, ("count", I64), ("kinds", ADDRESS), ("names", ADDRESS), ("values", ADDRESS))


class ErrorArguments(ctypes.Structure):
    """`XLA_FFI_Error_Create_Args`."""

    _fields_ = (*HEADER, ("message", ctypes.c_char_p), ("code", I32))


class StreamArguments(ctypes.Structure):
    """`XLA_FFI_Stream_Get_Args`."""

    _fields_ = (*HEADER, ("context", ADDRESS), ("stream", ADDRESS))


GET = ctypes.CFUNCTYPE(ADDRESS, ADDRESS)


class Api(ctypes.Structure):
    """The beginning of `XLA_FFI_Api`."""

    _fields_ = (
        *HEADER,
        ("version", SIZE * 3),
        ("internal", ADDRESS),
        ("create_error", GET),
        ("error_message", ADDRESS),
        ("destroy_error", ADDRESS),
        ("register", ADDRESS),
        ("get_stream", GET),
    )


class Frame(ctypes.Structure):
    """`XLA_FFI_CallFrame`."""

    _fields_ = (
        *HEADER,
        ("api", ADDRESS),
        ("context", ADDRESS),
        ("stage", I32),
        ("operands", Buffers),
        ("results", Buffers),
        ("attributes", Attributes),
    )


class Exchanged(NamedTuple):
    """An operand or a result: XLA's number of the type of its elements, where it is, and its sizes."""

    type: int
    address: int
    shape: tuple[int, ...]


def answered(frame: Frame) -> bool:
    """Whether XLA only asked for the version, which it is told."""
    address = frame.extensions
    while address:
        extension = Extension.from_address(address)
        if extension.type == METADATA:
            metadata = Metadata.from_address(extension.metadata)
            metadata.major, metadata.minor, metadata.traits = *VERSION, 0
            return True
        address = extension.next
    return False


def exchanged(buffers: Buffers) -> list[Exchanged]:
    """The operands or the results of a call."""
    found = (Buffer.from_address(address) for address in _addresses(buffers.buffers, buffers.count))
    return [
        Exchanged(each.type, each.data or 0, tuple((I64 * each.rank).from_address(each.sizes)) if each.rank else ())
        for each in found
    ]


def attribute(frame: Frame, name: str) -> str | None:
    """An attribute that is a string."""
    given = frame.attributes
    kinds = (I32 * given.count).from_address(given.kinds) if given.count else ()
    names, values = _addresses(given.names, given.count), _addresses(given.values, given.count)
    for kind, key, value in zip(kinds, names, values, strict=True):
        if kind == STRING and _text(key) == name:
            return _text(value)
    return None


def stream_of(frame: Frame) -> int:
    """The stream of a GPU that XLA works on."""
    arguments = StreamArguments(struct_size=ctypes.sizeof(StreamArguments), context=frame.context)
    if Api.from_address(frame.api).get_stream(ctypes.addressof(arguments)):
        raise OSError("XLA does not tell the stream that it works on")
    return arguments.stream or 0


def error_of(frame: Frame, code: int, message: str) -> int | None:
    """An error for XLA."""
    arguments = ErrorArguments(ctypes.sizeof(ErrorArguments), None, message.encode(), code)
    return Api.from_address(frame.api).create_error(ctypes.addressof(arguments))


def _addresses(start: int | None, count: int) -> list[int]:
    return list((ctypes.c_size_t * count).from_address(start)) if start and count else []


def _text(address: int) -> str:
    text = Text.from_address(address)
    return ctypes.string_at(text.start, text.length).decode() if text.length else ""
