"""The rule of `linalg.generic`, which all named operations of linalg are brought to first."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit.layout import transposed
from tapeless.passes.imports.linalg.arrays import constant_splat, reshaped, splat, with_type
from tapeless.passes.imports.linalg.bodies import Body, Combination, is_read
from tapeless.passes.imports.linalg.indexing_maps import maps_of
from tapeless.passes.imports.linalg.products import product
from tapeless.passes.imports.linalg.rebuild import Rebuild, core_type
from tapeless.passes.imports.linalg.scans import Source, scan
from tapeless.passes.imports.linalg.space import Map, Operand, Space, operand_of, space_of
from tapeless.passes.imports.linalg.structured_nests import StructuredNest
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.ir.build import elementwise, is_array


def generic(rebuild: Rebuild, op: ir.Operation, operands: Sequence[ir.Value]) -> list[ir.Value]:
    """The results of a structured operation."""
    maps, body = maps_of(op), Body.of(op)
    space = space_of(op, maps, operands)
    orders = [_order(op, map_, space) for map_ in maps[len(body.inputs) :]]
    combinations = body.combinations() if space.reduced else None
    found = _running(rebuild, op, Source(body, space, maps), orders[0], combinations)
    if found is None:
        nest = StructuredNest(rebuild, body, space, _read(body, maps, operands, space, combinations))
        found = _results(nest, orders, combinations)
    starts = operands[len(body.inputs) :]
    if combinations is not None:
        pairs = zip(found, combinations, starts, maps[len(body.inputs) :], strict=True)
        found = [_with_start(value, each, start, map_, space) for value, each, start, map_ in pairs]
    return [
        _shaped(value, order, map_, space, core_type(result.type))
        for value, order, map_, result in zip(found, orders, maps[len(body.inputs) :], op.results, strict=True)
    ]


def _order(op: ir.Operation, map_: Map, space: Space) -> list[int]:
    """The dimensions along which the axes of a result run."""
    dims = [expression.dimension for expression in map_ if expression.terms]
    order = [each for each in dims if each is not None]
    if len(order) != len(dims) or sorted(order) != sorted(space.parallel):
        refuse(op, "has a result that is not one element for each parallel iteration; give an identity or a transpose")
    return order


def _read(
    body: Body,
    maps: Sequence[Map],
    operands: Sequence[ir.Value],
    space: Space,
    combinations: Sequence[Combination] | None,
) -> dict[ir.Value, Operand]:
    """The operands that the body reads; in loops, results begin with their old values, read or not."""
    is_loop = bool(space.reduced) and combinations is None
    found = {}
    for argument, map_, value in zip(body.block.arguments, maps, operands, strict=True):
        is_start = argument in body.outs
        if (is_start and is_loop) or (is_read(argument) and not (is_start and combinations is not None)):
            found[argument] = operand_of(value, map_, space)
    return found


def _results(
    nest: StructuredNest, orders: Sequence[list[int]], combinations: Sequence[Combination] | None
) -> list[ir.Value]:
    """The results along their dimensions."""
    first = orders[0]
    if not nest.space.reduced:
        made = _filled(nest, first) or nest.each(first)
    elif combinations is None:
        made = nest.looped(first)
    elif (alone := product(nest, first, combinations)) is not None:
        made = [alone]
    else:
        made = nest.reduced(first, combinations)
    return [
        transposed(value, [first.index(each) for each in order]) if order else value
        for value, order in zip(made, orders, strict=True)
    ]


def _running(
    rebuild: Rebuild,
    op: ir.Operation,
    source: Source,
    order: Sequence[int],
    combinations: Sequence[Combination] | None,
) -> list[ir.Value] | None:
    """Running results of the only operand that is read; None for all others."""
    body = source.body
    read = [position for position, argument in enumerate(body.inputs) if is_read(argument)]
    if combinations is None or len(read) != 1 or len(body.operations()) != 1:
        return None
    alone = scan(rebuild, source, order, combinations[0], op.operands[read[0]], source.maps[read[0]])
    return None if alone is None else [alone]


def _filled(nest: StructuredNest, order: Sequence[int]) -> list[ir.Value] | None:
    """Results that are one number, or an operand as it is; None if they are something else."""
    if nest.body.operations() or len(nest.body.yielded) != 1:
        return None
    value = nest.body.yielded[0]
    if value not in nest.operands:
        return [splat(nest.rebuild.values[value], nest.space.along(order))] if value in nest.rebuild.values else None
    operand = nest.operands[value]
    if not operand.dims:
        return [splat(operand.value, nest.space.along(order))]
    return [operand.arranged(order).value] if len(operand.dims) == len(order) else None


def _with_start(value: ir.Value, combination: Combination, start: ir.Value, map_: Map, space: Space) -> ir.Value:
    """A result combined with its initial value, unless that changes nothing."""
    operator, alone = combination.operator, constant_splat(start)
    if alone is None:
        return elementwise(operator.combined, operand_of(start, map_, space).value, value)
    return value if operator.is_neutral(alone) else elementwise(lambda each: operator.combined(alone, each), value)


def _shaped(value: ir.Value, order: Sequence[int], map_: Map, space: Space, type_: ir.Type) -> ir.Value:
    """A result with its axes of size 1, and the type that the source says."""
    if len(order) < len(map_):
        sizes = [1 if not each.terms else space.sizes[next(iter(each.terms))] for each in map_]
        value = reshaped(value, sizes)
    return with_type(value, type_) if is_array(value) else value
