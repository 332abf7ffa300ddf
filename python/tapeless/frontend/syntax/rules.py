"""Derivative rules that users give for functions of their own; needs no MLIR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.dataclasses_on_use import dataclass

if TYPE_CHECKING:
    from tapeless.frontend.syntax.source import Source


@dataclass(eq=False)
class Rules:
    """The rules of a function: `forward` and `backward` for reverse mode, `push` for forward mode."""

    forward: Source | None = None
    backward: Source | None = None
    push: Source | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no rule has been given yet."""
        return self.forward is None and self.push is None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The functions that the derivatives depend on."""
        return tuple(source for source in (self.forward, self.backward, self.push) if source is not None)
