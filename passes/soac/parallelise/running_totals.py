"""Numbers that a loop combines with a term of each iteration, and reads on the way: prefixes of a scan."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, math, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import flags, index, map_, number, reduce_, scan_
from tapeless.passes.ir.costs import CHEAP, FREE
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.bins import Bins
from tapeless.passes.soac.parallelise.slabs import Slab
from tapeless.passes.soac.parallelise.totals import COMBINING, Combining, combining, may_be_reordered
from tapeless.passes.soac.parallelise.trips import trips

TERMS = CHEAP | FREE | {"tensor.extract", "tensor.dim", "arith.divf"}


@dataclass(frozen=True)
class Running:
    """A carried number, its term, and how they are combined; what goes `around` has only what is behind the point."""

    number: int
    term: ir.Value
    by: Combining
    is_around: bool

    @staticmethod
    def of(loop: ir.OpView, number: int) -> Running | None:
        """The running total that a carried number is; one that is kept between 0 and 1 may go around."""
        argument = loop.regions[0].blocks[0].arguments[1 + number]
        value = terminator(loop.regions[0]).operands[number]
        whole = _behind_the_point(value)
        for by in COMBINING:
            term = _term(value if whole is None else whole, argument, by)
            if term is not None and _is_of_iteration(term, loop):
                is_sum = by.name == "arith.addf"
                return Running(number, term, by, whole is not None) if whole is None or is_sum else None
        return None

    def combine(self, left: ir.Value, right: ir.Value) -> ir.Value:
        total = self.by.combine(left, right)
        if not self.is_around:
            return total
        return arith.subf(total, math.floor(total, fastmath=flags()), fastmath=flags())

    def before(self, prefixes: ir.Value, place: ir.Value, start: ir.Value) -> ir.Value:
        """The total before an iteration."""
        prefix = tensor.extract(prefixes, [place])
        if self.by.is_neutral(start):
            return prefix
        is_first = arith.cmpi(arith.CmpIPredicate.eq, place, index(0))
        return arith.select(is_first, start, self.combine(start, prefix))

    def after(self, terms: ir.Value, width: ir.Value, start: ir.Value) -> ir.Value:
        """The total after all iterations."""
        neutral = number(start.type, self.by.neutral)
        total = reduce_(width, [terms], [neutral], lambda a, b: [self.combine(a[0], b[0])])[0]
        is_run = arith.cmpi(arith.CmpIPredicate.sgt, width, index(0))
        return arith.select(is_run, self.combine(start, total), start)


def scan_running_totals(loop: ir.OpView) -> ir.OpView | None:
    """Takes running totals out of a loop that is parallel without them; gives the loop that is left.

    ```mlir
    %r:2 = scf.for iter_args(%s, %t) {                %terms = "soac.map"(%n, %x) ...
      %y = f(%t)                                      %before = "soac.scan"(%n, %terms, %zero) ({ addf }) exclusive
      %u = arith.addf %t, %x_i                        %r = scf.for iter_args(%s) {
      scf.yield %s + %y, %u                             %y = f(%before[%i])
    }                                                   scf.yield %s + %y
    ```
    """
    last, arguments = terminator(loop.regions[0]), list(loop.regions[0].blocks[0].arguments)[1:]
    found: list[Running] = []
    for k, argument in enumerate(arguments):
        if combining(argument, last, k) is not None:
            continue
        running = Running.of(loop, k)
        if running is not None:
            found.append(running)
        elif Slab.of(loop, k) is None and Bins.of(loop, k) is None:
            return None
    return _without(loop, found) if found and len(found) < len(arguments) else None


def _without(loop: ir.OpView, found: Sequence[Running]) -> ir.OpView:
    body, starts = loop.regions[0].blocks[0], list(loop.operands)[3:]
    numbers = {each.number: each for each in found}
    kept = [k for k in range(len(starts)) if k not in numbers]
    results: list[ir.Value | None] = [None] * len(starts)
    prefixes: dict[int, ir.Value] = {}
    low, high, step = list(loop.operands)[:3]
    with ir.InsertionPoint(loop), loop.location:
        width = trips(loop)
        for k, each in numbers.items():
            terms, prefixes[k] = _scanned(each, loop, width, starts[k].type)
            if list(loop.results[k].uses):
                results[k] = each.after(terms, width, starts[k])
        made = scf.ForOp(low, high, step, [starts[k] for k in kept])
        values: Values = {body.arguments[0]: made.induction_variable}
        values.update((body.arguments[1 + k], value) for k, value in zip(kept, made.inner_iter_args, strict=True))
        with ir.InsertionPoint(made.body):
            counter = made.induction_variable
            place = counter if constant_int(low) == 0 else arith.subi(counter, low)
            for k, each in numbers.items():
                values[body.arguments[1 + k]] = each.before(prefixes[k], place, starts[k])
            for op in list(body.operations)[:-1]:
                copy_op(op, values)
            last = terminator(loop.regions[0])
            scf.YieldOp([values.get(last.operands[k], last.operands[k]) for k in kept])
    for k, value in zip(kept, made.results, strict=True):
        results[k] = value
    replace_op(loop, results)
    return made


def _scanned(each: Running, loop: ir.OpView, width: ir.Value, type_: ir.Type) -> tuple[ir.Value, ir.Value]:
    """The terms of all iterations, and what is combined before each of them."""

    def term(place: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
        return [_copied(each.term, loop, place)], []

    def combined(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
        return [each.combine(left[0], right[0])]

    terms = map_(width, [], [], term)[0][0]
    return terms, scan_(width, [terms], [number(type_, each.by.neutral)], combined, exclusive=True)[0]


def _behind_the_point(value: ir.Value) -> ir.Value | None:
    """The number of which another one is what is behind the point: `t` of `t - floor(t)`."""
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.subf":
        return None
    whole, below = value.owner.operands
    is_floor = isinstance(below, ir.OpResult) and below.owner.operation.name == "math.floor"
    return whole if is_floor and below.owner.operands[0] == whole and may_be_reordered(value.owner) else None


def _term(value: ir.Value, total: ir.Value, by: Combining) -> ir.Value | None:
    """What is combined with a total to give a value."""
    if (
        isinstance(value, ir.BlockArgument)
        or value.owner.operation.name != by.name
        or not may_be_reordered(value.owner)
    ):
        return None
    left, right = value.owner.operands
    positions = by.steps[by.name]
    if left == total and 0 in positions and right != total:
        return right
    return left if right == total and 1 in positions and left != total else None


def _is_of_iteration(term: ir.Value, loop: ir.OpView) -> bool:
    """Whether a number depends on nothing that iterations hand on, and is computed by simple operations."""
    body = loop.regions[0].blocks[0]
    pending, seen = [term], 0
    while pending:
        value = pending.pop()
        seen += 1
        if is_defined_outside(value, loop.operation) or value == body.arguments[0]:
            continue
        if seen > len(body.operations) * 4 or isinstance(value, ir.BlockArgument):
            return False
        if value.owner.operation.name not in TERMS:
            return False
        pending += value.owner.operands
    return True


def _copied(term: ir.Value, loop: ir.OpView, place: ir.Value) -> ir.Value:
    """A term of the iteration at a place, at the insertion point, after the checks of what it reads."""
    low = loop.operands[0]
    counter = loop.regions[0].blocks[0].arguments[0]
    values: Values = {counter: place if constant_int(low) == 0 else arith.addi(low, place)}

    def copy(value: ir.Value) -> None:
        if value not in values and not is_defined_outside(value, loop.operation):
            for operand in value.owner.operands:
                copy(operand)
            copy_op(value.owner, values)

    for op in loop.regions[0].blocks[0].operations:
        if op.operation.name == "soac.assert" and all(_is_of_iteration(value, loop) for value in op.operands):
            for value in op.operands:
                copy(value)
            copy_op(op, values)
    copy(term)
    return values.get(term, term)
