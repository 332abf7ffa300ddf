"""Graphs of the driver, made node by node.

No stream is captured for it: while one is, no thread may wait for the whole GPU, and other libraries do.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from tapeless.runtime.cuda.recordings.order import Waits

DEVICE: Final = 2  # CU_MEMORYTYPE_DEVICE


class LaunchNode(ctypes.Structure):
    """`CUDA_KERNEL_NODE_PARAMS_v1`."""

    _fields_: ClassVar = [
        ("function", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("arguments", ctypes.c_void_p),
        ("extra", ctypes.c_void_p),
    ]


class CopyEnd(ctypes.Structure):
    """One of the two ends in `CUDA_MEMCPY3D`."""

    _fields_: ClassVar = [
        *((name, ctypes.c_size_t) for name in ("x", "y", "z", "level")),
        ("kind", ctypes.c_int),
        ("host", ctypes.c_void_p),
        ("address", ctypes.c_uint64),
        ("array", ctypes.c_void_p),
        ("reserved", ctypes.c_void_p),
        *((name, ctypes.c_size_t) for name in ("pitch", "height")),
    ]


class CopyNode(ctypes.Structure):
    """`CUDA_MEMCPY3D`; with one row, its pitch does not matter."""

    _fields_: ClassVar = [
        ("source", CopyEnd),
        ("to", CopyEnd),
        *((name, ctypes.c_size_t) for name in ("width", "height", "depth")),
    ]


class FillNode(ctypes.Structure):
    """`CUDA_MEMSET_NODE_PARAMS_v1`."""

    _fields_: ClassVar = [
        ("to", ctypes.c_uint64),
        ("pitch", ctypes.c_size_t),
        ("value", ctypes.c_uint),
        ("element_size", ctypes.c_uint),
        ("width", ctypes.c_size_t),
        ("height", ctypes.c_size_t),
    ]


class Nodes:
    """A graph under construction."""

    def __init__(self, cuda: Any, context: ctypes.c_void_p) -> None:
        self._cuda, self._context = cuda, context
        self._nodes: list[int | None] = []
        self._graph = ctypes.c_void_p()
        cuda.cuGraphCreate(ctypes.byref(self._graph), 0)

    def launch(
        self, function: ctypes.c_void_p, grid: Sequence[int], block: Sequence[int], shared: int, arguments: Any
    ) -> None:
        sizes = [(ctypes.c_uint * 3)(*each) for each in (grid, block)]
        self._add("cuGraphAddKernelNode", LaunchNode(function, *sizes, shared, ctypes.addressof(arguments), None))

    def copy(self, to: int, source: int, size: int) -> None:
        ends = [CopyEnd(kind=DEVICE, address=address) for address in (source, to)]
        self._add("cuGraphAddMemcpyNode", CopyNode(*ends, size, 1, 1), self._context)

    def fill(self, to: int, byte: int, size: int) -> None:
        self._add("cuGraphAddMemsetNode", FillNode(to, 0, byte, 1, size, 1), self._context)

    def _add(self, call: str, parameters: ctypes.Structure, *more: Any) -> None:
        """The driver copies the parameters, arguments of kernels as well."""
        node = ctypes.c_void_p()
        none = ctypes.c_size_t(0)
        getattr(self._cuda, call)(ctypes.byref(node), self._graph, None, none, ctypes.byref(parameters), *more)
        self._nodes.append(node.value)

    def executable(self, waits: Waits | None) -> ctypes.c_void_p:
        """The graph to be launched, in which all is in sequence, or waits for its dependences only."""
        if waits is None:
            waits = [[number - 1] if number else [] for number in range(len(self._nodes))]
        earlier = [self._nodes[other] for others in waits for other in others]
        later = [self._nodes[number] for number, others in enumerate(waits) for _ in others]
        if later:
            handles = ctypes.c_void_p * len(later)
            ends = handles(*earlier), handles(*later)
            self._cuda.cuGraphAddDependencies(self._graph, *ends, ctypes.c_size_t(len(later)))
        made = ctypes.c_void_p()
        self._cuda.cuGraphInstantiateWithFlags(ctypes.byref(made), self._graph, ctypes.c_uint64(0))
        return made

    def close(self) -> None:
        """Forgets the graph; executables made of it stay."""
        self._cuda.cuGraphDestroy(self._graph)
