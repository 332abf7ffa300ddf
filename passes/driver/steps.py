"""A pipeline as a flat list of steps, each one pass with the nesting it runs under; and instruments that watch them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Protocol

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import Element, Nested, Pass, Upstream

MODULE = "builtin.module"
FUNCTION = "func.func"
ANY_OPERATION = "any"


@dataclass(frozen=True)
class Step:
    """One pass and the operations it runs on: those reached from the module by following `anchors`.

    `within` are the names of the passes that it is a part of; such a pass may have one function as its `target`.
    """

    run: Pass | Upstream
    anchors: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    target: ir.Operation | None = None

    @property
    def name(self) -> str:
        """The name of the pass."""
        return self.run.name

    @property
    def anchor(self) -> str:
        """The kind of operation the pass runs on."""
        return self.anchors[-1] if self.anchors else MODULE

    def targets(self, module: ir.Module) -> list[ir.Operation]:
        """The operations of the module that the pass runs on."""
        if self.target is not None:
            return [self.target]
        found = [module.operation]
        for anchor in self.anchors:
            found = [child for op in found for child in _children(op) if anchor in (child.name, ANY_OPERATION)]
        return found


def _children(op: ir.Operation) -> Iterator[ir.Operation]:
    return (child.operation for region in op.regions for block in region for child in block.operations)


def steps_of(elements: Sequence[Element], anchors: tuple[str, ...] = ()) -> Iterator[Step]:
    """The steps of a pipeline in order, without the passes that their options leave nothing to do.

    A nested pipeline finishes each pass on all its operations before the next pass, which gives what running all its
    passes on one operation after the other gives, because passes on isolated operations do not see each other.
    """
    for element in elements:
        if isinstance(element, Nested):
            yield from steps_of(element.elements, (*anchors, element.anchor))
        elif not getattr(element, "is_idle", False):
            yield Step(element, anchors)


def groups_of(steps: Iterator[Step]) -> Iterator[tuple[Step, ...]]:
    """Steps that can run together: all neighbouring upstream ones, and each Python one by itself."""
    for is_upstream, group in itertools.groupby(steps, lambda step: isinstance(step.run, Upstream)):
        if is_upstream:
            yield tuple(group)
        else:
            yield from ((step,) for step in group)


def upstream_text(steps: Sequence[Step]) -> str:
    """The pipeline text of upstream steps, for the C++ pass manager."""
    parts = []
    for anchors, group in itertools.groupby(steps, lambda step: step.anchors):
        inner = ",".join(str(step.run) for step in group)
        parts.append("(".join((*anchors, inner)) + ")" * len(anchors))
    return f"{MODULE}({','.join(parts)})"


class Instrument(Protocol):
    """Called around every pass; with instruments, passes run one by one instead of in groups.

    Also called around the passes that a pass runs itself, whose steps say what they are `within`; what these leave need
    not verify.
    """

    def before(self, step: Step, module: ir.Module) -> None:
        """Called before a pass."""

    def after(self, step: Step, module: ir.Module) -> None:
        """Called after a pass that succeeded and left verified IR."""

    def failed(self, step: Step, module: ir.Module) -> None:
        """Called after a pass that failed; the module may not verify."""
