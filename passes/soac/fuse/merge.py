"""Two loops of the same width made into one."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.array_types import row_type
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.ir.array_loops import Combined, Loop


def merge(first: Loop, second: Loop, before: ir.OpView) -> ir.OpView:
    """One loop with the bodies of two, placed at `before`; elements of `first` that `second` reads pass as values.

    Both operators are gone afterwards. What `first` maps is kept only where something else still reads it.
    """
    kept = [result for result in first.mapped if _is_read_elsewhere(result, second.op)]
    inputs = list(dict.fromkeys([*first.inputs, *(array for array in second.inputs if array not in first.mapped)]))
    accs = [*first.accs, *(acc for acc in second.accs if acc not in first.acc_results)]
    made = _operator(first, second, inputs, accs, kept, before)
    block, lifted_first = _begin_lift(first, made, inputs, accs)
    elements = dict(zip([*inputs, *accs], list(block.arguments)[1:], strict=True))
    _bind(first, lifted_first, elements)
    lifted_second = _move_lift(second, elements, block)
    kept_rows = [elements[result] for result in kept]
    _yield(block, _in_order(first, second, lifted_first, lifted_second, kept_rows), made.location)
    if made.operation.name == "soac.fused":
        _combine_region(made.regions[1], first.reduced, second.reduced, made.location)
        _combine_region(made.regions[2], first.scanned, second.scanned, made.location)
    _replace(first, second, kept, made)
    return made


def _is_read_elsewhere(result: ir.Value, reader: ir.OpView) -> bool:
    return any(use.owner.operation != reader.operation for use in result.uses)


def _operator(
    first: Loop,
    second: Loop,
    inputs: Sequence[ir.Value],
    accs: Sequence[ir.Value],
    kept: Sequence[ir.Value],
    before: ir.OpView,
) -> ir.OpView:
    """The empty merged operator: a map when nothing is combined, else a fused one."""
    results = [
        *first.reduced.results,
        *second.reduced.results,
        *first.scanned.results,
        *second.scanned.results,
        *kept,
        *second.mapped,
        *_last_accs(first, second),
    ]
    reduced = [*first.reduced.neutral, *second.reduced.neutral]
    scanned = [*first.scanned.neutral, *second.scanned.neutral]
    combines = bool(reduced or scanned)
    groups = [[second.width], inputs, reduced, scanned] if combines else [[second.width], inputs, accs]
    sizes = ir.DenseI32ArrayAttr.get([len(group) for group in groups], before.context)
    return ir.Operation.create(
        "soac.fused" if combines else "soac.map",
        results=[result.type for result in results],
        operands=[value for group in groups for value in group],
        attributes={SEGMENTS: sizes},
        regions=3 if combines else 1,
        loc=ir.Location.fused([first.op.location, second.op.location], context=before.context),
        ip=ir.InsertionPoint(before),
    ).opview


def _last_accs(first: Loop, second: Loop) -> list[ir.Value]:
    """The last result of each accumulator, in the order in which the merged operator takes them."""
    carried_on = dict(zip(second.accs, second.acc_results, strict=True))
    last = [carried_on.pop(result, result) for result in first.acc_results]
    return [*last, *carried_on.values()]


def _begin_lift(
    first: Loop, made: ir.OpView, inputs: Sequence[ir.Value], accs: Sequence[ir.Value]
) -> tuple[ir.Block, list[ir.Value]]:
    """The merged body with that of the first loop in it, and its yielded values; kept in place
    where that is possible.
    """
    if first.lift is None or accs or first.inputs != list(inputs)[: len(first.inputs)]:
        block = _lift_block(made, inputs, accs)
        elements = dict(zip([*inputs, *accs], list(block.arguments)[1:], strict=True))
        return block, _move_lift(first, elements, block)
    block = first.body
    block.append_to(made.regions[0])
    for array in inputs[len(first.inputs) :]:
        block.add_argument(row_type(array.type), made.location)
    last = block.operations[-1]
    lifted = list(last.operands)
    last.operation.erase()
    return block, lifted


def _lift_block(made: ir.OpView, inputs: Sequence[ir.Value], accs: Sequence[ir.Value]) -> ir.Block:
    types = [
        ir.IndexType.get(made.context),
        *(row_type(array.type) for array in inputs),
        *(acc.type for acc in accs),
    ]
    return made.regions[0].blocks.append(*types, arg_locs=[made.location] * len(types))


def _move_lift(loop: Loop, elements: dict[ir.Value, ir.Value], block: ir.Block) -> list[ir.Value]:
    """Moves a lift body to the end of the merged one; gives its yielded values."""
    operands = [elements[value] for value in (*loop.inputs, *loop.accs)]
    if loop.lift is None:
        return operands
    return _move_body(loop.body, [block.arguments[0], *operands], block)


def _move_body(source: ir.Block, arguments: Sequence[ir.Value], target: ir.Block) -> list[ir.Value]:
    for old, new in zip(source.arguments, arguments, strict=True):
        old.replace_all_uses_with(new)
    *body, last = list(source.operations)
    for op in body:
        target.append(op.operation)
    return list(last.operands)


def _bind(loop: Loop, lifted: Sequence[ir.Value], elements: dict[ir.Value, ir.Value]) -> None:
    """Records the value in the body of the first loop for each of its mapped and accumulated results."""
    skipped = len(loop.reduced.results) + len(loop.scanned.results)
    elements.update(zip([*loop.mapped, *loop.acc_results], lifted[skipped:], strict=True))


def _in_order(
    first: Loop, second: Loop, lifted_first: list[ir.Value], lifted_second: list[ir.Value], kept_rows: list[ir.Value]
) -> list[ir.Value]:
    """The yielded values in the order of the merged operator's results."""
    r1, s1 = len(first.reduced.results), len(first.scanned.results)
    r2, s2 = len(second.reduced.results), len(second.scanned.results)
    m1, m2 = r1 + s1 + len(first.mapped), r2 + s2 + len(second.mapped)
    summed = dict(zip([*first.acc_results, *second.acc_results], lifted_first[m1:] + lifted_second[m2:], strict=True))
    return [
        *lifted_first[:r1],
        *lifted_second[:r2],
        *lifted_first[r1 : r1 + s1],
        *lifted_second[r2 : r2 + s2],
        *kept_rows,
        *lifted_second[r2 + s2 : m2],
        *(summed[result] for result in _last_accs(first, second)),
    ]


