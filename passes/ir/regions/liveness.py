"""Liveness analysis: the values a module needs, per result, through operators, loops and branches, from effects."""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.regions.slots import Slot, argument_at, controls, is_structured, slots_of
from tapeless.passes.ir.scopes import identity

DROPPABLE_DIALECTS = frozenset({"arith", "math", "tensor", "soac", "complex"})
CHECKS = frozenset({"soac.assert"})
AT_LEAST_ONE_RESULT = frozenset({"soac.reduce", "soac.scan", "soac.hist", "soac.fused_hist"})
REGION_ENDS = frozenset({"soac.yield", "scf.yield", "scf.condition"})


def is_droppable(op: ir.OpView) -> bool:
    """Whether an operation may vanish when nothing needs its results.

    One without results may not: there it has an effect, or ends the region of an operation that is not taken apart.
    """
    name = op.operation.name
    if is_structured(name):
        return True
    return (
        name.partition(".")[0] in DROPPABLE_DIALECTS
        and name not in CHECKS
        and len(op.regions) == 0
        and len(op.results) > 0
    )


def ends_structured(op: ir.OpView) -> bool:
    """Whether an operation ends a region of a structured one, whose slots tell which operands are live."""
    return op.operation.name in REGION_ENDS and is_structured(op.operation.parent.name)


def has_effect(op: ir.OpView) -> bool:
    """Whether an operation itself has an effect, whatever is inside of it: liveness starts there."""
    return not is_droppable(op) and not ends_structured(op)


@dataclass
class Liveness:
    """The live operations (by `identity`) and values of everything below an operation."""

    ops: set[ir.Value | ir.Block] = field(default_factory=set)
    values: set[ir.Value] = field(default_factory=set)
    slots: dict[ir.Value | ir.Block, list[Slot]] = field(default_factory=dict)
    _definition: dict[ir.Value, tuple[ir.OpView, Slot | None]] = field(default_factory=dict)
    _work: list[ir.Value] = field(default_factory=list)
    _combining: list[ir.OpView] = field(default_factory=list)

    @staticmethod
    def of(root: ir.OpView) -> Liveness:
        """Marks from every operation with an effect, and from the results of `root` itself."""
        liveness = Liveness()
        effects = liveness._enter(root)
        for op in effects:
            liveness._need(op)
            liveness._work.extend(op.operands)
        liveness._work.extend(root.results)
        liveness._propagate()
        while results := [op.results[0] for op in liveness._combining if liveness._is_only_checking(op)]:
            liveness._work.extend(results)
            liveness._propagate()
        return liveness

    def _is_only_checking(self, op: ir.OpView) -> bool:
        """Whether an operator that cannot do without a result is live although no component of it is."""
        key = identity(op)
        return key in self.ops and not any(self.is_live(op, slot) for slot in self.slots[key])

    def is_live(self, op: ir.OpView, slot: Slot) -> bool:
        """Whether any value that stands for a slot is needed."""
        if any(op.results[number] in self.values for number in slot.results):
            return True
        return any(argument_at(op, place) in self.values for place in slot.arguments)

    def _enter(self, root: ir.OpView) -> list[ir.OpView]:
        """Records the definition of each value below an operation and lists the operations with effects."""
        effects: list[ir.OpView] = []
        pending = [root]
        while pending:
            op = pending.pop()
            self._define(op)
            if has_effect(op):
                effects.append(op)
            for region in op.regions:
                for block in region.blocks:
                    pending.extend(block.operations)
        return effects

    def _define(self, op: ir.OpView) -> None:
        if not is_structured(op.operation.name):
            definition = (op, None)
            for result in op.results:
                self._definition[result] = definition
            return
        for region in op.regions:
            for block in region.blocks:
                self._definition.update((argument, (op, None)) for argument in block.arguments)
        slots = self.slots[identity(op)] = slots_of(op)
        if op.operation.name in AT_LEAST_ONE_RESULT:
            self._combining.append(op)
        for slot in slots:
            self._definition.update((value, (op, slot)) for value in slot.targets(op))

    def _propagate(self) -> None:
        while self._work:
            value = self._work.pop()
            if value in self.values:
                continue
            self.values.add(value)
            definition = self._definition.get(value)
            if definition is None:
                continue
            op, slot = definition
            self._need(op)
            if slot is not None:
                self._work.extend(slot.sources(op))
            elif not is_structured(op.operation.name):
                self._work.extend(op.operands)

    def _need(self, op: ir.OpView) -> None:
        """Marks an operation, those around it, and the control values that decide how often it runs."""
        around: ir.OpView | None = op
        while around is not None:
            key = identity(around)
            if key in self.ops:
                return
            if key is not None:
                self.ops.add(key)
                if key in self.slots:
                    self._work.extend(controls(around, self.slots[key]))
            around = around.operation.parent
