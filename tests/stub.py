"""What type checkers see of `import tapeless`, written from the tables of the package (`make stub`).

Functions of the language have the signatures and doc strings of their operators; everything else is typed where it is
defined.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import tapeless
from tapeless import lang

STUB = Path(__file__).parent.parent / "python" / "tapeless" / "__init__.pyi"
CONSTANTS = ("e", "inf", "nan", "pi")
ANNOTATIONS = ("bf16", "bool_", "f16", "f32", "f64", "i32", "i64", "u32", "In")
NUMBERS = ("fixed43", "ulog", "ulog43")

UNARY = ("neg", "pos", "abs", "invert")
BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
OF_VALUES = (
    "def __getitem__(self, index: Any) -> Any: ...",
    "def __setitem__(self, index: Any, value: Any) -> None: ...",
    "def __getattr__(self, name: str) -> Any: ...",
    "def __iter__(self) -> Iterator[Any]: ...",
    "def __len__(self) -> builtins.int: ...",
    "def __bool__(self) -> builtins.bool: ...",
    "def __int__(self) -> builtins.int: ...",
    "def __index__(self) -> builtins.int: ...",
    "def __float__(self) -> builtins.float: ...",
    "def __round__(self, digits: builtins.int = ...) -> Any: ...",
)

HEAD = '''"""What type checkers see of `import tapeless`; written by `make stub` from the tables of the package."""

import builtins
from collections.abc import Iterator
from typing import Any, Protocol

'''

TYPES = """
# `tl.f64` is a number and `tl.f64[:, 3]` an array, and checkers have no words for the sizes: to them, a value of either
# is anything. mypy takes a variable of type Any for such an annotation, whatever its index, and skips what is behind
# `not MYPY`; pyright skips what is behind `False`, and takes a class with a `__class_getitem__` of its own, whatever
# its index: as a protocol without members everything is one, by its base it is everything, and what one does with it is
# anything. (But `2.0 * x` is a float to pyright, which asks floats first: write `x * 2.0` and index that.)
MYPY = False
if False:
"""


def written() -> str:
    """The text of the stub, formatted."""
    text = "\n".join([HEAD + "\n".join(_imports()), TYPES + "\n".join(_types()), *_constants(), *_operators()]) + "\n"
    ruff = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", str(STUB), "-"]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=STUB.parent).stdout


def _imports() -> Iterator[str]:
    for module, names in sorted(tapeless.PLACES.items()):
        taken = sorted(set(names) - {*lang.PUBLIC, *ANNOTATIONS, *NUMBERS})
        yield from (f"from {module} import {name} as {name}" for name in taken)
    yield "from tapeless.version import __version__ as __version__"


def _types() -> Iterator[str]:
    yield from (f"    {name}: Any" for name in (*ANNOTATIONS, *NUMBERS))
    yield "elif not MYPY:"
    yield "    class _Value(Any):"
    for name in (*UNARY, *BINARY, *(f"r{each}" for each in BINARY), *COMPARED):
        other = "" if name in UNARY else ", other: Any"
        ignored = "  # type: ignore" if name in COMPARED[:2] else ""
        yield f"        def __{name}__(self{other}) -> Any: ...{ignored}"
    yield from (f"        {line}" for line in OF_VALUES)
    for name in ANNOTATIONS:
        yield f"    class {name}(_Value, Protocol):\n        def __class_getitem__(cls, shape: Any) -> Any: ...\n"
    for name in NUMBERS:
        yield f"    class {name}(_Value, Protocol):\n        def __new__(cls, value: Any) -> Stored: ..."
        yield "        def __class_getitem__(cls, shape: Any) -> Any: ...\n"


def _constants() -> Iterator[str]:
    yield from (f"{name}: builtins.float" for name in CONSTANTS)


def _operators() -> Iterator[str]:
    for name, operator in sorted(lang.OPERATORS.items()):
        text = textwrap.indent(operator.__doc__, "    ").lstrip()
        yield f'def {name}{_signature(operator)} -> Any:\n    """{text}    """\n'


def _signature(operator: lang.Operator) -> inspect.Signature:
    """The signature, in which every parameter is anything, and a default that is no literal is left open."""
    given = [
        each.replace(annotation=_ANY, default=each.default if _is_literal(each.default) else _ELLIPSIS)
        for each in operator.__signature__.parameters.values()
    ]
    return inspect.Signature(given)


class _Word:
    """What stands in a signature as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


_ANY, _ELLIPSIS = _Word("Any"), _Word("...")


def _is_literal(value: object) -> bool:
    return value is inspect.Parameter.empty or value is None or isinstance(value, bool | int | float | str | tuple)


if __name__ == "__main__":
    STUB.write_text(written())
