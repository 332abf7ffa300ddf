"""`tapeless-opt` from the outside: flags, output, diagnostics, exit codes."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from tapeless.cli.opt import main

REDUNDANT = """func.func @f(%x: f64) -> f64 {
  %a = arith.addf %x, %x : f64
  %b = arith.addf %x, %x : f64
  %c = arith.mulf %a, %b : f64
  return %c : f64
}
"""
MISTYPED = "func.func @f() -> f64 {\n  return\n}\n"


class Run:
    """What one run of the program left."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def opt(capfd, monkeypatch, tmp_path):
    """Runs the program in an empty folder, with the given text on standard input."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str | bytes = REDUNDANT) -> Run:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        captured = capfd.readouterr()
        return Run(stopped.value.code or 0, captured.out, captured.err)

    return run


def test_without_passes_the_module_is_printed(opt):
    run = opt()
    assert (run.status, run.err) == (0, "")
    assert run.out.count("arith.addf") == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--cse"],
        ["-cse"],
        ["--pass-pipeline=builtin.module(cse)"],
        ["--pass-pipeline", "builtin.module(func.func(cse))"],
        ["--canonicalize=max-iterations=2", "--cse"],
        ["--canonicalize={max-iterations=2 top-down=false}", "--cse"],
        ["--core"],
        ["-", "--cse"],
        ["--cse", "--verify-each=false"],
    ],
)
def test_passes_by_flag_and_by_pipeline(opt, arguments):
    run = opt(*arguments)
    assert (run.status, run.err) == (0, "")
    assert run.out.count("arith.addf") == 1


def test_pass_flags_run_in_the_order_given(opt):
    run = opt("--cse", "--dump-pass-pipeline", "--canonicalize=max-iterations=2", "--symbol-dce", "--cse")
    expected = "builtin.module(cse,canonicalize{max-iterations=2},symbol-dce,cse)"
    assert run.err == f"Pass Manager with 4 passes:\n{expected}\n"


def test_output_goes_to_the_file(opt, tmp_path):
    assert opt("--cse", "-o", "out.mlir").out == ""
    assert (tmp_path / "out.mlir").read_text().count("arith.addf") == 1
    assert opt("-o=again.mlir").status == 0
    assert sorted(os.listdir(tmp_path)) == ["again.mlir", "out.mlir"]


def test_failure_leaves_the_output_file_alone(opt, tmp_path):
    (tmp_path / "out.mlir").write_text("precious")
    assert opt("-o", "out.mlir", stdin=MISTYPED).status == 1
    assert (tmp_path / "out.mlir").read_text() == "precious"
    assert os.listdir(tmp_path) == ["out.mlir"]


def test_bytecode_round_trip(opt, tmp_path):
    assert opt("--emit-bytecode", "-o", "f.mlirbc").status == 0
    content = (tmp_path / "f.mlirbc").read_bytes()
    assert content.startswith(b"ML\xefR")
    assert opt("f.mlirbc").out == opt().out == opt(stdin=content).out


def test_diagnostic_shows_place_line_and_caret(opt, tmp_path):
    (tmp_path / "bad.mlir").write_text(MISTYPED)
    message = "'func.return' op has 0 operands, but enclosing function (@f) returns 1"
    for name, arguments in (("bad.mlir", ["bad.mlir"]), ("<stdin>", [])):
        run = opt(*arguments, stdin=MISTYPED)
        assert run.status == 1
        assert run.err.startswith(f"{name}:2:3: error: {message}\n  return\n  ^\n")
        assert "Traceback" not in run.err


def test_split_input_keeps_line_numbers_and_good_pieces(opt):
    run = opt("-split-input-file", stdin=f"{REDUNDANT}// -----\n{MISTYPED}// -----\n{REDUNDANT}")
    assert run.status == 1
    assert "<stdin>:9:3: error:" in run.err
    assert run.out.count("\n// -----\nmodule {") == 1


def test_pieces_end_at_marker_lines_only(opt):
    text = "module @a {}\r\n// -----\r\nmodule @b {} // -----\n// -----  \nmodule @c {}\n// -----"
    run = opt("--split-input-file", stdin=text)
    assert [run.out.count(name) for name in ("@a", "@b", "@c", "// -----")] == [1, 1, 1, 3]
    assert opt("--split-input-file=//CUT", stdin="module @a {}\n//CUT\nmodule @b {}").out.count("module @") == 2


def test_verify_diagnostics(opt):
    good = MISTYPED.replace("  return", "  // expected-error @+1 {{has 0 operands}}\n  return")
    assert opt("--verify-diagnostics", stdin=good).status == 0
    run = opt("-verify-diagnostics", stdin=good.replace("has 0", "has 9"))
    assert run.status == 1
    assert '<stdin>:2:6: error: expected error "has 9 operands" was not produced' in run.err
    assert opt("--verify-diagnostics=only-expected", stdin=MISTYPED).status == 0
    assert opt("--verify-diagnostics", stdin=MISTYPED).status == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--canonicalise"], "unknown command line argument '--canonicalise'; did you mean '--canonicalize'?"),
        (["--mlir-timng"], "unknown command line argument '--mlir-timng'; did you mean '--mlir-timing'?"),
        (["--xyzzy-q"], "unknown command line argument '--xyzzy-q'; see --help and --list-passes"),
        (["--cse", "--pass-pipeline=any(cse)"], "'--pass-pipeline' cannot be used with flags of passes"),
        (["--run-reproducer", "--cse"], "'--run-reproducer' takes the pipeline from the file"),
        (["--run-reproducer"], "<stdin> holds no reproducer"),
        (["--mlir-print-ir-after=csee"], "unknown pass 'csee'; did you mean 'cse'?"),
        (["--mlir-timing=maybe"], "Invalid value for '--mlir-timing'"),
        (["nowhere.mlir"], "cannot open input file 'nowhere.mlir': No such file or directory"),
        (["."], "cannot open input file '.': Is a directory"),
        (["-o", "nowhere/out.mlir"], "cannot open output file 'nowhere/out.mlir': No such file or directory"),
        (["-o", "."], "cannot open output file '.': Is a directory"),
        (["--mlir-pass-pipeline-crash-reproducer=nowhere/x", "--cse"], "cannot write 'nowhere/x': No such file or"),
        (["a", "b"], "unexpected extra argument"),
    ],
)
def test_wrong_usage(opt, arguments, message):
    run = opt(*arguments)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("tapeless-opt: error: ")
    assert message in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "<stdin>:1:1: error: the input is empty; give a module"),
        (b"\n \n", "<stdin>:1:1: error: the input is empty; give a module"),
        (b"// fine\n\xff\xfe\x00", "<stdin>:2:1: error: not UTF-8 text and not MLIR bytecode"),
        (b"ML\xefR\x00\x01garbage", "<stdin>:1:1: error: the bytecode is damaged, invalid, or of another version"),
        (b"func.func @f() {", "<stdin>:1:15: error: expected operation name"),
        (b"\x00\x01\x02", "<stdin>:1:2: error: unexpected character"),
        (b"hello world", "<stdin>:1:1: error: custom op 'hello' is unknown"),
    ],
)
def test_bad_input(opt, content, message):
    run = opt(stdin=content)
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith(message) or f"\n{message}" in run.err


def test_unregistered_dialect(opt):
    assert opt(stdin='"a.b"() : () -> ()').status == 1
    assert opt("--allow-unregistered-dialect", stdin='"a.b"() : () -> ()').status == 0


def test_reproducer_is_left_by_a_failure_and_runs_again(opt, tmp_path):
    text = 'func.func @f() -> tensor<4xf32> {\n  %0 = "a.b"() : () -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n'
    flags = ["--allow-unregistered-dialect", "--mlir-pass-pipeline-crash-reproducer=crash.mlir"]
    failed = opt(*flags, "--cse", "--one-shot-bufferize=bufferize-function-boundaries", stdin=text)
    assert failed.status == 1
    assert "reproducer generated at 'crash.mlir'" in failed.err
    again = opt("--run-reproducer", "--allow-unregistered-dialect", "crash.mlir")
    assert again.status == 1
    assert "error: op was not bufferized" in again.err
    assert opt(*flags, "--cse", stdin=text).status == 0
    assert os.listdir(tmp_path) == []


def test_timing_lists_every_part(opt):
    run = opt("--cse", "--mlir-timing")
    rows = [line.split(")  ")[1] for line in run.err.splitlines() if "%)" in line]
    assert rows == ["Context", "Parser", "cse", "Output", "Rest", "Total"]


def test_listings(opt):
    passes = opt("--list-passes").out
    assert all(name in passes for name in ("soac-simplify", "canonicalize", "core"))
    assert opt("--version").out.startswith("tapeless-opt ")
    assert "--pass-pipeline" in opt("--help").out
    assert "Options with their defaults" in opt("--canonicalize", "--help").out


def test_debug_shows_the_traceback(opt):
    assert "Traceback" in opt("--debug", "nowhere.mlir").err


def test_the_installed_program_runs(tmp_path):
    program = os.path.join(os.path.dirname(sys.executable), "tapeless-opt")
    done = subprocess.run([program, "--cse"], input=REDUNDANT, capture_output=True, text=True, check=True)
    assert done.stdout.count("arith.addf") == 1
