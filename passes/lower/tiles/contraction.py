"""Nests that tiles pay for: independent loops around a reduction that reads each operand along some of them only.

```mlir
scf.for %i { scf.for %j {                                   // rows %i, columns %j; %b would be a batch if both read it
  %s = scf.for %k iter_args(%t = %zero) {
    %x = memref.load %a[%i, %k]                             // staged for rows
    %y = memref.load %b[%k, %j]                             // staged for columns
    ...                                                     // anything without effects, in order of %k
  }
  memref.store %s, %c[%i, %j]
} } {tapeless.launch = "each thread"}
```
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.launches.grids.grid_nests import nest_of
from tapeless.passes.lower.tiles.nest_values import (
    CARRIED,
    STEP,
    NestValues,
    body_of,
    operations_between,
    terminator_of,
)
from tapeless.passes.lower.vectorise.walking import buffer_of, indices_of, memref_of
from tapeless.passes.marks import EACH_THREAD, LAUNCH, PARALLEL

PURE = ("arith.", "math.", "llvm.intr.", "memref.load", "memref.dim", "memref.cast", "memref.reinterpret_cast")
STAGED_TYPES = ("f64", "f32", "i64", "i32")


@dataclass(frozen=True)
class Side:
    """Rows or columns: the loops that they are made of, outer ones first, and the values that are staged for them."""

    loops: tuple[int, ...]
    staged: tuple[ir.Value, ...]


@dataclass(frozen=True)
class Contraction:
    """A nest with its reduction, and its loops divided into rows, columns, and batches of both."""

    loops: list[ir.Operation]
    reduction: ir.Operation
    values: NestValues
    batch: tuple[int, ...]
    rows: Side
    columns: Side

    @property
    def results(self) -> list[ir.Value]:
        """What an iteration of the reduction hands on."""
        return list(terminator_of(self.reduction).operands)

    @property
    def epilogue(self) -> list[ir.Operation]:
        """What the innermost loop does after the reduction, and all before it that has no part in it."""
        return body_of(self.loops[-1])

    def variable(self, number: int) -> ir.Value:
        return self.loops[number].regions[0].blocks[0].arguments[0]

    def count(self, number: int) -> ir.Value:
        """How many iterations a loop has, below 1 for none."""
        return self.loops[number].operands[1]

    @property
    def step(self) -> ir.Value:
        return self.reduction.regions[0].blocks[0].arguments[0]

    @property
    def carried(self) -> list[ir.Value]:
        return list(self.reduction.regions[0].blocks[0].arguments)[1:]

    def invariants(self) -> list[ir.Value]:
        """Values of the nest that the reduction uses without having made them."""
        inside = set(self.carried) | {self.step}
        found: dict[ir.Value, None] = {}
        for op in self.mixed():
            for operand in op.operands:
                sources = self.values.of_value(operand)
                if sources and operand not in inside and STEP not in sources and CARRIED not in sources:
                    found[operand] = None
        return list(found)

    def mixed(self) -> list[ir.Operation]:
        """The operations of the reduction for every pair of a row and a column, its end among them."""
        staged = {*self.rows.staged, *self.columns.staged}
        wanted, seen = [terminator_of(self.reduction)], {terminator_of(self.reduction)}
        for op in wanted:
            for operand in op.operands:
                made = self.values.made_by.get(operand)
                is_step = self.values.of_value(operand) & {STEP, CARRIED}
                if made is not None and operand not in staged and is_step and made not in seen:
                    seen.add(made)
                    wanted.append(made)
        return wanted


def contraction_of(launched: ir.Operation, *, by_factors: bool = False) -> Contraction | None:
    """The contraction that a launched loop is, if it is one; its rows and columns are those of all that is loaded, or
    of the two factors whose product is added.
    """
    if ir.StringAttr(launched.attributes[LAUNCH]).value != EACH_THREAD:
        return None
    loops = nest_of(launched)
    reductions = [op for op in body_of(loops[-1]) if op.name == "scf.for" and len(op.results)]
    if len(loops) < 2 or len(reductions) != 1 or not all(counts_up(loop) for loop in (*loops, reductions[0])):
        return None
    reduction = reductions[0]
    if not all(PARALLEL in loop.attributes for loop in loops):
        return None
    if not has_no_effects(launched, operations_between(loops, reduction), body_of(reduction), reduction):
        return None
    values = NestValues.of(loops, reduction)
    if values.is_inside(reduction.operands[1]):
        return None
    for anchor in reversed(range(len(loops))):
        found = divided(loops, reduction, values, anchor, _factors(values, reduction) if by_factors else None)
        if found is not None:
            return replace(found, rows=found.columns, columns=found.rows) if _stores_along_rows(found) else found
    return None


def counts_up(loop: ir.Operation) -> bool:
    return constant_int(loop.operands[0]) == 0 and constant_int(loop.operands[2]) == 1


def has_no_effects(
    nest: ir.Operation, around: Iterable[ir.Operation], inside: list[ir.Operation], reduction: ir.Operation
) -> bool:
    """Whether there is nothing around and inside of a nest's reduction but arithmetic, loads, and stores at its end to
    what others do not read.
    """
    around = list(around)
    stores = [op for op in around if op.name == "memref.store"]
    if not stores or not all(op.name.startswith(PURE) for op in (*around, *inside) if op not in stores):
        return False
    if any(_is_before(store, reduction) for store in stores):
        return False
    written = {buffer_of(store): store for store in stores}
    if len(written) < len(stores):
        return False
    met = [(op, written[buffer_of(op)]) for op in inside if _is_load(op) and buffer_of(op) in written]
    if not all(_in_other_part(load, store, nest) for load, store in met):
        return False
    around = [op for op in around if _is_load(op) and buffer_of(op) in written]
    return all(_is_own(op, written[buffer_of(op)]) for op in around)


def _is_load(op: ir.Operation) -> bool:
    return op.name == "memref.load"


def _in_other_part(load: ir.Operation, store: ir.Operation, nest: ir.Operation) -> bool:
    """Whether a nest reads one part of an array and writes another: its state before a time step, and after it."""
    if memref_of(load) != memref_of(store):
        return False
    return any(_are_different(*pair, nest) for pair in zip(indices_of(load), indices_of(store), strict=True))


def _are_different(one: ir.Value, other: ir.Value, nest: ir.Operation) -> bool:
    """Whether two indices, which are the same numbers for the whole nest, differ by a constant."""
    if not is_defined_outside(one, nest) or not is_defined_outside(other, nest):
        return False
    (base, distance), (other_base, other_distance) = _shifted(one), _shifted(other)
    return base == other_base and distance != other_distance


def _shifted(index: ir.Value) -> tuple[ir.Value | None, int]:
    """An index as a value, or none, and a constant."""
    known = constant_int(index)
    if known is not None:
        return None, known
    made = None if isinstance(index.owner, ir.Block) else index.owner.operation
    distance = None if made is None or made.name not in ("arith.addi", "arith.subi") else constant_int(made.operands[1])
    if made is None or distance is None:
        return index, 0
    return made.operands[0], distance if made.name == "arith.addi" else -distance


def _is_own(load: ir.Operation, store: ir.Operation) -> bool:
    """Whether an iteration reads what it alone writes, before it does."""
    same = memref_of(load) == memref_of(store) and indices_of(load) == indices_of(store)
    return same and load.block == store.block and _is_before(load, store)


def _is_before(op: ir.Operation, other: ir.Operation) -> bool:
    if op.block != other.block:
        return True
    operations = [view.operation for view in op.block.operations]
    return operations.index(op) < operations.index(other)


def _factors(values: NestValues, reduction: ir.Operation) -> list[ir.Value]:
    """The two numbers that a step multiplies and adds to what it carries, if it does just that."""
    made = values.made_by.get(terminator_of(reduction).operands[0])
    return [*made.operands][:2] if made is not None and made.name == "llvm.intr.fmuladd" else []


def divided(
    loops: list[ir.Operation],
    reduction: ir.Operation,
    values: NestValues,
    anchor: int,
    terms: list[ir.Value] | None = None,
) -> Contraction | None:
    """The contraction whose columns are what is read along one loop, and whose rows what all others read.

    What is read are the loads of a step, or `terms` made of them.
    """
    numbers = set(range(len(loops)))
    if terms is None:
        terms = [op.results[0] for op in body_of(reduction) if _is_load(op)]
    reads = [values.of_value(term) & numbers for term in terms if STEP in values.of_value(term)]
    right = [read for read in reads if anchor in read]
    left = [read for read in reads if anchor not in read]
    along_columns, along_rows = (frozenset().union(*side) for side in (right, left))
    columns, rows = along_columns - along_rows, along_rows - along_columns
    if not columns or not rows:
        return None
    staged_rows, staged_columns = _staged(values, reduction, rows, columns)
    sides = [
        Side(tuple(sorted(rows)), tuple(staged_rows)),
        Side(tuple(sorted(columns)), tuple(staged_columns)),
    ]
    if not all(side.staged and all(str(value.type) in STAGED_TYPES for value in side.staged) for side in sides):
        return None
    made = Contraction(loops, reduction, values, tuple(sorted(numbers - rows - columns)), *sides)
    reads_both = any(_is_load(op) and STEP in values.sources[op.results[0]] for op in made.mixed())
    return None if reads_both else made


def _staged(
    values: NestValues, reduction: ir.Operation, rows: frozenset[int], columns: frozenset[int]
) -> tuple[list[ir.Value], list[ir.Value]]:
    """The values for rows and those for columns that operations on both, or on what is carried, use."""
    staged: tuple[dict[ir.Value, None], dict[ir.Value, None]] = ({}, {})

    def side(value: ir.Value) -> int | None:
        """0 for what belongs to rows, or to neither, 1 for columns."""
        sources = values.of_value(value)
        if STEP not in sources or CARRIED in sources or not values.reads_memory(value):
            return None
        if not sources & columns:
            return 0
        return 1 if not sources & rows else None

    for op in (*body_of(reduction), terminator_of(reduction)):
        sources = frozenset().union(*(values.of_value(operand) for operand in op.operands))
        is_mixed = CARRIED in sources or op == terminator_of(reduction) or bool(sources & rows and sources & columns)
        for operand in op.operands:
            number = side(operand)
            if number is not None and is_mixed:
                staged[number][operand] = None
    return list(staged[0]), list(staged[1])


def _stores_along_rows(contraction: Contraction) -> bool:
    """Whether stores to neighbours are those of neighbours in the loops of rows."""
    stores = [op for op in contraction.epilogue if op.name == "memref.store"]
    sources = [contraction.values.of_value(indices_of(store)[-1]) for store in stores]
    return all(bool(each & {*contraction.rows.loops}) for each in sources)
