"""Loops and branches that the host runs: the plan hands on arrays and numbers that it knows, slots hand on others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.host.placement import Where, terminator
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import Array, Known, Slot, all_sizes, dynamic_axes, is_memory


@dataclass(frozen=True)
class Handed:
    """Values that one region hands to another: names for those that the plan carries, slots for the rest."""

    host: Host
    values: tuple[ir.Value, ...]
    names: tuple[str, ...]
    slots: dict[int, int]

    @staticmethod
    def to(host: Host, values: Sequence[ir.Value], slots: dict[int, int] | None = None) -> Handed:
        """Binds values to new names and, unless these are given, new slots."""
        given = slots if slots is not None else {}
        names: list[str] = []
        for number, value in enumerate(values):
            if is_memory(value.type):
                address, *sizes = [host.plan.name() for _ in range(1 + len(dynamic_axes(value.type)))]
                host.env[value] = Array(address, all_sizes(value.type, sizes))
                names += [address, *sizes]
            elif host.placement.of(value) is Where.HOST:
                names.append(host.plan.name())
                host.env[value] = Known(names[-1])
            else:
                given.setdefault(number, -1)
                if given[number] < 0:
                    given[number] = host.slot_of_any([value])
                host.env[value] = Slot(given[number])
        return Handed(host, tuple(values), tuple(names), given)

    def expressions(self, sources: Sequence[ir.Value]) -> list[Expr]:
        """The values that the plan hands over, one expression per name; one that is not in its slot is moved there by a
        kernel.
        """
        host = self.host
        moves = [(sources[number], slot) for number, slot in self.slots.items()]
        host.wait_for_moves([(source, slot) for source, slot in moves if host.env.get(source) != Slot(slot)])
        host.flush()
        return [expr for value, source in zip(self.values, sources, strict=True) for expr in self._words(value, source)]

    def leave_in_slots(self, block: ir.Block) -> None:
        """Has a block compute the values that it hands on in the slots that they go to."""
        ends = list(terminator(block).operands)
        for number, slot in self.slots.items():
            source = ends[number]
            is_made_here = isinstance(source, ir.OpResult) and source.owner.operation.block == block
            if is_made_here and ends.count(source) == 1:
                self.host.wanted[source] = slot

    def _words(self, value: ir.Value, source: ir.Value) -> Iterator[Expr]:
        if is_memory(value.type):
            array = self.host.array(source)
            yield array.address
            yield from (array.sizes[axis] for axis in dynamic_axes(value.type))
        elif self.host.placement.of(value) is Where.HOST:
            yield self.host.known(source)


def for_loop(host: Host, op: ir.Operation) -> None:
    """A counted loop."""
    low, high, step = (host.known(bound) for bound in list(op.operands)[:3])
    block = op.regions[0].blocks[0]
    index, *arguments = block.arguments
    starts = list(op.operands)[3:]
    carried = Handed.to(host, arguments)
    values = carried.expressions(starts)
    name = host.plan.name()
    host.env[index] = Known(name)
    fields = {"low": low, "high": high, "step": step, "carried": _pairs(carried.names, values)}
    made = host.plan.add("for", index=name, **fields, body=[])
    with host.region(made["body"]):
        host.walk(block)
        made["yields"] = carried.expressions(list(terminator(block).operands))
    made["results"] = list(Handed.to(host, list(op.results), dict(carried.slots)).names)


def branch(host: Host, op: ir.Operation) -> None:
    """A branch; one without an other side does nothing there."""
    condition = host.known(op.operands[0])
    results = Handed.to(host, list(op.results))
    made = host.plan.add("if", condition=condition, then=[], then_yields=[], **{"else": []}, else_yields=[])
    made["results"] = list(results.names)
    for side, region in zip(("then", "else"), op.regions, strict=True):
        if len(region.blocks):
            results.leave_in_slots(region.blocks[0])
            with host.region(made[side]):
                host.walk(region.blocks[0])
                made[f"{side}_yields"] = results.expressions(list(terminator(region.blocks[0]).operands))


def while_loop(host: Host, op: ir.Operation) -> None:
    """A loop with a condition, computed in its first region."""
    before, after = (region.blocks[0] for region in op.regions)
    carried = Handed.to(host, list(before.arguments))
    values = carried.expressions(list(op.operands))
    fields = {"carried": _pairs(carried.names, values), "before": [], "condition": 0, "passed": [], "arguments": []}
    made = host.plan.add("while", **fields, after=[], yields=[])
    condition, *passed = terminator(before).operands
    handed = Handed.to(host, list(after.arguments))
    with host.region(made["before"]):
        host.walk(before)
        made["passed"] = handed.expressions(passed)
        made["condition"] = host.known(condition)
    made["arguments"] = list(handed.names)
    with host.region(made["after"]):
        host.walk(after)
        made["yields"] = carried.expressions(list(terminator(after).operands))
    made["results"] = list(Handed.to(host, list(op.results), dict(handed.slots)).names)


def _pairs(names: Sequence[str], values: Sequence[Expr]) -> list[list[Expr]]:
    return [[name, value] for name, value in zip(names, values, strict=True)]


RULES: dict[str, Callable[[Host, ir.Operation], None]] = {
    "scf.for": for_loop,
    "scf.if": branch,
    "scf.while": while_loop,
}
