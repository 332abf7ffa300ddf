"""Programs that repeat one kind of statement: each family gives the body of a function of `x` with n of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

NUMBER, VECTOR, MATRIX = "tl.f64", "tl.f64[:]", "tl.f64[:, :]"
FEW, MANY = (8, 32), (50, 200)

HISTOGRAM = "tl.hist(lambda a, b: a + b, 0.0, tl.zeros(10), tl.iota(x.shape[0]) % 10, s)"


@dataclass(frozen=True)
class Family:
    """A kind of statement: the type of `x`, the k-th statement on the running value `s`, and what is returned.

    `sizes` are the numbers of statements that tests compare; `definitions` comes before the function.
    """

    type: str
    statement: Callable[[int], str]
    result: str
    sizes: tuple[int, int] = FEW
    definitions: Callable[[int], str] = lambda n: ""

    def text(self, n: int) -> str:
        """The program with n statements; `f` is its function."""
        body = "\n".join(self.statement(k) for k in range(n)).replace("\n", "\n    ")
        heading = f"@tl.function\ndef f(x: {self.type}):\n    s = x\n    "
        return f"{self.definitions(n)}{heading}{body}\n    return {self.result}\n"


def one_callee(n: int) -> str:
    return "@tl.function\ndef g(a, b):\n    return a * b + tl.sin(a)\n"


def chain_of_callees(n: int) -> str:
    """Each function calls the one before it; the last one is `g`."""
    names = [*(f"g{k}" for k in range(n - 1)), "g"]
    definitions = [one_callee(n).replace("def g(", f"def {names[0]}(")]
    for inner, outer in pairwise(names):
        definitions.append(f"@tl.function\ndef {outer}(a, b):\n    return {inner}(a * b, b) + 1.0\n")
    return "".join(definitions)


FAMILIES: dict[str, Family] = {
    "numbers": Family(NUMBER, lambda k: f"s = s * x + {k}.0 * s", "s", MANY),
    "arrays": Family(VECTOR, lambda k: f"s = s * x + tl.sin(s) * {k}.0", "tl.sum(s)"),
    "ifs": Family(NUMBER, lambda k: f"if s > {k}.0:\n    s = s * x\nelse:\n    s = s + x", "s"),
    "ifs of arrays": Family(VECTOR, lambda k: f"if s[0] > {k}.0:\n    s = s * x\nelse:\n    s = s + x", "tl.sum(s)"),
    "loops": Family(NUMBER, lambda k: f"for i in range(3):\n    s = s * x + {k}.0", "s"),
    "loops over arrays": Family(
        VECTOR, lambda k: f"for i in range(x.shape[0]):\n    s[i] = s[i] * x[i] + {k}.0", "tl.sum(s)"
    ),
    "while loops": Family(NUMBER, lambda k: f"while s < {k}.0:\n    s = s * 2.0 + x * x", "s"),
    "calls": Family(NUMBER, lambda k: "s = g(s, x)", "s", definitions=one_callee),
    "calls with arrays": Family(VECTOR, lambda k: "s = g(s, x)", "tl.sum(s)", definitions=one_callee),
    "nested calls": Family(NUMBER, lambda k: "pass", "g(x, x)", MANY, definitions=chain_of_callees),
    "element writes": Family(VECTOR, lambda k: f"s[{k}] = s[{7 * k % 400}] * 1.5", "tl.sum(s)"),
    "slice writes": Family(VECTOR, lambda k: f"s[{k % 3}:{k % 3 + 5}] = s[{k % 5 + 1}:{k % 5 + 6}] * 1.5", "tl.sum(s)"),
    "row writes": Family(MATRIX, lambda k: f"s[{k}] = s[{7 * k % 400}] * 1.5", "tl.sum(s)"),
    "sums": Family(VECTOR, lambda k: f"s = x * tl.sum(s) + {k}.0", "tl.sum(s)"),
    "scans": Family(VECTOR, lambda k: "s = tl.cumsum(s) * 0.5", "tl.sum(s)"),
    "independent sums": Family(VECTOR, lambda k: f"t = tl.sum(x * {k}.5) + {'t' if k else '0.0'}", "t"),
    "histograms": Family(VECTOR, lambda k: f"s = s * tl.sum({HISTOGRAM})", "tl.sum(s)"),
    "gathers": Family(VECTOR, lambda k: f"s = s[(tl.iota(x.shape[0]) + {k}) % x.shape[0]] * x", "tl.sum(s)"),
    "maps": Family(VECTOR, lambda k: f"s = tl.map(lambda a: a * {k}.5 + tl.sin(a), s)", "tl.sum(s)"),
    "elifs": Family(NUMBER, lambda k: f"{'el' if k else ''}if x < {k}.0:\n    s = s * {k}.5 + x", "s"),
    "elifs of arrays": Family(
        VECTOR, lambda k: f"{'el' if k else ''}if x[0] < {k}.0:\n    s = s * {k}.5 + x", "tl.sum(s)"
    ),
    "nested functions": Family(NUMBER, lambda k: f"def h{k}(a):\n    return a * x + {k}.0\ns = h{k}(s)", "s"),
    "tuples": Family(VECTOR, lambda k: f"p = (s * x, tl.sin(s))\ns = p[0] + p[1] * {k}.0", "tl.sum(s)"),
    "loops that carry arrays": Family(VECTOR, lambda k: f"for i in range(3):\n    s = s * x + {k}.0", "tl.sum(s)"),
    "while loops of arrays": Family(VECTOR, lambda k: f"while s[0] < {k}.0:\n    s = s * 2.0 + x * x", "tl.sum(s)"),
    "maxima": Family(VECTOR, lambda k: f"s = x * tl.max(s) + {k}.0", "tl.sum(s)"),
    "row sums": Family(MATRIX, lambda k: f"s = x * tl.sum(s, axis=1)[:, None] + {k}.0", "tl.sum(s)"),
    "stacks": Family(VECTOR, lambda k: f"m = tl.stack((s * x, s + {k}.0))\ns = m[0] + m[1]", "tl.sum(s)"),
    "matrix products": Family(MATRIX, lambda k: f"s = s @ x + {k}.0", "tl.sum(s)", (4, 16)),
    "transposes": Family(MATRIX, lambda k: f"s = s.T * {k}.5 + x.T", "tl.sum(s)"),
    "conditional maps": Family(
        VECTOR, lambda k: f"s = tl.map(lambda a: a * {k}.5 if a > {k}.0 else tl.sin(a), s)", "tl.sum(s)"
    ),
    "strided updates": Family(
        VECTOR, lambda k: f"s[{k % 4} :: {k % 3 + 2}] = s[{k % 4} :: {k % 3 + 2}] * 1.5", "tl.sum(s)"
    ),
    "slice updates": Family(VECTOR, lambda k: f"s[{k}:{k + 5}] += x[{k + 1}:{k + 6}] * 1.5", "tl.sum(s)"),
    "updates of one slice": Family(VECTOR, lambda k: f"s[2:7] += x[{k + 1}:{k + 6}] * 1.5", "tl.sum(s)"),
    "column updates": Family(MATRIX, lambda k: f"s[:, {k}] = s[:, {k}] * 1.5 + x[:, {k + 1}]", "tl.sum(s)"),
    "shifts": Family(VECTOR, lambda k: f"s = tl.concat((s[{k % 3 + 1}:], s[:{k % 3 + 1}]))", "tl.sum(s * s)"),
    "joined parts": Family(VECTOR, lambda k: "s = tl.concat((s[:3], s[3:])) * x", "tl.sum(s)"),
    "cuts": Family(VECTOR, lambda k: "s = s[1:] * s[:-1]", "tl.sum(s)"),
    "in a loop": Family(
        NUMBER, lambda k: ("" if k else "for i in range(100):\n") + f"    s = s * x + {k}.0 * tl.sin(s)", "s"
    ),
    "systems of equations": Family(MATRIX, lambda k: f"s = tl.linalg.solve(x + {k}.0, s)", "tl.sum(s)", (2, 4)),
}
