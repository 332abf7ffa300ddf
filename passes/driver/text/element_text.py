"""Elements of pipelines as the text that reads back to them."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.driver.base import Element, Nested, Upstream
from tapeless.passes.driver.options import print_pass
from tapeless.passes.driver.steps import Step


def print_element(element: Element) -> str:
    """The text of one element."""
    if isinstance(element, Nested):
        return print_nested(element.anchor, element.elements)
    return str(element) if isinstance(element, Upstream) else print_pass(element)


def print_nested(anchor: str, elements: Sequence[Element]) -> str:
    """The text of elements with the operation they run on."""
    return f"{anchor}({','.join(map(print_element, elements))})"


def print_step(step: Step) -> str:
    """The text of one step with the nesting it runs under."""
    text = print_element(step.run)
    for anchor in reversed(step.anchors):
        text = f"{anchor}({text})"
    return text
