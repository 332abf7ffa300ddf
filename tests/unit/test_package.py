"""What `import tapeless` gives: every public name, the version, and types for checkers."""

from __future__ import annotations

import ast
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import tapeless as tl

FOLDER = Path(tl.__file__).parent
LOADED = """
import sys, tapeless
print(*(name for name in sys.modules if name.startswith(("tapeless.api", "tapeless.frontend", "tapeless.backend"))))
"""


def test_every_public_name_is_there() -> None:
    assert [name for name in tl.__all__ if not hasattr(tl, name)] == []
    assert set(tl.__all__) <= set(dir(tl))
    with pytest.raises(AttributeError, match="has no attribute 'gard'"):
        tl.gard  # noqa: B018


def test_checkers_see_the_names_that_are_loaded_later() -> None:
    """The imports for type checkers name the modules that the table names."""
    tree = ast.parse((FOLDER / "__init__.py").read_text())
    later = next(each for each in tree.body if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING")
    seen = {name.name: each.module for each in later.body if isinstance(each, ast.ImportFrom) for name in each.names}
    assert seen == tl._LATER


def test_the_compiler_is_not_loaded_by_the_import() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_version_is_that_of_the_installed_package() -> None:
    assert tl.__version__ == importlib.metadata.version("tapeless")


def test_the_package_is_typed() -> None:
    assert (FOLDER / "py.typed").is_file()
