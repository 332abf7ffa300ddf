"""The pass `lower-peel`: loops cut where guards change."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.peel.choices import choose, have_elements, may_choose
from tapeless.passes.lower.peel.guarded import Guard, drop_guard, guards_of, marked_guards
from tapeless.passes.lower.vectorise.walking import body_of, counts_by_one, nested, op_name
from tapeless.passes.marks import GUARD, PARALLEL


@dataclass(frozen=True)
class Peel:
    """Splits loops with guards by index set: iterations for which all guards hold run without them.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {             scf.for %i = %a to %b step %c1 {
      %some = arith.cmpi sge, %i, %low {guard}      ...the first branch...
      %x = scf.if %some -> (f64) {...}            } {tapeless.parallel}
      ...                                         scf.for %k = %c0 to %border step %c1 {
    } {tapeless.parallel}                           ...the loop as it was, for %i before %a or from %b on...
    ```
    Guards are comparisons with the loop's index that carry `tapeless.guard`, and few iterations are outside of them:
    there, only the innermost loops within are cut again, and what guards of outer loops decide in them is chosen
    without branches. Loops that carry values, or whose iterations may fail, keep their order, and so take what lies
    before and after apart.
    """

    name: ClassVar[str] = "lower-peel"
    after: ClassVar[dict[str, str]] = {
        "lower-loops": "guards of maps are branches of loops then",
    }

    def run(self, module: ir.Module) -> None:
        """Cuts loops from the outside in, if there are guards."""
        if marked_guards(module):
            _cut_below(module.operation)
            for guard in marked_guards(module):
                del guard.attributes[GUARD]


def _cut_below(op: ir.Operation) -> None:
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                _visit(inner.operation)


def _visit(op: ir.Operation) -> None:
    guards = guards_of(op) if op_name(op) == "scf.for" and counts_by_one(op) else []
    _cut_below(_cut(op, guards) if guards else op)


def _cut(loop: ir.Operation, guards: list[Guard]) -> ir.Operation:
    """Cuts a loop at its guards; gives the part without them."""
    with ir.InsertionPoint(loop), loop.location:
        low, high = list(loop.operands)[:2]
        first, last = _between(low, high, guards)
        carried = list(loop.operands)[3:]
        if not carried and not _may_fail(loop):
            inner = _part(loop, first, last, [])
            _keep_border(loop, first, last)
            _leave_to_itself(loop, _cut_rows(loop))
        else:
            before = _part(loop, low, first, carried)
            inner = _part(loop, first, last, list(before.results))
            after = _part(loop, last, high, list(inner.results))
            _leave_to_itself(before)
            _leave_to_itself(after)
            for old, new in zip(loop.results, after.results, strict=True):
                old.replace_all_uses_with(new)
            loop.erase()
    _drop_guards(inner)
    return inner


def _may_fail(loop: ir.Operation) -> bool:
    """Whether an iteration may end the call, of which the first that does is told of."""
    return any(op_name(op) == "func.call" for op in nested(body_of(loop)))


def _between(low: ir.Value, high: ir.Value, guards: list[Guard]) -> tuple[ir.Value, ir.Value]:
    """The first iteration for which all guards hold, and the one after the last."""
    lows = [guard.bound for guard in guards if guard.is_low]
    first = _least(_greatest(low, *lows), high) if lows else low
    return first, _greatest(_least(high, *(guard.bound for guard in guards if not guard.is_low)), first)


def _cut_rows(border: ir.Operation) -> list[ir.Operation]:
    """Cuts the innermost loops of a border where that leaves no branch in them; gives these parts."""
    loops = [op.operation for op in nested(body_of(border)) if op_name(op) == "scf.for"]
    return [_row(loop, guards) for loop in loops if _is_row(loop) and (guards := guards_of(loop))]


def _is_row(loop: ir.Operation) -> bool:
    """Whether a loop has independent iterations, no loops within, and branches that need not be any."""
    is_innermost = not any(op_name(op) == "scf.for" for op in nested(body_of(loop)))
    return is_innermost and PARALLEL in loop.attributes and counts_by_one(loop) and may_choose(loop)


def _row(loop: ir.Operation, guards: list[Guard]) -> ir.Operation:
    """The part of a loop in a border for which its own guards hold, without branches; the rest of it stays."""
    with ir.InsertionPoint(loop), loop.location:
        low, high = list(loop.operands)[:2]
        first, last = _between(low, high, guards)
        present = have_elements(loop)
        if present is not None:
            last = arith.select(present, last, first)
        row = _part(loop, first, last, [])
        _keep_border(loop, first, last)
    _drop_guards(row)
    choose(row)
    return row


def _drop_guards(part: ir.Operation) -> None:
    """Leaves out the guards of a part in which all hold, one by one: a branch that goes may take others with it."""
    while guards := guards_of(part):
        drop_guard(guards[0])


def _part(loop: ir.Operation, low: ir.Value, high: ir.Value, carried: list[ir.Value]) -> ir.Operation:
    """A copy of a loop from one index to before another, with what it begins with."""
    made = loop.clone()
    for number, value in enumerate([low, high, made.operands[2], *carried]):
        made.operands[number] = value
    return made


def _leave_to_itself(border: ir.Operation, rows: Collection[ir.Operation] = ()) -> None:
    """Tells LLVM that the loops of a border, which are full of branches, are to stay as they are, but for its rows."""
    hint = ir.Attribute.parse(SHORT)
    for op in (border, *nested(body_of(border))):
        if op_name(op) == "scf.for" and op.operation not in rows:
            op.operation.attributes[ATTRIBUTE] = hint
            if PARALLEL in op.operation.attributes:
                del op.operation.attributes[PARALLEL]


def _keep_border(loop: ir.Operation, first: ir.Value, last: ir.Value) -> None:
    """Lets a loop run for the indices outside of `[first, last)` only."""
    low, high = list(loop.operands)[:2]
    head, gap = arith.subi(first, low), arith.subi(last, first)
    loop.operands[1] = arith.subi(arith.subi(high, low), gap)
    loop.operands[0] = index(0)
    body = body_of(loop)
    variable = body.arguments[0]
    uses = [(use.owner.operation, use.operand_number) for use in variable.uses]
    with ir.InsertionPoint.at_block_begin(body):
        is_before = arith.cmpi(arith.CmpIPredicate.slt, variable, head)
        moved = arith.addi(arith.addi(variable, low), arith.select(is_before, index(0), gap))
    for owner, number in uses:
        owner.operands[number] = moved


def _greatest(value: ir.Value, *others: ir.Value) -> ir.Value:
    for other in dict.fromkeys(others):
        value = arith.maxsi(value, other)
    return value


def _least(value: ir.Value, *others: ir.Value) -> ir.Value:
    for other in dict.fromkeys(others):
        value = arith.minsi(value, other)
    return value
