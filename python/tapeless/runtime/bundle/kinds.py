"""The kinds of targets that saved kernels can hold code for, and how each is opened here.

A kind reads `details` of the manifest and the parts that it names; it maps nothing and runs nothing. What `open` gives
goes to the loader of the same name (`calling/loaders.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tapeless.dataclasses_on_use import dataclass
from tapeless.runtime.bundle import cpu, cuda
from tapeless.runtime.bundle.contents import SavedTarget
from tapeless.runtime.code import CompiledCode


@dataclass(frozen=True)
class Kind:
    """How targets of a kind are opened.

    `parts` must be there. `is_described` tells whether the manifest has what the others read. `obstacle` says why code
    cannot run on this machine ("is for x86_64 processors, and ..."), or None if it can. `open` checks everything and
    raises DamagedCode for what cannot be right. `pickled` is what goes to other processes of the code that runs here.
    """

    parts: tuple[str, ...]
    is_described: Callable[[Mapping[str, Any]], bool]
    obstacle: Callable[[Mapping[str, Any]], str | None]
    open: Callable[[Mapping[str, Any], Mapping[str, bytes]], CompiledCode]
    pickled: Callable[[CompiledCode], SavedTarget]


KINDS: dict[str, Kind] = {
    cpu.KIND: Kind((cpu.IMAGE,), cpu.is_described, cpu.obstacle, cpu.open_code, cpu.native_target),
    cuda.KIND: Kind((cuda.PTX, cuda.PLAN), cuda.is_described, cuda.obstacle, cuda.open_code, cuda.compiled_target),
}
