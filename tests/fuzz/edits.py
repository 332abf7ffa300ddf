"""Smaller programs that a program can be turned into, by edits of its syntax tree, the largest first."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

Edit = Callable[[ast.Module], None]
BODIES = ("body", "orelse")
FOLDS = ("tl.reduce", "tl.scan", "tl.hist")


def edits_of(text: str) -> list[Edit]:
    """Everything that can be done to a program, the largest removals first."""
    tree = ast.parse(text)
    return [*statement_edits(tree), *result_edits(tree), *expression_edits(tree)]


def edited(text: str, edit: Edit) -> str:
    """The program after an edit."""
    tree = ast.parse(text)
    edit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes, in an order that a copy of the tree shares."""
    return list(ast.walk(tree))


def statement_edits(tree: ast.Module) -> Iterator[Edit]:
    """Blocks without some of their statements, and compound statements replaced by their blocks."""
    for place, node in enumerate(nodes(tree)):
        for name in BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                yield from (_without(place, name, lo, hi) for lo, hi in _ranges(len(body)))
                for k, each in enumerate(body):
                    yield from (_flattened(place, name, k, block) for block in BODIES if getattr(each, block, None))


def _ranges(count: int) -> Iterator[tuple[int, int]]:
    """Halves, quarters, and so on to single statements, from the end."""
    width = count
    while width:
        yield from ((lo, min(lo + width, count)) for lo in range(count - width, -1, -width))
        width //= 2


def _without(place: int, name: str, lo: int, hi: int) -> Edit:
    def edit(tree: ast.Module) -> None:
        body = getattr(nodes(tree)[place], name)
        kept = [each for each in body[lo:hi] if isinstance(each, (ast.Return, ast.Import))]
        body[lo:hi] = kept if kept or len(body) > hi - lo or name == "orelse" else [ast.Pass()]

    return edit


def _flattened(place: int, name: str, index: int, block: str) -> Edit:
    def edit(tree: ast.Module) -> None:
        body = getattr(nodes(tree)[place], name)
        inner = body[index]
        if isinstance(inner, (ast.If, ast.While, ast.With)):
            body[index : index + 1] = getattr(inner, block)
        elif isinstance(inner, ast.For):
            start = ast.Constant(0) if isinstance(inner.iter, ast.Call) else ast.Subscript(inner.iter, ast.Constant(0))
            body[index : index + 1] = [ast.Assign([inner.target], start), *inner.body]

    return edit


def result_edits(tree: ast.Module) -> Iterator[Edit]:
    for place, node in enumerate(nodes(tree)):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            yield from (_without_result(place, index) for index in range(len(node.value.elts)))


def _without_result(place: int, index: int) -> Edit:
    def edit(tree: ast.Module) -> None:
        found = nodes(tree)[place]
        assert isinstance(found, ast.Return) and isinstance(found.value, ast.Tuple)
        del found.value.elts[index]
        if len(found.value.elts) == 1:
            found.value = found.value.elts[0]

    return edit


def expression_edits(tree: ast.Module) -> Iterator[Edit]:
    """Expressions replaced by parts of themselves or by numbers, outermost first."""
    parents = nodes(tree)
    kept = operators_of(parents)
    for place, parent in enumerate(parents):
        if parent in kept:
            continue
        for name, value in ast.iter_fields(parent):
            for index, each in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(each, ast.expr) and each not in kept and _is_replaceable(parent, name, each):
                    target = (place, name, index if isinstance(value, list) else None)
                    yield from (_replaced(target, replacement) for replacement in replacements(each))


def operators_of(found: list[ast.AST]) -> set[ast.AST]:
    """Everything in operators and neutral elements: what is no longer associative has no meaning."""
    calls = [each for each in found if isinstance(each, ast.Call) and ast.unparse(each.func) in FOLDS]
    return {part for call in calls for operand in call.args[:2] for part in ast.walk(operand)}


def _is_replaceable(parent: ast.AST, name: str, node: ast.expr) -> bool:
    is_stored = isinstance(getattr(node, "ctx", None), ast.Store) or name in (
        "func",
        "annotation",
        "decorator_list",
        "keys",
    )
    return (
        not is_stored
        and not isinstance(node, (ast.Name, ast.Constant, ast.Slice))
        and not isinstance(parent, ast.keyword)
    )


def replacements(node: ast.expr) -> list[ast.expr]:
    """Parts of an expression, and plain numbers."""
    parts = [each for each in ast.walk(node) if isinstance(each, ast.expr) and each is not node]
    wanted = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.IfExp)
    direct = [each for each in parts if isinstance(each, wanted) and not _is_operator(each)]
    return [ast.Constant(0.5), ast.Constant(0), *direct[:8]]


def _is_operator(node: ast.expr) -> bool:
    text = ast.unparse(node)
    return text in ("tl", "np") or (isinstance(node, ast.Attribute) and text.startswith("tl."))


def _replaced(target: tuple[int, str, int | None], replacement: ast.expr) -> Edit:
    place, name, index = target

    def edit(tree: ast.Module) -> None:
        parent = nodes(tree)[place]
        if index is None:
            setattr(parent, name, copy.deepcopy(replacement))
        else:
            getattr(parent, name)[index] = copy.deepcopy(replacement)

    return edit
