"""Carried arrays to which iterations of a loop only add, each at a place that it computes: histograms of sums."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.build import dim, elementwise, filled, flags, index, map_, number
from tapeless.passes.ir.places.slices import remaining_axes, slice_fields
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.soac.parallelise.totals import may_be_reordered

# What adds to a sum, with the operands that may be the sum so far.
ADDING = {"arith.addf": (0, 1), "arith.addi": (0, 1), "arith.subf": (0,), "arith.subi": (0,)}
SUBTRACTING = frozenset({"arith.subf", "arith.subi"})


@dataclass(frozen=True)
class Bins:
    """A carried array, how an iteration reads and writes one bin of it, and the operation that adds to the bin.

    ```mlir
    %x = tensor.extract %a[%i]                      %i and %y of all iterations are arrays, and
    %s = arith.addf %x, %y                    -->
    %b = tensor.insert %s into %a[%i]               %h = "soac.hist"(%n, %is, %a, %ys, %zero) ({ addf })
    ```
    Bins are elements, or rows: slices at an index of the first axis to which a map adds element by element.
    """

    start: ir.Value
    read: ir.OpView
    write: ir.OpView
    addition: ir.OpView
    has_rows: bool

    @staticmethod
    def of(loop: ir.OpView, place: int) -> Bins | None:
        """The bins of a carried array, if an iteration adds to one of them and does nothing else with the array."""
        start, argument = loop.operands[3 + place], loop.regions[0].blocks[0].arguments[1 + place]
        if not isinstance(start.type, ir.RankedTensorType):
            return None
        end = terminator(loop.regions[0]).operands[place]
        users = [use.owner for use in argument.uses if use.owner.operation.name != "tensor.dim"]
        if len(users) != 2 or isinstance(end, ir.BlockArgument) or len(list(end.uses)) != 1:
            return None
        write = end.owner
        reads = [op.opview for op in users if op.operation != write.operation]
        if len(reads) != 1 or any(op.operation.block != argument.owner for op in (write, reads[0])):
            return None
        bins = _elements(start, reads[0], write.opview) or _rows(start, reads[0], write.opview)
        return bins if bins is not None and bins.are_floats_or_words else None

    @property
    def are_floats_or_words(self) -> bool:
        """Whether elements are of types that histograms add up."""
        element = self.start.type.element_type
        is_word = isinstance(element, ir.IntegerType) and element.width in (32, 64)
        return is_word or isinstance(element, ir.F64Type | ir.F32Type)

    def take_out(self, last: ir.OpView, place: int) -> list[ir.Value]:
        """Takes the addition out of an iteration; gives the number of the bin, and its addend."""
        with ir.InsertionPoint(self.write), self.write.location:
            given = [self._key(), self._term()]
        last.operation.operands[place] = self.start
        made = self.write.operands[0].owner.operation
        for op in (self.write.operation, made, self.read.operation):
            op.erase()
        return given

    def filled(self, width: ir.Value, keys: ir.Value, terms: ir.Value) -> ir.Value:
        """The array with all that iterations have added."""
        start = self.start
        zero = number(start.type.element_type, 0.0)
        if self.has_rows:
            zero = filled(row_type(start.type), [dim(start, axis) for axis in range(1, start.type.rank)], zero)
        dest = start if self.has_rows else _reshaped(start, [_total(start)])
        made = soac.hist(width, keys, [dest], [terms], [zero], lambda a, b: [elementwise(_sum, a, b)])
        (result,) = made.operation.results
        return result if self.has_rows else _reshaped(result, _sizes(start), start.type)

    def _key(self) -> ir.Value:
        if self.has_rows:
            place = slice_fields(self.read)[0][0]
            return _word(index(place) if isinstance(place, int) else place)
        first, *others = list(self.read.operands)[1:]
        for axis, other in enumerate(others, 1):
            first = arith.addi(arith.muli(first, dim(self.start, axis)), other)
        return _word(first)

    def _term(self) -> ir.Value:
        if not self.has_rows:
            return _other(self.addition, self.read.results[0])
        adding = self.write.operands[0].owner.opview
        block = adding.regions[0].blocks[0]
        skipped = list(adding.inputs).index(self.read.results[0])
        inputs = [array for number, array in enumerate(adding.inputs) if number != skipped]

        def body(place: ir.Value, elements: Sequence[ir.Value], _: object) -> tuple[list[ir.Value], list[ir.Value]]:
            counted, *arguments = list(block.arguments)
            old = arguments.pop(skipped)
            for argument, element in zip([counted, *arguments], [place, *elements], strict=True):
                argument.replace_all_uses_with(element)
            end = index(0).owner
            for op in list(block.operations)[:-1]:
                op.operation.move_before(end)
            term = _other(self.addition, old)
            terminator(adding.regions[0]).operation.operands[0] = old
            self.addition.operation.erase()
            return [term], []

        return map_(adding.width, inputs, [], body)[0][0]


def _elements(start: ir.Value, read: ir.OpView, write: ir.OpView) -> Bins | None:
    """Bins of single elements: `a[i, j] += x`."""
    if read.operation.name != "tensor.extract" or write.operation.name != "tensor.insert":
        return None
    if list(read.operands)[1:] != list(write.operands)[2:]:
        return None
    addition = _addition(write.operands[0], read.results[0])
    return None if addition is None else Bins(start, read, write, addition, has_rows=False)


def _rows(start: ir.Value, read: ir.OpView, write: ir.OpView) -> Bins | None:
    """Bins that are rows: `a[i] += x`, by a map."""
    names = read.operation.name, write.operation.name
    if names != ("tensor.extract_slice", "tensor.insert_slice") or start.type.rank != 2:
        return None
    if slice_fields(read) != slice_fields(write) or not _is_row(start, read) or not _is_row(start, write):
        return None
    made = write.operands[0]
    if isinstance(made, ir.BlockArgument) or made.owner.operation.name != "soac.map":
        return None
    adding = made.owner.opview
    is_alone = len(list(made.uses)) == 1 and len(adding.results) == 1 and len(adding.operands) == 1 + len(adding.inputs)
    places = [k for k, array in enumerate(adding.inputs) if array == read.results[0]]
    if not is_alone or len(places) != 1 or len(list(read.results[0].uses)) != 1:
        return None
    old = adding.regions[0].blocks[0].arguments[1 + places[0]]
    addition = _addition(terminator(adding.regions[0]).operands[0], old)
    return None if addition is None else Bins(start, read, write, addition, has_rows=True)


def _is_row(start: ir.Value, op: ir.OpView) -> bool:
    """Whether a slice is a whole row."""
    offsets, sizes, strides = slice_fields(op)
    width = sizes[1] if isinstance(sizes[1], int) else scalar_size(sizes[1])
    is_whole = offsets[1] == 0 and strides == [1, 1] and sizes[0] == 1 and width == size_of(start, 1)
    return is_whole and remaining_axes(op) == [1]


def _addition(total: ir.Value, old: ir.Value) -> ir.OpView | None:
    """The operation that adds something to an old number, if nothing else looks at either."""
    if isinstance(total, ir.BlockArgument) or len(list(total.uses)) != 1:
        return None
    op = total.owner.opview
    uses = [use for use in old.uses]
    if op.operation.name not in ADDING or len(uses) != 1 or uses[0].owner.operation != op.operation:
        return None
    return op if uses[0].operand_number in ADDING[op.operation.name] and may_be_reordered(op) else None


def _other(addition: ir.OpView, old: ir.Value) -> ir.Value:
    """The term that an update adds to the old number."""
    left, right = addition.operands
    term = right if left == old else left
    if addition.operation.name not in SUBTRACTING:
        return term
    with ir.InsertionPoint(addition), addition.location:
        if addition.operation.name == "arith.subf":
            return arith.negf(term, fastmath=flags())
        return arith.subi(number(term.type, 0.0), term)


def _sum(left: ir.Value, right: ir.Value) -> ir.Value:
    is_integer = isinstance(left.type, ir.IntegerType)
    return arith.addi(left, right) if is_integer else arith.addf(left, right, fastmath=flags())


def _word(place: ir.Value) -> ir.Value:
    return arith.index_cast(ir.IntegerType.get_signless(64), place)


def _sizes(array: ir.Value) -> list[ir.Value]:
    return [dim(array, axis) for axis in range(array.type.rank)]


def _total(array: ir.Value) -> ir.Value:
    total = index(1)
    for size in _sizes(array):
        total = arith.muli(total, size)
    return total


def _reshaped(array: ir.Value, sizes: list[ir.Value], type_: ir.Type | None = None) -> ir.Value:
    """An array with other sizes; a vector of them all, if no type is given."""
    if type_ is None and array.type.rank == 1:
        return array
    wanted = type_ or ir.RankedTensorType.get([DYNAMIC], array.type.element_type)
    if wanted == array.type and wanted.rank == 1:
        return array
    shape = tensor.from_elements(ir.RankedTensorType.get([len(sizes)], ir.IndexType.get()), sizes)
    return tensor.reshape(wanted, array, shape)
