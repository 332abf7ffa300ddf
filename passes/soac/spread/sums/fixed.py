"""Sums at places that a loop does not change: numbers that it reduces, added to their arrays once, after it."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import stack_type
from tapeless.dialects.groups import SEGMENTS
from tapeless.dialects.regions import terminator
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.rebuild import keep_arguments, recreate, replace_op, retarget_terminator, selected
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.spread.weights import is_acc

# Each of them is an array between the loop and its reduction.
MOST_PLACES = 24
LOOPS = frozenset({"soac.map", "scf.for", "scf.while"})

Place = tuple[int | ir.Value, ...]


def sum_fixed_places(accumulation: ir.OpView) -> bool:
    """Makes reductions of what the loops of an accumulation add at fixed places; says whether there is any.

    ```mlir
    with_acc(%p):                                     with_acc(%p):
      map over n:                                       %u, %v = map over n: a, b
        update(%p, 0, a)                                %s, %t = reduction over n of %u, %v
        update(%p, 1, b)                                map over 1: update(%p, 0, %s), update(%p, 1, %t)
    ```
    Parameters that a program reads one by one have such adjoints.
    """
    maps = [each for each in accumulation.regions[0].blocks[0].operations if each.operation.name == "soac.map"]
    return any([_sum_loop(each, is_outermost=True) for each in maps])


def _sum_loop(op: ir.OpView, *, is_outermost: bool) -> bool:
    """The same for a loop, after those in it; one that adds elsewhere keeps its terms, so that it must be outermost."""
    inner = [each for each in _own(op) if each.operation.name == "soac.map" and len(each.accs)]
    changed = any([_sum_loop(each, is_outermost=False) for each in inner])
    fixed: dict[tuple[int, Place], list[ir.OpView]] = {}
    adds_elsewhere = any(each.operation.name in LOOPS and any(map(is_acc, each.operands)) for each in _own(op))
    for update in [each for each in _own(op) if each.operation.name == "soac.update"]:
        place = _place(update, op)
        acc = _accumulator(update.operands[0], op)
        if place is not None and acc is not None:
            fixed.setdefault((acc, place), []).append(update)
        else:
            adds_elsewhere = True
    if not fixed or len(fixed) > MOST_PLACES or (adds_elsewhere and not is_outermost):
        return changed
    body = op.regions[0].blocks[0]
    yielded = len(terminator(op.regions[0]).operands)
    for update in [each for updates in fixed.values() for each in updates]:
        _take_out(update, body)
    terms = iter(list(terminator(op.regions[0]).operands)[yielded:])
    sums = [Sum(acc, place, [next(terms) for _ in updates]) for (acc, place), updates in fixed.items()]
    with op.location, ir.InsertionPoint(body.operations[len(body.operations) - 1]):
        totals = [_added(each.terms) for each in sums]
    retarget_terminator(body, [*list(terminator(op.regions[0]).operands)[:yielded], *totals])
    mapped, reduced, accs = (_beside_sums if adds_elsewhere else _reduced)(op, len(totals))
    with op.location, ir.InsertionPoint(op):
        accs = _deliver(accs, sums, reduced, is_outermost=is_outermost)
    replace_op(op, [*mapped, *accs])
    return True


@dataclass(frozen=True)
class Sum:
    """The numbers that a loop adds at a place of one of its accumulators."""

    acc: int
    place: Place
    terms: list[ir.Value]


def _own(op: ir.OpView) -> Iterator[ir.OpView]:
    """The operations in the body of a loop, those in branches among them, but not those of inner loops."""
    pending = [*op.regions[0].blocks[0].operations]
    while pending:
        each = pending.pop(0)
        yield each
        if each.operation.name == "scf.if":
            pending += [inner for region in each.regions for block in region.blocks for inner in block.operations]


def _place(update: ir.OpView, loop: ir.OpView) -> Place | None:
    """Where an update adds a number, if the loop does not change that."""
    _, *places, value = update.operands
    if is_array(value) or not isinstance(value.type, ir.FloatType):
        return None
    known = [constant_int(each) for each in places]
    is_fixed = all(
        number is not None or is_defined_outside(each, loop.operation)
        for number, each in zip(known, places, strict=True)
    )
    pairs = zip(known, places, strict=True)
    return tuple(each if number is None else number for number, each in pairs) if is_fixed else None


def _accumulator(value: ir.Value, loop: ir.OpView) -> int | None:
    """The number of the accumulator of a loop that a value is, if it is one."""
    arguments = Loop.seen_as(loop).elements[len(loop.inputs) :]
    while value not in arguments:
        if isinstance(value, ir.BlockArgument):
            return None
        op = value.owner.opview
        number = list(op.results).index(value)
        if op.operation.name == "soac.update":
            value = op.operands[0]
        elif op.operation.name == "scf.if":
            value = terminator(op.regions[0]).operands[number]
        elif op.operation.name == "soac.map":
            value = op.accs[number - (len(op.results) - len(op.accs))]
        elif op.operation.name == "scf.for":
            value = op.operands[3 + number]
        else:
            return None
    return arguments.index(value)


def _take_out(update: ir.OpView, body: ir.Block) -> None:
    """Has the body yield what an update adds, zero where a branch is not taken, in place of the update."""
    value = update.operands[len(update.operands) - 1]
    block = update.operation.block
    replace_op(update, [update.operands[0]])
    while block != body:
        branch = block.owner.opview
        around = branch.operation.block
        value, block = _yielded(branch, block, value), around
    end = body.operations[len(body.operations) - 1]
    retarget_terminator(body, [*end.operands, value])


def _yielded(branch: ir.OpView, block: ir.Block, value: ir.Value) -> ir.Value:
    """A value of one side of a branch as a result of it; zero on the other side."""
    with branch.location, ir.InsertionPoint(branch):
        zero = build.number(value.type, 0.0)
    types = [*(each.type for each in branch.results), value.type]
    sides = [region.blocks[0] for region in branch.regions]
    for side in sides:
        end = side.operations[len(side.operations) - 1]
        retarget_terminator(side, [*end.operands, value if side == block else zero])
    made = recreate(branch, [list(branch.operands)], types)
    for old, new in zip(list(branch.results), made.results, strict=False):
        old.replace_all_uses_with(new)
    branch.operation.erase()
    return made.results[len(types) - 1]


def _beside_sums(op: ir.OpView, count: int) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value]]:
    """Arrays, sums and accumulators of a loop that also adds elsewhere: arrays of terms, and their reduction.

    The last values that the body yields are the terms.
    """
    loop = Loop.seen_as(op)
    mapped, types = len(loop.mapped), [result.type for result in op.results]
    yielded, totals = loop.lifted()[:-count], loop.lifted()[-count:]
    retarget_terminator(loop.body, [*yielded[:mapped], *totals, *yielded[mapped:]])
    extent = build.common_width(loop.inputs, loop.width)
    arrays = [stack_type(extent, value.type) for value in totals]
    groups = [[loop.width], list(loop.inputs), list(loop.accs)]
    made = recreate(op, groups, [*types[:mapped], *arrays, *types[mapped:]])
    results = list(made.results)
    terms, accs = results[mapped : mapped + len(totals)], results[mapped + len(totals) :]
    with op.location, ir.InsertionPoint(op):
        zeros = [build.number(value.type, 0.0) for value in totals]
        sums = build.reduce_(loop.width, terms, zeros, _sums_of)
    return results[:mapped], sums, accs


def _reduced(op: ir.OpView, count: int) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value]]:
    """The same for a loop that adds nowhere else: it is a reduction, and keeps no terms."""
    loop = Loop.seen_as(op)
    arguments = loop.elements[len(loop.inputs) :]
    for branch in [each for each in _own(op) if each.operation.name == "scf.if"]:
        _without_accumulators(branch, op, arguments)
    mapped, totals = loop.lifted()[: len(loop.mapped)], loop.lifted()[-count:]
    with op.location, ir.InsertionPoint(op):
        zeros = [build.number(value.type, 0.0) for value in totals]
        made = ir.Operation.create(
            "soac.fused",
            results=[*(value.type for value in totals), *(each.type for each in loop.mapped)],
            operands=[loop.width, *loop.inputs, *zeros],
            attributes={SEGMENTS: ir.DenseI32ArrayAttr.get([1, len(loop.inputs), len(zeros), 0])},
            regions=3,
        )
        fill(made.regions[1], [zero.type for zero in zeros] * 2, build.operator(_sums_of))
    accs, body = list(loop.accs), loop.body
    retarget_terminator(body, [*totals, *mapped])
    body.append_to(made.regions[0])
    keep_arguments(body, [True] * (1 + len(loop.inputs)) + [False] * len(accs))
    return list(made.results)[len(totals) :], list(made.results)[: len(totals)], accs


def _without_accumulators(branch: ir.OpView, loop: ir.OpView, arguments: list[ir.Value]) -> None:
    """A branch that no longer adds, without the accumulators that it hands on."""
    kept = [not is_acc(value) for value in branch.results]
    if all(kept):
        return
    for result in [value for value in branch.results if is_acc(value)]:
        number = _accumulator(result, loop)
        assert number is not None
        result.replace_all_uses_with(arguments[number])
    for region in branch.regions:
        retarget_terminator(region.blocks[0], selected(terminator(region).operands, kept))
    made = recreate(branch, [list(branch.operands)], selected((value.type for value in branch.results), kept))
    for old, new in zip(selected(branch.results, kept), made.results, strict=True):
        old.replace_all_uses_with(new)
    branch.operation.erase()


def _sums_of(left: build.Rows, right: build.Rows) -> build.Rows:
    return list(map(build.add, left, right))


def _added(terms: list[ir.Value]) -> ir.Value:
    total = terms[0]
    for each in terms[1:]:
        total = build.add(total, each, build.any_order)
    return total


def _deliver(accs: list[ir.Value], sums: list[Sum], values: list[ir.Value], *, is_outermost: bool) -> list[ir.Value]:
    """Accumulators after the sums were added: by one thread outside of all loops, else where the loop was."""
    if not is_outermost:
        return _updated(accs, sums, values)
    changed = sorted({each.acc for each in sums})

    def body(_: ir.Value, __: build.Rows, given: build.Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        local = dict(zip(changed, given, strict=True))
        after = _updated([local.get(number, acc) for number, acc in enumerate(accs)], sums, values)
        return [], [after[number] for number in changed]

    _, after = build.map_(build.index(1), [], [accs[number] for number in changed], body)
    latest = dict(zip(changed, after, strict=True))
    return [latest.get(number, acc) for number, acc in enumerate(accs)]


def _updated(accs: list[ir.Value], sums: list[Sum], values: list[ir.Value]) -> list[ir.Value]:
    """Adds sums at their places, which may be none of the array where no iteration has added anything."""
    after = list(accs)
    for each, value in zip(sums, values, strict=True):
        places = [build.index(place) if isinstance(place, int) else place for place in each.place]
        made = ir.Operation.create("soac.update", [after[each.acc].type], [after[each.acc], *places, value])
        after[each.acc] = made.results[0]
    return after
