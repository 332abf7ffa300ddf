"""The import of core IR: how each operation of a region is raised to expressions.

Comparisons of floats keep what they say of NaN: ordered ones are those of the graph, unordered ones their negations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.phi.exchange.expressions import merged
from tapeless.passes.phi.exchange.read import Reader, Reading
from tapeless.passes.phi.graph.branches import compare, connect, gamma, negation
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, ZERO, number

UNARY = {
    "math.absf": "abs",
    **{
        f"math.{name}": name
        for name in (
            *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "rsqrt", "cbrt"),
            *("sin", "cos", "tan", "asin", "acos", "atan"),
            *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
            *("erf", "erfc", "floor", "ceil", "trunc", "round", "roundeven"),
        )
    },
}
BINARY = {
    "math.powf": "pow",
    "math.atan2": "atan2",
    "math.copysign": "copysign",
    "arith.maximumf": "max",
    "arith.minimumf": "min",
    "arith.maxnumf": "maxnum",
    "arith.minnumf": "minnum",
    "arith.remf": "rem",
}
CONNECTIVES = {"arith.andi": "and", "arith.ori": "or", "arith.xori": "xor"}


def _constant(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    value, type_ = op.operation.attributes["value"], op.operation.results[0].type
    if isinstance(value, ir.BoolAttr):
        return [reading.graph.constant(int(value.value), str(type_))]
    plain = value.value if isinstance(value, ir.FloatAttr) else ir.IntegerAttr(value).value
    return [reading.graph.constant(number(plain), str(type_))]


def _linear(*factors: int) -> Reader:
    """A sum of the operands with these signs."""

    def read(reading: Reading, op: ir.OpView) -> Sequence[Node]:
        nodes = reading.nodes(op.operation.operands)
        signs = [ONE if factor > 0 else MINUS_ONE for factor in factors]
        return [reading.total(list(zip(signs, nodes, strict=True)), ZERO, nodes[0].type)]

    return read


def _product(*exponents: object) -> Reader:
    """A product of the operands to these exponents."""

    def read(reading: Reading, op: ir.OpView) -> Sequence[Node]:
        nodes = reading.nodes(op.operation.operands)
        return [reading.product(ONE, list(zip(nodes, exponents, strict=True)), nodes[0].type)]  # type: ignore[arg-type]

    return read


def _function(name: str) -> Reader:
    def read(reading: Reading, op: ir.OpView) -> Sequence[Node]:
        nodes = reading.nodes(op.operation.operands)
        return [reading.same("function", nodes[0].type, nodes, [name])]

    return read


def _named_function(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return _function(op.function.value)(reading, op)


def _select(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [gamma(reading.graph, *reading.nodes(op.operation.operands))]


def _if(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return merged(reading, reading.node(op.operation.operands[0]), op)


def _connective(name: str) -> Reader:
    def read(reading: Reading, op: ir.OpView) -> Sequence[Node]:
        a, b = reading.nodes(op.operation.operands)
        assert a.type == "i1"
        return [connect(reading.graph, name, a, b)]

    return read


def _unequal(g: Graph, a: Node, b: Node) -> Node:
    return connect(g, "or", compare(g, "lt", a, b), compare(g, "gt", a, b))


def _ordered(g: Graph, a: Node, b: Node) -> Node:
    return connect(g, "and", compare(g, "eq", a, a), compare(g, "eq", b, b))


def _holds(predicate: str) -> Callable[[Graph, Node, Node], Node]:
    return lambda g, a, b: compare(g, predicate, a, b)


def _unless(test: Callable[[Graph, Node, Node], Node]) -> Callable[[Graph, Node, Node], Node]:
    return lambda g, a, b: negation(g, test(g, a, b))


FLOAT_TESTS: dict[arith.CmpFPredicate, Callable[[Graph, Node, Node], Node]] = {
    arith.CmpFPredicate.OEQ: _holds("eq"),
    arith.CmpFPredicate.OLT: _holds("lt"),
    arith.CmpFPredicate.OLE: _holds("le"),
    arith.CmpFPredicate.OGT: _holds("gt"),
    arith.CmpFPredicate.OGE: _holds("ge"),
    arith.CmpFPredicate.ONE: _unequal,
    arith.CmpFPredicate.ORD: _ordered,
    arith.CmpFPredicate.UEQ: _unless(_unequal),
    arith.CmpFPredicate.UNE: _holds("ne"),
    arith.CmpFPredicate.ULT: _unless(_holds("ge")),
    arith.CmpFPredicate.ULE: _unless(_holds("gt")),
    arith.CmpFPredicate.UGT: _unless(_holds("le")),
    arith.CmpFPredicate.UGE: _unless(_holds("lt")),
    arith.CmpFPredicate.UNO: _unless(_ordered),
}
INTEGER_TESTS = {
    arith.CmpIPredicate.eq: "eq",
    arith.CmpIPredicate.ne: "ne",
    arith.CmpIPredicate.slt: "lt",
    arith.CmpIPredicate.sle: "le",
    arith.CmpIPredicate.sgt: "gt",
    arith.CmpIPredicate.sge: "ge",
}


def _compare_floats(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    test = FLOAT_TESTS[arith.CmpFPredicate(ir.IntegerAttr(op.operation.attributes["predicate"]).value)]
    return [test(reading.graph, *reading.nodes(op.operation.operands))]


def _compare_integers(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    test = INTEGER_TESTS[arith.CmpIPredicate(ir.IntegerAttr(op.operation.attributes["predicate"]).value)]
    return [compare(reading.graph, test, *reading.nodes(op.operation.operands))]


def _element(reading: Reading, op: ir.OpView) -> Sequence[Node]:
    return [reading.same("element", str(op.operation.results[0].type), reading.nodes(op.operation.operands))]


CORE: dict[str, Reader] = {
    "arith.constant": _constant,
    "arith.addf": _linear(1, 1),
    "arith.subf": _linear(1, -1),
    "arith.negf": _linear(-1),
    "arith.mulf": _product(ONE, ONE),
    "arith.divf": _product(ONE, MINUS_ONE),
    "math.sqrt": _product(HALF),
    **{op: _function(name) for op, name in {**UNARY, **BINARY}.items()},
    "soac.fn": _named_function,
    "arith.addi": _linear(1, 1),
    "arith.subi": _linear(1, -1),
    "arith.muli": _product(ONE, ONE),
    "arith.cmpf": _compare_floats,
    "arith.cmpi": _compare_integers,
    **{op: _connective(name) for op, name in CONNECTIVES.items()},
    "arith.select": _select,
    "scf.if": _if,
    "tensor.extract": _element,
}


def can_read(op: ir.OpView) -> bool:
    """Whether an operation of core IR has an expression that means the same."""
    name = op.operation.name
    if name in CONNECTIVES or name in ("arith.addi", "arith.subi", "arith.muli"):
        is_bool = str(op.operation.results[0].type) == "i1"
        return is_bool == (name in CONNECTIVES)
    if name == "arith.cmpi":
        return arith.CmpIPredicate(ir.IntegerAttr(op.operation.attributes["predicate"]).value) in INTEGER_TESTS
    if name == "arith.cmpf":
        return arith.CmpFPredicate(ir.IntegerAttr(op.operation.attributes["predicate"]).value) in FLOAT_TESTS
    return name in CORE
