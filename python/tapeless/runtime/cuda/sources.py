"""The arguments of one call: checked, and ordered behind the streams that their elements are made on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tapeless.abi import Abi
from tapeless.errors import TargetError
from tapeless.runtime.calling.arguments import bind_array, bind_scalar
from tapeless.runtime.cuda.pool import OWN
from tapeless.runtime.cuda.producers import Producing, check_produced, library_of, produced
from tapeless.runtime.cuda.streams import CURRENT, current_handle

CAPTURED = (
    "a stream that this call has to wait for is being captured in a graph, and a call waits for its results; call the "
    "kernel before or after the capture"
)


class Waiting(Producing, Protocol):
    """A GPU whose kernels can wait for streams of callers."""

    def is_recording(self, stream: int) -> bool: ...
    def wait_for(self, stream: int) -> None: ...


class Sources:
    """Values of a call: numbers, arrays of numpy, and arrays on the GPU that the stream of kernels waits for.

    `library` is where the first array on the GPU comes from, or None; results go there. `home` is the stream that
    the caller works on: the one that the call names, else that of the first array that has one.
    """

    def __init__(self, arguments: Sequence[Any], abi: Abi, names: Sequence[str], gpu: Waiting, stream: int | None):
        self.values: list[Any] = []
        self.library: str | None = None
        self.is_of_one_library = True
        streams: dict[int, None] = {} if stream is None else {stream: None}
        for argument, parameter, name in zip(arguments, abi.parameters, names, strict=True):
            if parameter.kind != "array":
                self.values.append(bind_scalar(argument, parameter, name))
            elif (array := produced(argument, name, gpu)) is not None:
                check_produced(array, argument, parameter, name, gpu)
                self.values.append(array)
                library = library_of(argument)
                self.library = self.library or library
                self.is_of_one_library &= library == self.library
                if array.stream is not None:
                    streams[array.stream] = None
            else:
                self.values.append(bind_array(argument, parameter, name))
        self.home = next(iter(streams), OWN)
        for each in streams:
            if not gpu.is_recording(each):
                gpu.wait_for(each)
            elif stream in (None, each):
                raise TargetError(CAPTURED)


def in_order(gpu: Waiting, library: str | None) -> int:
    """Has kernels wait for the stream that a library works on, in this thread; it is the home of results there."""
    if library not in CURRENT:
        return OWN
    stream = current_handle(library, gpu.number)
    if gpu.is_recording(stream):
        raise TargetError(CAPTURED)
    gpu.wait_for(stream)
    return stream
