"""The house as it is: which module imports which, and how large folders and files are (`make structure`)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
PACKAGES = {"tapeless": "python/tapeless", "tapeless.passes": "passes", "tapeless.dialects": "dialects"}


@cache
def files() -> dict[str, Path]:
    """The files of the package by module."""
    return {
        ".".join((package, *path.relative_to(ROOT / folder).with_suffix("").parts)).removesuffix(".__init__"): path
        for package, folder in PACKAGES.items()
        for path in (ROOT / folder).rglob("*.py")
    }


@cache
def imports() -> dict[str, set[str]]:
    """What every module imports of the package, by statements that are not for type checkers alone or by its tables."""
    return {
        module: {*_imported(module, path), *_looked_up(ast.parse(path.read_text()))} - {module}
        for module, path in files().items()
    }


def _imported(module: str, path: Path) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in _executed(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files())
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 1 + package.count(".") - (node.level - 1)] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            named = (f"{base}.{alias.name}" for alias in node.names)
            yield from (name if name in files() else base for name in named if name in files() or base in files())


def _looked_up(tree: ast.Module) -> Iterator[str]:
    """The modules that the places in an `ImportTable` name."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("ImportTable"), [ast.Constant(str(folder)), ast.Dict(_, places)]):
                strings = (each.value for place in places for each in ast.walk(place) if isinstance(each, ast.Constant))
                for place in strings:
                    yield f"tapeless.passes.{folder}".rstrip(".") + f".{place}".rpartition(".")[0]


def _executed(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements but those for type checkers alone, and what stands between statements, but no expressions."""
    left: list[ast.AST] = [tree]
    while left:
        for child in ast.iter_child_nodes(left.pop()):
            if isinstance(child, STATEMENTS) and not (
                isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            ):
                yield child
                left.append(child)


def report() -> str:
    """Folders with most files and files with most lines."""
    folders = Counter(path.parent.relative_to(ROOT) for path in files().values())
    lines = Counter({path.relative_to(ROOT): len(path.read_text().splitlines()) for path in files().values()})
    shown = [("files", "folder"), *((n, name) for name, n in folders.most_common(12)), ("lines", "file")]
    shown += [(n, name) for name, n in lines.most_common(12)]
    return "\n".join(f"{number:>6}  {name}" for number, name in shown)


if __name__ == "__main__":
    print(report())
