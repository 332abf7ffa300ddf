"""What `import tapeless` gives: every public name, the version, and types for checkers."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import stub
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


def test_only_public_names_are_listed() -> None:
    assert dir(tl) == sorted([*tl.__all__, "__version__"])
    assert [name for name in tl.__all__ if name.startswith("_")] == []


def test_a_name_is_defined_where_the_table_says() -> None:
    for module, names in tl.PLACES.items():
        own = [name for name in names if isinstance(getattr(tl, name), type)]
        assert [name for name in own if getattr(tl, name).__module__ != module] == []


def test_the_compiler_is_not_loaded_by_the_import() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_version_is_that_of_the_installed_package() -> None:
    assert tl.__version__ == importlib.metadata.version("tapeless")


def test_the_package_is_typed() -> None:
    assert (FOLDER / "py.typed").is_file()
    assert stub.STUB.read_text() == stub.written(), "`make stub` writes it anew"