def _yield(block: ir.Block, values: Sequence[ir.Value], location: ir.Location) -> None:
    ir.Operation.create("soac.yield", operands=list(values), loc=location, ip=ir.InsertionPoint(block))


def _combine_region(region: ir.Region, first: Combined, second: Combined, location: ir.Location) -> None:
    """The operator on pairs of both operands: the only one there is, or both side by side."""
    parts = [part for part in (first, second) if part.region is not None]
    if len(parts) == 1:
        parts[0].block.append_to(region)
    if len(parts) != 2:
        return
    types = [value.type for part in parts for value in part.neutral] * 2
    block = region.blocks.append(*types, arg_locs=[location] * len(types))
    split, total = len(first.neutral), len(types) // 2
    left, right = list(block.arguments)[:total], list(block.arguments)[total:]
    combined = _move_body(first.block, [*left[:split], *right[:split]], block)
    combined += _move_body(second.block, [*left[split:], *right[split:]], block)
    _yield(block, combined, location)


def _replace(first: Loop, second: Loop, kept: Sequence[ir.Value], made: ir.OpView) -> None:
    old = [
        *first.reduced.results,
        *second.reduced.results,
        *first.scanned.results,
        *second.scanned.results,
        *kept,
        *second.mapped,
        *_last_accs(first, second),
    ]
    for result, new in zip(old, list(made.results), strict=True):
        result.replace_all_uses_with(new)
    second.op.operation.erase()
    first.op.operation.erase()
