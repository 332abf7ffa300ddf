"""Which components of a combining operator always hold the same value.

Components that combine equal elements from equal neutral elements are taken to be equal until the operator, given equal
arguments for them, yields something different for two of them:

```mlir
^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
  %0 = arith.addf %a, %c : f64
  %1 = arith.addf %b, %d : f64
  "soac.yield"(%0, %1) : (f64, f64) -> ()
```
adds the same twice when both components start the same; with `arith.mulf` for `%1` it does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass

COMMUTATIVE = ("addf", "mulf", "maximumf", "minimumf", "addi", "muli", "maxsi", "minsi", "andi", "ori")
IN_ANY_ORDER = frozenset(f"arith.{name}" for name in COMMUTATIVE)


def congruent_components(operator: ir.Block, starts: Sequence[Hashable]) -> list[int]:
    """A number for each component of the operator, the same for those that start and stay the same."""
    classes = numbered(starts)
    while True:
        yielded = _numbers_of_yielded(operator, classes)
        refined = numbered(list(zip(classes, yielded, strict=True)))
        if refined == classes:
            return classes
        classes = refined


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Each key replaced by the position of its first occurrence."""
    first: dict[Hashable, int] = {}
    return [first.setdefault(key, position) for position, key in enumerate(keys)]


def _numbers_of_yielded(operator: ir.Block, classes: Sequence[int]) -> list[Hashable]:
    """Value numbers of the operator's results when the arguments of a class are the same."""
    numbers = Numbers()
    for position, argument in enumerate(operator.arguments):
        side, component = divmod(position, len(classes))
        numbers.of_value[argument] = (side, classes[component])
    *body, last = list(operator.operations)
    for op in body:
        numbers.enter(op)
    return numbers.of(last.operands)


@dataclass
class Numbers:
    """Value numbers: operations that do the same to values of the same numbers have the same number."""

    of_value: dict[ir.Value, Hashable] = field(default_factory=dict)
    _of_key: dict[Hashable, int] = field(default_factory=dict)

    def of(self, values: Iterable[ir.Value]) -> list[Hashable]:
        """The numbers of values; one from outside stands for itself."""
        return [self.of_value.get(value, value) for value in values]

    def enter(self, op: ir.OpView, depth: int = 0) -> int:
        """Numbers an operation and its results."""
        attributes = tuple((name, op.attributes[name]) for name in sorted(op.attributes))
        types = tuple(result.type for result in op.results)
        bodies = tuple(self._body(block, depth + 1) for region in op.regions for block in region.blocks)
        operands = self.of(op.operands)
        read = frozenset(Counter(operands).items()) if op.operation.name in IN_ANY_ORDER else tuple(operands)
        key = (op.operation.name, attributes, types, read, bodies)
        number = self._of_key.setdefault(key, len(self._of_key))
        self.of_value.update((result, ("result", number, place)) for place, result in enumerate(op.results))
        return number

    def _body(self, block: ir.Block, depth: int) -> tuple[Hashable, ...]:
        """The canonical form of a nested body, whatever its arguments are called."""
        arguments = list(block.arguments)
        self.of_value.update((argument, ("inner", depth, place)) for place, argument in enumerate(arguments))
        types = tuple(argument.type for argument in arguments)
        return (types, *(self.enter(op, depth) for op in block.operations))
