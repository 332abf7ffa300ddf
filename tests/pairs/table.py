"""The table of pairs, and the programs that stand for them.

A pair is one producer with one consumer, with sizes known to the compiler or not, in a loop or not. Programs hold many
pairs, each with arguments of its own, so that no pair is fused with another and one compilation serves all.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from pairs import consumers, producers

FAMILIES = {
    "vector": (producers.VECTORS, consumers.OF_VECTORS),
    "matrix": (producers.MATRICES, consumers.OF_MATRICES),
}
TYPES = {
    "m": ("tl.f64[:, :]", "tl.f64[3, 4]"),
    "x": ("tl.f64[:]", "tl.f64[6]"),
    "v": ("tl.f64[:]", "tl.f64[4]"),
    "s": ("tl.f64", "tl.f64"),
    "keys": ("tl.i64[:]", "tl.i64[6]"),
    "k": ("tl.i64", "tl.i64"),
}
FLOATS = ("m", "x", "v", "s")


@dataclass(frozen=True)
class Pair:
    """One producer with one consumer."""

    family: str
    producer: str
    consumer: str
    is_static: bool
    in_loop: bool

    def __str__(self) -> str:
        sizes, place = ("static" if self.is_static else "dynamic"), ("in a loop" if self.in_loop else "alone")
        return f"{self.family} {self.producer} -> {self.consumer}, {sizes}, {place}"

    def text(self, name: str) -> str:
        """A function of the arguments that gives the consumer's result; in a loop, what adds up over iterations."""
        makers, users = FAMILIES[self.family]
        lines = [*_bound("p", makers[self.producer]), *_bound("r", users[self.consumer]), "return r"]
        if self.in_loop:
            added = "r" if self.consumer in consumers.SCALARS else "tl.sum(r)"
            body = ["x = x * 0.9 + 0.05 * tl.sum(x)", *lines[:-1], f"total += {added}"]
            lines = ["total = 0.0", "for step in range(k + 1):", *(f"    {line}" for line in body), "return total, x"]
        return _function(name, list(TYPES), lines)

    def parameter(self, name: str, number: int) -> str:
        """One of the pair's own arguments in a program, with its type."""
        return f"{name}{number}: {TYPES[name][self.is_static]}"

    def results(self, number: int) -> str:
        """What the pair's results are called in a program."""
        return f"r{number}, y{number}" if self.in_loop else f"r{number}"


def _bound(name: str, text: str) -> list[str]:
    """The statements of a text, the last one of which binds a name."""
    *lines, last = text.split("\n")
    return lines if last == name else [*lines, f"{name} = {last}"]


def all_pairs(family: str, producer: str) -> list[Pair]:
    """The pairs of one producer, in every setting."""
    return [
        Pair(family, producer, consumer, is_static, in_loop)
        for is_static, in_loop, consumer in product((False, True), (False, True), FAMILIES[family][1])
    ]


def program(pairs: list[Pair]) -> str:
    """A function `generated` of the arguments of all pairs, those of one name together, that gives all results."""
    functions = [pair.text(f"pair{number}") for number, pair in enumerate(pairs)]
    parameters = [pair.parameter(name, number) for name in TYPES for number, pair in enumerate(pairs)]
    results = [pair.results(number) for number, pair in enumerate(pairs)]
    lines = [f"{each} = pair{n}({', '.join(f'{name}{n}' for name in TYPES)})" for n, each in enumerate(results)]
    return "\n\n".join([*functions, _function("generated", parameters, [*lines, f"return ({', '.join(results)},)"])])


def pulled(pairs: list[Pair], ranks: list[int]) -> str:
    """A function `pulled` of these arguments and of cotangents of these ranks that gives all adjoints."""
    parameters = [pair.parameter(name, number) for name in TYPES for number, pair in enumerate(pairs)]
    primals = [each.partition(":")[0] for each in parameters]
    weights = [f"w{number}" for number in range(len(ranks))]
    kinds = [f"tl.f64[{', '.join(':' * rank)}]" if rank else "tl.f64" for rank in ranks]
    cotangents = [f"{name}: {kind}" for name, kind in zip(weights, kinds, strict=True)]
    body = f"return tl.vjp(generated, {', '.join(primals)})[1](({', '.join(weights)},))"
    return _function("pulled", [*parameters, *cotangents], [body])


def _function(name: str, parameters: list[str], lines: list[str]) -> str:
    return f"@tl.function\ndef {name}({', '.join(parameters)}):\n{textwrap.indent(chr(10).join(lines), '    ')}\n"


def arguments(seed: int) -> dict[str, Any]:
    """Numbers for one pair: no two elements are equal, so that no maximum is a tie."""
    rng = np.random.default_rng(seed)
    return {
        "m": rng.permutation(np.linspace(0.2, 1.4, 12)).reshape(3, 4),
        "x": rng.permutation(np.linspace(0.25, 1.3, 6)),
        "v": rng.permutation(np.linspace(0.3, 1.1, 4)),
        "s": float(rng.uniform(0.5, 0.8)),
        "keys": np.array([2, 0, 1, 1, 0, 2]),
        "k": 1,
    }


def directions(seed: int) -> dict[str, Any]:
    """Tangents for one pair; those of integers are zero."""
    rng = np.random.default_rng(seed + 1000)
    return {
        name: rng.normal(size=np.shape(value)) if name in FLOATS else np.zeros_like(value)
        for name, value in arguments(seed).items()
    }
