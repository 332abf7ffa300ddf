"""The boundary nests that can be fused into an earlier launch, and how its threads compute their values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.launches.grids.accesses import with_memory
from tapeless.passes.recipes.borders.boxes import Box, BoxNest
from tapeless.passes.recipes.borders.index_terms import Along, Place, Term, term_of
from tapeless.passes.recipes.borders.recipes import Applied, Before, Filled, Given, Loaded, Recipe
from tapeless.passes.recipes.borders.slots import Layer, Slot, Unsuitable, slots_of

# Threads that have nothing to compute but the border.
MOST_GROWTH = 2.0
# A long loop along one axis loads and stores 16 bytes at once, which is worth more than a launch.
MANY_ITERATIONS = 1 << 20
ALLOCATED = ("memref.alloc", "memref.alloca")
MEMORY = (*ALLOCATED, "memref.get_global")
MAY_TRAP = ("arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.ceildivsi", "arith.floordivsi")


@dataclass
class Whole:
    """A nest, the parts of arrays that it stores to, and the nests after it that become part of it.

    Arrays in `full` get all of their elements from the nest: their stores stay where they are.
    """

    inner: BoxNest
    slots: list[Slot]
    full: list[ir.Value]
    absorbed: list[BoxNest] = field(default_factory=list)
    passing: dict[ir.Value, tuple[int, BoxNest, ir.Operation]] = field(default_factory=dict)
    """Arrays that only carry numbers from one absorbed nest to others: by whose store they are filled."""

    @staticmethod
    def around(nest: BoxNest) -> Whole | None:
        """Of a nest that reads nothing of the arrays it stores to, and fills most of them."""
        found = slots_of(nest) or []
        box = tuple(nest.ranges.values())
        slots = [slot for slot in found if not slot.is_whole(slot.filled(box))]
        full = [slot.array for slot in found if slot not in slots]
        if not slots or any(slot.sizes != slots[0].sizes or slot.array in full for slot in slots):
            return None
        if math.prod(slots[0].sizes) > MOST_GROWTH * nest.count():
            return None
        if len(nest.loops) == 1 and nest.count() >= MANY_ITERATIONS:
            return None
        whole = Whole(nest, slots, full)
        loads = [view.operation for view in ops_named(nest.loop.opview, "memref.load")]
        names = {"memref.load", "memref.store"}
        has_others = any(op.name not in names for op in with_memory(nest.loop))
        nested = [op for op in ops_named(nest.loop.opview, "memref.store") if op.operation not in nest.stores]
        if has_others or nested or not all(map(_is_plain, (slot.array for slot in found))):
            return None
        for load in loads:
            if not _is_plain(load.operands[0]) or not whole.is_untouched(load.operands[0], nest.place_of(load)):
                return None
        return whole

    @property
    def box(self) -> Box:
        """The iterations of the inner nest."""
        return tuple(self.inner.ranges.values())

    def is_untouched(self, array: ir.Value, place: Place) -> bool:
        """Whether no store of the launch reaches an element."""
        return array not in self.full and all(slot.array != array or slot.is_apart(place) for slot in self.slots)

    def is_complete(self) -> bool:
        """Whether it writes all elements, and no array is left that carries numbers to somebody else."""
        nests = [nest.loop for nest in self.absorbed]
        for array in self.passing:
            for use in array.uses:
                user = use.owner.operation
                if user.name != "memref.dealloc" and not any(_is_below(user, nest) for nest in nests):
                    return False
        return bool(self.absorbed) and all(slot.is_whole(slot.filled(self.box)) for slot in self.slots)

    def absorb(self, nest: BoxNest) -> None:
        """Makes a nest part of the launch; nothing changes if it is not suitable."""
        if not nest.is_light or not nest.stores:
            raise Unsuitable
        number = len(self.absorbed) + 1
        layers: list[tuple[Slot, Layer]] = []
        passing: dict[ir.Value, tuple[int, BoxNest, ir.Operation]] = {}
        for store in nest.stores:
            array, place = store.operands[1], nest.place_of(store)
            slots = [slot for slot in self.slots if slot.array == array]
            if slots:
                layers.extend(self._layers(number, nest, store, slots))
            elif array in self.full:
                raise Unsuitable
            elif _is_passing(array, nest, place) and not self._uses(array, nest) and array not in passing:
                passing[array] = number, nest, store
            else:
                raise Unsuitable
        for slot, layer in layers:
            slot.layers.append(layer)
        self.passing |= passing
        self.absorbed.append(nest)

    def _uses(self, array: ir.Value, last: BoxNest) -> bool:
        """Whether an array has been stored to before, or loaded from, until a nest."""
        loads = (
            op for nest in (self.inner, *self.absorbed, last) for op in nest.operations if op.name == "memref.load"
        )
        return array in self.passing or any(op.operands[0] == array for op in loads)

    def _layers(self, number: int, nest: BoxNest, store: ir.Operation, slots: list[Slot]) -> list[tuple[Slot, Layer]]:
        place, layers, count = nest.place_of(store), [], 0
        for slot in slots:
            met = slot.met_by(nest, place)
            if met is not None:
                box, variables = met
                recipe = _Reader(self, slot, box).recipe(store.operands[0], number, nest, variables)
                layers.append((slot, Layer(number, box, recipe)))
                count += math.prod(map(len, box))
        if count != nest.count():
            raise Unsuitable
        return layers


@dataclass(frozen=True)
class _Reader:
    """Follows the stores of a nest to elements of a box of a slot back to values that threads can compute."""

    whole: Whole
    slot: Slot
    box: Box

    def recipe(self, value: ir.Value, number: int, nest: BoxNest, variables: Mapping[ir.Value, Term]) -> Recipe:
        if nest.is_outside(value):
            return Given(value)
        if isinstance(value, ir.BlockArgument):
            raise Unsuitable
        op = value.owner.operation
        if op.name == "memref.load":
            return self._loaded(op, number, nest, variables)
        if not op.name.startswith(("arith.", "math.")) or op.name in MAY_TRAP or len(op.results) != 1:
            raise Unsuitable
        operands = tuple(self.recipe(operand, number, nest, variables) for operand in op.operands)
        return Applied(op, operands)

    def _loaded(self, op: ir.Operation, number: int, nest: BoxNest, variables: Mapping[ir.Value, Term]) -> Recipe:
        array = op.operands[0]
        place = self._along(tuple(term_of(index, variables) for index in list(op.operands)[1:]))
        if not _is_plain(array) or any(isinstance(t.base, ir.Value) and not nest.is_outside(t.base) for t in place):
            raise Unsuitable
        if array in self.whole.passing:
            return self._passed(array, place)
        filling = _filling(array)
        if filling is not None:
            return Filled(filling)
        if array == self.slot.array and place == self.slot.element:
            return Before(number)
        if not self.whole.is_untouched(array, place):
            raise Unsuitable
        return Loaded(array, place)

    def _along(self, place: Place) -> Place:
        """The same indices, those numbers as the thread's that are its own: in axes where the box has one value."""
        own = {axis: values for axis, values in zip(self.slot.axes, self.box, strict=True) if len(values) == 1}
        if len(place) != len(self.slot.place):
            return place
        return tuple(
            Term(Along(axis), term.offset - own[axis].start) if axis in own and term.is_number else term
            for axis, term in enumerate(place)
        )

    def _passed(self, array: ir.Value, place: Place) -> Recipe:
        """The value that another nest has left in an array that only carries it here."""
        number, nest, store = self.whole.passing[array]
        variables = nest.singles()
        for own, theirs in zip(place, nest.place_of(store), strict=True):
            values = nest.ranges.get(theirs.base) if isinstance(theirs.base, ir.Value) else None
            if values is None:
                if own != theirs and self._bounds(own) != (theirs.offset, theirs.offset):
                    raise Unsuitable
                continue
            variables[theirs.base] = at = own.shifted(-theirs.offset)
            least, largest = self._bounds(at)
            if least not in values or largest not in values:
                raise Unsuitable
        return self.recipe(store.operands[0], number, nest, variables)

    def _bounds(self, term: Term) -> tuple[int, int]:
        """The least and the largest value of an index in the box."""
        if term.is_number:
            return term.offset, term.offset
        if not isinstance(term.base, Along):
            raise Unsuitable
        values = self.box[self.slot.axes.index(term.base.axis)]
        return values.start + term.offset, values.stop - 1 + term.offset


