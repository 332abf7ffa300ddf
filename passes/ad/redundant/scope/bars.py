"""The adjoints of one scope. A value's adjoint is zero until something is added to it; zeros are never stored.

What is added to one adjoint may be added in any order.

An array's adjoint is dense (an array), a single element, or an accumulator, when a map around this scope adds to it
from all iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ad.activity import Activity
from tapeless.passes.ir.build import add, any_order, cast_to, is_array, map_, number, zeros_like
from tapeless.passes.ir.rows import insert_row, row_at


def update_inside(acc: ir.Value, indices: Sequence[ir.Value], value: ir.Value) -> ir.Value:
    """Adds to an accumulator at indices that the forward sweep has used, so they are inside."""
    made = soac.UpdateOp(acc, list(indices), value, acc.type)
    made.operation.attributes[IN_BOUNDS] = ir.UnitAttr.get()
    return made.out


@dataclass(frozen=True)
class Single:
    """The adjoint of a vector that is zero but for one element; nowhere when the index is outside."""

    index: ir.Value
    value: ir.Value
    width: ir.Value

    def dense(self) -> ir.Value:
        """The same as an array."""

        def element(i: ir.Value) -> ir.Value:
            here = arith.CmpIOp(arith.CmpIPredicate.eq, i, self.index).result
            return arith.SelectOp(here, self.value, number(self.value.type, 0.0)).result

        return map_(self.width, [], [], lambda i, _, __: ([element(i)], []))[0][0]


class Bars:
    """The adjoint environment: primal value -> adjoint value, only for active values that have one."""

    def __init__(self, activity: Activity) -> None:
        self.activity = activity
        self._bars: dict[ir.Value, ir.Value] = {}
        self._singles: dict[ir.Value, Single] = {}

    def has(self, value: ir.Value) -> bool:
        """Whether the adjoint of `value` is not zero."""
        return value in self._bars or value in self._singles

    def single(self, value: ir.Value) -> Single | None:
        """The adjoint of `value` when only one element of it is not zero."""
        return self._singles.get(value)

    def get(self, value: ir.Value) -> ir.Value | None:
        """The adjoint of `value`, or nothing when it is zero."""
        if value in self._singles:
            self._bars[value] = cast_to(value.type, self._singles.pop(value).dense())
        return self._bars.get(value)

    def of(self, value: ir.Value) -> ir.Value:
        """The adjoint of `value`, which has one: that of a result in its return rule, or one that was set."""
        bar = self.get(value)
        assert bar is not None
        return bar

    def set(self, value: ir.Value, bar: ir.Value) -> None:
        """Replaces the adjoint of `value`."""
        self._singles.pop(value, None)
        self._bars[value] = bar

    def add_single(self, value: ir.Value, one: Single) -> None:
        """Adds to one element of the adjoint of a vector."""
        if self.has(value):
            self.add(value, one.dense())
        else:
            self._singles[value] = one

    def is_accumulator(self, value: ir.Value) -> bool:
        """Whether contributions to `value` go to an accumulator."""
        bar = self._bars.get(value)
        return bar is not None and isinstance(bar.type, soac.AccType)

    def or_zeros(self, value: ir.Value, like: ir.Value) -> ir.Value:
        """The adjoint of `value`, made of zeros with the sizes of `like` when there is none."""
        bar = self.get(value)
        return zeros_like(like) if bar is None else bar

    def add(self, value: ir.Value, contribution: ir.Value | None) -> None:
        """Adds to the adjoint of `value`."""
        if contribution is None or value not in self.activity:
            return
        bar = self.get(value)
        if bar is None:
            self._bars[value] = cast_to(value.type, contribution)
        elif isinstance(bar.type, soac.AccType):
            self._bars[value] = update_inside(bar, [], cast_to(bar.type.tensor, contribution))
        else:
            self._bars[value] = add(bar, contribution, any_order)

    def add_total(self, value: ir.Value, total: ir.Value) -> None:
        """Adds a sum over iterations to the adjoint of a scalar; such sums may be added in any order."""
        bar = self.get(value)
        self._bars[value] = total if bar is None else arith.AddFOp(bar, total, fastmath=any_order()).result

    def add_at(self, array: ir.Value, indices: Sequence[ir.Value], contribution: ir.Value, like: ir.Value) -> None:
        """Adds a scalar to one element of the adjoint of `array`, whose sizes `like` has."""
        if array not in self.activity:
            return
        bar = self.get(array)
        if bar is None:
            self._bars[array] = tensor.InsertOp(contribution, zeros_like(like), list(indices)).result
        elif isinstance(bar.type, soac.AccType):
            self._bars[array] = update_inside(bar, indices, contribution)
        else:
            current = tensor.ExtractOp(bar, list(indices)).result
            total = arith.AddFOp(current, contribution, fastmath=any_order()).result
            self._bars[array] = tensor.InsertOp(total, bar, list(indices)).result

    def add_row(self, array: ir.Value, i: ir.Value, row: ir.Value, like: ir.Value) -> None:
        """Adds to the row at one index of axis 0 of the adjoint of `array`, whose sizes `like` has."""
        if not is_array(row):
            self.add_at(array, [i], row, like)
            return
        bar = self.or_zeros(array, like)
        if isinstance(bar.type, soac.AccType):
            self._bars[array] = update_inside(bar, [i], row)
        else:
            self._bars[array] = insert_row(bar, i, add(row_at(bar, i), row, any_order))

    def copy_from(self, other: Bars) -> None:
        """Starts from the adjoints of another scope."""
        self._bars, self._singles = dict(other._bars), dict(other._singles)

    def changed_since(self, other: Bars) -> list[ir.Value]:
        """The values whose adjoint is another one than in `other`."""
        return [value for value, bar in self._bars.items() if value not in other._bars or other._bars[value] != bar]
