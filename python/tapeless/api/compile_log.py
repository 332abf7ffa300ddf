"""A log of compilations, with reason and time: `TAPELESS_LOG=compile`, and a notice where somebody waits.

tapeless: compiled f(x: tl.f32[:]) for cpu in 0.21 s, again: 'x' is tl.f32[:], was tl.f64[:]
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Timer
from time import perf_counter

from tapeless.api.options import Options
from tapeless.frontend.syntax.source import Source
from tapeless.trees import leaves
from tapeless.types import TypeTree

VARIABLE, LOGS = "TAPELESS_LOG", ("compile",)
# A compilation that takes longer says so, in seconds.
LONG = 2.0


class Told:
    """A version of a function on its way: `how` it came about is said when it is there."""

    how = "compiled"


@contextmanager
def compilation_told(
    source: Source, types: Sequence[TypeTree], options: Options, latest: Sequence[TypeTree] | None, is_renewed: bool
) -> Iterator[Told]:
    """Tells of the compilation inside; `latest` are the types of the version before, `is_renewed` after `recapture`."""
    told, title, start = Told(), _title(source, types, options), perf_counter()
    with _waiting_told(title):
        yield told
    if "compile" in _wanted():
        reason = _reason(source, types, latest, is_renewed)
        _say(f"{told.how} {title} in {perf_counter() - start:.2f} s{reason}")


@contextmanager
def _waiting_told(title: str) -> Iterator[None]:
    """A notice, where somebody waits, that a compilation is long, and one when it has ended."""
    if not is_interactive():
        yield
        return
    start = perf_counter()
    notice = Timer(LONG, _say, [f"compiling {title} takes longer than {LONG:g} s ..."])
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()
        if perf_counter() - start > LONG:
            _say(f"... {title} took {perf_counter() - start:.1f} s")


def is_interactive() -> bool:
    """Whether somebody sits before a terminal or a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is not None:
        return True
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def _wanted() -> list[str]:
    """The logs that the environment asks for; others are told of, and nothing else happens."""
    words = [word.strip() for word in os.environ.get(VARIABLE, "").split(",") if word.strip()]
    for word in words:
        if word not in LOGS:
            _say(f"{VARIABLE} asks for '{word}', which is no log; there is {', '.join(LOGS)}")
    return words


def _say(text: str) -> None:
    print(f"tapeless: {text}", file=sys.stderr, flush=True)


def _title(source: Source, types: Sequence[TypeTree], options: Options) -> str:
    parts = [f"{each.name}: {_shown(type_)}" for each, type_ in zip(source.parameters, types, strict=True)]
    return f"{source.name}({', '.join(parts)}) for {options.target}{_other_options(options)}"


def _other_options(options: Options) -> str:
    """Options that are not the usual ones."""
    usual = Options()
    other = [
        f"{each.name}={getattr(options, each.name)!r}"
        for each in dataclasses.fields(options)
        if each.name != "target" and getattr(options, each.name) != getattr(usual, each.name)
    ]
    return f" with {', '.join(other)}" if other else ""


def _shown(type_: TypeTree) -> str:
    """A type, or those of the parts of a structure."""
    parts = list(leaves(type_))
    return repr(type_) if parts == [type_] else f"({', '.join(map(repr, parts))})"


def _reason(source: Source, types: Sequence[TypeTree], latest: Sequence[TypeTree] | None, is_renewed: bool) -> str:
    """Why a function is compiled once more."""
    if is_renewed:
        return ", again: recapture() took the present values of outside names"
    if latest is None:
        return ""
    changes = [
        f"'{each.name}' is {_shown(new)}, was {_shown(old)}"
        for each, new, old in zip(source.parameters, types, latest, strict=True)
        if new != old
    ]
    return f", again: {'; '.join(changes)}"
