"""Work on expressions grows like them: segments found, derivatives simplified and factored, loops solved."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from compile_work import calls_during
from tests.unit.phi.loops.written import array, at, number, over, repeat
from tests.unit.phi.segments.segments_of_text import parsed

from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.branches import gamma
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.segments.segments import Segments
from tapeless.passes.phi.simplify.simplified import simplified
from tapeless.passes.phi.solve.solver import solved

STEEPEST = 1.3
Chain = Callable[[Symbolic, Symbolic, int], Symbolic]


def exponent(work: Callable[[int], Callable[[], object]], short: int, long: int) -> float:
    """By which power of the size the number of calls grows, without what every size costs."""
    calls = {n: calls_during(work(n)) for n in (1, short, long)}  # type: ignore[arg-type]
    return math.log((calls[long] - calls[1]) / (calls[short] - calls[1]), (long - 1) / (short - 1))


# The next value of a chain, of the value before, an input and the place in the chain.
CHAINS: dict[str, Chain] = {
    "products": lambda s, x, k: s * x + float(k) * s,
    "quotients": lambda s, x, k: s / (x + float(k)) + x / (s * s + 1.0),
    "functions": lambda s, x, k: s.operation("exp", -s * x) + s.operation("sin", s),
    "branches": lambda s, x, k: Symbolic(
        s.graph, gamma(s.graph, s.compare("gt", float(k)), (s * x).node, (s + x.operation("sin", x)).node)
    ),
    "roots": lambda s, x, k: (s * s + x * x + 1.0).operation("sqrt", s * s + x * x + 1.0) * x,
}


def gradient(chain: Chain, n: int) -> tuple[Graph, list[Node]]:
    """The derivative of a chain of n steps in its two inputs."""
    g = Graph(DERIVATIVE)
    x, y = number(g, "x"), number(g, "y")
    s = y
    for k in range(n):
        s = chain(s, x, k)
    return g, adjoints(g, {s.node: g.symbol("seed", "f64")}, [x.node, y.node])


@pytest.mark.one_in(6)
@pytest.mark.parametrize("chain", CHAINS)
def test_simplifying(chain):
    def work(n):
        g, roots = gradient(CHAINS[chain], n)
        return lambda: simplified(g, roots)

    assert exponent(work, 8, 32) < STEEPEST


@pytest.mark.one_in(2)
@pytest.mark.parametrize("chain", CHAINS)
def test_factoring(chain):
    def work(n):
        g, roots = gradient(CHAINS[chain], n)
        return lambda: cheapest(g, roots)

    assert exponent(work, 8, 32) < STEEPEST


@pytest.mark.parametrize("chain", CHAINS)
def test_differentiating(chain):
    assert exponent(lambda n: lambda: gradient(CHAINS[chain], n), 8, 32) < STEEPEST


STATEMENTS = {
    "quotients": """
      %a{k} = arith.mulf %s{k}, %x fastmath<contract> : f64
      %b{k} = arith.addf %a{k}, %y fastmath<contract> : f64
      %c{k} = arith.divf %x, %b{k} fastmath<contract> : f64
      %s{n} = arith.addf %s{k}, %c{k} fastmath<contract> : f64""",
    "functions": """
      %a{k} = math.sin %s{k} fastmath<contract> : f64
      %b{k} = arith.mulf %a{k}, %x fastmath<contract> : f64
      %s{n} = arith.addf %b{k}, %y fastmath<contract> : f64""",
    "branches": """
      %a{k} = arith.cmpf olt, %s{k}, %y : f64
      %s{n} = scf.if %a{k} -> f64 {{
        %b{k} = arith.mulf %s{k}, %x fastmath<contract> : f64
        scf.yield %b{k} : f64
      }} else {{
        %b{k} = arith.addf %s{k}, %x fastmath<contract> : f64
        scf.yield %b{k} : f64
      }}""",
    "loops": """
      %s{n} = scf.for %i{k} = %zero to %count step %one iter_args(%t{k} = %s{k}) -> f64 {{
        %a{k} = arith.mulf %t{k}, %x fastmath<contract> : f64
        %b{k} = arith.divf %a{k}, %y fastmath<contract> : f64
        %c{k} = arith.addf %b{k}, %y fastmath<contract> : f64
        scf.yield %c{k} : f64
      }}""",
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_finding_segments(statement):
    def work(n):
        lines = "".join(STATEMENTS[statement].format(k=k, n=k + 1) for k in range(n))
        module = parsed(f"""
          func.func @f(%s0: f64, %x: f64, %y: f64, %count: index) -> f64 {{
            %zero = arith.constant 0 : index
            %one = arith.constant 1 : index{lines}
            return %s{n} : f64
          }}""")

        def found():
            with module.context:
                Segments().run(module)

        return found

    assert exponent(work, 20, 80) < STEEPEST


def in_a_row(g: Graph, n: int) -> Node:
    """Affine loops, each of what the one before gave."""
    a, b, steps = number(g, "a"), number(g, "b"), g.symbol("steps", "index")
    s = number(g, "s")
    for k in range(n):
        (s,) = repeat(g, steps, [s], lambda i, d, k=k: [a * d + float(k) * b])
    return s.node


def of_many_values(g: Graph, n: int) -> Node:
    """A loop that carries many sums."""
    a, xs, steps = number(g, "a"), array(g, "xs"), g.symbol("steps", "index")
    inits = [number(g, f"s{k}") for k in range(n)]
    ends = repeat(g, steps, inits, lambda i, *ds: [d + float(k) * at(g, xs, i) * a for k, d in enumerate(ds)])
    return sum(ends[1:], ends[0]).node


def with_a_long_body(g: Graph, n: int) -> Node:
    """An affine step by a long way."""
    a, b, steps = number(g, "a"), number(g, "b"), g.symbol("steps", "index")

    def step(i, d):
        for k in range(n):
            d = d * a + b.operation("sin", b + float(k))
        return [d]

    return repeat(g, steps, [number(g, "s")], step)[0].node


def of_many_sums(g: Graph, n: int) -> Node:
    """Sums over a range beside each other, of which factors leave."""
    a, xs, size = number(g, "a"), array(g, "xs"), g.symbol("size", "index")
    zero = g.constant(0, "index")
    sums = [over(g, "sum", zero, size, lambda i, k=k: a * at(g, xs, i) + float(k) * at(g, xs, i)) for k in range(n)]
    return sum(sums[1:], sums[0]).node


LOOPS = {each.__name__: each for each in (in_a_row, of_many_values, with_a_long_body, of_many_sums)}


@pytest.mark.parametrize("kind", LOOPS)
def test_solving(kind):
    def work(n):
        g = Graph(DERIVATIVE)
        root = LOOPS[kind](g, n)
        return lambda: solved(g, [root])

    assert exponent(work, 6, 24) < STEEPEST


def test_loops_in_loops_do_not_double_the_work():
    """What is outside of a loop is looked at for each loop inside, so that depth counts twice, but not more."""

    def work(depth):
        g = Graph(DERIVATIVE)
        x, steps = number(g, "x"), g.symbol("steps", "index")

        def nest(left, s):
            def step(i, d):
                return [(nest(left - 1, d) if left > 1 else d) * x + d.operation("sin", d)]

            return repeat(g, steps, [s], step)[0]

        root = nest(depth, number(g, "s")).node
        return lambda: solved(g, adjoints(g, {solved(g, [root])[0]: g.constant(1, "f64")}, [x.node]))

    assert exponent(work, 3, 9) < 2.3
