"""Functions of core IR that come from modules of other producers: their signatures for calls, without MLIR."""

from __future__ import annotations

import hashlib

from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.types import TypeTree


@dataclass(frozen=True, eq=False)
class Imported:
    """A function of a module of core IR, which is kept as bytecode.

    `takes` has a tree of types for each parameter and `gives` is that of the result; their leaves, in order, are the
    arguments and the results of the function `name` of the module.
    """

    name: str
    module: bytes
    takes: tuple[TypeTree, ...]
    gives: TypeTree

    @computed_once
    def digest(self) -> str:
        """A digest of everything that the meaning of the function depends on."""
        parts = (self.name.encode(), self.module, repr(self.takes).encode(), repr(self.gives).encode())
        return hashlib.sha256(b"\0".join(parts)).hexdigest()
