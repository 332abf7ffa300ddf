"""Rules of branches, calls and loops."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.imports.emit.gather import as_index
from tapeless.passes.imports.emit.lazy import Value, in_memory
from tapeless.passes.imports.emit.regions import branched, counted, repeated
from tapeless.passes.imports.emit.scalars import equals
from tapeless.passes.imports.stablehlo.counters import Counter, counter_of, unchanged
from tapeless.passes.imports.stablehlo.translator import Rule, Translator, core_type, typed
from tapeless.passes.ir.build import index, number

Values = Sequence[Value]


def _case(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """The branch with the number of the operand, and the last one for all numbers that no branch has."""
    return list(_branch(t, op, in_memory(operands[0]), 0))


def _branch(t: Translator, op: ir.Operation, number_: ir.Value, first: int) -> list[ir.Value]:
    if first == len(op.regions) - 1:
        return _values(t, op, op.regions[first])
    types = [core_type(result.type) for result in op.results]
    return branched(
        equals(number_, first),
        types,
        lambda: _values(t, op, op.regions[first]),
        lambda: _branch(t, op, number_, first + 1),
    )


def _if(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    types = [core_type(result.type) for result in op.results]
    sides = (lambda: _values(t, op, op.regions[0]), lambda: _values(t, op, op.regions[1]))
    return list(branched(in_memory(operands[0]), types, *sides))


def _values(t: Translator, op: ir.Operation, region: ir.Region) -> list[ir.Value]:
    return [typed(value, result.type) for value, result in zip(t.region(region, []), op.results, strict=True)]


def _call(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return t.call(op, ir.FlatSymbolRefAttr(op.attributes["callee"]).value, operands)


def _while(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    """A loop that counts becomes `scf.for`; loop-invariant values are read from outside."""
    fixed = unchanged(op)
    for region in op.regions:
        t.scope.sizes.update(
            {region.blocks[0].arguments[k]: size for k in fixed if (size := t.scope.sizes.get(op.operands[k]))}
        )
    counter = counter_of(t, op, fixed)
    return _repeated(t, op, operands, fixed) if counter is None else _counted(t, op, operands, fixed, counter)


def _repeated(t: Translator, op: ir.Operation, operands: Values, fixed: set[int]) -> list[Value]:
    moving = [k for k in range(len(operands)) if k not in fixed]
    limits = [t.bounds_of(each) if k in fixed else None for k, each in enumerate(op.operands)]

    def arguments(state: Sequence[ir.Value]) -> list[Value]:
        return _filled(operands, moving, state)

    ends = repeated(
        _chosen(op, operands, moving),
        lambda state: in_memory(t.region(op.regions[0], arguments(state), limits)[0]),
        lambda state: _chosen(op, t.region(op.regions[1], arguments(state), limits), moving),
    )
    return _filled(operands, moving, ends)


def _chosen(op: ir.Operation, values: Values, positions: Sequence[int]) -> list[ir.Value]:
    """The values of a loop that it carries, with the types that it carries them in."""
    return [typed(values[k], op.results[k].type) for k in positions]


def _filled(operands: Values, positions: Sequence[int], values: Values) -> list[Value]:
    """The operands with others at some positions."""
    found = list(operands)
    for position, value in zip(positions, values, strict=True):
        found[position] = value
    return found


def _counted(t: Translator, op: ir.Operation, operands: Values, fixed: set[int], counter: Counter) -> list[Value]:
    moving = [k for k in range(len(operands)) if k not in fixed and k != counter.position]
    start = in_memory(operands[counter.position])
    kind, step = start.type, index(counter.step)
    first, trips = _bounds(start, counter)
    limits = [t.bounds_of(each) if k in fixed else None for k, each in enumerate(op.operands)]
    limits[counter.position] = counter.inside
    below = {counter.position: as_index(counter.stop)} if counter.is_plain else {}

    def body(position: ir.Value, state: Sequence[ir.Value]) -> list[ir.Value]:
        count = arith.IndexCastOp(kind, position).result
        if not counter.is_plain:
            count = arith.AddIOp(start, arith.MulIOp(count, number(kind, counter.step)).result).result
        values = _filled(operands, [*moving, counter.position], [*state, count])
        return _chosen(op, t.region(op.regions[1], values, limits, below), moving)

    by = step if counter.is_plain else index(1)
    ends = counted(first, trips, by, _chosen(op, operands, moving), body)
    last = [_last(start, counter)] if list(op.results[counter.position].uses) else [start]
    return _filled(operands, [*moving, counter.position], [*ends, *last])


def _bounds(start: ir.Value, counter: Counter) -> tuple[ir.Value, ir.Value]:
    """Where `scf.for` begins and ends: as the loop itself counts if that begins at a constant, else from 0."""
    if counter.is_plain:
        return as_index(start), as_index(counter.stop)
    return index(0), arith.IndexCastOp(ir.IndexType.get(), _trips(start, counter)).result


def _trips(start: ir.Value, counter: Counter) -> ir.Value:
    """How many iterations there are."""
    kind = start.type
    room = arith.SubIOp(counter.stop, start).result
    rounded = arith.AddIOp(room, number(kind, counter.step - 1)).result
    trips = arith.DivSIOp(rounded, number(kind, counter.step)).result
    return arith.MaxSIOp(trips, number(kind, 0)).result


def _last(start: ir.Value, counter: Counter) -> ir.Value:
    """The counter behind the loop."""
    if counter.step == 1:
        return arith.MaxSIOp(start, counter.stop).result
    trips = arith.MulIOp(_trips(start, counter), number(start.type, counter.step)).result
    return arith.AddIOp(start, trips).result


def _identity(t: Translator, op: ir.Operation, operands: Values) -> list[Value]:
    return list(operands)


RULES: dict[str, Rule] = {
    "stablehlo.case": Rule(_case),
    "stablehlo.if": Rule(_if),
    "stablehlo.while": Rule(_while),
    "stablehlo.optimization_barrier": Rule(_identity),
    "func.call": Rule(_call),
}
