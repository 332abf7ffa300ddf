"""How deep a module's text is nested: MLIR's parser calls itself per level, and would end the process on its stack.

Levels are brackets of any kind, minus signs in a row (affine expressions), and aliases (`#a1 = [#a0]`) within aliases.
The operations of an affine expression are nested in each other, too, but take less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from tapeless.passes.diagnostics import Diagnosed, Diagnostic, Place

# A level takes 2 to 8 KB of stack; threads have 8 MB, some systems' 2 MB.
LIMIT = 500
AFFINE_LIMIT = 5000

# What brackets mean nothing in.
STRING_OR_COMMENT = re.compile(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
ARROW, NOT_BELOW = b"->", b">="
SIGNS = re.compile(rb"-(?:\s*-)+")
DEFINITION = re.compile(rb"([#!][A-Za-z_$][\w$.\-]*|[#!]\d+)\s*=(?!=)\s*")
REFERENCE = re.compile(rb"[#!](?:[A-Za-z_$][\w$.\-]*|\d+)")
AFFINE = re.compile(rb"affine_(?:map|set)\s*<")
AFFINE_OPERATIONS = re.compile(rb"[-+*]|\bmod\b|\b(?:floor|ceil)div\b")
OPENING, CLOSING = (b"([{", b"<"), (b")]}", b">")


def check_nesting(name: str, text: str) -> None:
    """Refuses text that is nested too deep to be parsed."""
    content = text.encode()
    plain = STRING_OR_COMMENT.sub(_blank, content).replace(ARROW, b"  ").replace(NOT_BELOW, b"  ")
    depths = _bracket_depths(plain)
    deepest = int(depths.max(initial=0)) + _longest_run_of_signs(plain)
    if deepest > LIMIT:
        raise _too_deep(name, content, int(np.argmax(depths)), deepest)
    for place, depth in _alias_depths(plain, depths):
        if deepest + depth > LIMIT:
            raise _too_deep(name, content, place, depth)
    for place, count in _affine_operations(plain, depths):
        if count > AFFINE_LIMIT:
            reason = f"an affine expression of {count} operations; the limit is {AFFINE_LIMIT}; write a shorter one"
            raise _error(name, content, place, reason)


def _too_deep(name: str, content: bytes, place: int, depth: int) -> Diagnosed:
    message = f"nested {depth} levels deep; the limit is {LIMIT}; write the inner part as a function or a smaller one"
    return _error(name, content, place, message)


def _error(name: str, content: bytes, place: int, message: str) -> Diagnosed:
    line = content.count(b"\n", 0, place) + 1
    column = place - content.rfind(b"\n", 0, place)
    return Diagnosed([Diagnostic("error", message, Place(name, line, column))])


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])


def _bracket_depths(plain: bytes) -> np.ndarray:
    """Per byte, how many brackets are open; a closing one without an opening one of its kind counts for nothing."""
    depths = np.zeros(len(plain), np.int64)
    for opening, closing in zip(OPENING, CLOSING, strict=True):
        steps = np.zeros(256, np.int8)
        steps[list(opening)], steps[list(closing)] = 1, -1
        level = np.cumsum(steps[np.frombuffer(plain, np.uint8)], dtype=np.int64)
        depths += level - np.minimum(np.minimum.accumulate(level), 0)
    return depths


def _longest_run_of_signs(plain: bytes) -> int:
    return max((run[0].count(b"-") for run in SIGNS.finditer(plain)), default=0)


def _alias_depths(plain: bytes, depths: np.ndarray) -> Iterator[tuple[int, int]]:
    """Where each alias is defined, and how deep it is nested with all that it refers to."""
    bodies = {match[1]: (match.start(), *_body(plain, depths, match.end())) for match in _definitions(plain, depths)}
    if sum(own for _, own, _ in bodies.values()) <= LIMIT:
        return
    known: dict[bytes, int] = {}
    for alias, (place, _, _) in bodies.items():
        yield place, _depth_of(alias, bodies, known)


def _definitions(plain: bytes, depths: np.ndarray) -> Iterator[re.Match[bytes]]:
    return (match for match in DEFINITION.finditer(plain) if depths[match.start()] == 0)


def _body(plain: bytes, depths: np.ndarray, start: int) -> tuple[int, list[bytes]]:
    """How deep a definition is by itself, and the names in it; it ends with the first line that closes all brackets."""
    end = start
    while (end := plain.find(b"\n", end)) >= 0 and depths[end] > 0:
        end += 1
    end = len(plain) if end < 0 else end
    return 1 + int(depths[start:end].max(initial=0)), REFERENCE.findall(plain, start, end)


def _depth_of(alias: bytes, bodies: Mapping[bytes, tuple[int, int, list[bytes]]], known: dict[bytes, int]) -> int:
    """The depth of an alias; definitions may stand in any order, and chains of them be longer than Python's stack."""
    waiting = [alias]
    while waiting:
        current = waiting[-1]
        _, own, names = bodies[current]
        inner = [name for name in names if name in bodies and name != current]
        missing = [name for name in inner if name not in known]
        if missing and current not in known:
            known[current] = own  # seen: a circle, which MLIR refuses, ends here
            waiting += missing
            continue
        known[current] = own + max((known[name] for name in inner), default=0)
        waiting.pop()
    return known[alias]


def _affine_operations(plain: bytes, depths: np.ndarray) -> Iterator[tuple[int, int]]:
    """Where each long affine map or set begins, and the operations of the longest expression in it."""
    for match in AFFINE.finditer(plain):
        rest = depths[match.end() :]
        level = depths[match.end() - 1]
        is_long = len(rest) > AFFINE_LIMIT and rest[:AFFINE_LIMIT].min() >= level
        if is_long:
            closed = np.flatnonzero(rest < level)
            body = plain[match.end() : match.end() + int(closed[0])] if len(closed) else plain[match.end() :]
            yield match.start(), max(len(AFFINE_OPERATIONS.findall(each)) for each in body.split(b","))
