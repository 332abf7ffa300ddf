"""Instructions written as operations of core IR at the current insertion point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from tapeless._mlir import arith, ir, math, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.dialects.soac.scalars import ARITIES
from tapeless.passes.ir.build import number
from tapeless.passes.phi.exchange.attributes import cast_value
from tapeless.passes.phi.exchange.captures import captures, explicit
from tapeless.passes.phi.exchange.core import BINARY, INTEGER_TESTS, UNARY
from tapeless.passes.phi.exchange.layout import Branch, Scope
from tapeless.passes.phi.graph.elementary import CAST
from tapeless.passes.phi.graph.loops.ranges import PLACES
from tapeless.passes.phi.graph.loops.recurrences import PARTS
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.choices import with_branches
from tapeless.passes.phi.lower.instructions import selected
from tapeless.passes.phi.lower.loops import doubling, ranges, recurrences
from tapeless.passes.phi.lower.loops.code import Code, Values, index

LOOPS: dict[str, Callable[[Code, Node, Values], Values]] = {
    **dict.fromkeys(ranges.STARTS, ranges.reduced),
    **dict.fromkeys(PLACES, ranges.place_of_extreme),
    "map": recurrences.array,
    "iterate": recurrences.iterated,
    "while": recurrences.run_while,
    "affine_scan": recurrences.scanned,
    "affine_states": recurrences.all_states,
    "pow_iter": recurrences.power_iterated,
    "affine_pow": doubling.powers,
    "affine_iter": doubling.system,
    "matrix_pow": doubling.matrix_power,
}


Emit = Callable[["Emission", Node, Sequence[ir.Value]], ir.Value]
Predicate = arith.CmpFPredicate

FLOAT_OPS: dict[str, Callable[..., Any]] = {
    "add": arith.AddFOp,
    "sub": arith.SubFOp,
    "mul": arith.MulFOp,
    "div": arith.DivFOp,
    "neg": arith.NegFOp,
}
INTEGER_OPS: dict[str, Callable[..., Any]] = {
    "add": arith.AddIOp,
    "sub": arith.SubIOp,
    "mul": arith.MulIOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
}
FLOAT_TESTS = {
    "eq": Predicate.OEQ,
    "ne": Predicate.UNE,
    "lt": Predicate.OLT,
    "le": Predicate.OLE,
    "not eq": Predicate.UNE,
    "not ne": Predicate.OEQ,
    "not lt": Predicate.UGE,
    "not le": Predicate.UGT,
}
CONNECTIVES = {"and": arith.AndIOp, "or": arith.OrIOp, "xor": arith.XOrIOp}
TESTS_OF_INTEGERS = {name: predicate for predicate, name in INTEGER_TESTS.items()}
OP_NAMES = {name: op for op, name in {**UNARY, **BINARY}.items()}
# Flags that are only ours say which expressions were allowed, and nothing of how they are computed.
OF_ARITH = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
# Of what freed the expression from its order, the code keeps as much as other derivatives have.
KEPT_IN_ORDERED = ("reassoc", "contract")


@dataclass
class Emission:
    """The state of writing instructions: the value of every node so far, and the flags."""

    values: dict[Node, ir.Value]
    flags: ir.Attribute
    function_flags: ir.Attribute
    allowed: Collection[str]

    def scope(self, scope: Scope) -> None:
        """Writes the code of one place."""
        for item in scope.items:
            if isinstance(item, Branch):
                self._branch(item)
            else:
                self.values[item] = EMIT[item.kind](self, item, self.of(item.args))

    def of(self, nodes: Sequence[Node]) -> list[ir.Value]:
        """The values of nodes."""
        return [self.values[node] for node in nodes]

    def _branch(self, branch: Branch) -> None:
        types = [ir.Type.parse(merge.type) for merge in branch.merges]
        made = scf.IfOp(self.values[branch.condition], types, has_else=True)
        for place, (block, arm) in enumerate(zip((made.then_block, made.else_block), branch.arms, strict=True)):
            with ir.InsertionPoint(block):
                inner = Emission(dict(self.values), self.flags, self.function_flags, self.allowed)
                inner.scope(arm)
                scf.YieldOp(inner.of([merge.args[1 + place] for merge in branch.merges]))
        self.values.update(zip(branch.merges, made.results, strict=True))


def emitted(roots: Sequence[Node], flags: Collection[str], values: Mapping[Node, ir.Value]) -> list[ir.Value]:
    """Writes the code of expressions; `values` has those of symbols and of whatever else is there."""
    roots, values = explicit(roots, values)
    instructions, symbols = selected(roots, flags, values)
    ordered = [flag for flag in OF_ARITH if flag in flags]
    kept = [flag for flag in ordered if flag in KEPT_IN_ORDERED] if "stable" in flags else ordered
    emission = Emission(
        {symbols[node]: value for node, value in values.items() if node in symbols},
        _fastmath(kept),
        _fastmath([flag for flag in kept if flag != "reassoc"]),
        flags,
    )
    emission.scope(with_branches(instructions))
    return emission.of(instructions)


def _fastmath(flags: Sequence[str]) -> ir.Attribute:
    return ir.Attribute.parse(f"#arith.fastmath<{','.join(flags) or 'none'}>")


def _constant(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    return number(ir.Type.parse(node.type), node.constant)  # type: ignore[arg-type]


def _instruction(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    if node.name == "sqrt":
        return math.SqrtOp(args[0], fastmath=emission.function_flags).result
    if node.is_float:
        flags = emission.function_flags if node.name == "div" else emission.flags
        return FLOAT_OPS[node.name](*args, fastmath=flags).result
    if node.name == "neg":
        return arith.SubIOp(number(args[0].type, 0), args[0]).result
    return INTEGER_OPS[node.name](*args).result


def _function(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    type_ = args[0].type
    if node.name == CAST:
        return cast_value(args[0], ir.Type.parse(node.type))
    if not node.is_float:
        return INTEGER_OPS[node.name](*args).result
    if node.name in ARITIES:
        return soac.FnOp(list(args), type_, function=ir.StringAttr.get(node.name)).out
    attributes = {"fastmath": emission.function_flags}
    return ir.Operation.create(OP_NAMES[node.name], [type_], list(args), attributes).results[0]


def _compare(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    if node.args[0].is_float:
        return arith.CmpFOp(FLOAT_TESTS[node.name], *args).result
    return arith.CmpIOp(TESTS_OF_INTEGERS[node.name], *args).result


def _logic(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    if node.name == "not":
        return arith.XOrIOp(args[0], number(args[0].type, 1)).result
    return CONNECTIVES[node.name](*args).result


def _choice(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    return arith.SelectOp(*args).result


def _element(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    array, *indices = args
    return tensor.ExtractOp(array, indices).result


def _loop(emission: Emission, node: Node, args: Sequence[ir.Value]) -> Any:
    """A loop: its value, or its results where there are several."""
    taken = captures(node.bodies)
    own = len(args) - len(taken)

    def emit(roots: Sequence[Node], values: Mapping[Node, ir.Value]) -> list[ir.Value]:
        return emitted(roots, emission.allowed, values)

    given = dict(zip(taken, args[own:], strict=True))
    code = Code(emit, emission.flags, given, is_free="reassoc" in emission.allowed)
    results = LOOPS[node.name](code, node, list(args[:own]))
    return results if node.type == PARTS else results[0]


def _part(emission: Emission, node: Node, args: Sequence[Any]) -> ir.Value:
    return args[0][node.data[0]]


def _size(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    return tensor.DimOp(args[0], index(int(str(node.data[0])))).result


def _barrier(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    return args[0]


def _opaque(emission: Emission, node: Node, args: Sequence[ir.Value]) -> ir.Value:
    callee = ir.FlatSymbolRefAttr.get(node.name)
    types = [ir.Type.parse(node.type)]
    return ir.Operation.create("func.call", types, list(args), {"callee": callee}).results[0]


EMIT: dict[str, Emit] = {
    "constant": _constant,
    "instruction": _instruction,
    "function": _function,
    "compare": _compare,
    "logic": _logic,
    "gamma": _choice,
    "element": _element,
    "loop": _loop,
    "part": _part,
    "size": _size,
    "barrier": _barrier,
    "opaque": _opaque,
}
