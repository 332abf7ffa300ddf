"""Operands that another program has on the GPU, and the results that it has memory for."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Protocol

from tapeless.abi import Abi
from tapeless.errors import ShapeMismatch
from tapeless.runtime.cuda.device import Piece
from tapeless.runtime.cuda.producers import Produced
from tapeless.runtime.xla_frames import ELEMENTS, Exchanged


class Reading(Protocol):
    """A GPU whose memory is read."""

    def download(self, pieces: Sequence[Piece]) -> None: ...


def taken(gpu: Reading, operands: Sequence[Exchanged]) -> list[Any]:
    """Arrays where they are; numbers by their values, which plans of launches know before they are carried out."""
    cells = {k: ELEMENTS[each.type]() for k, each in enumerate(operands) if not each.shape}
    if cells:
        gpu.download(
            [Piece(ctypes.addressof(cell), operands[k].address, ctypes.sizeof(cell)) for k, cell in cells.items()]
        )
    return [
        cells[k].value if k in cells else Produced(each.address, each.shape, None, "", None, None)
        for k, each in enumerate(operands)
    ]


def check_shapes(abi: Abi, shapes: Sequence[tuple[int, ...]], results: Sequence[Exchanged], origin: str) -> None:
    """Raises unless the caller's memory for results has the sizes that the kernel fills."""
    given = [each.shape for each, result in zip(results, abi.results, strict=True) if result.place == "out"]
    if given != list(shapes):
        raise ShapeMismatch(f"{origin}: results have the shapes {list(shapes)}, and the program has memory for {given}")
