"""`soac-stencil-gather`: sums into overlapping slices as one loop over the array that is added to."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import cast_to, dim, map_
from tapeless.passes.ir.constants import filling_of
from tapeless.passes.ir.places.coverage import is_nearly_whole
from tapeless.passes.ir.places.places import Extent
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.shapes import dim_of, lasting_search, remembered_sizes
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.gather.chains import Link, chain_to
from tapeless.passes.soac.gather.guards import Bounds, Guards, bounds_of, where
from tapeless.passes.soac.gather.nests import element_of
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class StencilGather:
    """Turns additions of slices into a stencil: every element gathers its addends from several slices.

    ```mlir
    %0 = tensor.extract_slice %x[0] [%m] [1]           %y = "soac.map"(%n, %x) ({
    %1 = "soac.map"(%m, %0, %a) ({ addf })             ^bb0(%i: index, %e: f64):
    %2 = tensor.insert_slice %1 into %x[0] [%m] [1]      if %i < %m: add %a[%i]
    %3 = tensor.extract_slice %2[2] [%m] [1]             if %i >= 2: add %b[%i - 2]
    %4 = "soac.map"(%m, %3, %b) ({ addf })             })
    %y = tensor.insert_slice %4 into %2[2] [%m] [1]
    ```
    Slices are nearly all of the array, so that few elements are outside of one; the loop is cut there by `lower-peel`.
    What is computed next to free from one number is not stored for it. Up to `most_products` slices of a vector also
    compute it from two; in more dimensions, reading the rows around is worth more than what is stored once. Sums are
    taken in the order of the program.
    """

    name: ClassVar[str] = "soac-stencil-gather"
    skips_numbers: ClassVar[bool] = True
    most_products: int = 3

    def run(self, module: ir.Module) -> None:
        """Looks at every block; checks before it say which sizes are equal."""
        root = module.operation.opview
        if self._gather_below(root, EqualSizes()):
            prune(root)

    def _gather_below(self, op: ir.OpView, equal: EqualSizes) -> bool:
        """Gathers in the blocks of an operation and below; whether anything was.

        Sizes are found once each until something is gathered: that of a write is the size of the one before it.
        """
        found, search = False, lasting_search()
        for inner, known in equal.inside(op):
            if len(inner.regions):
                if self._gather_below(inner, known):
                    found, search = True, lasting_search()
                continue
            with remembered_sizes(search):
                chain = chain_to(inner, partial(is_nearly_whole, are_same=known.are_equal))
            if chain is not None:
                are_few = len(chain) <= self.most_products and len(chain[0].place.ranges) == 1
                _gather(chain, known, 2 if are_few else 1)
                found, search = True, lasting_search()
        return found


def _gather(chain: list[Link], equal: EqualSizes, most_sources: int) -> None:
    """Replaces the last write of a chain by a nest of maps; nothing needs the others then."""
    last, base = chain[-1].write, chain[0].place.array
    at = ir.InsertionPoint(last)
    with at, last.location:
        terms = [_Term.of(link, equal, at, most_sources) for link in chain]
        widths = [_width(base, axis, at) for axis in range(base.type.rank)]
        fill = filling_of(base)
        start = base if fill is None else fill
        replace_op(last, [cast_to(last.results[0].type, _gathered(start, terms, widths, []))])


def _width(array: ir.Value, axis: int, at: ir.InsertionPoint) -> ir.Value:
    """The size of an axis, from the producer of the array where that is known: it need not exist."""
    size = dim_of(array, axis, at)
    return dim(array, axis) if size is None else as_value(size, at)


@dataclass(frozen=True)
class _Term:
    """The effect of one write of a chain on an element: where, and with an element of which array."""

    link: Link
    bounds: list[Bounds]
    offsets: list[Extent]
    most_sources: int

    @staticmethod
    def of(link: Link, equal: EqualSizes, at: ir.InsertionPoint, most_sources: int) -> _Term:
        axes = range(len(link.place.ranges))
        bounds = [bounds_of(link.place, axis, equal, at) for axis in axes]
        return _Term(link, bounds, [part.offset for part in link.place.ranges], most_sources)

    def applied(self, element: ir.Value, guards: list[Guards]) -> ir.Value:
        """The element after the write."""
        conditions = [each for guard, bounds in zip(guards, self.bounds, strict=True) for each in guard.of(bounds)]

        def written() -> ir.Value:
            indices = [_moved(guard.index, offset) for guard, offset in zip(guards, self.offsets, strict=True)]
            return self._added(element, element_of(self.link.part, indices, self.most_sources))

        return where(conditions, written, element)

    def _added(self, element: ir.Value, value: ir.Value) -> ir.Value:
        total = self.link.total
        return value if total is None else arith.AddFOp(element, value, fastmath=total.fastmath).result


def _gathered(row: ir.Value, terms: list[_Term], widths: list[ir.Value], guards: list[Guards]) -> ir.Value:
    """The array, or a row or element of it, after all writes; a number in place of a row is every element of it."""
    if len(guards) == len(widths):
        for term in terms:
            row = term.applied(row, guards)
        return row
    rows = [row] if isinstance(row.type, ir.RankedTensorType) else []
    made, _ = map_(
        widths[len(guards)],
        rows,
        [],
        lambda i, elements, _: ([_gathered(elements[0] if rows else row, terms, widths, [*guards, Guards(i)])], []),
    )
    return made[0]


def _moved(index: ir.Value, offset: Extent) -> ir.Value:
    return index if offset == 0 else arith.SubIOp(index, as_value(offset, ir.InsertionPoint.current)).result
