"""The launch that writes whole arrays: a thread for each element, wherever the inner nest's stores lie.

Every slot has its own elements for the threads: those of the inner nest's iterations, and around the ends of axes the
rest, so that each element has one thread, which stores once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.marks import EACH_THREAD, LAUNCH, PARALLEL
from tapeless.passes.recipes.borders.boxes import Box
from tapeless.passes.recipes.borders.index_terms import Along, Place, Term
from tapeless.passes.recipes.borders.recipes import Applied, Before, Filled, Given, Loaded, Recipe, loads_of
from tapeless.passes.recipes.borders.slots import Layer, Slot
from tapeless.passes.recipes.borders.wholes import Whole

PREDICATE = arith.CmpIPredicate
# Of layers that a slot has on average: few are chosen by as many instructions as a branch takes.
FEW_LAYERS = 2
# The share of an array that the interior has to be: a guess that fits the programs.
LEAST_SHARE = 0.5


def emit(whole: Whole, before: ir.Operation) -> None:
    """Puts the launch in front of an operation; the stores of the inner nest are left, and must go."""
    sizes = whole.slots[0].sizes
    starts = _most_common([slot.offsets for slot in whole.slots])
    variables: list[ir.Value] = []
    point = ir.InsertionPoint(before)
    with point:
        bounds = [(_number(0), _number(size), _number(1)) for size in sizes]
    for low, high, step in bounds:
        with point:
            loop = scf.ForOp(low, high, step)
            loop.operation.attributes[PARALLEL] = ir.UnitAttr.get()
            if not variables:
                loop.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_THREAD)
        with ir.InsertionPoint(loop.body):
            point = ir.InsertionPoint(scf.YieldOp([]))
        variables.append(loop.induction_variable)
    with point:
        _Body(whole, variables, starts).emit()


@dataclass(frozen=True)
class _Position:
    """Where a thread's element of a slot lies along an axis."""

    value: ir.Value
    size: int

    def inside(self, values: range) -> list[ir.Value]:
        """Tests that are true where the position is in a range, as few as there have to be."""
        if len(values) == 1 and self.size > 1:
            return [arith.cmpi(PREDICATE.eq, self.value, _number(values.start))]
        tests = []
        if values.start > 0:
            tests.append(arith.cmpi(PREDICATE.uge, self.value, _number(values.start)))
        if values.stop < self.size:
            tests.append(arith.cmpi(PREDICATE.ult, self.value, _number(values.stop)))
        return tests


