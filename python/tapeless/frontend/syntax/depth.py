"""The limit on the nesting of a function: deeper ones are refused before anything recurses into them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

Refuse = Callable[..., Exception]

# Every level of these is a region in a region of the IR, into which the C++ code of passes recurses.
REGIONS = (ast.If, ast.For, ast.While, ast.IfExp, ast.Lambda, ast.FunctionDef)
MOST_REGIONS = 400
MOST_LEVELS = 5000


# Words and signs without which nothing is nested in a region, nor moved into one because of a jump.
OPENING = re.compile(r"\b(?:if|elif|for|while|lambda|def|and|or|return|break|continue)\b")


def may_be_deep(text: str) -> bool:
    """Whether a function of this text can be nested too deeply, which takes a long one."""
    return len(text) >= MOST_LEVELS or len(OPENING.findall(text)) >= MOST_REGIONS


def check(function: ast.AST, error: Refuse) -> None:
    """Raises for the first part that is nested too deeply."""
    for node, levels, regions in _with_depths(function):
        if regions > MOST_REGIONS:
            raise error(
                node,
                f"'if', 'elif', 'and', 'or', loops and functions are nested more than {MOST_REGIONS} deep here",
                "move a part into a function of its own, or look values up in an array",
            )
        if levels > MOST_LEVELS:
            raise error(
                node,
                f"this is nested more than {MOST_LEVELS} deep",
                "give parts of it names in statements of their own",
            )


def _with_depths(root: ast.AST) -> Iterator[tuple[ast.AST, int, int]]:
    """The nodes that have a position, each with the number of nodes and of regions around it."""
    pending = [(root, 0, 0)]
    while pending:
        node, levels, regions = pending.pop()
        if hasattr(node, "lineno"):
            yield node, levels, regions
        inside = regions + _regions_of(node)
        pending.extend((child, levels + 1, inside) for child in ast.iter_child_nodes(node))


def _regions_of(node: ast.AST) -> int:
    """`a and b and c` is a branch for each operand but the first."""
    return len(node.values) - 1 if isinstance(node, ast.BoolOp) else isinstance(node, REGIONS)
