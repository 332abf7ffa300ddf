"""Random programs as source text: scalars `s..`, vectors `v..` of n elements, matrices `m..` of n rows and k columns.

Every statement keeps the sizes of the variables it writes, is right for any sizes (0 and 1 included), and keeps values
moderate, so that all ways to run a program agree to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

INDENT = "    "


@dataclass
class Writer:
    """The lines of a program, and how many variables of each kind have a value so far."""

    draw: st.DrawFn
    lines: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: {"s": 1, "v": 2, "m": 1})
    depth: int = 1

    def add(self, line: str) -> None:
        """One line at the current depth."""
        self.lines.append(INDENT * self.depth + line)

    def pick(self, kind: str) -> str:
        """A variable that has a value."""
        return f"{kind}{self.draw(st.integers(0, self.counts[kind] - 1))}"

    def assign(self, kind: str, value: str) -> None:
        """Gives a value to a new variable at the top of the function, to an old one inside loops and branches."""
        target = f"{kind}{self.counts[kind]}" if self.depth == 1 else self.pick(kind)
        self.counts[kind] += self.depth == 1
        self.add(f"{target} = {value}")

    def constant(self) -> str:
        """A small number that no computation hits by chance."""
        return repr(self.draw(st.sampled_from([0.37, -1.13, 0.5, 2.0, 0.0, -0.25])))

    def expression(self, leaves: list[str], size: int = 3) -> str:
        """Arithmetic on some of the leaves."""
        if size == 0 or self.draw(st.integers(0, 3)) == 0:
            return self.draw(st.sampled_from([*leaves, self.constant()]))
        shape = self.draw(st.sampled_from(EXPRESSIONS))
        parts = [self.expression(leaves, size - 1) for _ in range(shape.count("{}"))]
        return shape.format(*parts)


EXPRESSIONS = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "tl.sin({})",
    "tl.tanh({})",
    "tl.maximum({}, {})",
    "tl.minimum({}, {})",
    "({} / (2.5 + tl.abs({})))",
    "tl.where({} > 0.1234, {}, {})",
)


REARRANGEMENTS = ("tl.reverse({0})", "{0}[::-1] * 1.0", "tl.concat(({0}[1:], {0}[:1]))", "tl.copy({0})")


def scalar(w: Writer) -> None:
    leaves = [w.pick("s") for _ in range(2)]
    w.assign("s", f"tl.tanh({w.expression(leaves)})")


def vector(w: Writer) -> None:
    leaves = [w.pick("v"), w.pick("v"), w.pick("s")]
    w.assign("v", f"tl.sin({w.expression(leaves)} + {w.pick('v')})")


def matrix(w: Writer) -> None:
    leaves = [w.pick("m"), w.pick("s")]
    w.assign("m", f"tl.sin({w.expression(leaves)} + {w.pick('m')} * {w.pick('v')}[:, None])")


def summed(w: Writer) -> None:
    source = w.pick(w.draw(st.sampled_from("vm")))
    w.assign("s", f"tl.tanh(tl.sum({source}))")


def rearranged(w: Writer) -> None:
    shape = w.draw(
        st.sampled_from(["tl.reverse({0})", "{0}[::-1] * 1.0", "tl.concat(({0}[1:], {0}[:1]))", "tl.copy({0})"])
    )
    kind = w.draw(st.sampled_from("vm"))
    w.assign(kind, shape.format(w.pick(kind)))


def mapped(w: Writer) -> None:
    x, y = w.pick("v"), w.pick("v")
    body = w.expression(["a", "b", w.pick("s")])
    w.assign("v", f"tl.map(lambda a, b: tl.sin({body}), {x}, {y})")


def row_sums(w: Writer) -> None:
    source = w.pick("m")
    w.assign("v", f"tl.map(lambda row: tl.tanh(tl.sum(row * {w.pick('s')})), {source})")


def column_sums(w: Writer) -> None:
    source = w.pick("m")
    w.assign("s", f"tl.tanh(tl.sum(tl.sin(tl.sum({source}, axis=0))))")


def scanned(w: Writer) -> None:
    op = w.draw(st.sampled_from(["lambda a, b: a + b, 0.0", "lambda a, b: tl.maximum(a, b), -99.0"]))
    source = w.pick("v")
    w.assign("v", f"tl.sin(tl.scan({op}, {source}))")


def reduced(w: Writer) -> None:
    source = w.pick("v")
    w.assign("s", f"tl.tanh(tl.reduce(lambda a, b: tl.minimum(a, b), 99.0, {source}))")


def gathered(w: Writer) -> None:
    source = w.pick("v")
    w.assign("v", f"{source}[len({source}) - 1 - tl.iota(len({source}))]")


def histogram(w: Writer) -> None:
    dest, values = w.pick("v"), w.pick("v")
    w.assign("v", f"tl.sin(tl.hist(lambda a, b: a + b, 0.0, {dest}, keys, {values}))")


def element_loop(w: Writer) -> None:
    target = w.pick("v")
    body = w.expression([f"{target}[i]", w.pick("s")])
    w.add(f"for i in range(len({target})):")
    w.add(f"{INDENT}{target}[i] = tl.sin({body})")


def row_loop(w: Writer) -> None:
    target, row = w.pick("m"), w.pick("v")
    w.add(f"for i in range(len({target})):")
    w.add(f"{INDENT}{target}[i] = tl.sin({target}[i] + {row}[i])")


def early_exit(w: Writer) -> None:
    target, source = w.pick("s"), w.pick("v")
    leave = w.draw(st.sampled_from(["break", "continue"]))
    w.add(f"for i in range(len({source})):")
    w.add(f"{INDENT}if {source}[-1 - i] > {w.constant()}:")
    w.add(f"{INDENT * 2}{leave}")
    w.add(f"{INDENT}{target} = tl.tanh({target} + {source}[i])")


def counted_loop(w: Writer) -> None:
    w.add(f"for step in range({w.draw(st.integers(0, 3))}):")
    block(w)


def while_loop(w: Writer) -> None:
    source = w.pick("s")
    count = f"count{len(w.lines)}"
    w.add(f"{count} = 0")
    w.add(f"while {count} < 3 and {source} < 0.9:")
    w.add(f"{INDENT}{count} += 1")
    w.add(f"{INDENT}{source} = tl.tanh({source} + 0.31)")
    block(w)


def branch(w: Writer) -> None:
    w.add(f"if {w.pick('s')} > {w.constant()}:")
    block(w)
    w.add("else:")
    block(w)


def block(w: Writer) -> None:
    """Two statements one level deeper."""
    w.depth += 1
    for _ in range(2):
        w.draw(st.sampled_from(SIMPLE))(w)
    w.depth -= 1


SIMPLE = (scalar, vector, matrix, summed, rearranged, mapped, row_sums, scanned, reduced, element_loop, row_loop)
STATEMENTS = (*SIMPLE, column_sums, gathered, histogram, early_exit, counted_loop, while_loop, branch)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of a function `generated(s0, v0, v1, m0, keys)`."""
    w = Writer(draw)
    for _ in range(draw(st.integers(1, 8))):
        draw(st.sampled_from(STATEMENTS))(w)
    results = ", ".join(f"{kind}{w.counts[kind] - 1}" for kind in "svm")
    return "\n".join(["def generated(s0, v0, v1, m0, keys):", *w.lines, f"{INDENT}return {results}, s0, v0, m0", ""])
