"""What the source text of the passes says of their size: files, names, thresholds, hardware numbers, circles."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import median

import structure

PASSES = structure.ROOT / "passes"
SHORT = 50
MOST_SHORT = 90
LONGEST = 371
MOST_OF_A_STEM = 4
# The only file that may have these: multiprocessors of GPUs, and sizes of shared memory and caches.
MACHINE = PASSES / "ir" / "machine.py"
THRESHOLD = re.compile(r"(MOST|FEWEST|LEAST|LONGEST)_")
OF_MEMORY = re.compile(r"BYTES|SHARED|CACHE|LEVEL")
MULTIPROCESSORS = {84, 108, 132, 142, 148, 1056}
LEAST_OF_MEMORY = 16 << 10


@cache
def trees() -> dict[Path, ast.Module]:
    """Every file of the passes, parsed."""
    return {path: ast.parse(path.read_text()) for path in sorted(PASSES.rglob("*.py"))}


def sizes() -> list[int]:
    """The lines of every file that has any, `__init__.py` left out."""
    return [len(path.read_text().splitlines()) for path in trees() if path.name != "__init__.py"]


def repeated_stems() -> dict[str, int]:
    """Names of files that occur too often."""
    stems = Counter(path.stem for path in trees() if path.name != "__init__.py")
    return {stem: number for stem, number in stems.items() if number > MOST_OF_A_STEM}


def constants() -> Iterator[tuple[Path, str, ast.expr]]:
    """Every number that a module names, with its file."""
    for path, tree in trees().items():
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(name)], value=value) if name.isupper():
                    yield path, name, value
                case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value) if name.isupper():
                    yield path, name, value


def thresholds() -> list[str]:
    """Constants that bound a choice."""
    return [name for _, name, value in constants() if THRESHOLD.match(name) and _number(value) is not None]


def hardware_numbers() -> list[str]:
    """Constants outside of the machine record that only hardware explains."""
    return [
        f"{path.relative_to(PASSES)}: {name}"
        for path, name, value in constants()
        if path != MACHINE and (number := _number(value)) is not None and _is_of_hardware(name, number)
    ]


def _is_of_hardware(name: str, number: float) -> bool:
    return number in MULTIPROCESSORS or (bool(OF_MEMORY.search(name)) and number >= LEAST_OF_MEMORY)


def _number(value: ast.expr) -> float | None:
    literal = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    if not all(isinstance(each, literal) for each in ast.walk(value)):
        return None
    found = eval(compile(ast.Expression(value), "constant", "eval"), {})
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def classes_called(name: str) -> list[Path]:
    """The files that have a class of a name."""
    classes = ((path, node) for path, tree in trees().items() for node in tree.body if isinstance(node, ast.ClassDef))
    return [path for path, node in classes if node.name == name]


def first_sentences() -> list[str]:
    """The first sentence of every doc string."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = chain.from_iterable(ast.walk(tree) for tree in trees().values())
    texts = [ast.get_docstring(node) for node in nodes if isinstance(node, documented)]
    return [re.split(r"(?<=\w)[.:](?:\s|$)|\n\n", text)[0] for text in texts if text]


def is_free_relative(sentence: str) -> bool:
    """Whether a sentence says "what ..." for a noun."""
    return re.search(r"\bwhat\b", sentence, re.IGNORECASE) is not None


def circles(family: str) -> list[set[str]]:
    """Folders of a family of passes that import each other around."""
    root = f"tapeless.passes.{family}."
    used: dict[str, set[str]] = {}
    for module, imported in structure.imports().items():
        if module.startswith(root):
            used.setdefault(_folder(module, root), set()).update(
                _folder(each, root) for each in imported if each.startswith(root)
            )
    reached = {folder: _reached(folder, used) for folder in used}
    found = {frozenset({each for each in reached[one] if one in reached[each]}) for one in used}
    return [set(circle) for circle in found if len(circle) > 1]


def _folder(module: str, root: str) -> str:
    return module.removeprefix(root).split(".")[0]


def _reached(start: str, used: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        for each in used.get(left.pop(), set()) - found:
            found.add(each)
            left.append(each)
    return found


def rows() -> Iterator[tuple[str, str]]:
    """The figures by name."""
    lines, said = sizes(), first_sentences()
    free = sum(map(is_free_relative, said))
    yield "files of passes, and their lines", f"{len(trees())}, {sum(lines)}"
    yield "median and longest file", f"{median(lines):.0f}, {max(lines)}"
    yield f"files of fewer than {SHORT} lines", str(sum(each < SHORT for each in lines))
    yield f"names of more than {MOST_OF_A_STEM} files", f"{len(repeated_stems())}"
    yield "classes called Nest", str(len(classes_called("Nest")))
    yield "thresholds", str(len(thresholds()))
    yield "hardware numbers outside the machine record", str(len(hardware_numbers()))
    yield "first sentences with a free relative", f"{free} of {len(said)}, {free / len(said):.1%}"
    around = " and ".join(", ".join(sorted(each)) for each in circles("lower")) or "none"
    yield "folders of passes/lower in a circle", around
