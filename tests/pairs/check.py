"""Runs programs of pairs and names the pairs whose value or derivatives are not those of numpy."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

import tapeless as tl
from function_from_text import function_from_text
from fuzz.reference import run
from pairs.table import TYPES, Pair, arguments, directions, program, pulled

TOLERANCE = 1e-9
ANNOTATION = re.compile(r": tl\.\w+(\[[^\]]*\])?(?=[,)])")


def _by_name(of_pairs: list[dict[str, Any]]) -> list[Any]:
    """The numbers of all pairs in the order of a program's parameters."""
    return [each[name] for name in TYPES for each in of_pairs]


class Batch:
    """Some pairs in one program, what to call it with, and what numpy makes of each pair."""

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs
        self.text = program(pairs)
        seeds = range(len(pairs))
        self.arguments = _by_name([arguments(seed) for seed in seeds])
        self.directions = _by_name([directions(seed) for seed in seeds])

    def per_pair(self, results: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """The results of each pair."""
        rest = iter(results)
        return [tuple(itertools.islice(rest, 2 if pair.in_loop else 1)) for pair in self.pairs]

    def _reference(self, compute: Callable[..., Any], *inputs: Callable[[int], dict[str, Any]]) -> list[Any]:
        texts = [ANNOTATION.sub("", program([pair])) for pair in self.pairs]
        return [compute(text, *(tuple(each(n).values()) for each in inputs)) for n, text in enumerate(texts)]

    @cached_property
    def values(self) -> list[tuple[Any, ...]]:
        return self._reference(run.results, arguments)

    @cached_property
    def tangents(self) -> list[tuple[Any, ...]]:
        return self._reference(run.tangents, arguments, directions)


def wrong_values(batch: Batch) -> Iterator[Pair]:
    """The pairs whose value is another one."""
    found = batch.per_pair(function_from_text(batch.text, "generated")(*batch.arguments))
    yield from _differing(batch.pairs, found, batch.values)


def wrong_tangents(batch: Batch) -> Iterator[Pair]:
    """The pairs whose value or tangent by jvp is another one."""
    values, tangents = tl.jvp(
        function_from_text(batch.text, "generated"), tuple(batch.arguments), tuple(batch.directions)
    )
    yield from _differing(batch.pairs, batch.per_pair(values), batch.values)
    yield from _differing(batch.pairs, batch.per_pair(tangents), batch.tangents)


def wrong_adjoints(batch: Batch) -> Iterator[Pair]:
    """The pairs for which <w, Jv> is not <J'w, v>, with v, w and Jv from numpy."""
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=np.shape(part)) for parts in batch.values for part in parts]
    adjoints_of = function_from_text(
        f"{batch.text}\n\n{pulled(batch.pairs, [np.ndim(each) for each in weights])}", "pulled"
    )
    adjoints = adjoints_of(*batch.arguments, *weights)
    products = [np.sum(bar * v) for bar, v in zip(adjoints, batch.directions, strict=True)]
    count = len(batch.pairs)
    for n, (pair, own, tangents) in enumerate(
        zip(batch.pairs, batch.per_pair(tuple(weights)), batch.tangents, strict=True)
    ):
        wanted = sum(np.sum(w * t) for w, t in zip(own, tangents, strict=True))
        if not _is_close(sum(products[n::count]), wanted):
            yield pair


CHECKS = {"value": wrong_values, "jvp": wrong_tangents, "vjp": wrong_adjoints}


def faults(mode: str, pairs: list[Pair]) -> list[str]:
    """What is wrong with some pairs, one line each; a program that cannot be compiled is taken apart."""
    try:
        return [f"{mode} of {pair} differs" for pair in dict.fromkeys(CHECKS[mode](Batch(pairs)))]
    except Exception as error:
        reason = f"{type(error).__name__}: {str(error).splitlines()[-1]}"
    if len(pairs) == 1:
        return [f"{mode} of {pairs[0]}: {reason}"]
    middle = len(pairs) // 2
    parts = faults(mode, pairs[:middle]) + faults(mode, pairs[middle:])
    return parts or [f"{mode} of {len(pairs)} pairs that are right in two programs, the first {pairs[0]}: {reason}"]


def _differing(pairs: list[Pair], found: list[Any], wanted: list[Any]) -> Iterator[Pair]:
    for pair, parts, references in zip(pairs, found, wanted, strict=True):
        if not all(_is_close(part, reference) for part, reference in zip(parts, references, strict=True)):
            yield pair


def _is_close(found: Any, wanted: Any) -> bool:
    return np.shape(found) == np.shape(wanted) and np.allclose(found, wanted, rtol=TOLERANCE, atol=TOLERANCE)
