"""The example of the README runs and prints what the README says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def code_block(language: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", README.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0])


def test_the_example_prints_what_the_readme_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = tmp_path / "example.py"
    example.write_text(code_block("python"))
    runpy.run_path(str(example))
    assert capsys.readouterr().out == code_block("text")


def test_the_map_names_folders_that_exist() -> None:
    folders = re.findall(r"^\| `([a-z/]+)/` \|", README.read_text(), flags=re.MULTILINE)
    assert folders
    assert [folder for folder in folders if not (README.parent / folder).is_dir()] == []
