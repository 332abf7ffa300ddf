"""Type checkers accept the example of the README, and see the signatures of transformed functions."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EXPECTED = Path(__file__).with_name("expected_types.py")
# Examples that use nothing but what has types; `distributed` has none.
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem != "data_parallel"]
FILES = ("example.py", EXPECTED.name, *(path.name for path in EXAMPLES))
PARTS = {"dialects": ROOT / "dialects", "passes": ROOT / "passes"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which checkers find the package, as one that is installed: it is put together from three."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "tapeless").mkdir()
    for path in [*(ROOT / "python" / "tapeless").iterdir(), *PARTS.values()]:
        if path.name != "__pycache__":
            (folder / "tapeless" / path.name).symlink_to(path)
    return folder


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    readme = (ROOT / "README.md").read_text()
    file = tmp_path_factory.mktemp("readme") / "example.py"
    file.write_text(re.findall(r"^```python\n(.*?)^```", readme, flags=re.MULTILINE | re.DOTALL)[0])
    return file


@pytest.fixture(scope="module")
def reported(package: Path, example: Path) -> dict[str, list[str]]:
    """What mypy says, by file: one run for all. Its cache stays, because a first run takes seconds.

    Processes that share the tests have caches of their own, since one cache is not for two at once.
    """
    cache = ROOT / ".mypy_cache" / f"users-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--hide-error-context"]
    command += ["--no-error-summary", "--config-file=", f"--cache-dir={cache}"]
    environment = {**os.environ, "MYPYPATH": str(package)}
    files = [str(path) for path in (example, EXPECTED, *EXAMPLES)]
    done = subprocess.run([*command, *files], capture_output=True, text=True, env=environment)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    return {file: [line for line in lines if Path(line.partition(":")[0]).name == file] for file in FILES}


def test_mypy_accepts_the_example_of_the_readme(reported: dict[str, list[str]], example: Path) -> None:
    assert reported[example.name] == []


def test_mypy_accepts_the_examples(reported: dict[str, list[str]]) -> None:
    assert {path.name: reported[path.name] for path in EXAMPLES} == {path.name: [] for path in EXAMPLES}


def test_mypy_reveals_what_is_expected(reported: dict[str, list[str]]) -> None:
    source = EXPECTED.read_text().splitlines()
    behind = {number: line.rpartition("  # ")[2] for number, line in enumerate(source, 1) if "  # " in line}
    revealed = {}
    for line in reported[EXPECTED.name]:
        number, kind, message = re.fullmatch(r"[^:]*:(\d+): (note|error): (.*)", line).groups()
        if kind == "error":
            revealed[int(number)] = "error: " + re.search(r"\[([\w-]+)\]$", message)[1]
        elif found := re.fullmatch(r'Revealed type is "(.*)"', message):
            shown = found[1].replace("[*Any, **Any]", "...")  # which of the two is said depends on mypy's cache
            revealed.setdefault(int(number), re.sub(r"\b(?:\w+\.)+(?=\w)", "", shown))
    assert revealed == behind


def test_pyright_accepts_the_examples_and_finds_the_same_mistakes(package: Path, example: Path) -> None:
    pytest.importorskip("basedpyright", reason="pyright is not installed; `pip install 'tapeless[checkers]'`")
    settings = example.with_name("pyrightconfig.json")
    for path in (example, *EXAMPLES):
        example.with_name(f"strict_{path.name}").write_text(f"# pyright: strict\n{path.read_text()}")
    files = [*map(str, example.parent.glob("strict_*.py")), str(EXPECTED)]
    settings.write_text(json.dumps({"typeCheckingMode": "standard", "extraPaths": [str(package)], "include": files}))
    command = [sys.executable, "-m", "basedpyright", "--project", str(settings), "--pythonpath", sys.executable]
    done = subprocess.run([*command, "--outputjson"], capture_output=True, text=True)
    found = [each for each in json.loads(done.stdout)["generalDiagnostics"] if each["severity"] == "error"]
    places = {(Path(each["file"]).name, each["range"]["start"]["line"] + 1) for each in found}
    source = EXPECTED.read_text().splitlines()
    assert places == {(EXPECTED.name, number) for number, line in enumerate(source, 1) if "# error:" in line}, found
