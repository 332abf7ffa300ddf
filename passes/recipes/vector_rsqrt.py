"""The pass `recipes-vector-rsqrt`: reciprocal roots of several iterations are computed in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar

from tapeless._mlir import arith, ir, scf, vector
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.cells.places import buffer_behind
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT, UNROLL
from tapeless.passes.lower.repeat.reciprocals import MOST_OPERATIONS
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    counts_by_one,
    indices_of,
    is_made_in,
    memref_of,
    nested,
    op_name,
)
from tapeless.passes.marks import FUSED, NORMAL, PARALLEL

LOAD, STORE, COSTLY = "memref.load", "memref.store", "math.rsqrt"
PLAIN = (LOAD, STORE, COSTLY, "scf.for", "scf.if", "scf.yield", "memref.dim")
# Other functions would be copied as often, or called.
INSTRUCTIONS = ("math.sqrt", "math.fma", "math.absf", "math.copysign")
# With more iterations at once, their numbers would not stay in registers.
LANES = 8
# A register that holds a pair of doubles.
PAIR_BITS = 128
AS_IT_IS = f"#llvm.loop_annotation<{UNROLL}, interleave = <count = 1 : i32>>"
BESIDE_EACH_OTHER = f"#llvm.loop_annotation<{UNROLL}, interleave = <count = 4 : i32>>"
SUMS = ("arith.addi", "arith.subi")


@dataclass(frozen=True)
class VectorRsqrt:
    """Vectorises the reciprocal roots of several iterations, which none of them decides.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {          scf.for %i = %c0 to %m step %c8 {
      %x = memref.load %p[%i]                    %v = vector.from_elements %x0, %x1, ... : vector<8xf64>
      %s = math.rsqrt %x                         %r = math.rsqrt %v : vector<8xf64>
      %a = memref.load %d[%i]                    %s0 = vector.extract %r[0] : f64 from vector<8xf64>
      memref.store %a + %s, %d[%i + 1]           %a0 = memref.load %d[%i]
    }                                            memref.store %a0 + %s0, %d[%i + 1]
                                                 ...
                                               }
                                               the loop as it was, from %m to %n
    ```
    Such a root is a chain of products (`lower-math`), of which processors see too few at a time to run those of several
    iterations beside each other. Where LLVM makes lanes of whole iterations (`llvm.py`), it does; of pairs, four beside
    each other.
    """

    name: ClassVar[str] = "recipes-vector-rsqrt"
    after: ClassVar[dict[str, str]] = {
        "lower-vectorise": "it groups iterations of loops that are no vectors",
    }
    skips_numbers: ClassVar[bool] = True
    vector_bits: int = 512
    recipes: bool = True

    def run(self, module: ir.Module) -> None:
        """Rewrites loops that call no functions."""
        if not self.recipes:
            return
        with module.context:
            for loop in [op.operation for op in ops_named(module.operation.opview, "scf.for", outer_first=True)]:
                if not _is_plain(loop):
                    continue
                in_pairs = self.vector_bits <= PAIR_BITS
                if not makes_lanes(loop, in_pairs=in_pairs):
                    free = _decided_by_none(loop)
                    if any(map(_is_costly, free)):
                        _Group(loop, free).run()
                elif in_pairs and ATTRIBUTE not in loop.attributes:
                    loop.attributes[ATTRIBUTE] = ir.Attribute.parse(BESIDE_EACH_OTHER)


def _is_plain(loop: ir.Operation) -> bool:
    """Whether iterations wait for roots, and for no other functions."""
    if not counts_by_one(loop) or not any(map(_is_costly, body_of(loop).operations)):
        return False
    body = list(nested(body_of(loop)))
    return len(body) <= MOST_OPERATIONS and all(op_name(op) in PLAIN or _is_pure(op) for op in body)


def _is_pure(op: ir.Operation) -> bool:
    return op_name(op).startswith("arith.") or op_name(op) in (COSTLY, *INSTRUCTIONS)


def _is_costly(op: ir.Operation) -> bool:
    return op_name(op) == COSTLY and NORMAL in op.operation.attributes


def _decided_by_none(loop: ir.Operation) -> list[ir.Operation]:
    """What depends on nothing that the loop carries or writes; products only with the sums that take them in."""
    *body, _ = (op.operation for op in body_of(loop).operations)
    inner = set(list(body_of(loop).arguments)[1:])
    written = {buffer_behind(memref_of(op)) for op in nested(body_of(loop)) if op_name(op) == STORE}
    found: list[ir.Operation] = []
    for op in body:
        is_read = op_name(op) == LOAD and None not in written and buffer_behind(memref_of(op)) not in {*written, None}
        if not (is_read or _is_pure(op)) or any(value in inner for value in op.operands):
            inner.update(op.results)
        else:
            found.append(op)
    while fused := [op for op in found if FUSED in op.attributes and not _is_taken_in(op, found)]:
        found = [op for op in found if op not in fused]
    return found


def _is_taken_in(product: ir.Operation, found: Sequence[ir.Operation]) -> bool:
    return all(use.owner.operation in found for use in product.results[0].uses)


@dataclass
class _Group:
    """A loop that is rewritten: the values of each of the iterations, and of all of them where they are lanes."""

    loop: ir.Operation
    free: Sequence[ir.Operation]
    each: list[Values] = field(default_factory=list)
    lanes: Values = field(default_factory=dict)

    def run(self) -> None:
        """Puts the loop over groups before the loop, which is left with what fills no group."""
        loop = self.loop
        begin, end, _ = list(loop.operands)[:3]
        with ir.InsertionPoint(loop), loop.location:
            several = arith.constant(begin.type, LANES)
            count = arith.subi(arith.maxsi(begin, end), begin)
            stop = arith.addi(begin, arith.subi(count, arith.remsi(count, several)))
            made = scf.ForOp(begin, stop, several, operands_of(loop, "carried"))
        made.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(AS_IT_IS)
        with ir.InsertionPoint(made.body), loop.location:
            self._emit(made)
        loop.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        if PARALLEL in loop.attributes:
            del loop.attributes[PARALLEL]
        loop.operands[0] = stop
        for place, value in enumerate(made.results):
            loop.operands[3 + place] = value

    def _emit(self, made: scf.ForOp) -> None:
        *body, end = (op.operation for op in body_of(self.loop).operations)
        variable, *carried = body_of(self.loop).arguments
        for number in range(LANES):
            offset = arith.constant(variable.type, number)
            self.each.append({variable: arith.addi(made.induction_variable, offset)})
        for op in self.free:
            is_behind = op_name(op) != LOAD and any(value in self.lanes for value in op.operands)
            if _is_costly(op) or is_behind:
                self._in_lanes(op)
            else:
                for number in range(LANES):
                    self._copy(op, number)
        current = list(made.inner_iter_args)
        for number, values in enumerate(self.each):
            values.update(zip(carried, current, strict=True))
            for op in body:
                if op not in self.free:
                    self._copy(op, number)
            current = [self._number(value, number) for value in end.operands]
        scf.YieldOp(current)

    def _copy(self, op: ir.Operation, number: int) -> None:
        """Writes an operation for one of the iterations."""
        for each in (op, *(inner for region in op.regions for block in region.blocks for inner in nested(block))):
            for operand in each.operands:
                self._number(operand, number)
        copy_op(op.opview, self.each[number])

    def _number(self, value: ir.Value, number: int) -> ir.Value:
        """What a value is in one of the iterations."""
        values = self.each[number]
        if value in self.lanes and value not in values:
            values[value] = vector.extract(self.lanes[value], [], [number])
        return values.get(value, value)

    def _in_lanes(self, op: ir.Operation) -> None:
        """Writes an operation for all iterations at once."""
        operands = [self._vector(value) for value in op.operands]
        type_ = ir.VectorType.get([LANES], op.results[0].type)
        attributes = {name: op.attributes[name] for name in op.attributes}
        self.lanes[op.results[0]] = ir.Operation.create(op.name, [type_], operands, attributes).results[0]

    def _vector(self, value: ir.Value) -> ir.Value:
        """What a value is in all of them."""
        type_ = ir.VectorType.get([LANES], value.type)
        if value not in self.lanes and value not in self.each[0]:
            return vector.broadcast(type_, value)
        if value not in self.lanes:
            self.lanes[value] = vector.from_elements(type_, [values[value] for values in self.each])
        return self.lanes[value]


def makes_lanes(loop: ir.Operation, *, in_pairs: bool) -> bool:
    """Whether it does: of maps of neighbouring elements, and of chains where that is worth more than pairs of numbers.

    Iterations that follow one another hand cells on, which is no obstacle where it is known which they are.
    """
    body = list(nested(body_of(loop)))
    if PARALLEL in loop.attributes:
        accesses = [op for op in body if op_name(op) in (LOAD, STORE)]
        return all(_is_neighbour(op, loop) for op in accesses)
    stores = [op for op in body if op_name(op) == STORE]
    return not in_pairs and all(_is_known(index, loop) for op in stores for index in indices_of(op))


def _is_neighbour(access: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the next iteration reaches the next element, or the same one."""
    *others, last = indices_of(access)
    return not any(is_made_in(index, loop) for index in others) and _is_known(last, loop)


def _is_known(index: ir.Value, loop: ir.Operation) -> bool:
    """Whether an index is a sum of the loop's variable and of what it does not change."""
    if index == body_of(loop).arguments[0] or not is_made_in(index, loop):
        return True
    if isinstance(index, ir.BlockArgument):
        return False
    name = op_name(index.owner)
    return name == "arith.constant" or (name in SUMS and all(_is_known(each, loop) for each in index.owner.operands))
