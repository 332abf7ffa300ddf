"""Sizes that are written differently and are equal, and such that are not."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from function_from_text import function_from_text
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of

# Ways to write one size of the axes n and m, which the program is given as the arguments %n and %m.
WAYS = {
    "0": ("subi(n, n)", "muli(n, 0)", "subi(addi(n, m), addi(m, n))"),
    "n": ("n", "addi(n, 0)", "subi(addi(n, 3), 3)", "subi(muli(n, 2), n)", "addi(subi(n, m), m)"),
    "2n": ("addi(n, n)", "muli(n, 2)", "muli(2, n)", "subi(muli(n, 3), n)", "addi(addi(n, 1), subi(n, 1))"),
    "n + m": ("addi(n, m)", "addi(m, n)", "subi(addi(addi(n, 1), m), 1)", "subi(muli(addi(n, m), 2), addi(m, n))"),
    "n m": ("muli(n, m)", "addi(muli(n, m), 0)"),
    "3 - n": ("subi(3, n)", "addi(subi(1, n), 2)", "addi(muli(n, -1), 3)"),
    "min(n, 2m)": ("minsi(n, addi(m, m))", "minsi(n, muli(m, 2))", "subi(addi(minsi(n, muli(2, m)), 5), 5)"),
}


class Writer:
    """Expressions as operations of a function, in the order of evaluation."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> str:
        self.lines.append(f"%v{len(self.lines)} = {line} : index")
        return f"%v{len(self.lines) - 1}"

    def write(self, text: str) -> str:
        """The name of what an expression computes."""
        made = {name: self._operation(name) for name in ("addi", "subi", "muli", "minsi")}
        return str(eval(text, {"n": "%n", "m": "%m", **made}))

    def _operation(self, name: str):
        return lambda *operands: self.add(f"arith.{name} {', '.join(map(self._name, operands))}")

    def _name(self, operand: str | int) -> str:
        return operand if isinstance(operand, str) else self.add(f"arith.constant {operand}")


def test_sizes_are_equal_where_their_terms_are() -> None:
    writer = Writer()
    names = [(size, writer.write(f"addi({text}, 0)")) for size, texts in WAYS.items() for text in texts]
    lines = "\n".join(writer.lines)
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(f"func.func @f(%n: index, %m: index) {{\n{lines}\nreturn }}")
        results = {f"%v{i}": op.results[0] for i, op in enumerate(list(module.body.operations[0].body.blocks[0])[:-1])}
        sizes = [(size, scalar_size(results[name])) for size, name in names]
        for (left, first), (right, second) in combinations(sizes, 2):
            assert (first == second) == (left == right), (left, right)
            assert left != right or hash(first) == hash(second)


def test_what_is_left_of_a_size_is_the_axis_itself() -> None:
    text = """
    func.func @f(%xs: tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d = tensor.dim %xs, %c0 : tensor<?xf64>
      %e = arith.addi %d, %c1 : index
      %n = arith.subi %e, %c1 : index
      return }"""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        block = module.body.operations[0].body.blocks[0]
        assert scalar_size(block.operations[4].results[0]) == size_of(block.arguments[0], 0)


# Ways to make arrays of one size, which carry each other through a loop in a map.
ARRAYS = (
    ("tl.concat((v, v))", "tl.ones(2 * n)", "tl.ones(3 * n - n)"),
    ("tl.concat((w, v))", "tl.ones(n + m)", "tl.ones(n + m + 1)[1:]"),
    ("tl.concat((tl.ones(1), v, tl.ones(2)))", "tl.ones(n + 3)"),
    ("v", "tl.concat((v[1:], v[:1]))", "tl.concat((v[n // 2:], v[:n // 2]))"),
    ("tl.concat((v[2:], w, v[:2]))", "tl.concat((v, w))"),
)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("ways", ARRAYS)
def test_loops_in_maps_carry_arrays_of_sizes_written_in_other_ways(ways: tuple[str, ...]) -> None:
    v, w = np.linspace(0.5, 1.5, 4), np.linspace(-1.0, 1.0, 3)
    for start, step in product(ways, ways):
        if start == step != ways[0]:
            continue
        text = f"""
@tl.function
def f(u, v, w):
    n = v.shape[0]
    m = w.shape[0]
    def inner(e):
        p = {start}
        for i in range(2):
            p = p * ({step}) * e + p
        return p
    return tl.map(inner, u)
"""
        n, m = v.size, w.size
        names = {"v": v, "w": w, "n": n, "m": m, "tl": NumpyNames}
        expected = []
        for e in v:
            p = eval(start, names)
            for _ in range(2):
                p = p * eval(step, names) * e + p
            expected.append(p)
        np.testing.assert_allclose(function_from_text(text, "f")(v, v, w), expected, rtol=1e-14)


class NumpyNames:
    """What the texts above name, of numpy."""

    concat, ones = staticmethod(np.concatenate), staticmethod(np.ones)
