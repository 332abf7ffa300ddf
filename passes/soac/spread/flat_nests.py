"""Maps in maps that reduce nests of elements, as one map of reductions over all elements, which teams of threads share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.builders import fill
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.places.slices import remaining_axes, slice_fields
from tapeless.passes.ir.rebuild import Values, copy_op, replace_op
from tapeless.passes.ir.rows import Size
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.flatten_sums import combine_alike, only_reduces
from tapeless.passes.soac.spread.weights import OPERATORS, is_repeatable, is_short

REDUCTIONS = frozenset({"soac.fused", "soac.reduce"})
VIEWS = frozenset({"tensor.extract_slice", "tensor.cast", "soac.transpose"})
# Reductions inside of elements that are written out, by their iterations: filters of three by three by three.
MOST_WRITTEN_OUT = 27
MOST_OPERATIONS = 400


def flatten_nests(op: ir.OpView) -> bool:
    """Makes one map of maps whose iterations reduce over several axes, and one reduction of each of these.

    ```mlir
    %s = "soac.map"(%n, %x) ({                        %s = "soac.map"(%nk) ({
      map over k:                                     ^bb0(%p):
        reduction over i:                               %n, %k = %p / %k, %p % %k
          reduction over j of f(row of %x, %i, %j)      reduction over %ij of f(%x, %q / %j, %q % %j)
    ```
    A thread for each iteration of the maps would go through all elements. Says whether it did; reductions over one axis
    are left alone, which may be contractions.
    """
    nest = _maps_of(op)
    if not nest:
        return False
    body = nest[-1].body
    sums = [_sums_of(each, op) for each in body.operations if each.operation.name in REDUCTIONS]
    if not any(len(each) > 1 for each in sums) or any(not each for each in sums):
        return False
    if not all(_is_known(each, op) for each in sums) or not _is_scalar(body, op) or _is_contraction(nest, sums):
        return False
    if any(_written(each[-1]) > MOST_OPERATIONS for each in sums):
        return False
    _Flat(op, nest, sums).write()
    return True


def _maps_of(op: ir.OpView) -> list[Loop]:
    """A map and those in it, each of which is all that the one before does but for what is repeated at little cost."""
    nest: list[Loop] = []
    while op.operation.name == "soac.map" and not len(op.accs):
        nest.append(Loop.seen_as(op))
        inner = [each for each in nest[-1].body.operations if each.operation.name in OPERATORS]
        if len(inner) != 1 or inner[0].operation.name != "soac.map" or nest[-1].lifted() != list(inner[0].results):
            break
        others = [each for each in list(nest[-1].body.operations)[:-1] if each.operation.name not in OPERATORS]
        if not all(map(is_repeatable, others)):
            break
        if not is_defined_outside(inner[0].operands[0], nest[0].op.operation):
            break
        op = inner[0]
    return nest


def _sums_of(op: ir.OpView, around: ir.OpView) -> list[ir.OpView]:
    """A reduction and those in it that combine alike, if each is all that the one before yields; else none."""
    if op.operation.name == "soac.fused" and not only_reduces(op):
        return []
    nest = [op]
    while nest[-1].operation.name == "soac.fused":
        *statements, end = nest[-1].regions[0].blocks[0].operations
        inner = [each for each in statements if each.operation.name in OPERATORS]
        if len(inner) != 1 or inner[0].operation.name not in REDUCTIONS or is_short(inner[0]):
            break
        if inner[0].operation.name == "soac.fused" and not only_reduces(inner[0]):
            break
        if list(end.operands) != list(inner[0].results) or not combine_alike(nest[0], inner[0]):
            break
        if not is_defined_outside(inner[0].operands[0], around.operation):
            break
        if not all(is_repeatable(each) for each in statements if each.operation.name not in OPERATORS):
            break
        nest.append(inner[0])
    return nest


def _is_known(sums: Sequence[ir.OpView], around: ir.OpView) -> bool:
    """Whether a reduction is over numbers, of a length that is known before the maps and not short."""
    are_numbers = not any(build.is_array(value) for value in sums[0].results)
    return are_numbers and not is_short(sums[0]) and is_defined_outside(sums[0].operands[0], around.operation)


def _is_scalar(body: ir.Block, around: ir.OpView) -> bool:
    """Whether a body computes numbers from numbers, elements of arrays that come from outside, and reductions."""
    for op in list(body.operations)[:-1]:
        name = op.operation.name
        if name in REDUCTIONS:
            if not all(_is_placed(array, around) for array in Loop.seen_as(op).inputs):
                return False
            inner = [region for region in op.regions[:1] if name == "soac.fused" and len(region.blocks)]
            if not all(_is_scalar(region.blocks[0], around) for region in inner):
                return False
        elif name == "tensor.extract":
            if not _is_placed(op.operands[0], around):
                return False
        elif name not in VIEWS and (
            len(op.regions) or any(build.is_array(value) for value in (*op.operands, *op.results))
        ):
            return False
    return not any(build.is_array(value) for value in list(body.operations)[-1].operands)


def _is_placed(array: ir.Value, around: ir.OpView) -> bool:
    """Whether elements of an array are elements of one from outside, at places that are known for each iteration."""
    while not is_defined_outside(array, around.operation):
        if isinstance(array, ir.BlockArgument):
            owner = array.owner.owner
            if owner.operation.name not in ("soac.map", "soac.fused") or array.arg_number == 0:
                return False
            array = owner.operands[array.arg_number]
        elif array.owner.operation.name in VIEWS:
            array = array.owner.operands[0]
        else:
            return False
    return True


def _is_contraction(nest: Sequence[Loop], sums: Sequence[Sequence[ir.OpView]]) -> bool:
    """Whether nothing was to be flattened but a product, which tiles may take as it is."""
    return len(nest) > 1 and all(len(each) == 1 for each in sums)


def _written(op: ir.OpView) -> int:
    """How many operations the body of a reduction has when short reductions in it are written out."""
    if op.operation.name == "soac.reduce":
        return 1
    total = 0
    for inner in op.regions[0].blocks[0].operations:
        times = 1
        if inner.operation.name in REDUCTIONS:
            width = constant_int(inner.operands[0])
            times = MOST_OPERATIONS + 1 if width is None or width > MOST_WRITTEN_OUT else max(width, 1)
        total += times * (_written(inner) if inner.operation.name in REDUCTIONS else 1)
    return total


@dataclass
class _Flat:
    """Writes the one map; knows numbers, and of which arrays, at which places, elements of loops are parts."""

    op: ir.OpView
    maps: list[Loop]
    sums: list[list[ir.OpView]]
    values: Values = field(default_factory=dict)
    parts: dict[ir.Value, tuple[ir.Value, ir.Value]] = field(default_factory=dict)

    def write(self) -> None:
        with self.op.location, ir.InsertionPoint(self.op):
            widths = [_count(loop.width) for loop in self.maps]
            lengths = [[_count(each.operands[0]) for each in nest] for nest in self.sums]
            totals = list(map(_product, lengths))

            def body(number: ir.Value, *_: object) -> tuple[list[ir.Value], list[ir.Value]]:
                for loop, place in zip(self.maps, _parts(number, widths), strict=True):
                    self._enter(loop, place)
                    if loop is not self.maps[-1]:
                        own = list(loop.body.operations)[:-1]
                        self._statements([each for each in own if each.operation.name not in OPERATORS])
                left = list(zip(self.sums, totals, lengths, strict=True))
                for each in list(self.maps[-1].body.operations)[:-1]:
                    if each.operation.name in REDUCTIONS:
                        made = self._reduction(*left.pop(0))
                        self.values.update(zip(each.results, made, strict=True))
                    else:
                        self._statements([each])
                return [self._number(value) for value in self.maps[-1].lifted()], []

            made = build.map_(_product(widths), [], [], body)[0]
            results = [_shaped(old.type, new, widths) for old, new in zip(self.op.results, made, strict=True)]
        replace_op(self.op, results)

    def _enter(self, loop: Loop, place: ir.Value) -> None:
        """What an iteration of a loop has: its number, and elements."""
        self.values[loop.body.arguments[0]] = place
        self.parts.update((own, (array, place)) for own, array in zip(loop.elements, loop.inputs, strict=False))

    def _reduction(self, nest: list[ir.OpView], total: ir.Value, lengths: Sequence[ir.Value]) -> list[ir.Value]:
        """A reduction over all elements of a nest of reductions."""
        first = Loop.seen_as(nest[0])
        types = [value.type for value in first.reduced.neutral]
        starts = [self._number(value) for value in first.reduced.neutral]
        made = soac.FusedOp(total, [], starts, [], types)

        def lift(number: ir.Value) -> list[ir.Value]:
            elements: list[ir.Value] = []
            for each, place in zip(nest, _parts(number, lengths), strict=True):
                elements = self._lifted(Loop.seen_as(each), place)
            return elements

        fill(made.lift, [ir.IndexType.get()], lift)
        fill(made.reduce, [*types, *types], lambda *pairs: _combined(first, pairs))
        return list(made.operation.results)

    def _lifted(self, loop: Loop, place: ir.Value) -> list[ir.Value]:
        """What a reduction combines of an iteration; of one that holds another, what that one has to be given."""
        if loop.lift is None:
            return [self._element(array, [place]) for array in loop.inputs]
        self._enter(loop, place)
        *statements, end = loop.body.operations
        self._statements([each for each in statements if each.operation.name not in OPERATORS or is_short(each)])
        return [self._number(value) for value in end.operands]

    def _statements(self, statements: Sequence[ir.OpView]) -> None:
        for op in statements:
            name = op.operation.name
            if name == "tensor.extract":
                array, *places = op.operands
                self.values[op.results[0]] = self._element(array, [self._number(place) for place in places])
            elif name in REDUCTIONS:
                self.values.update(zip(op.results, self._written_out(Loop.seen_as(op)), strict=True))
            elif name not in VIEWS:
                self._copy(op)

    def _copy(self, op: ir.OpView) -> None:
        values = {value: self._number(value) for value in op.operands}
        copy_op(op, values)
        self.values.update((value, values[value]) for value in op.results)

    def _written_out(self, loop: Loop) -> list[ir.Value]:
        """The result of a short reduction, one iteration after the other."""
        total = [self._number(value) for value in loop.reduced.neutral]
        for number in range(constant_int(loop.width) or 0):
            total = _combined(loop, [*total, *self._lifted(loop, build.index(number))])
        return total

    def _number(self, value: ir.Value) -> ir.Value:
        if value in self.parts:
            array, place = self.parts[value]
            return self._element(array, [place])
        return self.values.get(value, value)

    def _element(self, array: ir.Value, places: Sequence[ir.Value]) -> ir.Value:
        """An element of an array: of the array that this one is a part or a view of, if it is."""
        if array in self.parts:
            whole, place = self.parts[array]
            return self._element(whole, [place, *places])
        if is_defined_outside(array, self.op.operation):
            return tensor.ExtractOp(array, list(places)).result
        view = array.owner
        if view.operation.name == "tensor.cast":
            return self._element(view.operands[0], places)
        if view.operation.name == "soac.transpose":
            axes = [int(axis.value) for axis in view.operation.attributes["permutation"]]
            return self._element(view.operands[0], [places[axes.index(axis)] for axis in range(len(axes))])
        return self._element(view.operands[0], self._in_slice(view, places))

    def _in_slice(self, view: ir.OpView, places: Sequence[ir.Value]) -> list[ir.Value]:
        """The place in an array of an element of a slice of it."""
        offsets, _, strides = slice_fields(view)
        own = dict(zip(remaining_axes(view), places, strict=True))
        found = []
        for axis, (offset, stride) in enumerate(zip(offsets, strides, strict=True)):
            first = self._size(offset)
            if axis not in own:
                found.append(first)
                continue
            step = own[axis] if stride == 1 else arith.muli(own[axis], self._size(stride))
            found.append(step if offset == 0 else arith.addi(first, step))
        return found

    def _size(self, size: Size) -> ir.Value:
        return build.index(size) if isinstance(size, int) else self._number(size)


def _combined(loop: Loop, pairs: Sequence[ir.Value]) -> list[ir.Value]:
    """The operator of a reduction, written at the insertion point."""
    block = loop.reduced.block
    values: Values = dict(zip(block.arguments, pairs, strict=True))
    *statements, end = block.operations
    for op in statements:
        copy_op(op, values)
    return [values.get(value, value) for value in end.operands]


def _count(width: ir.Value) -> ir.Value:
    is_size = isinstance(width, ir.OpResult) and width.owner.operation.name == "tensor.dim"
    return width if is_size or constant_int(width) is not None else arith.maxsi(width, build.index(0))


def _product(sizes: Sequence[ir.Value]) -> ir.Value:
    total, *others = sizes
    for size in others:
        total = arith.muli(total, size)
    return total


def _parts(number: ir.Value, sizes: Sequence[ir.Value]) -> list[ir.Value]:
    """The numbers along each axis of an element of so many, in order."""
    places: list[ir.Value] = []
    for size in reversed(sizes[1:]):
        places.insert(0, arith.remui(number, size))
        number = arith.divui(number, size)
    return [number, *places]


def _shaped(type_: ir.RankedTensorType, array: ir.Value, sizes: Sequence[ir.Value]) -> ir.Value:
    if len(sizes) == 1:
        return array
    shape = tensor.from_elements(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), list(sizes))
    return tensor.ReshapeOp(type_, array, shape).result
