"""`tapeless compile` on modules of MLIR, and code of other kinds than bundles: what it writes, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import tapeless as tl
from tapeless.backend.codegen.emission import KINDS
from tapeless.cli import opt_options
from tapeless.cli.compile import BUNDLE, EMITTED
from tapeless.cli.main import main

MODULE = """
func.func @main(%x: tensor<?xf64>, %n: i64, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %roots = "soac.map"(%size, %x) ({
  ^bb0(%i: index, %e: f64):
    %root = math.sqrt %e : f64
    %scaled = arith.mulf %root, %s : f64
    "soac.yield"(%scaled) : (f64) -> ()
  }) : (index, tensor<?xf64>) -> tensor<?xf64>
  %sum = "soac.reduce"(%size, %roots, %zero) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) : (index, tensor<?xf64>, f64) -> f64
  return %sum : f64
}
func.func @whole(%n: i64) -> i64 {
  return %n : i64
}
"""
X, S = np.array([1.0, 4.0, 0.25]), 3.0
GRADIENT = ("compile", "f.mlir", "--grad")
# What code of each kind has in it, by target.
MARKS = {
    ("llvm-ir", "x86_64-avx2"): b"define i32 @tapeless_grad_main(",
    ("asm", "x86_64-avx2"): b"sqrtpd",
    ("asm", "aarch64"): b"fsqrt",
    ("obj", "aarch64"): b"\x7fELF",
    ("llvm-ir", "cuda:sm_90"): b"define ptx_kernel void @grad_main_kernel0(",
    ("asm", "cuda:sm_80"): b".target sm_80",
    ("ptx", "cuda:sm_90"): b".visible .entry grad_main_kernel0(",
    ("plan", "cuda:sm_90"): b'"do": "launch", "kernel": "grad_main_kernel0"',
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "f.mlir").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "200"})


def done(*arguments: str) -> bytes:
    result = command(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def test_a_gradient_by_every_float_argument_is_saved_and_run() -> None:
    assert b"grad_main.tlk: " in done(*GRADIENT)
    np.savez("in.npz", X, 2, S)
    done("run", "grad_main.tlk", "--args", "in.npz", "--out", "out.npz")
    with np.load("out.npz") as results:
        np.testing.assert_allclose(results["result0"], S / (2 * np.sqrt(X)))
        np.testing.assert_allclose(results["result1"], np.sum(np.sqrt(X)))


def test_one_argument_and_the_function_itself() -> None:
    done("compile", "f.mlir:main", "--value-and-grad", "--argnums", "2", "-o", "by.tlk")
    value, derivative = tl.load("by.tlk")(X, 2, S)
    np.testing.assert_allclose([value, derivative], [S * np.sum(np.sqrt(X)), np.sum(np.sqrt(X))])
    done("compile", "f.mlir:whole", "-o", "whole.tlk")
    assert tl.load("whole.tlk")(7) == 7


@pytest.mark.parametrize(("kind", "target"), MARKS)
def test_code_of_every_kind(kind: str, target: str) -> None:
    done(*GRADIENT, "--emit", kind, "--target", target, "-o", "code")
    found = Path("code").read_bytes()
    assert MARKS[kind, target] in found
    if kind == "plan":
        assert json.loads(found)["kernels"]


def test_text_goes_to_standard_output_and_objects_to_files() -> None:
    assert b"tapeless_grad_main" in done(*GRADIENT, "--emit", "asm", "--symbol", "tapeless_grad_main")
    assert b"grad_main.o: " in done(*GRADIENT, "--emit", "obj")
    assert Path("grad_main.o").read_bytes().startswith(b"\x7fELF")


def test_both_programs_and_the_compiler_know_the_same_kinds() -> None:
    assert set(EMITTED) == set(opt_options.EMITTED) == {*KINDS, BUNDLE}
    assert {kind for kind, _ in MARKS} == set(KINDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["f.mlir:min"], "the module has no function 'min', but the functions 'main', 'whole'"),
        (["f.mlir:"], "'f.mlir:' names no function; write FILE.mlir:FUNCTION"),
        (["none.mlir"], "there is no file 'none.mlir'"),
        (["broken.mlir"], "broken.mlir:2:"),
        (["f.mlir:whole", "--grad"], "f.mlir:19:1: tl.grad in 'arg0', which is a scalar of type tl.i64"),
        (["f.mlir", "--emit", "ptx"], "code for 'native' is no ptx; emit llvm-ir, asm, obj, or give a target such as"),
        (["f.mlir", "--emit", "obj", "--target", "cuda:sm_90"], "code for 'cuda:sm_90' is no obj; emit llvm-ir, asm,"),
        (["f.mlir", "--emit", "elf"], "'elf' is not one of"),
        (["f.mlir", "--emit", "asm", "--target", "pdp11"], "unknown target 'pdp11'"),
        (["f.mlir", "--emit", "asm", "--target", "x86_64", "--target", "aarch64"], "writes code for one target"),
    ],
)
def test_what_is_refused(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "broken.mlir").write_text("func.func @main() {\n  nonsense\n}\n")
    result = command("compile", *arguments)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit), result.exception
    assert message in result.output
    assert "Traceback" not in result.output


def test_modules_are_compiled_before_they_run() -> None:
    assert "first write 'tapeless compile f.mlir:main -o f.tlk'" in command("run", "f.mlir:main").output


def test_kinds_that_are_none() -> None:
    kernel = tl.compile(lambda x: x, (tl.f64,))
    with pytest.raises(tl.ArgumentError, match="there is no code of the kind 'pxt'; did you mean 'ptx'"):
        kernel.emit("pxt")
    done("compile", "f.mlir:whole", "-o", "whole.tlk")
    with pytest.raises(tl.BundleError, match="was loaded and has no code of other kinds"):
        tl.load("whole.tlk").emit("asm")
