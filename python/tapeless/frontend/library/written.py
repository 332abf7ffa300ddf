"""Functions of this package that are written in the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.frontend.syntax.rules import Rules
from tapeless.frontend.syntax.source import Source


@dataclass(frozen=True)
class DerivativeRule:
    """How a function is differentiated: `forward` and `backward` in reverse mode, `push` in forward mode."""

    forward: Callable[..., Any]
    backward: Callable[..., Any]
    push: Callable[..., Any]


class Written:
    """A function of the language, read when it is first called; its rule, if it has one, may call it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.rule: DerivativeRule | None = None

    @computed_once
    def source(self) -> Source:
        """The function as the frontend sees it."""
        source = Source.of(self.function)
        if self.rule is not None:
            sources = (Source.of(each) for each in (self.rule.forward, self.rule.backward, self.rule.push))
            source.rules = Rules(*sources)
        return source
