"""Functions that print: `tl.debug_print` in a function, or in one that it calls, has Python run it.

So texts come when and in the order in which the program makes them, from one thread, once; derivatives are computed by
compiled code, which prints nothing.
"""

from __future__ import annotations

import ast
from typing import Any

from tapeless import lang
from tapeless.api.staleness import reachable
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.scoping import dotted_name
from tapeless.frontend.syntax.source import Source

CPU = "cpu"


def prints(source: Source) -> bool:
    """Whether a function, or one that it can call, prints."""
    return any(value is lang.debug_print for each in reachable(source) for value in each.captured.values())


def check_printing(source: Source) -> None:
    """Refuses a `tl.debug_print` that is no statement."""
    nodes = list(ast.walk(source.node))
    statements = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Call) and node not in statements:
            name = dotted_name(node.func)
            if name is not None and source.captured.get(name) is lang.debug_print:
                raise source.error(node, "tl.debug_print gives nothing", "write it as a statement of its own")


def check_target(source: Source, target: str) -> None:
    """Refuses to print on a GPU."""
    if target != CPU:
        raise ArgumentError(
            f"{source.name}() prints by tl.debug_print, which works on the CPU, and not for target='{target}'; "
            "leave the target or the printing out"
        )


def check_kernel(source: Source) -> None:
    """Refuses a kernel that would print."""
    if prints(source):
        raise ArgumentError(
            f"{source.name}() prints by tl.debug_print, and kernels do not print; "
            "call the function itself, or leave the printing out"
        )


def given_a_printing_function(arguments: tuple[Any, ...]) -> bool:
    """Whether one of the arguments of an operator is a function that prints."""
    sources = (getattr(each, "source", None) for each in arguments)
    return any(isinstance(source, Source) and prints(source) for source in sources)
