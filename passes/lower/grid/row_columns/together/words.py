"""Where numbers lie that the iterations of a block hand on: those of 32 bits, or less, by twos in one word."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.block_launches import shared_memory
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.schedule.row_columns.handing import Handed
from tapeless.passes.soac.spread.together import ITERATIONS


@dataclass(frozen=True)
class Words:
    """Memory of a block for `handed` numbers, in each of which lie those of these positions."""

    builder: Builder
    handed: Handed
    memory: list[ir.Value]
    positions: list[list[int]]

    @staticmethod
    def of(builder: Builder, handed: Handed) -> Words:
        """Memory for so many iterations as a block has at a time."""
        narrow = [number for number, value in enumerate(handed.values) if _is_narrow(handed, value)]
        pairs = [narrow[first : first + 2] for first in range(0, len(narrow) - 1, 2)]
        paired = {number for pair in pairs for number in pair}
        alone = [[number] for number in range(len(handed.values)) if number not in paired]
        types = [_bits(64) for _ in pairs] + [handed.values[number].type for (number,) in alone]
        return Words(builder, handed, shared_memory(builder, ITERATIONS, types), [*pairs, *alone])

    def store(self, values: Sequence[ir.Value], at: Index) -> None:
        """Stores the values that an iteration hands on."""
        for memory, positions in zip(self.memory, self.positions, strict=True):
            parts = [values[number] for number in positions]
            self.builder.store(parts[0] if len(parts) == 1 else self._joined(*parts), memory, [at])

    def load(self, at: Index) -> list[ir.Value]:
        """Loads the values that an iteration was handed."""
        values: dict[int, ir.Value] = {}
        for memory, positions in zip(self.memory, self.positions, strict=True):
            word = self.builder.load(memory, [at])
            if len(positions) == 1:
                values[positions[0]] = word
                continue
            upper = self.builder.value("arith.shrui", _bits(64), [word, self._half()])
            for number, part in zip(positions, (word, upper), strict=True):
                half = self.builder.value("arith.trunci", _bits(32), [part])
                values[number] = self._number(half, self.handed.values[number].type)
        return [values[number] for number in range(len(values))]

    def _joined(self, lower: ir.Value, upper: ir.Value) -> ir.Value:
        words = [self.builder.value("arith.extui", _bits(64), [self._half_of(each)]) for each in (lower, upper)]
        moved = self.builder.value("arith.shli", _bits(64), [words[1], self._half()])
        return self.builder.value("arith.ori", _bits(64), [words[0], moved])

    def _half(self) -> ir.Value:
        return self.builder.constant(_bits(64), ir.IntegerAttr.get(_bits(64), 32))

    def _half_of(self, value: ir.Value) -> ir.Value:
        """The bits of a number."""
        if isinstance(value.type, ir.IndexType):
            return self.builder.value("arith.index_castui", _bits(32), [value])
        return value if value.type == _bits(32) else self.builder.value("arith.bitcast", _bits(32), [value])

    def _number(self, half: ir.Value, type_: ir.Type) -> ir.Value:
        if isinstance(type_, ir.IndexType):
            return self.builder.value("arith.index_castui", type_, [half])
        return half if type_ == half.type else self.builder.value("arith.bitcast", type_, [half])


def bytes_of_words(handed: Handed) -> int:
    """The most bytes of the numbers of one iteration."""
    return 8 * len(handed.values)


def _is_narrow(handed: Handed, value: ir.Value) -> bool:
    """Whether a number has 32 bits, or no more of them that count, as places in tables of a few rows."""
    return str(value.type) in ("f32", "i32") or value in handed.places


def _bits(count: int) -> ir.Type:
    return ir.IntegerType.get_signless(count)
