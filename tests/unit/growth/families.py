"""Programs that repeat one kind of statement: each family gives the body of a function of `x` with n of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

NUMBER, VECTOR, MATRIX = "tl.f64", "tl.f64[:]", "tl.f64[:, :]"


@dataclass(frozen=True)
class Family:
    """A kind of statement: the type of `x`, the k-th statement on the running value `s`, and what is returned."""

    type: str
    statement: Callable[[int], str]
    result: str
    definitions: Callable[[int], str] = lambda n: ""

    def text(self, n: int) -> str:
        """The program with n statements; `f` is its function."""
        body = "\n".join(self.statement(k) for k in range(n)).replace("\n", "\n    ")
        heading = f"@tl.function\ndef f(x: {self.type}):\n    s = x\n    "
        return f"{self.definitions(n)}{heading}{body}\n    return {self.result}\n"


FAMILIES: dict[str, Family] = {
    "ifs of arrays": Family(VECTOR, lambda k: f"if s[0] > {k}.0:\n    s = s * x\nelse:\n    s = s + x", "tl.sum(s)"),
    "ifs": Family(NUMBER, lambda k: f"if s > {k}.0:\n    s = s * x\nelse:\n    s = s + x", "s"),
}
