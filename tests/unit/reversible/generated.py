"""Random procedures as text that plain Python runs, too: with a stand-in for `tl` it is the reference."""

from __future__ import annotations

from contextlib import contextmanager
from random import Random
from types import SimpleNamespace

import numpy as np

SIZE = 6
HEAD = "def f(a, b, n, x: tl.In[tl.f64[:]], k: tl.In[tl.i64[:]]):"
FLOATS, INTS = ("a", "b"), "n"


class Writer:
    """Writes the lines of one procedure; `loops` are the variables of the loops around, from 1 below SIZE - 1."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines = [HEAD]
        self.serial = 0
        self.loops: list[str] = []

    def text(self) -> str:
        self.block(1, 5, frozenset({*FLOATS, INTS}), 3)
        return "\n".join(self.lines)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self, stem: str) -> str:
        self.serial += 1
        return f"{stem}{self.serial}"

    def pick(self, *choices):
        return self.random.choice(choices)

    def block(self, depth: int, count: int, free: frozenset[str], levels: int) -> None:
        """Statements that change some of the free arrays."""
        for _ in range(self.random.randint(1, count)):
            kinds = [self.update, self.slices, self.small, self.named]
            if levels:
                kinds += [self.loop, self.branch, self.parity, self.routine]
            self.pick(*kinds)(depth, free, levels)

    def index(self) -> str:
        if self.loops and self.random.random() < 0.7:
            return self.pick(*self.loops) + self.pick("", " - 1", " + 1")
        return str(self.random.randrange(-SIZE, SIZE))

    def expression(self, without: str) -> str:
        """A float of other arrays, never large."""
        arrays = [each for each in ("x", *FLOATS) if each != without]
        element = f"{self.pick(*arrays)}[{self.pick(self.index(), f'k[{self.random.randrange(SIZE)}]')}]"
        other = self.pick(f"tl.sum({self.pick(*arrays)})", f"{self.pick(*arrays)}[{self.index()}]", "0.75", "n[1]")
        return self.pick(f"tl.sin({element})", f"tl.cos({element} * {other})", f"tl.tanh({element} - {other})", "0.5")

    def update(self, depth: int, free: frozenset[str], levels: int) -> None:
        target = self.pick(*sorted(free))
        if target == INTS:
            amount = self.pick("1", "k[0]", f"{self.pick('3', '5')} * k[2]")
            self.line(depth, f"n[{self.random.randrange(3)}] {self.pick('+=', '-=', '^=')} {amount}")
            return
        self.line(depth, f"{target}[{self.index()}] {self.pick('+=', '-=')} {self.expression(target)}")
        if self.loops:
            i = self.pick(*self.loops)
            self.line(depth, f"{target}[{i}] += tl.sin({target}[{i} {self.pick('-', '+')} 1])")

    def slices(self, depth: int, free: frozenset[str], levels: int) -> None:
        target = self.pick(*FLOATS)
        if target not in free:
            return
        other = self.pick("x", *(each for each in FLOATS if each != target))
        lines = [
            f"{target} += tl.sin({other})",
            f"{target}[1:4] -= {other}[2:5] * 0.5",
            f"{target}[::2] += tl.cos({target}[1::2])",
            f"{target}[:2] += {target}[4:]",
            f"{target}[3:] -= tl.sum({other}[:2])",
        ]
        self.line(depth, self.pick(*lines))

    def small(self, depth: int, free: frozenset[str], levels: int) -> None:
        """Statements without a right-hand side."""
        target = self.pick(*FLOATS)
        if target not in free:
            return
        i, j = self.random.sample(range(SIZE), 2)
        lines = [
            f"{target}[{i}], {target}[{j}] = {target}[{j}], {target}[{i}]",
            f"{target}[{i}] = -{target}[{i}]",
            f"{target}[{i}] *= {self.pick('2.0', '-0.5')}",
            f"{target}[1:3] /= -2.0",
        ]
        if free >= set(FLOATS):
            lines += ["a, b = b, a", f"a[{i}], b[{j}] = b[{j}], a[{i}]"]
        self.line(depth, self.pick(*lines))

    def named(self, depth: int, free: frozenset[str], levels: int) -> None:
        target = self.pick(*FLOATS)
        if target in free:
            name = self.fresh("t")
            self.line(depth, f"{name} = {self.expression(target)}")
            self.line(depth, f"{target}[{self.index()}] += {name} * {name}")

    def loop(self, depth: int, free: frozenset[str], levels: int) -> None:
        i = self.fresh("i")
        bounds = self.pick(
            f"1, {SIZE - 1}", f"{SIZE - 2}, 0, -1", f"1, {SIZE - 1}, 2", f"1, len(x) - 1, {self.pick(2, 3)}"
        )
        self.line(depth, f"for {i} in range({bounds}):")
        self.loops.append(i)
        self.block(depth + 1, 2, free, levels - 1)
        self.line(depth + 1, "pass")
        self.loops.pop()

    def branch(self, depth: int, free: frozenset[str], levels: int) -> None:
        self.line(depth, f"if x[{self.index()}] > {self.pick('0.0', '0.5')}:")
        self.block(depth + 1, 2, free, levels - 1)
        self.line(depth + 1, "pass")
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, 2, free, levels - 1)
            self.line(depth + 1, "pass")

    def parity(self, depth: int, free: frozenset[str], levels: int) -> None:
        if INTS not in free:
            return
        self.line(depth, "if tl.cond(n[0] % 2 == 0, n[0] % 2 == 1):")
        self.line(depth + 1, "n[0] += 1")
        self.line(depth, "else:")
        self.line(depth + 1, "n[0] -= 1")

    def routine(self, depth: int, free: frozenset[str], levels: int) -> None:
        """A cell and an array that are computed from what stays, used, and uncomputed."""
        z, w, r, target = self.fresh("z"), self.fresh("w"), self.fresh("r"), self.pick(*FLOATS)
        self.line(depth, f"with tl.ancilla(0.0) as {z}, tl.ancilla(tl.zeros({SIZE})) as {w}:")
        self.line(depth + 1, f"with tl.routine() as {r}:")
        self.line(depth + 2, f"{z} += tl.sum(x) * 0.25")
        self.line(depth + 2, f"{w} += x * {z}")
        if target in free:
            self.line(depth + 1, f"{target}[{self.index()}] += tl.sin({z} + {w}[2])")
            self.line(depth + 1, f"{target} -= {w} * 0.5")
        self.block(depth + 1, 2, free, levels - 1)
        self.line(depth + 1, f"~{r}")


class _Undo:
    """Nothing is undone: ancillas end anyway."""

    def __invert__(self) -> None:
        return None


@contextmanager
def _ancilla(value):
    yield value


@contextmanager
def _routine():
    yield _Undo()


STAND_IN = SimpleNamespace(
    ancilla=_ancilla,
    routine=_routine,
    cond=lambda pre, post: pre,
    zeros=np.zeros,
    sum=np.sum,
    sin=np.sin,
    cos=np.cos,
    tanh=np.tanh,
)


def reference(text: str, arguments):
    """What plain Python makes of a procedure."""
    head = "def f(a, b, n, x, k):"
    names = {"tl": STAND_IN}
    exec(f"{text.replace(HEAD, head)}\n    return a, b, n, x, k", names)
    return names["f"](*(each.copy() for each in arguments))
