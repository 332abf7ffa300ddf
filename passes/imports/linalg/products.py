"""Sums of products of two operands, in the form that `a @ b` has: rows by rows of the transposed second operand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.imports.emit.layout import transposed
from tapeless.passes.imports.linalg.arrays import reshaped
from tapeless.passes.imports.linalg.bodies import Combination
from tapeless.passes.imports.linalg.space import Operand, Space
from tapeless.passes.imports.linalg.structured_nests import StructuredNest
from tapeless.passes.ir.build import dim, flags, is_array, mapped, number, reduce_

PRODUCTS = {"arith.addf": "arith.mulf", "arith.addi": "arith.muli"}


def product(nest: StructuredNest, order: Sequence[int], combinations: Sequence[Combination]) -> ir.Value | None:
    """The sums of products that a nest computes along dimensions; None if it computes something else."""
    factors = _factors(nest, combinations)
    if factors is None:
        return None
    space, (left, right) = nest.space, factors
    shared = [each for each in order if each in left.dims and each in right.dims]
    if _columns(space, right, order) > _columns(space, left, order) and not _is_in_order(left, right, shared, order):
        left, right = right, left
    if _is_in_order(right, left, shared, order):
        left, right = right, left
    rows = [each for each in order if each in left.dims and each not in shared]
    columns = [each for each in order if each in right.dims and each not in shared]
    singles = [[each] for each in shared]
    larger = max(left, right, key=lambda each: _columns(space, each, each.dims))
    summed = [each for each in larger.dims if each in space.reduced]
    a = left.joined(space, [*singles, rows, summed])
    b = right.joined(space, [*singles, columns, summed])
    made = [*shared, *rows, *columns]
    result = _stacked(a, b, len(shared), combinations[0])
    return transposed(reshaped(result, space.along(made)), [made.index(each) for each in order]) if made else result


def _factors(nest: StructuredNest, combinations: Sequence[Combination]) -> tuple[Operand, Operand] | None:
    """The operands whose product is summed up, if that is all."""
    combination, space = combinations[0], nest.space
    term = combination.term
    if len(combinations) > 1 or isinstance(term, ir.BlockArgument) or len(nest.body.operations()) != 2:
        return None
    op = term.owner.operation
    if op.name != PRODUCTS.get(combination.operator.name) or not all(each in nest.operands for each in op.operands):
        return None
    left, right = (nest.operands[each] for each in op.operands)
    have_all = all(set(space.reduced) <= set(each.dims) for each in (left, right))
    return (left, right) if have_all and {*left.dims, *right.dims} >= set(space.parallel) else None


def _columns(space: Space, operand: Operand, order: Sequence[int]) -> int:
    """How many columns an operand would give, as far as it is known."""
    sizes = space.along([each for each in order if each in operand.dims])
    return math.prod(size if isinstance(size, int) else 64 for size in sizes)


def _is_in_order(left: Operand, right: Operand, shared: Sequence[int], order: Sequence[int]) -> bool:
    rows = [each for each in order if each in left.dims and each not in shared]
    columns = [each for each in order if each in right.dims and each not in shared]
    return [*shared, *rows, *columns] == list(order)


def _stacked(left: ir.Value, right: ir.Value, stacks: int, combination: Combination) -> ir.Value:
    if stacks:
        return mapped(dim(left, 0), [left, right], lambda a, b: _stacked(a, b, stacks - 1, combination))
    if left.type.rank > 1:
        return mapped(dim(left, 0), [left], lambda row: _stacked(row, right, 0, combination))
    if right.type.rank > 1:
        return mapped(dim(right, 0), [right], lambda column: _stacked(left, column, 0, combination))
    return _inner(left, right, combination)


def _inner(left: ir.Value, right: ir.Value, combination: Combination) -> ir.Value:
    operator = combination.operator
    name = PRODUCTS[operator.name]

    def times(a: ir.Value, b: ir.Value) -> ir.Value:
        attributes = {"fastmath": flags()} if name.endswith("f") else {}
        return ir.Operation.create(name, [operator.type], [a, b], attributes).result

    assert is_array(left)
    terms = mapped(dim(left, 0), [left, right], times)
    zero = number(operator.type, 0)
    return reduce_(dim(left, 0), [terms], [zero], lambda a, b: [operator.combined(a[0], b[0])])[0]
