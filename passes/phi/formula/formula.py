"""The formula of expressions: lines that name common subexpressions, then one line per result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tapeless.passes.phi.formula.latex import Latex
from tapeless.passes.phi.formula.notation import Notation, Written
from tapeless.passes.phi.formula.text import Text, bound
from tapeless.passes.phi.graph.elementary import CAST
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, number
from tapeless.passes.phi.graph.walk import inside

TEXT, LATEX = Text(), Latex()


def formula(results: Mapping[str, Node], names: Mapping[Node, str] | None = None, notation: Notation = TEXT) -> str:
    """Results by name as lines of text; `names` says how symbols are called, if not by their own names."""
    writer = _Writer(notation, names or {}, list(results.values()))
    lines = writer.shared()
    lines += [notation.line(name, writer.written(node)) for name, node in results.items()]
    return "\n".join(lines)


class _Writer:
    """Writes nodes, each shared one once under a name."""

    def __init__(self, notation: Notation, names: Mapping[Node, str], roots: Sequence[Node]):
        self._notation = notation
        self._names = names
        self._nodes = inside(roots)
        uses = Counter(arg for node in self._nodes for arg in node.args)
        named = [node for node in self._nodes if uses[node] > 1 and node.kind not in ("symbol", "constant")]
        taken = {*names.values(), *(str(node.data[0]) for node in self._nodes if node.kind == "symbol")}
        free = (name for name in (f"t{place}" for place in range(1, 2 + len(named) + len(taken))) if name not in taken)
        self._shared = dict(zip(named, free, strict=False))
        self._made: dict[Node, Written] = {}

    def shared(self) -> list[str]:
        """The lines that define the names."""
        for node in self._nodes:
            self._made[node] = self._write(node)
        return [self._notation.line(name, self._made[node]) for node, name in self._shared.items()]

    def written(self, node: Node) -> Written:
        """A node where it is used: by its name, if it has one."""
        return self._notation.name(self._shared[node]) if node in self._shared else self._made[node]

    def _write(self, node: Node) -> Written:
        write, args = self._notation, [self.written(arg) for arg in node.args]
        if node.kind == "constant":
            return write.number(node.constant)
        if node.kind == "symbol":
            return write.name(self._names.get(node) or _name(node))
        if node.kind == "sum":
            return write.sum(list(zip(node.coefficients, args, strict=True)), node.constant)
        if node.kind == "product":
            powers = list(zip(args, node.exponents, strict=True))
            below = [(base, -exponent) for base, exponent in powers if exponent < 0]
            return write.product([each for each in powers if each[1] > 0], below)
        if node.kind == "function" and node.name == CAST:
            return args[0]
        if node.kind == "function":
            return write.function(node.name, args)
        if node.kind == "compare":
            return write.compare(node.name, *args)
        if node.kind == "logic":
            return write.logic(node.name, args)
        if node.kind == "gamma":
            return write.gamma(*args)
        if node.kind == "element":
            return write.element(args[0], args[1:])
        return self._other(node, args)

    def _other(self, node: Node, args: list[Written]) -> Written:
        """Sizes of arrays, calls, parts of nodes with several results, and loops."""
        if node.kind == "barrier":
            return args[0]
        if node.kind == "size":
            return self._notation.function("size", [*args, self._place(node)])
        if node.kind == "opaque":
            return self._notation.function(node.name, args)
        if node.kind == "part":
            return self._part(node, args[0])
        return self._loop(node, args)

    def _part(self, node: Node, whole: Written) -> Written:
        """A result of a loop; powers and geometric sums, and their first derivatives, by their names."""
        loop, write, place = node.args[0], self._notation, int(str(node.data[0]))
        if loop.kind != "loop" or loop.name != "affine_pow" or place > 3:
            return write.element(whole, [self._place(node)])
        steps, base = (self.written(arg) for arg in loop.args)
        if place % 2:
            return write.function("geometric_sum" if place == 1 else "slope_of_geometric_sum", [base, steps])
        if place == 0:
            return write.function("pow", [base, steps])
        before = write.sum([(ONE, steps)], number(-1))
        return write.product([(steps, ONE), (write.function("pow", [base, before]), ONE)], [])

    def _place(self, node: Node) -> Written:
        return self._notation.number(number(int(str(node.data[0]))))

    def _loop(self, node: Node, args: list[Written]) -> Written:
        bodies = []
        for body in node.bodies:
            inner = _Writer(self._notation, self._names, body.results)
            inner._shared = {}
            inner.shared()
            bodies.append((body, [inner.written(each) for each in body.results]))
        return self._notation.loop(node, args, bodies)


def _name(symbol: Node) -> str:
    name = symbol.data[0]
    if isinstance(name, tuple) and name[0] == "bound":
        return bound(symbol)
    return "_".join(str(each) for each in name) if isinstance(name, tuple) else str(name)
