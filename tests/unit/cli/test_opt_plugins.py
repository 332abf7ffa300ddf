"""Passes from outside: files, and entry points of installed packages."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

from tapeless.cli.opt import main
from tapeless.passes import PASSES
from tapeless.passes.driver import plugins

PLUGIN = """
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Mark:
    '''Puts an attribute on every function.'''

    name: ClassVar[str] = "{name}"
    label: str = "seen"

    def run(self, module):
        for op in module.body.operations:
            op.attributes["test." + self.label] = module.context and op.attributes["sym_name"]


PASSES = [Mark]
"""
SOURCE = "func.func @f() {\n  return\n}\n"


@pytest.fixture
def opt(tmp_path, monkeypatch, capfd):
    """Runs the program on a small module in an empty folder; passes that it loads are forgotten."""
    monkeypatch.chdir(tmp_path)
    Path("f.mlir").write_text(SOURCE)
    before = set(PASSES)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["f.mlir", *arguments])
        out, err = capfd.readouterr()
        return int(stopped.value.code or 0), out, err

    yield run
    for name in set(PASSES) - before:
        del PASSES[name]
    plugins.load_installed_plugins.cache_clear()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--load-pass-plugin=mark.py", "--test-mark=label=twice"],
        ["-load-pass-plugin", "mark.py", "-p", "builtin.module(test-mark{label=twice},cse)"],
        ["--test-mark=label=twice", "--load-pass-plugin=mark.py"],
        ["--load-pass-plugin=mark.py", "--load-pass-plugin=mark.py", "--test-mark=label=twice"],
    ],
)
def test_a_file_adds_passes(opt, arguments):
    Path("mark.py").write_text(PLUGIN.format(name="test-mark"))
    status, out, err = opt(*arguments)
    assert (status, err) == (0, "")
    assert 'test.twice = "f"' in out


def test_help_and_list_have_the_passes(opt):
    Path("mark.py").write_text(PLUGIN.format(name="test-mark"))
    assert "Puts an attribute on every function" in opt("--load-pass-plugin=mark.py", "--test-mark", "--help")[1]
    assert "test-mark" in opt("--load-pass-plugin=mark.py", "--list-passes")[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "plugin 'mark.py' has no list PASSES; write PASSES = [MyPass]"),
        ("PASSES = [3]", "plugin 'mark.py': 3 is no pass; write PASSES"),
        ("class A: pass\nPASSES = [A]", "plugin 'mark.py': A is no pass; write PASSES"),
        ("import dataclasses\n@dataclasses.dataclass\nclass A: pass\nPASSES = [A]", "A lacks a name or run"),
        ("1 / 0", "plugin 'mark.py' failed: ZeroDivisionError: division by zero; mend the file"),
        (PLUGIN.format(name="soac-fuse"), "there is a pass or pipeline 'soac-fuse' already; choose another name"),
        (PLUGIN.format(name="cpu"), "there is a pass or pipeline 'cpu' already; choose another name"),
    ],
)
def test_a_file_that_is_no_plugin_is_refused(opt, text, message):
    Path("mark.py").write_text(text)
    status, out, err = opt("--load-pass-plugin=mark.py")
    assert (status, out) == (1, "")
    assert message in err


@pytest.mark.parametrize("path", ["missing.py", "f.mlir", ""])
def test_a_file_that_is_no_python_is_refused(opt, path):
    status, _, err = opt(f"--load-pass-plugin={path}")
    assert status == 1
    assert "plugin" in err and "Traceback" not in err


def test_entry_points(opt, monkeypatch):
    """Those that fail are named; the others work."""
    Path("good_passes.py").write_text(PLUGIN.format(name="test-good"))
    monkeypatch.syspath_prepend(str(Path.cwd()))
    values = {"good": "good_passes", "listed": "good_passes:PASSES", "bad": "no_such_module", "odd": "math"}
    entries = [metadata.EntryPoint(name, value, plugins.ENTRY_POINTS) for name, value in values.items()]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == plugins.ENTRY_POINTS else [])
    plugins.load_installed_plugins.cache_clear()
    status, out, err = opt("--test-good")
    assert status == 0 and 'test.seen = "f"' in out
    bad, odd = (line.removeprefix("tapeless-opt: warning: plugin ") for line in err.splitlines())
    assert bad == "'bad' (no_such_module) failed: ModuleNotFoundError: No module named 'no_such_module'"
    assert odd.startswith("'odd' (math) failed: PipelineError: plugin 'odd' has no list PASSES")
    sys.modules.pop("good_passes")


def test_flags_that_mlir_opt_has(opt):
    status, out, err = opt("--mlir-disable-threading", "--verify-roundtrip")
    assert (status, err) == (0, "")
    assert "func.func @f" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module { func.func @f() { return } }", ""),
        (SOURCE, "f.mlir:1:1: error: the source is no module, found 'func.func'; write 'module { ... }'"),
        (SOURCE + SOURCE.replace("@f", "@g"), "f.mlir:1:1: error: the source is no module, found 2 operations"),
        ("module {} module {}", "f.mlir:1:1: error: the source is no module, found 2 operations"),
    ],
)
def test_no_implicit_module(opt, text, message):
    Path("f.mlir").write_text(text)
    status, _, err = opt("--no-implicit-module")
    assert (status == 0) == (not message)
    assert message in err


def test_a_module_that_changes_on_its_way_is_refused(opt, monkeypatch):
    from tapeless.optimizer import roundtrip

    monkeypatch.setattr(roundtrip, "bytecode", lambda operation: "module {}")
    status, _, err = opt("--verify-roundtrip")
    assert status == 1
    assert "the module changes when it is written as bytecode and parsed again" in err


def test_unknown_dialects_are_refused(capfd):
    with pytest.raises(SystemExit) as stopped:
        main(["--show-dialects=soack"])
    assert stopped.value.code == 1
    assert "no dialect or operation 'soack'; did you mean 'soac'?; its dialects are" in capfd.readouterr().err
