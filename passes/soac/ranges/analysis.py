"""Value range analysis of all integers of a function: constants, sizes, counters, and carried values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.soac.ranges.interval import (
    BIT,
    NAMES,
    OF_BITS,
    OPERATIONS,
    SIZE,
    SWAPPED,
    Interval,
    all_of,
    bounded,
    decided,
    subtract,
    widened,
)

# So often bounds of carried integers move at most; then they may be anything.
MOST_ROUNDS = 8
CASTS = frozenset({"arith.index_cast", "arith.extsi", "arith.trunci"})
COUNTED = frozenset({"soac.map", "soac.fused"})


@dataclass
class Ranges:
    """The intervals that were found, by value."""

    found: dict[ir.Value, Interval] = field(default_factory=dict)

    def of(self, value: ir.Value) -> Interval:
        """Between which numbers an integer lies."""
        return self.found.get(value, all_of(bits_of(value)))

    def read(self, op: ir.OpView) -> None:
        """Finds the intervals in an operation and all that it holds."""
        name = op.operation.name
        if name in READERS:
            READERS[name](self, op)
            return
        for region in op.regions:
            for block in region.blocks:
                if name in COUNTED and block == op.regions[0].blocks[0]:
                    self.found[block.arguments[0]] = SIZE
                self.read_block(block)
        if name.startswith("arith.") and len(op.results) == 1 and is_integer(op.results[0]):
            self.found[op.results[0]] = self._computed(op)
        elif name == "tensor.dim":
            self.found[op.results[0]] = SIZE

    def read_block(self, block: ir.Block) -> None:
        for op in block.operations:
            self.read(op)

    def settle(
        self, arguments: Sequence[ir.Value], starts: Sequence[ir.Value], body: Callable[[], Sequence[ir.Value]]
    ) -> None:
        """Finds intervals of carried values that an iteration keeps: `body` reads one and gives the next."""
        places = [number for number, argument in enumerate(arguments) if is_integer(argument)]
        for number in places:
            self.found[arguments[number]] = self.of(starts[number])
        for _ in range(MOST_ROUNDS):
            handed = body()
            moved = [number for number in places if not self.of(arguments[number]).holds(self.of(handed[number]))]
            if not moved:
                return
            for number in moved:
                argument = arguments[number]
                self.found[argument] = widened(self.of(argument), self.of(handed[number]), bits_of(argument))
        for number in places:
            self.found.pop(arguments[number])
        body()

    def known_if(self, condition: ir.Value) -> dict[ir.Value, Interval]:
        """The ranges of integers where a condition holds."""
        if isinstance(condition, ir.BlockArgument):
            return {}
        op = condition.owner
        if op.operation.name == "arith.andi":
            left, right = (self.known_if(operand) for operand in op.operands)
            return {**left, **right}
        if op.operation.name != "arith.cmpi":
            return {}
        name, (left, right) = predicate_of(op), op.operands
        if name not in SWAPPED or bits_of(left) == 1:
            return {}
        known = {
            left: bounded(name, self.of(left), self.of(right)),
            right: bounded(SWAPPED[name], self.of(right), self.of(left)),
        }
        for value, interval in list(known.items()):
            known.update(self._of_difference(value, interval))
        return known

    def _of_difference(self, value: ir.Value, interval: Interval) -> dict[ir.Value, Interval]:
        """The ranges of both numbers by the interval of their difference."""
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.subi":
            return {}
        left, right = value.owner.operands
        a, b = self.of(left), self.of(right)
        if not all_of(bits_of(value)).holds(subtract(a, b)):
            return {}
        return {
            left: a.clipped(b.low + interval.low, b.high + interval.high),
            right: b.clipped(a.low - interval.high, a.high - interval.low),
        }

    def _computed(self, op: ir.OpView) -> Interval:
        name, whole = op.operation.name, all_of(bits_of(op.results[0]))
        result: Interval | None = None
        if name == "arith.constant":
            result = _constant(op)
        elif name in CASTS:
            result = self.of(op.operands[0])
            is_bit = bits_of(op.operands[0]) == 1 or bits_of(op.results[0]) == 1
            result = None if is_bit else result
        elif name == "arith.extui":
            result = self.of(op.operands[0])
            result = result if result.low >= 0 else None
        elif name == "arith.cmpi":
            result = self._compared(op)
        elif name == "arith.select":
            condition, first, second = (self.of(operand) for operand in op.operands)
            ways = [way for way, number in ((first, 1), (second, 0)) if condition.low <= number <= condition.high]
            result = ways[0] if len(ways) == 1 else first.join(second)
        elif name in OPERATIONS and (whole != BIT or name in OF_BITS):
            result = OPERATIONS[name](*(self.of(operand) for operand in op.operands))
        return result if result is not None and whole.holds(result) else whole

    def _compared(self, op: ir.OpView) -> Interval:
        name, (left, right) = predicate_of(op), op.operands
        is_ordered = bits_of(left) > 1 or name in ("eq", "ne")
        return decided(name, self.of(left), self.of(right)) if is_ordered else BIT


def _read_for(ranges: Ranges, op: ir.OpView) -> None:
    low, high, step, *starts = op.operands
    block = op.regions[0].blocks[0]
    first, last = ranges.of(low).low, ranges.of(high).high - 1
    counts_up = ranges.of(step).low > 0
    whole = all_of(bits_of(block.arguments[0]))
    ranges.found[block.arguments[0]] = Interval(first, max(first, last)) if counts_up else whole

    def body() -> Sequence[ir.Value]:
        ranges.read_block(block)
        return list(terminator(op.regions[0]).operands)

    arguments = list(block.arguments)[1:]
    ranges.settle(arguments, starts, body)
    for result, argument in zip(op.results, arguments, strict=True):
        if is_integer(result):
            ranges.found[result] = ranges.of(argument)


def _read_while(ranges: Ranges, op: ir.OpView) -> None:
    before, after = (region.blocks[0] for region in op.regions)

    def body() -> Sequence[ir.Value]:
        ranges.read_block(before)
        condition, *passed = terminator(op.regions[0]).operands
        known = ranges.known_if(condition)
        for argument, value, result in zip(after.arguments, passed, op.results, strict=True):
            if is_integer(argument):
                ranges.found[argument] = known.get(value, ranges.of(value))
                ranges.found[result] = ranges.of(value)
        ranges.read_block(after)
        return list(terminator(op.regions[1]).operands)

    ranges.settle(list(before.arguments), list(op.operands), body)


def _read_if(ranges: Ranges, op: ir.OpView) -> None:
    yielded = []
    for region in op.regions:
        for block in region.blocks:
            ranges.read_block(block)
            yielded.append(list(terminator(region).operands))
    for number, result in enumerate(op.results):
        if is_integer(result):
            first, second = (ranges.of(values[number]) for values in yielded)
            ranges.found[result] = first.join(second)


READERS: dict[str, Callable[[Ranges, ir.OpView], None]] = {
    "scf.for": _read_for,
    "scf.while": _read_while,
    "scf.if": _read_if,
}


def predicate_of(op: ir.OpView) -> str:
    return NAMES[ir.IntegerAttr(op.attributes["predicate"]).value]


def is_integer(value: ir.Value) -> bool:
    return isinstance(value.type, ir.IntegerType | ir.IndexType)


def bits_of(value: ir.Value) -> int:
    return value.type.width if isinstance(value.type, ir.IntegerType) else 64


def _constant(op: ir.OpView) -> Interval | None:
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.BoolAttr):
        return Interval(int(attribute.value), int(attribute.value))
    if not isinstance(attribute, ir.IntegerAttr):
        return None
    number = attribute.value & 1 if bits_of(op.results[0]) == 1 else attribute.value
    return Interval(number, number)
