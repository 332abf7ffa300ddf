"""The pass `soac-distribute-nests` distributes nests of maps over grids of their own (loop fission)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.thread_costs import Costs, UnknownCost
from tapeless.passes.soac.reduce_columns import interchange_inside
from tapeless.passes.soac.simplify.simplify import Simplify, simplify_once
from tapeless.passes.soac.spread.apart import reduce_apart, set_apart
from tapeless.passes.soac.spread.distribute import CannotSpread, distribute
from tapeless.passes.soac.spread.doubled import double_cotangents
from tapeless.passes.soac.spread.extremes import join_places
from tapeless.passes.soac.spread.flat_nests import flatten_nests
from tapeless.passes.soac.spread.flat_rows import flatten_rows
from tapeless.passes.soac.spread.guard import Choice, Limits
from tapeless.passes.soac.spread.guarded_rows import read_guarded_rows
from tapeless.passes.soac.spread.imperfect import (
    LAUNCHED,
    adds_to_arrays,
    folds_contraction,
    host_operations,
    inner_sums,
    is_imperfect,
    sums_nests,
    top_loops,
)
from tapeless.passes.soac.spread.ragged import FEWEST, CannotWiden, has_triangles, widen
from tapeless.passes.soac.spread.repeat import repeat_elements
from tapeless.passes.soac.spread.shared_sizes import share_sizes
from tapeless.passes.soac.spread.sink import sink_fills
from tapeless.passes.soac.spread.sums.adding_branches import add_without_branches
from tapeless.passes.soac.spread.sums.fixed import sum_fixed_places
from tapeless.passes.soac.spread.sums.flat_sums import flatten_sums, has_owners, has_owners_alone
from tapeless.passes.soac.spread.sums.inward import add_elements
from tapeless.passes.soac.spread.sums.kept_products import hoist_kept_products
from tapeless.passes.soac.spread.sums.linear import hoist_linear_maps
from tapeless.passes.soac.spread.sums.outward import inner_accumulation, move_outward
from tapeless.passes.soac.spread.sums.owners import Equal, sum_by_owner
from tapeless.passes.soac.spread.sums.parts import divide, is_divisible
from tapeless.passes.soac.spread.sums.short_rows import write_out_short_rows
from tapeless.passes.soac.spread.together import keep_together
from tapeless.passes.soac.spread.unfuse import unfused
from tapeless.passes.soac.spread.weights import (
    is_acc,
    long_depth,
    operations_in,
)

# Nests of this depth do so much in an iteration that a thread for each is never right.
DEEP = 4
# Nests of this depth have loops in an iteration, and no nests. A block may take an iteration, which goes through rows
# that it reduces as one thread would: 76 us for rows of 700 elements, of which each stage took 5.
ROWS = 2
FEWER_ROWS = 10


@dataclass(frozen=True)
class DistributeNests:
    """Distributes outer maps over the operators inside them (loop fission), and sums into arrays by owner.

    ```mlir
    %out = "soac.with_acc"(%zeros) ({                 %y = map over n, over k: reduction over j
    ^bb0(%acc):                                       %w = map over n: what combines the row of %y
      map over n:                                     %out = map over k: reduction over n of f(%y, %w)
        %y = map over k: reduction over j
        %w = what combines %y
        map over k: update(%acc, %k, f(%y, %w))
    ```
    What stages hand on is kept for all outer iterations: only if it takes at least `least_bytes`, so that kernels have
    enough to do, at most `most_bytes`, and if there are fewer than `enough` outer iterations; in deep nests, if it
    takes at least `fewest_bytes`, however many there are. Where iterations go through rows and have no nests,
    `fewest_bytes` are enough, too, and fewer than `enough_for_rows` iterations. Nests may keep less if an iteration has
    `work_of_launch` operations or more for each launch of the stages. Iterations that sum into arrays, be they as many
    as they like, are never enough as they are: threads would have copies of the arrays, or add rows element by element.
    Of nests, that is so where every element becomes a sum.
    Nests that are known to have few iterations stay in their thread. Without `recipes`, searches and the sums of rows
    at the places that they find are launches of their own.
    Otherwise the operation runs as it is; the host decides when it knows the sizes.
    """

    name: ClassVar[str] = "soac-distribute-nests"
    after: ClassVar[dict[str, str]] = {
        "soac-fuse": "it distributes maps over the operators that fusion left",
        "soac-loops-in-thread": "loops that one thread runs are not distributed",
    }
    least_bytes: int = 1 << 20
    most_bytes: int = 1 << 32
    enough: int = 1 << 16
    fewest_bytes: int = 1 << 16
    enough_for_rows: int = 1 << 14
    work_of_launch: int = 300
    recipes: bool = True

    def run(self, module: ir.Module) -> None:
        """Spreads every operation of public functions that no operator contains."""
        root = module.operation.opview
        functions = [op for op in module.body.operations if op.operation.name == "func.func"]
        functions = [op for op in functions if "sym_visibility" not in op.attributes]
        changed = join_places(root)
        changed |= interchange_inside(root)
        changed |= read_guarded_rows(root)
        changed |= any([share_sizes(op) for function in functions for op in host_operations(function)])
        _simplify(root)
        for function in functions:
            for op in list(host_operations(function)):
                if op.operation.name == "soac.with_acc":
                    changed |= add_without_branches(op)
                    changed |= write_out_short_rows(op)
                changed |= _sum_fixed_places(op)
            for op in list(host_operations(function)):
                if op.operation.name == "soac.with_acc" and not has_owners(op):
                    changed |= flatten_sums(op)
            for op in list(host_operations(function)):
                changed |= self._widen(op)
            for op in list(host_operations(function)):
                for each in self._sum_inside(op):
                    moved = self._move_outward(each)
                    changed |= each is not op or bool(moved)
                    owned = [sums for sums in moved if has_owners_alone(sums)]
                    changed |= any([self._spread(nest) for nest in [*owned, each]])
            for op in list(host_operations(function)):
                if op.operation.name == "soac.with_acc":
                    changed |= self.recipes and keep_together(op)
                    sums = [loop for loop in top_loops(op) if loop.operation.name == "soac.fused"]
                    changed |= any([reduce_apart(loop) for loop in sums])
                    maps = [loop for loop in top_loops(op) if loop.operation.name == "soac.map"]
                    changed |= any([set_apart(loop) for loop in maps])
                    changed |= add_elements(op)
                    changed |= flatten_sums(op)
                elif op.operation.name == "soac.fused":
                    changed |= reduce_apart(op)
                else:
                    changed |= flatten_rows(op)
        double_cotangents(root)
        if changed:
            run_inner(Simplify(), module)
            sink_fills(root)
        for function in functions:
            for op in list(host_operations(function)):
                if op.operation.name == "soac.map":
                    flatten_nests(op)

    def _widen(self, op: ir.OpView) -> bool:
        """Gives an operation with triangles a variant with squares, in which loops have threads of their own."""
        if not has_triangles(op):
            return False
        choice = Choice.around(op)
        try:
            width, equal = widen(choice.changed.operations[0])
        except CannotWiden:
            choice.undo()
            return False
        if not choice.decide(Limits(0, self.most_bytes, None), None, [], equal):
            choice.undo()
            return False
        with op.location, ir.InsertionPoint(choice.branch):
            is_long = arith.cmpi(arith.CmpIPredicate.sge, width, build.index(FEWEST))
            choice.branch.operation.operands[0] = arith.andi(is_long, choice.branch.operands[0])
        return True

    def _sum_inside(self, op: ir.OpView) -> list[ir.OpView]:
        """Gives an operation whose threads sum into arrays of their own a variant in which every element is one sum.

        Threads would have these arrays in memory; a sum is a register, and elements can be threads. Gives the operation
        as it is best run, if widths are the sizes of arrays as they should be.
        """
        if not list(inner_sums(op)):
            return [op]
        choice = Choice.around(op)
        equal: list[Equal] = []
        sums = [inner for each in list(choice.changed.operations) for inner in inner_sums(each)]
        changed = [sum_by_owner(inner, equal, by_parts=False) for inner in sums]
        if not any(changed) or not choice.decide(Limits(0, self.most_bytes, None), None, [], equal):
            choice.undo()
            return [op]
        _simplify(choice.branch)
        return [each for each in list(choice.changed.operations) if each.operation.name in LAUNCHED]

    def _move_outward(self, op: ir.OpView) -> list[ir.OpView]:
        """Gives a map of few iterations that sum for themselves a variant in which all add to one array; gives the
        accumulations there.
        """
        if inner_accumulation(op) is None:
            return []
        width = op.operands[0]
        choice = Choice.around(op)
        copy = choice.changed.operations[0]
        accumulation = inner_accumulation(copy)
        arrays = [] if accumulation is None else move_outward(copy, accumulation)
        limits = Limits(self.fewest_bytes, self.most_bytes, self.enough, self._is_long([op], choice))
        if not arrays or not choice.decide(limits, width, arrays, []):
            choice.undo()
            return []
        return [each for each in choice.changed.operations if each.operation.name == "soac.with_acc"]

    def _spread(self, op: ir.OpView) -> bool:
        """Gives an operation a second variant, if it has one."""
        nests = [each for each in top_loops(op) if is_imperfect(each) or sums_nests(each)]
        if not nests:
            return False
        width = nests[0].operands[0]
        nested = long_depth(op)
        if nested >= DEEP:
            limits = Limits(self.fewest_bytes, self.most_bytes, None)
        elif nested > ROWS:
            limits = Limits(self.least_bytes, self.most_bytes, self.enough)
        else:
            limits = Limits(self.fewest_bytes, self.most_bytes, self.enough_for_rows)
        choice = Choice.around(op)
        equal: list[Equal] = []
        try:
            changed = _transform(choice, equal)
        except CannotSpread:
            changed = False
        if changed and not (nested > ROWS and all(map(folds_contraction, nests))):
            limits = replace(limits, is_long=self._is_long(nests, choice, 1 if nested > ROWS else FEWER_ROWS))
        if op.operation.name == "soac.with_acc" and (nested <= ROWS or not adds_to_arrays(choice.changed)):
            limits = replace(limits, enough=None)
        if not changed or not choice.decide(limits, width, _kept(choice.changed), equal):
            choice.undo()
            return False
        return True

    def _is_long(self, nests: Sequence[ir.OpView], choice: Choice, times: int = 1) -> ir.Value | None:
        """Whether a thread takes so many times longer for an iteration than launches of the stages do; None if sizes
        do not tell.
        """
        costs = Costs(ir.InsertionPoint(choice.branch))
        try:
            work = costs.sum(costs.of_iteration(Loop.seen_as(each).body) for each in nests)
            launches = costs.product(costs.launches_of(choice.changed), times * self.work_of_launch)
        except UnknownCost:
            return None
        with costs.at, choice.branch.location:
            return arith.cmpi(arith.CmpIPredicate.sge, costs.value(work), costs.value(launches))


def _sum_fixed_places(op: ir.OpView) -> bool:
    """Has the accumulation that an operation is, and those of its threads, add at fixed places once."""
    inside = [each for each in inner_sums(op) if sum_fixed_places(each)]
    for each in inside:
        _move_out(each)
    return (op.operation.name == "soac.with_acc" and sum_fixed_places(op)) or bool(inside)


def _transform(choice: Choice, equal: list[Equal]) -> bool:
    """Linear maps, sums inside threads, stages, sums by owner; says whether anything changed. Other operations stay."""
    block, at = choice.changed, ir.InsertionPoint(choice.branch)
    for op in list(block.operations):
        _sum_by_owners_inside(op, equal, at)
    _simplify(choice.branch)
    changed = False
    for op in list(block.operations):
        if op.operation.name == "soac.with_acc":
            _move_out(op)
            changed |= hoist_linear_maps(op, equal)
            changed |= hoist_kept_products(op, equal)
        if any([add_elements(op), *(_add_apart(each) for each in list(inner_sums(op)))]):
            _sum_by_owners_inside(op, equal, at)
    _simplify(choice.branch)
    for loop in _imperfect(block):
        for inner in [each for each in operations_in(loop) if is_divisible(each, loop.operation)]:
            divide(inner, loop)
            changed = True
    for loop in _imperfect(block):
        elements = unfused(loop) if loop.operation.name == "soac.fused" else loop
        if elements is not None:
            changed |= elements is not loop
            changed |= distribute(elements)
    for op in list(block.operations):
        repeat_elements(op)
    _simplify(choice.branch)
    for op in list(block.operations):
        if op.operation.name == "soac.with_acc":
            _move_out(op)
            changed |= sum_by_owner(op, equal)
    return changed


def _sum_by_owners_inside(op: ir.OpView, equal: list[Equal], at: ir.InsertionPoint) -> None:
    """Makes sums by owner of the updates that threads make to arrays of their own."""
    for inner in ops_named(op, "soac.with_acc"):
        _move_out(inner)
        sum_by_owner(inner, equal if inner.operation != op.operation else None, by_parts=False, at=at)


def _add_apart(accumulation: ir.OpView) -> bool:
    """Has the maps of an accumulation compute their addends first, so that owners can read them."""
    maps = [each for each in top_loops(accumulation) if each.operation.name == "soac.map"]
    changed = False
    for each in maps:
        with suppress(CannotSpread):
            changed |= distribute(each, is_inner=True)
    return changed


def _imperfect(block: ir.Block) -> list[ir.OpView]:
    return [each for op in list(block.operations) for each in top_loops(op) if is_imperfect(each)]


def _simplify(root: ir.OpView) -> None:
    """Simplifies the operations below without folding constants, which decide between variants later.

    Operations outside of `root` stay as they are, since those that wait for their turn are known by their handles.
    """
    with ir.Location.unknown(root.context):
        for _ in range(Simplify.max_rounds):
            if not simplify_once(root):
                return


def _move_out(accumulation: ir.OpView) -> None:
    """Hoists operations that are independent of accumulators out of an accumulation."""
    inside = set(accumulation.regions[0].blocks[0].arguments)
    for op in list(accumulation.regions[0].blocks[0].operations)[:-1]:
        if any(is_acc(value) for value in op.results) or any(value in inside for value in outer_values(op)):
            inside.update(op.results)
        else:
            op.operation.move_before(accumulation.operation)


def _kept(block: ir.Block) -> list[ir.Value]:
    """The arrays that the loops of a block make."""
    loops = [each for op in block.operations for each in top_loops(op)]
    return [value for loop in loops for value in loop.results if isinstance(value.type, ir.RankedTensorType)]
