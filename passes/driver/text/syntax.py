"""Pass pipelines as written: names and option texts, before anything is looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.text.brackets import wrap


@dataclass(frozen=True)
class Option:
    """One option as written; `value` is None for a bare name, which sets a flag."""

    name: str
    value: str | None
    column: int = field(default=0, compare=False)


@dataclass(frozen=True)
class PassText:
    """The name of a pass or of a pipeline, with its options."""

    name: str
    options: tuple[Option, ...] = ()
    column: int = field(default=0, compare=False)


@dataclass(frozen=True)
class NestedText:
    """Elements anchored on a kind of operation."""

    anchor: str
    elements: tuple[PassText | NestedText, ...]
    column: int = field(default=0, compare=False)


ElementText = PassText | NestedText


def print_options(options: Sequence[Option]) -> str:
    """Options as they stand between the braces."""
    return " ".join(o.name if o.value is None else f"{o.name}={wrap(o.value)}" for o in options)


def print_element(element: ElementText) -> str:
    """The text of an element; reading it gives the element back."""
    if isinstance(element, NestedText):
        return f"{element.anchor}({','.join(map(print_element, element.elements))})"
    return f"{element.name}{{{print_options(element.options)}}}" if element.options else element.name