def _is_plain(array: ir.Value) -> bool:
    """Whether an array has no alias: a parameter, a loop result, or memory of its own."""
    return isinstance(array, ir.BlockArgument) or array.owner.operation.name in MEMORY


def _is_passing(array: ir.Value, nest: BoxNest, place: Place) -> bool:
    """Whether an array was allocated for the results of a nest, one element for each iteration."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name not in ALLOCATED:
        return False
    bases = [term.base for term in place if not term.is_number]
    return len(set(bases)) == len(bases) == len(nest.ranges) - len(nest.singles()) and set(bases) <= set(nest.ranges)


def _filling(array: ir.Value) -> ir.Attribute | None:
    """The number that a constant array is full of."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "memref.get_global":
        return None
    op = array.owner.operation
    module = op
    while module.parent is not None:
        module = module.parent.operation
    name = ir.FlatSymbolRefAttr(op.attributes["name"]).value
    symbol = ir.SymbolTable(module)[name].operation
    if "initial_value" not in symbol.attributes:
        return None
    value = ir.DenseElementsAttr(symbol.attributes["initial_value"])
    return value.get_splat_value() if value.is_splat else None


def _is_below(op: ir.Operation, loop: ir.Operation) -> bool:
    while op is not None and op != loop:
        op = op.parent.operation if op.parent is not None else None
    return op is not None
