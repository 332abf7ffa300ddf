"""How far a loop that ran backwards went astray: its start is compared with the true one, and its way by sums.

Going forward, each of up to 64 stretches of the loop sums up the carried values (of arrays, a few elements that change
with the iteration); going back, the same sums are made of what is found again. So an error that grows and heals before
the start is reached shows, too. Loops inside of other loops or maps have one stretch.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, math, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.reversible.plan import Plan
from tapeless.passes.ir.build import dim, element_type, elementwise, index, is_array, map_, number, reduce_
from tapeless.passes.ir.constants import constant_of

STRETCHES = 64
SAMPLES = 3
# Odd numbers far from each other, so that the elements looked at are spread over all axes.
STRIDES = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0x9E3779B9)
TOLERANCES = {"f64": 1e-9, "f32": 1e-4}


@dataclass(frozen=True)
class Watch:
    """The sums of one loop: which carried values, and by how many bits a position is shifted to give its stretch."""

    slots: list[int]
    shift: ir.Value | None

    @staticmethod
    def over(plan: Plan, trips: ir.Value) -> Watch:
        """Watches the floats that a plan finds again."""
        types = [result.type for result in plan.op.operation.results]
        slots = [k for k, holes in plan.slots.items() if is_float(types[k]) and not holes]
        return Watch(slots, None if _is_nested() else _shift(trips))

    def zeros(self, sums: int) -> list[ir.Value]:
        """The initial sums, `sums` for each carried value."""
        zero = number(ir.F64Type.get(), 0.0)
        if self.shift is None:
            return [zero] * (sums * len(self.slots))
        type_ = ir.RankedTensorType.get([STRETCHES], ir.F64Type.get())
        return [tensor.SplatOp(type_, zero, []).result for _ in range(sums * len(self.slots))]

    def added(self, sums: Sequence[ir.Value], position: ir.Value, values: Sequence[ir.Value]) -> list[ir.Value]:
        """The sums with an iteration's values added; where there are two for a value, the second is of magnitudes."""
        each = len(sums) // max(len(self.slots), 1)
        made: list[ir.Value] = []
        for k, value in enumerate(values):
            samples = _samples(value, position)
            for n, total in enumerate(sums[each * k : each * (k + 1)]):
                made.append(self._plus(total, position, samples[n]))
        return made

    def _plus(self, total: ir.Value, position: ir.Value, value: ir.Value) -> ir.Value:
        if self.shift is None:
            return arith.AddFOp(total, value).result
        place = [arith.ShRUIOp(position, self.shift).result]
        return tensor.InsertOp(arith.AddFOp(tensor.ExtractOp(total, place).result, value).result, total, place).result


def _is_nested() -> bool:
    """Whether code is written inside of a loop or a map."""
    owner = ir.InsertionPoint.current.block.owner
    while owner.operation.name == "scf.if":
        owner = owner.operation.parent
    return owner.operation.name != "func.func"


def _shift(trips: ir.Value) -> ir.Value:
    """The least shift that brings all positions below the number of stretches."""
    i64 = ir.IntegerType.get_signless(64)
    real = arith.SIToFPOp(ir.F64Type.get(), arith.IndexCastOp(i64, trips).result).result
    exponent = arith.ShRUIOp(arith.BitcastOp(i64, real).result, number(i64, 52)).result
    excess = arith.SubIOp(exponent, number(i64, 1023 + STRETCHES.bit_length() - 2)).result
    return arith.IndexCastOp(ir.IndexType.get(), arith.MaxSIOp(excess, number(i64, 0)).result).result


