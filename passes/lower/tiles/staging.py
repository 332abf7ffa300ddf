"""What the threads of a block bring to shared memory: the values of one side for a few steps of the reduction.

Every thread brings the same number of values. Threads side by side take neighbours in memory: steps, if these are the
last index of what is loaded, else rows or columns. Places beyond the end are read again from the last one.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.tiles.contraction import Contraction, Side
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, mul, positions, quotient, remainder, smaller
from tapeless.passes.lower.tiles.nest_values import CARRIED, STEP
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import BUFFERS, THREADS, Shape, padding
from tapeless.passes.lower.vectorise.walking import indices_of

WORKGROUP = "#gpu.address_space<workgroup>"


@dataclass(frozen=True)
class Place:
    """A value that a thread brings: its scope, its row or column in the tile, and its step in the tile."""

    scope: Scope
    position: ir.Value
    step: ir.Value


class Staging:
    """One side of a contraction in a block; `memory` holds a tile of each staged value, twice."""

    def __init__(
        self,
        contraction: Contraction,
        side: Side,
        shape: Shape,
        thread: ir.Value,
        first: ir.Value,
        block: Scope,
        memory: list[ir.Value] | None = None,
    ) -> None:
        self.contraction, self.side, self.shape = contraction, side, shape
        self.memory = memory or [self._memory(value.type) for value in side.staged]
        self.raw = raw_values(contraction, side)
        self.places = self._places(thread, first, block)

    def _memory(self, element: ir.Type) -> ir.Value:
        sizes = [BUFFERS, self.shape.steps, self.shape.extent + padding(self.shape, element)]
        type_ = ir.MemRefType.get(sizes, element, None, ir.Attribute.parse(WORKGROUP))
        return memref.alloca(type_, [], [])

    def _places(self, thread: ir.Value, first: ir.Value, block: Scope) -> list[Place]:
        extent, steps = self.shape.extent, self.shape.steps
        count = extent * steps // THREADS
        if runs_along_steps(self.contraction, self.side):
            step, start = remainder(thread, steps), quotient(thread, steps)
            locals_ = [add(start, number * (THREADS // steps)) for number in range(count)]
            return [Place(self._scope(add(first, local), block), local, step) for local in locals_]
        position, start = remainder(thread, extent), quotient(thread, extent)
        scope = self._scope(add(first, position), block)
        return [Place(scope, position, add(start, number * (THREADS // extent))) for number in range(count)]

    def _scope(self, position: ir.Value, block: Scope) -> Scope:
        """The loops of this side at a position, with all that staged values need and that no step changes."""
        return with_invariants(self.contraction, self.side, scope_at(self.contraction, self.side, position, block))

    def load(self, first_step: ir.Value, last_step: ir.Value) -> list[ir.Value]:
        """The raw values of a tile that starts at a step; steps after the last are not read."""
        found: list[ir.Value] = []
        for place in self.places:
            step = smaller(add(first_step, place.step), last_step)
            scope = Scope(self.contraction.values, [place.scope], {self.contraction.step: step})
            found += [scope.value(value) for value in self.raw]
        return found

    def store(self, raw: list[ir.Value], first_step: ir.Value, buffer: ir.Value, end: ir.Value | None) -> None:
        """Makes staged values of raw ones and stores them; zeros from step `end` on, if it is given."""
        given = iter(raw)
        for place in self.places:
            bound = {value: next(given) for value in self.raw}
            bound[self.contraction.step] = add(first_step, place.step)
            scope = Scope(self.contraction.values, [place.scope], bound)
            for value, memory in zip(self.side.staged, self.memory, strict=True):
                made = scope.value(value)
                if end is not None:
                    is_inside = is_below(bound[self.contraction.step], end)
                    made = arith.select(is_inside, made, arith.constant(value.type, 0.0))
                memref.store(made, memory, [buffer, place.step, place.position])


def scope_at(contraction: Contraction, side: Side, position: ir.Value, block: Scope) -> Scope:
    """The loops of a side at a position, or at the last one."""
    counts = [contraction.count(number) for number in side.loops]
    total = counts[0]
    for count in counts[1:]:
        total = mul(total, count)
    inside = smaller(position, add(total, -1))
    bound = zip([contraction.variable(number) for number in side.loops], positions(inside, counts), strict=True)
    return Scope(contraction.values, [block], dict(bound))


def with_invariants(contraction: Contraction, side: Side, scope: Scope) -> Scope:
    """A scope of a side with all that its staged values need and that no step changes."""
    values = contraction.values
    for op in made_in_steps(contraction, side):
        for operand in op.operands:
            sources = values.of_value(operand)
            if sources and STEP not in sources and CARRIED not in sources:
                scope.value(operand)
    return scope


def made_in_steps(contraction: Contraction, side: Side) -> list[ir.Operation]:
    """The operations that make the staged values of a side and are not the same for all steps, in order."""
    values = contraction.values
    made = values.closure(list(side.staged))
    return [op for op in made if any(STEP in values.of_value(result) for result in op.results)]


def raw_values(contraction: Contraction, side: Side) -> list[ir.Value]:
    """What is kept in registers until it is needed: the loads, of which the staged values are made then.

    What is made of indices alone is made again where it is needed.
    """
    values, closure = contraction.values, made_in_steps(contraction, side)
    early = set(values.closure([op.results[0] for op in closure if op.name == "memref.load"]))
    late = [op for op in closure if op not in early]
    used = [operand for op in late for operand in op.operands] + list(side.staged)
    wanted = dict.fromkeys(value for value in used if values.made_by.get(value) in early)
    return [value for value in wanted if STEP in values.of_value(value) and values.reads_memory(value)]


def runs_along_steps(contraction: Contraction, side: Side) -> bool:
    """Whether neighbours in memory are those of steps."""
    loads = [op for op in made_in_steps(contraction, side) if op.name == "memref.load"]
    return all(STEP in contraction.values.of_value(indices_of(load)[-1]) for load in loads)
