"""Operators whose operands may change places: single operations, and what only compares and chooses, tried out.

What such an operator gives depends on which of its operands are smaller, equal or not numbers, and there are few cases:
the smallest of floats with its first place is the same in whichever order two of them come.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from tapeless._mlir import arith, ir
from tapeless.passes.lower.schedule.bodies import is_any_order
from tapeless.passes.lower.storage.tree import Node

# How many cases are tried.
MOST_CASES = 1000
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}

Values = dict[ir.Value, Any]


class Unknown(Exception):
    """An operation that does more than to compare and choose."""


def combines_freely(node: Node, region: int) -> bool:
    """Whether the operands of a region that combines may change places, for every component."""
    count = len(node.regions[region][-1].operands)
    return all(is_any_order(node, region, k) or _is_symmetric(node, region, k) for k in range(count))


def _is_symmetric(node: Node, region: int, number: int) -> bool:
    """Whether a component that only compares and chooses is the same for all operands and with these exchanged."""
    result, arguments = node.regions[region][-1].operands[number], node.arguments(region)
    count = len(arguments) // 2
    makers = {value: inner for inner in node.regions[region][:-1] for value in inner.results}
    used = sorted({arguments.index(each) % count for each in _leaves(result, makers) if each in arguments})
    domains = [_numbers_like(arguments[k].type, [arguments[each].type for each in used]) for k in used]
    if not used or math.prod(len(domain) ** 2 for domain in domains) > MOST_CASES:
        return False
    try:
        return all(_is_same(*results) for results in _tried(result, makers, arguments, used, domains))
    except Unknown:
        return False


def _numbers_like(type_: ir.Type, used: list[ir.Type]) -> list[Any]:
    """Numbers with which all operands of a type, two for each component of it, can be in all orders."""
    if str(type_) == "i1":
        return [False, True]
    levels = [float(level) for level in range(2 * used.count(type_))]
    return [math.nan, *levels] if isinstance(type_, ir.F32Type | ir.F64Type) else levels


def _tried(
    result: ir.Value,
    makers: dict[ir.Value, Node],
    arguments: list[ir.Value],
    used: list[int],
    domains: list[list[Any]],
) -> Iterator[tuple[Any, Any]]:
    """What a result is for all operands, in both orders."""
    count = len(arguments) // 2
    for case in product(*(product(domain, repeat=2) for domain in domains)):
        given: list[Values] = [{}, {}]
        for k, pair in zip(used, case, strict=True):
            given[0] |= {arguments[k]: pair[0], arguments[count + k]: pair[1]}
            given[1] |= {arguments[k]: pair[1], arguments[count + k]: pair[0]}
        yield evaluated(result, makers, given[0]), evaluated(result, makers, given[1])


def _leaves(value: ir.Value, makers: dict[ir.Value, Node]) -> set[ir.Value]:
    """What a value is made of that is made elsewhere."""
    if value not in makers:
        return {value}
    return {leaf for operand in makers[value].operands for leaf in _leaves(operand, makers)}


def evaluated(value: ir.Value, makers: dict[ir.Value, Node], known: Values) -> Any:
    """A value for these operands; constants stand for themselves, and may not be compared."""
    if value not in known:
        if value in makers:
            maker = makers[value]
            if maker.name not in OPERATIONS:
                raise Unknown
            operands = [evaluated(operand, makers, known) for operand in maker.operands]
            known[value] = OPERATIONS[maker.name](maker.op, *operands)
        else:
            known[value] = _constant(value)
    return known[value]


def _constant(value: ir.Value) -> Any:
    is_bit = not isinstance(value.owner, ir.Block) and str(value.type) == "i1"
    if is_bit and value.owner.operation.name == "arith.constant":
        return bool(ir.IntegerAttr(value.owner.operation.attributes["value"]).value)
    return value


def _is_same(left: Any, right: Any) -> bool:
    if isinstance(left, ir.Value) or isinstance(right, ir.Value):
        return left is right or left == right
    return left == right or (left != left and right != right)


def _numbers(*values: Any) -> None:
    """Constants are in no order with operands."""
    if any(isinstance(value, ir.Value) for value in values):
        raise Unknown


def _compared_floats(op: ir.OpView, left: Any, right: Any) -> bool:
    _numbers(left, right)
    name = arith.CmpFPredicate(ir.IntegerAttr(op.attributes["predicate"]).value).name.lower()
    is_unordered = left != left or right != right
    if name in ("ord", "uno"):
        return is_unordered == (name == "uno")
    if name[1:] not in COMPARISONS:
        raise Unknown
    return name[0] == "u" if is_unordered else COMPARISONS[name[1:]](left, right)


def _compared_integers(op: ir.OpView, left: Any, right: Any) -> bool:
    _numbers(left, right)
    name = arith.CmpIPredicate(ir.IntegerAttr(op.attributes["predicate"]).value).name.lower()
    if name.removeprefix("s") not in COMPARISONS:
        raise Unknown
    return COMPARISONS[name.removeprefix("s")](left, right)


def _chosen(op: ir.OpView, condition: Any, one: Any, other: Any) -> Any:
    _numbers(condition)
    return one if condition else other


def _extreme(choose: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def evaluate(op: ir.OpView, left: Any, right: Any) -> Any:
        _numbers(left, right)
        return math.nan if left != left or right != right else choose(left, right)

    return evaluate


def _of_bits(combine: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def evaluate(op: ir.OpView, left: Any, right: Any) -> Any:
        if not isinstance(left, bool) or not isinstance(right, bool):
            raise Unknown
        return combine(left, right)

    return evaluate


def _is_nan(op: ir.OpView, value: Any) -> bool:
    _numbers(value)
    return value != value


OPERATIONS: dict[str, Callable[..., Any]] = {
    "arith.cmpf": _compared_floats,
    "arith.cmpi": _compared_integers,
    "arith.select": _chosen,
    "arith.minimumf": _extreme(min),
    "arith.maximumf": _extreme(max),
    "arith.minsi": _extreme(min),
    "arith.maxsi": _extreme(max),
    "arith.andi": _of_bits(operator.and_),
    "arith.ori": _of_bits(operator.or_),
    "arith.xori": _of_bits(operator.xor),
    "math.isnan": _is_nan,
}
