"""Parallel loops as maps: iterations have elements and rows of their own, and add to accumulators that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.dialects.rev.iterations import Changes, changes
from tapeless.passes.ir.build import is_array, map_, number, op_around, reduce_
from tapeless.passes.rev.to_core.parallel.own_ranges import are_certain, ranges_hold, require_ranges
from tapeless.passes.rev.to_core.parallel.own_rows import OwnRows, can_be_rows, own_rows
from tapeless.passes.rev.to_core.parallel.sums import can_be_accumulators, is_accumulator
from tapeless.passes.rev.to_core.peaks import higher, highest
from tapeless.passes.rev.to_core.state import Share, State

Run = Callable[[State], None]


def as_map(state: State, op: ir.OpView, run: Run, run_in_order: Run) -> bool:
    """Emits a parallel loop as nested maps around the code of `run`; False when it cannot be one.

    Where it is not certain that an array has an element for every iteration, because some may leave it alone, a test at
    run time chooses between the maps and what `run_in_order` emits. Inside of another parallel loop that would be too
    much code, and accumulators of its own too much memory.
    """
    if state.keeps_order:
        return False
    found = _shares(state, op)
    if not can_be_rows(state, op, found.own) or not can_be_accumulators(state, op, found.added):
        return False
    uncertain = [cell for cell in found.own if not are_certain(state, op, cell, found.own[cell])]
    if state.shares and (uncertain or any(is_array(state.cells[cell][0]) for cell in found.added)):
        return False
    if uncertain:
        _choose(state, op, found, uncertain, run, run_in_order)
    else:
        _with_accumulators(state, op, found, run)
    return True


def _shares(state: State, op: ir.OpView) -> Changes:
    """The private and the shared cells of iterations; accumulators of loops around are shared in any case."""
    found = changes(list(op.body.blocks[0].arguments), op.body)
    around = [cell for cell in found.own if is_accumulator(state, cell)]
    own = {cell: places for cell, places in found.own.items() if cell not in around}
    return Changes(own, [*found.added, *around], found.shared)


def _choose(
    state: State, op: ir.OpView, found: Changes, uncertain: Sequence[ir.Value], run: Run, run_in_order: Run
) -> None:
    changed = [*found.own, *found.added, *state.peaks_of((*found.own, *found.added))]
    condition = ranges_hold(state, op, {cell: found.own[cell] for cell in uncertain})
    branch = scf.IfOp(condition, [value.type for value in state.held(changed)], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        inner = state.copy()
        _with_accumulators(inner, op, found, run)
        scf.YieldOp(inner.held(changed))
    with ir.InsertionPoint(branch.else_block):
        inner = state.copy()
        inner.keeps_order = True
        run_in_order(inner)
        scf.YieldOp(inner.held(changed))
    state.hold(changed, branch.results)


def _with_accumulators(state: State, op: ir.OpView, found: Changes, run: Run) -> None:
    """The maps, with shared arrays as accumulators around them."""
    require_ranges(state, op, found.own)
    arrays = [cell for cell in found.added if is_array(state.cells[cell][0])]
    if not arrays:
        _nest(state, op, found, 0, run)
        return
    cells = (*found.own, *found.added)
    others = [*(cell for cell in cells if cell not in arrays), *state.peaks_of(cells)]
    state.settle(others)
    wholes = state.held(arrays)

    def body(accs: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Type]]:
        inner = state.copy()
        inner.hold(arrays, accs)
        for cell, whole in zip(arrays, wholes, strict=True):
            inner.shares[cell] = Share(_whole(state, cell, whole), state.taken(cell))
        _nest(inner, op, found, 0, run)
        left = inner.held(others)
        types = [*(whole.type for whole in wholes), *(value.type for value in left)]
        return [*inner.held(arrays), *left], types

    made = op_around("soac.with_acc", [wholes], [soac.AccType.get(whole.type) for whole in wholes], body)
    state.hold([*arrays, *others], made)
    for cell in arrays:
        state.raise_peak(cell, state.cells[cell][0])


def _nest(state: State, op: ir.OpView, found: Changes, level: int, run: Run) -> None:
    """A map over the index of a level around those of the levels below."""
    if level == len(op.upper):
        run(state)
        return
    index = op.body.blocks[0].arguments[level]
    (width,) = state.mapped([op.upper[level]])
    accumulators = [cell for cell in found.added if is_accumulator(state, cell)]
    totals = [cell for cell in found.added if cell not in accumulators]
    peaks = state.peaks_of((*found.own, *found.added))
    state.settle(peaks)
    rows = [own_rows(state, op, cell, places, level) for cell, places in found.own.items()]

    def body(i: ir.Value, elements: Sequence[ir.Value], accs: Sequence[ir.Value]) -> tuple[list, list]:
        inner = _iteration(state, rows, elements)
        inner.values[index] = i
        inner.hold(accumulators, accs)
        inner.hold([*totals, *peaks], [number(value.type, 0) for value in state.held([*totals, *peaks])])
        _nest(inner, op, found, level + 1, run)
        return [*inner.held(list(found.own)), *inner.held(totals), *inner.held(peaks)], inner.held(accumulators)

    inputs = [array for each in rows for array in each.arrays]
    made, after = map_(width, inputs, state.held(accumulators), body)
    state.hold(accumulators, after)
    for each in rows:
        state.cells[each.cell] = each.put_back(made[: len(each.arrays)])
        made = made[len(each.arrays) :]
    for cell, summands in zip(totals, made, strict=False):
        state.cells[cell] = (_plus_all(state.cells[cell][0], width, summands),)
    for peak, reached in zip(peaks, made[len(totals) :], strict=True):
        state.cells[peak] = (higher(state.cells[peak][0], highest(reached)),)


def _iteration(state: State, rows: Sequence[OwnRows], elements: Sequence[ir.Value]) -> State:
    """The state of an iteration, with elements and rows of its own."""
    inner = state.copy()
    for each in rows:
        whole = _whole(state, each.cell, state.cells[each.cell][0])
        inner.shares[each.cell] = Share(whole, state.taken(each.cell) | each.taken)
    inner.hold([each.cell for each in rows], elements)
    return inner


def _whole(state: State, cell: ir.Value, held: ir.Value) -> ir.Value:
    return state.shares[cell].whole if cell in state.shares else held


def _plus_all(first: ir.Value, width: ir.Value, summands: ir.Value) -> ir.Value:
    """A number and the sum of those that iterations add to it."""
    is_integer = isinstance(first.type, ir.IntegerType)

    def add(a: ir.Value, b: ir.Value) -> ir.Value:
        return (arith.AddIOp if is_integer else arith.AddFOp)(a, b).result

    return add(first, reduce_(width, [summands], [number(first.type, 0)], lambda a, b: [add(a[0], b[0])])[0])
