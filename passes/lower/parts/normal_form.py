"""Functions in normal form: equal for those that do the same with their arguments in some order.

Two functions may differ in the order of parameters, in that of operations between two effects, and in that of the
factors of a product of floats, which is the same number either way. Sums keep the order of their terms, because a
product among them may be rounded together with the sum. One of them may take once what the other takes as several
numbers, such as the sides of a square.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

COMMUTATIVE = "arith.mulf"
# Without effects: read when something takes them in.
QUIET = ("arith.", "math.")
QUIET_OPS = frozenset(
    {"memref.load", "memref.dim", "llvm.insertvalue", "llvm.mlir.undef", "builtin.unrealized_conversion_cast"}
)
NUMBERS = (ir.IndexType, ir.IntegerType, ir.FloatType)
ARGUMENT_FACTS, NAME, TYPE = "arg_attrs", "sym_name", "function_type"

# The type of a parameter and what is known of it.
Parameter = tuple[ir.Type, ir.Attribute | None]


@dataclass(frozen=True)
class NormalForm:
    """The code of a function without the names of its parameters, and the position of the parameter at each use.

    Unused parameters follow. `arrays` are the positions of those that are no numbers.
    """

    key: tuple[Hashable, ...]
    uses: tuple[int, ...]
    arrays: tuple[int, ...]

    def arguments_for(self, other: NormalForm) -> list[int] | None:
        """For each parameter, the position of the argument of the other function that makes this one do the same.

        Several numbers may be one; arrays of which code knows that they lie apart are several.
        """
        found: dict[int, int] = {}
        for mine, its in zip(self.uses, other.uses, strict=True):
            if found.setdefault(mine, its) != its:
                return None
        if len({found[position] for position in self.arrays}) < len(self.arrays):
            return None
        return [found[position] for position in range(len(found))]


def normal_form(function: ir.OpView, shapes: dict[Hashable, int]) -> NormalForm:
    """The normal form of a function; those to be compared are made with the same numbers of `shapes`."""
    block = function.operation.regions[0].blocks[0]
    reading = _Reading(shapes, list(_parameters(function, block)))
    reading.read(block)
    used = set(reading.uses)
    unused = [position for position in range(len(block.arguments)) if position not in used]
    facts = [(name, value) for name, value in _attributes(function) if name not in (ARGUMENT_FACTS, NAME, TYPE)]
    rest = [reading.parameters[position] for position in unused]
    arrays = [position for position, argument in enumerate(block.arguments) if not isinstance(argument.type, NUMBERS)]
    return NormalForm((*facts, *rest, *reading.words), (*reading.uses, *unused), tuple(arrays))


def _parameters(function: ir.OpView, block: ir.Block) -> Iterator[Parameter]:
    facts = function.operation.attributes.get(ARGUMENT_FACTS, None)
    for position, argument in enumerate(block.arguments):
        yield argument.type, None if facts is None else facts[position]


def _attributes(op: ir.OpView | ir.Operation) -> Iterator[tuple[str, ir.Attribute]]:
    attributes = op.operation.attributes
    return ((name, attributes[name]) for name in attributes)


@dataclass
class _Reading:
    """A function being read: its words so far, and the numbers of the values that they mention.

    The shape of a value is how it is made, whatever parameters it is made of.
    """

    shapes: dict[Hashable, int]
    parameters: list[Parameter]
    words: list[Hashable] = field(default_factory=list)
    numbers: dict[ir.Value, int] = field(default_factory=dict)
    uses: list[int] = field(default_factory=list)
    positions: dict[ir.Value, int] = field(default_factory=dict)
    shape_of: dict[ir.Value, int] = field(default_factory=dict)
    facts: dict[ir.Operation, tuple[Hashable, ...]] = field(default_factory=dict)
    blocks: int = 0

    def read(self, block: ir.Block) -> None:
        """Reads the effects of a block in order, each after its operands."""
        number, effects = self.blocks, 0
        self.blocks += 1
        for position, argument in enumerate(block.arguments):
            made = (number, position, argument.type) if number else self.parameters[position]
            self.shape_of[argument] = self._shape(made)
            if number:
                self._number([argument])
            else:
                self.positions[argument] = position
        for op in (view.operation for view in block.operations):
            types = tuple(result.type for result in op.results)
            # Between the same two effects, so that loads find the same.
            self.facts[op] = (op.name, tuple(_attributes(op)), types, number, effects)
            for result in op.results:
                self.shape_of[result] = self._shape((self.facts[op], *(self.shape_of[each] for each in op.operands)))
            if not _is_quiet(op):
                effects += 1
                self._read_effect(op)

    def _read_effect(self, op: ir.Operation) -> None:
        self._mention(op.operands)
        self._write(op)
        for region in op.regions:
            for block in region.blocks:
                self.read(block)
                self.words.append("end")

    def _mention(self, values: Iterable[ir.Value]) -> None:
        """Reads the operations of values without numbers, operands before their users."""
        waiting = list(values)[::-1]
        while waiting:
            value = waiting[-1]
            missing: list[ir.Value] = []
            if not self._is_known(value):
                op = value.owner.operation
                missing = [each for each in self._ordered(op) if not self._is_known(each)]
                if not missing:
                    self._write(op)
            if missing:
                waiting += missing[::-1]
            else:
                waiting.pop()

    def _write(self, op: ir.Operation) -> None:
        self.words.append((self.facts[op], *map(self._use, self._ordered(op))))
        self._number(op.results)

    def _use(self, value: ir.Value) -> Hashable:
        """The word of an operand: its number, or the facts of a parameter without its position."""
        if value not in self.positions:
            return self.numbers[value]
        self.uses.append(self.positions[value])
        return self.parameters[self.positions[value]]

    def _is_known(self, value: ir.Value) -> bool:
        return value in self.numbers or value in self.positions

    def _number(self, values: Iterable[ir.Value]) -> None:
        for value in values:
            self.numbers[value] = len(self.numbers)

    def _ordered(self, op: ir.Operation) -> list[ir.Value]:
        """The operands; the factors of a product by how they are made."""
        operands = list(op.operands)
        return sorted(operands, key=self.shape_of.__getitem__) if op.name == COMMUTATIVE else operands

    def _shape(self, made: Hashable) -> int:
        return self.shapes.setdefault(made, len(self.shapes))


def _is_quiet(op: ir.Operation) -> bool:
    return op.name in QUIET_OPS or (op.name.startswith(QUIET) and not len(op.regions))
