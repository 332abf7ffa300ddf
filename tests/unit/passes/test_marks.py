"""Every mark is spelt once: in the module that says what it means."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from tapeless.dialects import groups
from tapeless.dialects.ad import marks as ad_marks
from tapeless.dialects.soac import marks as soac_marks
from tapeless.passes import marks as pass_marks

ROOT = Path(__file__).parents[3]
FAMILIES = (ad_marks, soac_marks, pass_marks)
MARKS = {value for family in FAMILIES for name, value in vars(family).items() if name.isupper()}
ASKING_FOR_THE_DYNAMIC_SIZE = "get_dynamic_size"


@cache
def sources() -> dict[Path, str]:
    """The text of every module of the package."""
    return {
        path.relative_to(ROOT): path.read_text()
        for folder in ("python/tapeless", "dialects", "passes")
        for path in (ROOT / folder).rglob("*.py")
    }


def _texts(tree: ast.Module) -> Iterator[str]:
    """What is written as a string or asked for as an attribute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute):
            yield node.attr


def spelling(texts: set[str]) -> set[Path]:
    """The modules in which one of the texts is written."""
    return {
        path
        for path, source in sources().items()
        if any(text in source for text in texts) and texts.intersection(_texts(ast.parse(source)))
    }


def of_module(module: ModuleType) -> Path:
    """Where a module of the package lies in the repository."""
    return Path(*module.__name__.split(".")[1:]).with_suffix(".py")


def test_marks_are_spelt_where_they_are_explained() -> None:
    assert len(MARKS) > len(FAMILIES)
    assert spelling(MARKS) == {of_module(family) for family in FAMILIES}


def test_operand_groups_and_dynamic_sizes_are_spelt_once() -> None:
    assert spelling({groups.SEGMENTS}) == {of_module(groups)}
    assert spelling({ASKING_FOR_THE_DYNAMIC_SIZE}) == {Path("dialects/array_types.py")}