class _Body:
    """The body of a thread."""

    def __init__(self, whole: Whole, variables: list[ir.Value], starts: tuple[int, ...]) -> None:
        self._whole, self._variables, self._starts = whole, variables, starts
        self._positions: dict[tuple[int, int], _Position] = {}
        self._tests: dict[tuple[tuple[int, ...], Box], ir.Value] = {}

    def emit(self) -> None:
        whole = self._whole
        inner = self._inner_values()
        places = [self._indices(slot, slot.element) for slot in whole.slots]
        middle = middle_of(whole, self._starts)
        if middle is None:
            values = self._with_layers(inner)
        else:
            pairs = zip(self._variables, middle, whole.slots[0].sizes, strict=True)
            tests = [test for variable, at, size in pairs for test in _Position(variable, size).inside(at)]
            branch = scf.IfOp(_all(tests), [value.type for value in inner], has_else=True)
            with ir.InsertionPoint(branch.then_block):
                scf.YieldOp(inner)
            with ir.InsertionPoint(branch.else_block):
                scf.YieldOp(self._with_layers(inner))
            values = list(branch.results)
        for slot, value, indices in zip(whole.slots, values, places, strict=True):
            memref.StoreOp(value, slot.array, indices)

    def _with_layers(self, inner: Sequence[ir.Value]) -> list[ir.Value]:
        """The final values of a thread's elements."""
        loaded = self._loaded()
        return [self._final(slot, value, loaded) for slot, value in zip(self._whole.slots, inner, strict=True)]

    def _inner_values(self) -> list[ir.Value]:
        """The values of the interior nest, in threads that have an iteration of it."""
        whole = self._whole
        stored = [slot.store.operands[0] for slot in whole.slots]
        own, tests = [], []
        for variable, start, values, size in zip(
            self._variables, self._starts, whole.box, whole.slots[0].sizes, strict=True
        ):
            reached = range(values.start + start, values.stop + start)
            tests.extend(_Position(variable, size).inside(reached))
            own.append(arith.subi(variable, _number(start)))
        branch = scf.IfOp(_all(tests), [value.type for value in stored], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            end = scf.YieldOp(stored).operation
        for loop, variable in zip(whole.inner.loops, own, strict=True):
            loop.regions[0].blocks[0].arguments[0].replace_all_uses_with(variable)
        own_stores = [slot.store for slot in whole.slots]
        for op in whole.inner.operations:
            if op not in own_stores:
                op.move_before(end)
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp([_zero(value.type) for value in stored])
        return list(branch.results)

    def _loaded(self) -> dict[tuple[Slot, Loaded], ir.Value]:
        """The operands of boundary layers, loaded where they are needed; together where they are the same."""
        wanted: dict[tuple[Slot, Loaded], list[Box]] = {}
        for slot in self._whole.slots:
            for layer in slot.layers:
                for load in loads_of(layer.recipe):
                    needing = wanted.setdefault((slot, load), [])
                    if layer.box not in needing:
                        needing.append(layer.box)
        groups: dict[tuple[tuple[int, ...], tuple[Box, ...]], list[tuple[Slot, Loaded]]] = {}
        for (slot, load), needing in wanted.items():
            groups.setdefault((slot.offsets, tuple(needing)), []).append((slot, load))
        found: dict[tuple[Slot, Loaded], ir.Value] = {}
        for (_, boxes), members in groups.items():
            test = _any([self._test(members[0][0], box) for box in boxes])
            types = [ir.MemRefType(load.array.type).element_type for _, load in members]
            branch = scf.IfOp(test, types, has_else=True)
            with ir.InsertionPoint(branch.then_block):
                loads = [memref.load(load.array, self._indices(slot, load.place)) for slot, load in members]
                scf.YieldOp(loads)
            with ir.InsertionPoint(branch.else_block):
                scf.YieldOp([_zero(type_) for type_ in types])
            found.update(zip(members, branch.results, strict=True))
        return found

    def _final(self, slot: Slot, inner: ir.Value, loaded: dict[tuple[Slot, Loaded], ir.Value]) -> ir.Value:
        """The value of an element after all layers."""
        history = [(0, inner)]

        def made(recipe: Recipe) -> ir.Value:
            if isinstance(recipe, Loaded):
                return loaded[slot, recipe]
            if isinstance(recipe, Given):
                return recipe.value
            if isinstance(recipe, Filled):
                return arith.constant(inner.type, recipe.number)
            if isinstance(recipe, Before):
                return next(value for number, value in reversed(history) if number < recipe.nest)
            return _again(recipe, [made(operand) for operand in recipe.operands])

        for layer in slot.layers:
            chosen = arith.select(self._test(slot, layer.box), made(layer.recipe), history[-1][1])
            history.append((layer.nest, chosen))
        return history[-1][1]

    def _test(self, slot: Slot, box: Box) -> ir.Value:
        """Whether the thread's element of a slot is in a box."""
        key = slot.offsets, box
        if key not in self._tests:
            tests = []
            for number, values in enumerate(box):
                tests.extend(self._position(slot, number).inside(values))
            self._tests[key] = _all(tests)
        return self._tests[key]

    def _position(self, slot: Slot, number: int) -> _Position:
        """The element's index in the axis of a loop: the thread's, shifted, and around the ends."""
        by, size = slot.offsets[number] - self._starts[number], slot.sizes[number]
        if (number, by) not in self._positions:
            value = self._variables[number]
            if by:
                value = arith.addi(value, _number(by))
                beyond = arith.cmpi(PREDICATE.slt, value, _number(0)) if by < 0 else None
                beyond = arith.cmpi(PREDICATE.sge, value, _number(size)) if beyond is None else beyond
                value = arith.select(beyond, arith.addi(value, _number(size if by < 0 else -size)), value)
            self._positions[number, by] = _Position(value, size)
        return self._positions[number, by]

    def _indices(self, slot: Slot, place: Place) -> list[ir.Value]:
        return [self._index(slot, term) for term in place]

    def _index(self, slot: Slot, term: Term) -> ir.Value:
        if term.is_number:
            return _number(term.offset)
        base = term.base
        value = self._position(slot, slot.axes.index(base.axis)).value if isinstance(base, Along) else base
        return arith.addi(value, _number(term.offset)) if term.offset else value


def _again(recipe: Applied, operands: Sequence[ir.Value]) -> ir.Value:
    """An operation of a nest in the launch."""
    copy = recipe.op.clone()
    for position, operand in enumerate(operands):
        copy.operands[position] = operand
    return copy.results[0]


def _most_common(offsets: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Along each axis the shift that most stores have, so that most are where threads are."""
    return tuple(Counter(along).most_common(1)[0][0] for along in zip(*offsets, strict=True))


def _number(value: int) -> ir.Value:
    return arith.constant(ir.IndexType.get(), value)


def _zero(type_: ir.Type) -> ir.Value:
    number = ir.FloatAttr.get(type_, 0.0) if isinstance(type_, ir.FloatType) else ir.IntegerAttr.get(type_, 0)
    return arith.constant(type_, number)


def _all(tests: Sequence[ir.Value]) -> ir.Value:
    """Whether all tests are true."""
    if not tests:
        return arith.constant(ir.IntegerType.get_signless(1), 1)
    result = tests[0]
    for test in tests[1:]:
        result = arith.andi(result, test)
    return result


def _any(tests: Sequence[ir.Value]) -> ir.Value:
    result = tests[0]
    for test in tests[1:]:
        result = arith.ori(result, test)
    return result


def middle_of(whole: Whole, starts: tuple[int, ...]) -> Box | None:
    """The threads none of whose elements is in a layer, if they are most and layers many.

    A thread's element of a slot is where the thread is, moved by the slot's offsets less the `starts`.
    """
    sizes = whole.slots[0].sizes
    if sum(len(slot.layers) for slot in whole.slots) <= FEW_LAYERS * len(whole.slots):
        return None
    box: Box = tuple(
        range(values.start + start, values.stop + start) for values, start in zip(whole.box, starts, strict=True)
    )
    for slot in whole.slots:
        moved = tuple(offset - start for offset, start in zip(slot.offsets, starts, strict=True))
        box = tuple(_common(at, range(-by, size - by)) for at, by, size in zip(box, moved, sizes, strict=True))
        for layer in slot.layers:
            box = _without(box, layer, slot, moved)
    return box if math.prod(map(len, box)) >= LEAST_SHARE * math.prod(sizes) else None


def _without(box: Box, layer: Layer, slot: Slot, moved: tuple[int, ...]) -> Box:
    """The most that is left of a box of threads without those that have an element in a layer."""
    found: list[Box] = []
    for axis, (values, size, by) in enumerate(zip(layer.box, slot.sizes, moved, strict=True)):
        for side in (range(-by, values.start - by), range(values.stop - by, size - by)):
            found.append((*box[:axis], _common(box[axis], side), *box[axis + 1 :]))
    return max(found, key=lambda left: math.prod(map(len, left)))


def _common(left: range, right: range) -> range:
    start = max(left.start, right.start)
    return range(start, max(start, min(left.stop, right.stop)))
