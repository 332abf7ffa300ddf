"""Run-time checks moved out of loops: once before the loop instead of once per iteration.

```mlir
scf.for %i = %lo to %hi step %c1 {
  %ok = arith.cmpi ult, %i, %n : index
  "soac.assert"(%ok, %i, %n) ...
```
becomes a check that `%lo` is not negative and `%hi` not above `%n`, or that the loop does not run at all; the index it
reports is the first one that fails.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.sizes import as_value, constant_int

SIGNED_LESS, SIGNED_LESS_EQUAL = arith.CmpIPredicate.slt, arith.CmpIPredicate.sle
UNSIGNED_LESS = arith.CmpIPredicate.ult.value
LARGEST_SHIFT = 2**48


@dataclass(frozen=True)
class Trips:
    """The iterations of a loop whose index goes up by one."""

    index: ir.Value
    low: ir.Value | int
    high: ir.Value

    @staticmethod
    def of(loop: ir.OpView) -> Trips | None:
        """The iterations of a map, of a fused operator, or of a counted loop with step one."""
        name = loop.operation.name
        if name in ("soac.map", "soac.fused"):
            return Trips(loop.regions[0].blocks[0].arguments[0], 0, loop.operands[0])
        if name == "scf.for" and constant_int(loop.operands[2]) == 1:
            low = constant_int(loop.operands[0])
            return Trips(loop.induction_variable, loop.operands[0] if low is None else low, loop.operands[1])
        return None


@dataclass(frozen=True)
class RangeCheck:
    """A check that `index + shift` is in `[0, size)`, where `index` is that of the loop."""

    place: ir.Value
    shift: int
    size: ir.Value

    @staticmethod
    def of(check: ir.OpView, index: ir.Value, varying: set[ir.Value]) -> RangeCheck | None:
        """The range that a check tests, if it reports nothing else of the iteration."""
        compared = check.operands[0].owner
        if compared.operation.name != "arith.cmpi" or compared.attributes["predicate"].value != UNSIGNED_LESS:
            return None
        place, size = compared.operands
        shift = _shift_from(place, index)
        if shift is None or abs(shift) > LARGEST_SHIFT or size in varying or not isinstance(place.type, ir.IndexType):
            return None
        if any(value in varying and value != place for value in list(check.operands)[1:]):
            return None
        return RangeCheck(place, shift, size)


def hoist_check(check: ir.OpView, loop: ir.OpView, varying: set[ir.Value]) -> bool:
    """Puts a check before the loop if every iteration asks the same, or asks about its index; says whether it did."""
    trips = Trips.of(loop)
    if trips is None:
        return False
    condition, *values = check.operands
    at, location = ir.InsertionPoint(loop), check.location
    if condition in varying:
        asked = None if isinstance(condition, ir.BlockArgument) else RangeCheck.of(check, trips.index, varying)
        if asked is None:
            return False
        condition, failing = _whole_range(asked, trips, at, location)
        values = [failing if value == asked.place else value for value in values]
    elif any(value in varying for value in values):
        return False
    idle = arith.cmpi(SIGNED_LESS_EQUAL, trips.high, as_value(trips.low, at), loc=location, ip=at)
    either = arith.ori(condition, idle, loc=location, ip=at)
    attributes = {name: check.attributes[name] for name in check.attributes}
    ir.Operation.create("soac.assert", operands=[either, *values], attributes=attributes, loc=location, ip=at)
    check.operation.erase()
    return True


def _shift_from(place: ir.Value, index: ir.Value) -> int | None:
    """The constant between a value and an index."""
    if place == index:
        return 0
    if isinstance(place, ir.BlockArgument):
        return None
    op = place.owner
    if op.operation.name not in ("arith.addi", "arith.subi") or op.operands[0] != index:
        return None
    amount = constant_int(op.operands[1])
    return -amount if amount is not None and op.operation.name == "arith.subi" else amount


def _whole_range(
    asked: RangeCheck, trips: Trips, at: ir.InsertionPoint, location: ir.Location
) -> tuple[ir.Value, ir.Value]:
    """Whether all indices of the loop are in range, and the first that is not.

    The shift is taken from sizes, never added to bounds, which may be any integers: that sum could wrap.
    """
    first = _plus(trips.low, asked.shift, at, location)
    beyond = _plus(asked.size, -asked.shift, at, location)
    condition = arith.cmpi(SIGNED_LESS_EQUAL, trips.high, beyond, loc=location, ip=at)
    failing = arith.maxsi(first, asked.size, loc=location, ip=at)
    if isinstance(trips.low, int) and trips.low + asked.shift >= 0:
        return condition, failing
    negative = arith.cmpi(SIGNED_LESS, as_value(trips.low, at), as_value(-asked.shift, at), loc=location, ip=at)
    positive = arith.xori(negative, arith.constant(negative.type, 1, loc=location, ip=at), loc=location, ip=at)
    condition = arith.andi(condition, positive, loc=location, ip=at)
    return condition, arith.select(negative, first, failing, loc=location, ip=at)


def _plus(value: ir.Value | int, amount: int, at: ir.InsertionPoint, location: ir.Location) -> ir.Value:
    if isinstance(value, int):
        return as_value(value + amount, at)
    return arith.addi(value, as_value(amount, at), loc=location, ip=at) if amount else value
