"""A graph written as operations of `phi` at the current insertion point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import phi
from tapeless.passes.phi.exchange.attributes import attribute_of, cast_value, list_of
from tapeless.passes.phi.exchange.captures import explicit
from tapeless.passes.phi.exchange.layout import Branch, Scope, laid_out
from tapeless.passes.phi.exchange.switches import Switch, switches, unwritten
from tapeless.passes.phi.graph.branches import is_lazy
from tapeless.passes.phi.graph.elementary import CAST
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, Number
from tapeless.passes.phi.graph.walk import inside

Writer = Callable[["Writing", Node], ir.Value]


@dataclass
class Writing:
    """The state of writing a graph: how kinds are written, and the value of every node so far.

    `scaled` are the products that are written together with the coefficient in front of them, `switches` the merges
    that are written together with those in their arms.
    """

    writers: Mapping[str, Writer]
    values: dict[Node, ir.Value]
    scaled: frozenset[Node]
    switches: Mapping[Node, Switch]
    within: frozenset[Node]

    def value(self, node: Node) -> ir.Value:
        """The value of a node."""
        return self.values[node]

    def of(self, nodes: Sequence[Node]) -> list[ir.Value]:
        """The values of nodes."""
        return [self.values[node] for node in nodes]

    def scope(self, scope: Scope) -> None:
        """Writes the code of one place."""
        for item in scope.items:
            if isinstance(item, Branch):
                self._branch(item)
            elif item not in self.scaled and item not in self.within:
                self.values[item] = self.writers[item.kind](self, item)

    def _branch(self, branch: Branch) -> None:
        types = [ir.Type.parse(merge.type) for merge in branch.merges]
        made = phi.GammaOp(self.value(branch.condition), [], types)
        for place, (region, arm) in enumerate(zip(made.operation.regions, branch.arms, strict=True)):
            with ir.InsertionPoint(ir.Block.create_at_start(region, [])):
                inner = Writing(self.writers, dict(self.values), self.scaled, self.switches, self.within)
                inner.scope(arm)
                phi.YieldOp(inner.of([merge.args[1 + place] for merge in branch.merges]))
        self.values.update(zip(branch.merges, made.outs, strict=True))


def written(writers: Mapping[str, Writer], roots: Sequence[Node], values: Mapping[Node, ir.Value]) -> list[ir.Value]:
    """Writes expressions at the insertion point; `values` has those of symbols and of whatever else is there."""
    roots, values = explicit(roots, values)
    nodes = inside(roots)
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    scaled = {node.args[0] for node in nodes if _is_scaled(node) and uses[node.args[0]] == 1}
    found = switches([node for node in nodes if node not in values])
    writing = Writing(writers, dict(values), frozenset(scaled - set(values)), found, unwritten(roots, found))
    writing.scope(laid_out(roots, is_lazy, values))
    return writing.of(roots)


def _is_scaled(node: Node) -> bool:
    """Whether a sum is a coefficient times a product."""
    return node.kind == "sum" and len(node.args) == 1 and node.constant == 0 and node.args[0].kind == "product"


def _constant(writing: Writing, node: Node) -> ir.Value:
    return phi.ConstOp(ir.Type.parse(node.type), attribute_of(node.constant)).out


def _sum(writing: Writing, node: Node) -> ir.Value:
    type_ = ir.Type.parse(node.type)
    if node.args and node.args[0] in writing.scaled:
        (product,) = node.args
        return _mono(writing, product, node.coefficients[0])
    coefficients, constant = list_of(node.coefficients), attribute_of(node.constant)
    return phi.LinOp(writing.of(node.args), type_, coefficients, constant).out


def _product(writing: Writing, node: Node) -> ir.Value:
    return _mono(writing, node, ONE)


def _mono(writing: Writing, node: Node, coefficient: Number) -> ir.Value:
    type_, exponents = ir.Type.parse(node.type), list_of(node.exponents)
    return phi.MonoOp(writing.of(node.args), type_, exponents, attribute_of(coefficient)).out


def _function(writing: Writing, node: Node) -> ir.Value:
    name, type_ = ir.StringAttr.get(node.name), ir.Type.parse(node.type)
    if node.name == CAST:
        return cast_value(writing.value(node.args[0]), type_)
    build = phi.FnOp if len(node.args) == 1 else phi.Fn2Op
    return build(*writing.of(node.args), type_, name).out


def _compare(writing: Writing, node: Node) -> ir.Value:
    return phi.CmpOp(*writing.of(node.args), ir.Type.parse("i1"), ir.StringAttr.get(node.name)).out


def _logic(writing: Writing, node: Node) -> ir.Value:
    return phi.LogicOp(writing.of(node.args), ir.Type.parse("i1"), ir.StringAttr.get(node.name)).out


def _gamma(writing: Writing, node: Node) -> ir.Value:
    switch = writing.switches.get(node)
    if switch is not None:
        return phi.SwitchOp(writing.value(switch.selector), writing.of(switch.arms), ir.Type.parse(node.type)).out
    condition, *arms = writing.of(node.args)
    return phi.GammaOp(condition, arms, [ir.Type.parse(node.type)]).outs[0]


def _element(writing: Writing, node: Node) -> ir.Value:
    array, *indices = writing.of(node.args)
    return phi.ElemOp(array, indices, ir.Type.parse(node.type)).out


def _barrier(writing: Writing, node: Node) -> ir.Value:
    return phi.BarrierOp(writing.value(node.args[0]), ir.Type.parse(node.type)).out


def _opaque(writing: Writing, node: Node) -> ir.Value:
    callee, *derivatives = (ir.FlatSymbolRefAttr.get(each) for each in node.data)
    types = [ir.Type.parse(node.type)]
    return phi.OpaqueOp(writing.of(node.args), types, callee, ir.ArrayAttr.get(derivatives)).outs[0]


EXPRESSION_WRITERS: dict[str, Writer] = {
    "constant": _constant,
    "sum": _sum,
    "product": _product,
    "function": _function,
    "compare": _compare,
    "logic": _logic,
    "gamma": _gamma,
    "element": _element,
    "barrier": _barrier,
    "opaque": _opaque,
}
