"""Scans of a piece by vectors.

Note [Prefixes in lanes]: a vector of elements becomes that of its prefixes in log2(lanes) steps, each of which combines
every lane with one further to the left:

```
a          b          c          d
a          ab         bc         cd          one to the left
a          ab         abc        abcd        two to the left
```
A running value, the same in all lanes, then joins from the left, and the last lane joins the running value: a vector
waits for the one before it only as long as one operator takes.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.scans.lane_memory import load_lanes, store_lanes
from tapeless.passes.lower.scans.scan_steps import Scan, extreme_or_first


@dataclass(frozen=True)
class Chain:
    """Running values and where they start; those that `stores` leave every prefix in the results."""

    starts: Sequence[ir.Value]
    stores: bool = False


def walk(scan: Scan, low: Index, high: Index, chains: Sequence[Chain], lanes: int) -> list[list[ir.Value]]:
    """Takes the steps [low, high) of a scan in all chains: vectors, then the rest one by one; gives where they end."""
    builder = scan.emitter.builder
    count = builder.arith("arith.divui", builder.sub(high, low), lanes)
    whole = builder.add(low, builder.mul(count, lanes))
    starts = [_in_all_lanes(scan, value, lanes) for chain in chains for value in chain.starts]
    loop = builder.begin_for(low, whole, lanes, starts)
    end_region(scan.emitter, _vector_step(scan, loop.variable, _split(loop.carried, chains), chains, lanes))
    scan.emitter.forget(scan.node)
    reached = [_lane(scan, value, 0) for value in loop.op.results]
    return _walk_rest(scan, whole, high, chains, reached)


def _walk_rest(
    scan: Scan, low: Index, high: Index, chains: Sequence[Chain], starts: Sequence[ir.Value]
) -> list[list[ir.Value]]:
    loop = scan.emitter.builder.begin_for(low, high, starts=starts)
    following: list[ir.Value] = []
    for chain, running in zip(chains, _split(loop.carried, chains), strict=True):
        if chain.stores:
            following += scalars(scan.advance(running, loop.variable, running))
        else:
            following += scalars(scan.join(running, scan.elements(loop.variable), running))
        scan.emitter.forget(scan.node)
    end_region(scan.emitter, following)
    return _split(list(loop.op.results), chains)


def _vector_step(
    scan: Scan, step: Index, carried: Sequence[list[ir.Value]], chains: Sequence[Chain], lanes: int
) -> list[ir.Value]:
    elements = [load_lanes(scan, view, step, lanes) for view in scan.inputs]
    prefixes = _prefixes(scan, elements, lanes)
    last = [_shuffle(scan, value, value, [lanes - 1] * lanes) for value in prefixes]
    following: list[ir.Value] = []
    for chain, running in zip(chains, carried, strict=True):
        if chain.stores:
            _store_prefixes(scan, step, running, _join(scan, running, prefixes, lanes), lanes)
        following += _join(scan, running, last, lanes)
    return following


def _prefixes(scan: Scan, values: list[ir.Value], lanes: int) -> list[ir.Value]:
    """What the lanes up to each one combine to: see Note [Prefixes in lanes]."""
    distance = 1
    while distance < lanes:
        sources = [max(lane - distance, 0) for lane in range(lanes)]
        joined = _join(scan, [_shuffle(scan, value, value, sources) for value in values], values, lanes)
        kept = [lane if lane < distance else lanes + lane for lane in range(lanes)]
        values = [_shuffle(scan, old, new, kept) for old, new in zip(values, joined, strict=True)]
        distance *= 2
    return values


def _store_prefixes(
    scan: Scan, step: Index, running: Sequence[ir.Value], prefixes: Sequence[ir.Value], lanes: int
) -> None:
    before = [lanes - 1, *range(lanes, 2 * lanes - 1)]
    for target, start, value in zip(scan.targets, running, prefixes, strict=True):
        if target is not None:
            stored = _shuffle(scan, start, value, before) if scan.exclusive else value
            store_lanes(scan, stored, target, step, lanes)


def _join(scan: Scan, running: Sequence[ir.Value], values: Sequence[ir.Value], lanes: int) -> list[ir.Value]:
    """The operator in every lane, on operands in array order."""
    emitter, node = scan.emitter, scan.node
    operands = [*values, *running] if scan.backwards else [*running, *values]
    if scan.extreme is not None:
        return [extreme_or_first(emitter.builder, scan.extreme, *operands)]
    known = dict(zip(node.arguments(), operands, strict=True))
    *operations, last = node.regions[0]

    def in_lanes(value: ir.Value) -> ir.Value:
        return known[value] if value in known else _in_all_lanes(scan, emitter.scalar(value), lanes)

    for inner in operations:
        if inner.name == "arith.constant":
            continue
        attributes = {name: inner.op.attributes[name] for name in inner.op.attributes}
        types = [ir.VectorType.get([lanes], result.type) for result in inner.results]
        made = emitter.builder.create(inner.name, types, [in_lanes(value) for value in inner.operands], attributes)
        known.update(zip(inner.results, made.results, strict=True))
    return [in_lanes(value) for value in last.operands]


def lanes_for(values: Sequence[ir.Value], vector_bits: int) -> int:
    """As many lanes as the widest value leaves room for in a vector."""
    narrow = all(isinstance(value.type, ir.F32Type) or _bits(value.type) <= 32 for value in values)
    return vector_bits // (32 if narrow else 64)


def _bits(type_: ir.Type) -> int:
    return type_.width if isinstance(type_, ir.IntegerType) else 64


def _split(values: Sequence[ir.Value], chains: Sequence[Chain]) -> list[list[ir.Value]]:
    """The values of each chain."""
    count = len(chains[0].starts)
    return [list(values[count * number : count * (number + 1)]) for number in range(len(chains))]


def _in_all_lanes(scan: Scan, value: ir.Value, lanes: int) -> ir.Value:
    """A vector made here: what threads share are scalars and arrays."""
    return scan.emitter.builder.value("vector.broadcast", ir.VectorType.get([lanes], value.type), [value])


def _shuffle(scan: Scan, first: ir.Value, second: ir.Value, sources: Sequence[int]) -> ir.Value:
    return scan.emitter.builder.value(
        "vector.shuffle", first.type, [first, second], mask=ir.DenseI64ArrayAttr.get(sources)
    )


def _lane(scan: Scan, value: ir.Value, number: int) -> ir.Value:
    position = ir.DenseI64ArrayAttr.get([number])
    element = ir.VectorType(value.type).element_type
    return scan.emitter.builder.value("vector.extract", element, [value], static_position=position)
