"""Chains of sums into slices, as nests of maps in which elements take what each slice has for them."""

from __future__ import annotations

from functools import partial

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


def gather_below(op: ir.OpView, equal: EqualSizes, most_products: int) -> bool:
    """Gathers in the blocks of an operation and below; whether anything was.

    Sizes are found once each until something is gathered: that of a write is the size of the one before it.
    """
    found, search = False, lasting_search()
    for inner, known in equal.inside(op):
        if len(inner.regions):
            if gather_below(inner, known, most_products):
                found, search = True, lasting_search()
            continue
        with remembered_sizes(search):
            chain = chain_to(inner, partial(is_nearly_whole, are_same=known.are_equal))
        if chain is not None:
            are_few = len(chain) <= most_products and len(chain[0].place.ranges) == 1
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