def _samples(value: ir.Value, position: ir.Value) -> list[ir.Value]:
    """A checksum of a value, and the magnitude of its terms."""
    if not is_array(value):
        wide = _wide(value)
        return [wide, math.AbsFOp(wide).result]
    sizes = [dim(value, axis) for axis in range(value.type.rank)]
    if all(constant_of(size) is not None for size in sizes) and 0 not in value.type.shape:
        return _element_samples(value, position, sizes)
    f64 = ir.F64Type.get()
    choice = scf.IfOp(_all_positive(sizes), [f64, f64], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(_element_samples(value, position, sizes))
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([number(f64, 0.0)] * 2)
    return list(choice.results)


def _all_positive(sizes: Sequence[ir.Value]) -> ir.Value:
    least = sizes[0]
    for size in sizes[1:]:
        least = arith.MinSIOp(least, size).result
    return arith.CmpIOp(arith.CmpIPredicate.sgt, least, index(0)).result


def _element_samples(array: ir.Value, position: ir.Value, sizes: Sequence[ir.Value]) -> list[ir.Value]:
    total = magnitude = None
    for n in range(SAMPLES):
        at = arith.AddIOp(arith.MulIOp(position, index(SAMPLES)).result, index(n)).result
        places = [
            arith.RemUIOp(arith.ShRUIOp(arith.MulIOp(at, index(stride)).result, index(16)).result, size).result
            for stride, size in zip(STRIDES, sizes, strict=False)
        ]
        element = _wide(tensor.ExtractOp(array, places).result)
        size = math.AbsFOp(element).result
        total = element if total is None else arith.AddFOp(total, element).result
        magnitude = size if magnitude is None else arith.AddFOp(magnitude, size).result
    assert total is not None and magnitude is not None
    return [total, magnitude]


def _wide(value: ir.Value) -> ir.Value:
    f64 = ir.F64Type.get()
    return value if value.type == f64 else arith.ExtFOp(f64, value).result


def way_error(watch: Watch, before: ir.Value, magnitude: ir.Value, after: ir.Value, *, is_sampled: bool) -> ir.Value:
    """The largest relative error of the sums of a value, of which perhaps only some elements were summed up."""
    if watch.shift is None:
        return _relative(before, after, magnitude)
    return _worst_stretch(before, after, magnitude, is_sampled)


def _worst_stretch(before: ir.Value, after: ir.Value, magnitude: ir.Value, is_sampled: bool) -> ir.Value:
    """Where nothing but zeros was summed up, errors are small or large next to all stretches together.

    The few elements of an array that a stretch saw may be tiny next to the others, as before a wave: there, the size of
    the array is at least that of what an average stretch saw.
    """
    width = index(STRETCHES)
    zero = number(ir.F64Type.get(), 0.0)
    whole = reduce_(width, [magnitude], [zero], lambda a, b: [arith.AddFOp(a[0], b[0]).result])[0]

    average = arith.MulFOp(whole, number(ir.F64Type.get(), 1 / STRETCHES)).result

    def size_of(seen: ir.Value) -> ir.Value:
        if is_sampled:
            return arith.MaximumFOp(seen, average).result
        return arith.SelectOp(arith.CmpFOp(arith.CmpFPredicate.OEQ, seen, zero).result, whole, seen).result

    def one(_: ir.Value, rows: Sequence[ir.Value], __: Sequence[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        return [_relative(rows[0], rows[1], size_of(rows[2]))], []

    (errors,), _ = map_(width, [before, after, magnitude], [], one)
    return largest(errors)


def start_error(true: ir.Value, found: ir.Value, final: ir.Value, peak: ir.Value | None = None) -> ir.Value:
    """The largest relative error of a loop's recovered start; of integers, whether there is one.

    The size of a state is its largest magnitude at the start, or at the end if it starts with zeros, or in between
    where that is known as its `peak`.
    """
    f64 = ir.F64Type.get()
    if not is_float(true.type):
        return largest(elementwise(_is_other, true, found))
    begin, apart = magnitude(true), _furthest_apart(true, found)
    choice = scf.IfOp(arith.CmpFOp(arith.CmpFPredicate.OEQ, begin, number(f64, 0.0)).result, [f64], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        end = magnitude(final)
        scf.YieldOp([end if peak is None else arith.MaximumFOp(end, peak).result])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([begin])
    return _scaled(apart, choice.results[0])


def state_error(true: ir.Value, found: ir.Value, end: ir.Value | None) -> ir.Value:
    """The same of a state on the way; `end` is the size of the last one, and nothing where there are integers."""
    if end is None:
        return largest(elementwise(_is_other, true, found))
    begin = magnitude(true)
    is_zero = arith.CmpFOp(arith.CmpFPredicate.OEQ, begin, number(begin.type, 0.0)).result
    return _scaled(_furthest_apart(true, found), arith.SelectOp(is_zero, end, begin).result)


def magnitude(value: ir.Value) -> ir.Value:
    """The largest magnitude of a number or of an array's elements."""
    return largest(elementwise(_magnitude, value))


def _furthest_apart(true: ir.Value, found: ir.Value) -> ir.Value:
    return largest(elementwise(lambda a, b: _apart(_wide(a), _wide(b)), true, found))


def _magnitude(value: ir.Value) -> ir.Value:
    return math.AbsFOp(_wide(value)).result


def _is_other(a: ir.Value, b: ir.Value) -> ir.Value:
    other = arith.CmpIOp(arith.CmpIPredicate.ne, a, b).result
    return arith.UIToFPOp(ir.F64Type.get(), other).result


def _relative(a: ir.Value, b: ir.Value, size: ir.Value) -> ir.Value:
    """How far two numbers are apart; equal ones not at all, not a number where one of them is none."""
    return _scaled(_apart(a, b), size)


def _apart(a: ir.Value, b: ir.Value) -> ir.Value:
    """The distance of two numbers; that of equal infinities is 0."""
    same = arith.CmpFOp(arith.CmpFPredicate.OEQ, a, b).result
    distance = math.AbsFOp(arith.SubFOp(a, b).result).result
    return arith.SelectOp(same, number(a.type, 0.0), distance).result


def _scaled(distance: ir.Value, size: ir.Value) -> ir.Value:
    """A distance in terms of a size, which may be 0 where there is no distance."""
    zero = number(distance.type, 0.0)
    none = arith.CmpFOp(arith.CmpFPredicate.OEQ, distance, zero).result
    return arith.SelectOp(none, zero, arith.DivFOp(distance, size).result).result


def largest(values: ir.Value) -> ir.Value:
    """The largest of numbers that are not negative; not a number if one of them is none."""
    if not is_array(values):
        return values
    width = dim(values, 0)
    if values.type.rank > 1:
        (values,), _ = map_(width, [values], [], lambda _, rows, __: ([largest(rows[0])], []))
    zero = number(values.type.element_type, 0.0)
    return reduce_(width, [values], [zero], lambda a, b: [arith.MaximumFOp(a[0], b[0]).result])[0]


def reported(is_right: ir.Value, error: ir.Value, message: str, tolerated: float) -> ir.Value:
    """Whether an error is small, told to the caller with the largest error of the call."""
    text = ir.StringAttr.get(message.replace("TOLERATED", f"{tolerated:g}"))
    return soac.ReportOp(is_right, error, is_right.type, message=text).result


def tolerance(type_: ir.Type) -> float:
    """The largest relative error of values of a type that counts as rounding."""
    return TOLERANCES.get(str(element_type(type_)), TOLERANCES["f64"])
