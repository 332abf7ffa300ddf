"""Upper bounds of integers of a loop, written down before it, in numbers that the host knows there."""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK
from tapeless.passes.lower.in_block.amounts import Amount, Amounts

# How long loops are, about, of which nobody knows it.
TYPICAL_LENGTH = 16
# Comparisons that hold for all numbers below one for which they do.
AT_MOST = frozenset({arith.CmpIPredicate.slt.value, arith.CmpIPredicate.sle.value})
# How to combine the least numbers that operands can be, of operations that grow with each of them.
LOWEST = {
    "arith.addi": "arith.addi",
    "arith.maxsi": "arith.maxsi",
    "arith.minsi": "arith.minsi",
    "arith.select": "arith.minsi",
}
DIVISIONS = frozenset({"arith.divui", "arith.divsi", "arith.floordivsi", "arith.ceildivsi"})


@dataclass
class Bounds(Amounts):
    """Finds bounds for values inside of a loop; its code stands `before` the loop, or the variant around it."""

    found: dict[ir.Value, Amount | None] = field(default_factory=dict)
    lowest: dict[ir.Value, Amount | None] = field(default_factory=dict)

    def most(self, value: ir.Value) -> Amount | None:
        """A number that an integer never exceeds, if one is known before the loop."""
        if value not in self.found:
            self.found[value] = None
            self.found[value] = self._most(value)
        return self.found[value]

    def least(self, value: ir.Value) -> Amount | None:
        """A number that an integer never falls below, if one is known before the loop."""
        if value not in self.lowest:
            self.lowest[value] = None
            self.lowest[value] = self._least(value)
        return self.lowest[value]

    def trips(self, loop: ir.Operation) -> Amount | None:
        """How often a counted loop runs at most; steps that are computed are taken to be those of all threads."""
        low, high, step = list(loop.operands)[:3]
        most, stride = self._distance(low, high), constant_int(step)
        return None if most is None else self.rounds(most, THREADS_PER_BLOCK if stride is None else stride)

    def size(self, array: ir.Value, axis: int) -> Amount | None:
        """The size of an axis of an array from before, or of one that is made inside."""
        type_ = ir.MemRefType(array.type)
        if not type_.is_dynamic_dim(axis):
            return type_.shape[axis]
        if self.is_before(array):
            return self._write("memref.dim", [array, self.value(axis)])
        if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "memref.alloc":
            return None
        before = sum(type_.is_dynamic_dim(each) for each in range(axis))
        return self.most(array.owner.operation.operands[before])

    def is_natural(self, value: ir.Value) -> bool:
        """Whether an integer is surely not negative."""
        known = constant_int(value)
        if known is not None:
            return known >= 0
        if isinstance(value, ir.BlockArgument):
            loop = value.owner.owner.operation
            return loop.name == "scf.for" and value.arg_number == 0 and self.is_natural(loop.operands[0])
        op = value.owner.operation
        if op.name in ("memref.dim", "arith.divui", "arith.remui"):
            return True
        operands = list(op.operands)
        if op.name == "arith.select":
            return all(self.is_natural(each) for each in operands[1:])
        if op.name == "arith.maxsi":
            return any(self.is_natural(each) for each in operands)
        rules = ("arith.addi", "arith.muli", "arith.minsi", "arith.divsi", "arith.ceildivsi", "arith.index_cast")
        return op.name in rules and all(self.is_natural(each) for each in operands)

    def forget(self) -> None:
        super().forget()
        self.found.clear()
        self.lowest.clear()

    def is_before(self, value: ir.Value) -> bool:
        """Whether a value is made outside of the loop."""
        owner = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation.block
        while owner is not None:
            holder = owner.owner
            if holder is None or holder.operation.name == "func.func":
                return True
            if holder.operation == self.loop:
                return False
            owner = holder.operation.block
        return True

    def is_of_sizes(self, value: ir.Value) -> bool:
        """Whether the host knows an integer: it is made of arguments, sizes and indices of its loops."""
        if isinstance(value, ir.BlockArgument):
            holder = value.owner.owner.operation
            return holder.name == "func.func" or (holder.name == "scf.for" and value.arg_number == 0)
        op = value.owner.operation
        if op.name == "memref.dim":
            return not isinstance(op.operands[0].type, ir.UnrankedMemRefType)
        return op.name.startswith("arith.") and all(self.is_of_sizes(each) for each in op.operands)

    def chosen(self, condition: ir.Value, first: Amount, second: Amount) -> Amount:
        """The amount of the branch that a condition takes, or the larger one where that is not known before."""
        known = self._before_loop(condition)
        if known is not None:
            return self._write("arith.select", [known, self.value(first), self.value(second)])
        larger, surely = self.largest([first, second]), self._surely(condition)
        if surely is None:
            return larger
        return self._write("arith.select", [surely, self.value(first), self.value(larger)])

    def _surely(self, condition: ir.Value) -> ir.Value | None:
        """Computes before the loop whether a number is at most another one in every iteration, by its upper bound."""
        op = None if isinstance(condition, ir.BlockArgument) else condition.owner.operation
        if op is None or op.name != "arith.cmpi" or op.opview.predicate.value not in AT_MOST:
            return None
        most, limit = self.most(op.operands[0]), self._before_loop(op.operands[1])
        if most is None or limit is None:
            return None
        bound = self.value(most)
        with self.at:
            copy = op.clone()
        copy.operands[0], copy.operands[1] = bound, limit
        self.written.append(copy.operation)
        return copy.operation.results[0]

    def _before_loop(self, value: ir.Value) -> ir.Value | None:
        """A number of sizes, computed before the loop; a copy of its operation is made once."""
        if self.is_before(value):
            return value if self.is_of_sizes(value) else None
        key = ("copy", value)
        if key not in self._once and (copy := self._copied(value)) is not None:
            self._once[key] = copy
        return self._once.get(key)

    def _copied(self, value: ir.Value) -> ir.Value | None:
        if isinstance(value, ir.BlockArgument) or not value.owner.operation.name.startswith("arith."):
            return None
        operands = [self._before_loop(operand) for operand in value.owner.operation.operands]
        known = [operand for operand in operands if operand is not None]
        if len(known) < len(operands):
            return None
        with self.at:
            copy = value.owner.operation.clone()
        for number, operand in enumerate(known):
            copy.operands[number] = operand
        self.written.append(copy.operation)
        return copy.operation.results[0]

    def _distance(self, low: ir.Value, high: ir.Value) -> Amount | None:
        """How far it is from one integer to another at most."""
        op = None if isinstance(high, ir.BlockArgument) else high.owner.operation
        if op is not None and op.name == "arith.addi" and low in list(op.operands):
            return self.most(op.operands[1 if op.operands[0] == low else 0])
        if op is not None and op.name == "arith.minsi":
            known = [most for each in op.operands if (most := self._distance(low, each)) is not None]
            return self._chain("arith.minsi", known)
        return self.most(high) if self.is_natural(low) else None

    def _most(self, value: ir.Value) -> Amount | None:
        known = constant_int(value)
        if known is not None:
            return known
        if self.is_before(value):
            return value if isinstance(value.type, ir.IndexType) and self.is_of_sizes(value) else None
        if isinstance(value, ir.BlockArgument):
            loop = value.owner.owner.operation
            return self.most(loop.operands[1]) if loop.name == "scf.for" and value.arg_number == 0 else None
        return self._of_operation(value.owner.operation)

    def _of_operation(self, op: ir.Operation) -> Amount | None:
        operands = list(op.operands)
        if op.name == "memref.dim":
            axis = constant_int(operands[1])
            return None if axis is None else self.size(operands[0], axis)
        if op.name == "arith.subi":
            return self._of_difference(*operands)
        if op.name in DIVISIONS:
            return self._of_quotient(op.name, *operands)
        if op.name == "arith.minsi":
            known = [most for each in operands if (most := self.most(each)) is not None]
            return self._chain("arith.minsi", known)
        if op.name in ("arith.addi", "arith.maxsi"):
            return self._of_all(op.name, operands)
        if op.name == "arith.select":
            return self._of_all("arith.maxsi", operands[1:])
        if op.name == "arith.muli" and all(self.is_natural(each) for each in operands):
            return self._of_all(op.name, operands)
        return None

    def _of_difference(self, left: ir.Value, right: ir.Value) -> Amount | None:
        """The smallest of the bounds that are known of a difference."""
        if (far := self._from_start(left, right)) is not None:
            return far
        if (start := _start_of(right)) is not None and (far := self._distance(start, left)) is not None:
            return far
        most, least = self.most(left), self.least(right)
        return None if most is None or least is None else self._binary("arith.subi", most, least)

    def _least(self, value: ir.Value) -> Amount | None:
        known = constant_int(value)
        if known is not None:
            return known
        if self.is_before(value):
            return value if isinstance(value.type, ir.IndexType) and self.is_of_sizes(value) else None
        natural = 0 if self.is_natural(value) else None
        if isinstance(value, ir.BlockArgument):
            loop = value.owner.owner.operation
            return self.least(loop.operands[0]) if loop.name == "scf.for" and value.arg_number == 0 else None
        op = value.owner.operation
        operands = list(op.operands)
        if op.name == "arith.subi":
            least, most = self.least(operands[0]), self.most(operands[1])
            return natural if least is None or most is None else self._binary(op.name, least, most)
        lows = [self.least(each) for each in operands[op.name == "arith.select" :]] if op.name in LOWEST else [None]
        found = [low for low in lows if low is not None]
        if op.name == "arith.maxsi" and found:
            return self._chain(op.name, found)
        return self._chain(LOWEST[op.name], found) if found and len(found) == len(lows) else natural

    def _from_start(self, value: ir.Value, start: ir.Value) -> Amount | None:
        """How far the counter of a loop, or the smaller of that and more, gets from where the loop begins."""
        if not isinstance(value, ir.BlockArgument):
            op = value.owner.operation
            known = [self._from_start(each, start) for each in op.operands] if op.name == "arith.minsi" else []
            return self._chain("arith.minsi", [most for most in known if most is not None])
        if value.arg_number != 0:
            return None
        loop = value.owner.owner.operation
        return self._distance(start, loop.operands[1]) if loop.name == "scf.for" and loop.operands[0] == start else None

    def _of_quotient(self, name: str, left: ir.Value, right: ir.Value) -> Amount | None:
        most, divisor = self.most(left), constant_int(right)
        if most is None or not self.is_natural(left) or not self.is_natural(right):
            return None
        rounded = "arith.ceildivsi" if name == "arith.ceildivsi" else "arith.divsi"
        return most if divisor in (None, 0) else self._binary(rounded, most, divisor or 1)

    def _of_all(self, name: str, operands: list[ir.Value]) -> Amount | None:
        known = [most for each in operands if (most := self.most(each)) is not None]
        return self._chain(name, known) if len(known) == len(operands) else None


class Typical(Bounds):
    """Takes loops and axes whose lengths are not known to be of middle length, so that all amounts are numbers."""

    def trips(self, loop: ir.Operation) -> int:
        low, high, step = (constant_int(bound) for bound in list(loop.operands)[:3])
        if low is None or high is None or step is None:
            return TYPICAL_LENGTH
        return max(0, -(-(high - low) // step))

    def size(self, array: ir.Value, axis: int) -> int:
        type_ = ir.MemRefType(array.type)
        return TYPICAL_LENGTH if type_.is_dynamic_dim(axis) else int(type_.shape[axis])

    def chosen(self, condition: ir.Value, first: Amount, second: Amount) -> Amount:
        return self.largest([first, second])


def _start_of(value: ir.Value) -> ir.Value | None:
    """Where the loop begins of which a number is the counter, or the counter and a natural number more."""
    if isinstance(value, ir.BlockArgument):
        loop = value.owner.owner.operation
        return loop.operands[0] if loop.name == "scf.for" and value.arg_number == 0 else None
    op = value.owner.operation
    if op.name != "arith.addi" or (constant_int(op.operands[1]) or -1) < 0:
        return None
    return _start_of(op.operands[0])
