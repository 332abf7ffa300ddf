"""`tapeless compile`, `run`, `inspect` and `extract`: what they do, and what they say when they cannot."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import tapeless as tl
from tapeless.cli.main import main
from tapeless.cli.source import signature
from tapeless.methods import IMPLEMENTED
from tapeless.runtime.bundle.contents import Bundle, SavedTarget
from tapeless.runtime.library import library_path

pytestmark = pytest.mark.one_in(3)

MODEL = '''
import tapeless as tl


@tl.function
def loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:], weight: tl.f64 = 1.0):
    """Logistic loss."""
    return weight * tl.sum(tl.log1p(tl.exp(-y * (x @ w))))


def powers(x, n):
    return tl.sum(x**n), (x, n)


@tl.reversible
def scaled(total: tl.f64, x: tl.f64):
    total += x * x


def squares(x: tl.f64[:]):
    return tl.sum(x * x)


def broken(x: tl.f64):
    return x.nonsense()


NUMBER = 3
'''
W, X, Y = np.array([0.5, -1.0]), np.arange(6.0).reshape(3, 2), np.array([1.0, -1.0, 1.0])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, env={"COLUMNS": "200"})


def done(*arguments: str) -> str:
    result = command(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: str) -> str:
    result = command(*arguments)
    assert result.exit_code in (1, 2), result.output
    assert isinstance(result.exception, SystemExit), result.exception
    return result.output


@pytest.mark.parametrize(("given", "named"), [("model.py:loss", "model.py:loss"), ("model.py", "model.py:FUNCTION")])
def test_functions_are_saved_before_they_run(given: str, named: str) -> None:
    assert f"first write 'tapeless compile {named} -o f.tlk', then 'tapeless run f.tlk'" in refused("run", given)


def test_every_method_that_is_offered_works() -> None:
    """And no others are."""
    option = next(each for each in main.commands["compile"].params if each.name == "method")
    assert tuple(option.type.choices) == tuple(IMPLEMENTED)
    for method in option.type.choices:
        assert "method.tlk: " in done("compile", "model.py:squares", "--grad", "--method", method, "-o", "method.tlk")
        np.testing.assert_allclose(tl.load("method.tlk")(W), 2 * W)
    assert "'auto' is not one of" in refused("compile", "model.py:squares", "--grad", "--method", "auto")


def test_a_gradient_is_compiled_and_run() -> None:
    assert "f.tlk: " in done("compile", "model.py:loss", "--value-and-grad", "--argnums", "w", "-o", "f.tlk")
    np.savez("in.npz", w=W, x=X, y=Y, weight=2.0)
    assert done("run", "f.tlk", "--args", "in.npz", "--out", "out.npz") == "result0: float\nresult1: float64[2]\n"
    with np.load("out.npz") as archive:
        results = dict(archive)
    z = -Y * (X @ W)
    np.testing.assert_allclose(results["result0"], 2.0 * np.sum(np.log1p(np.exp(z))))
    np.testing.assert_allclose(results["result1"], 2.0 * X.T @ (-Y / (1.0 + np.exp(-z))))


def test_options_reach_the_compiler() -> None:
    options = ("--method", "reversible", "--threads", "2", "--checks", "off", "--fastmath", "--symbol", "my_gradient")
    done("compile", "model.py:loss", "--grad", *options, "--target", "native", "--target", "aarch64")
    shown = done("inspect", "grad_loss.tlk")
    assert "threads 2, checks off" in shown
    assert "in C: my_gradient" in shown
    assert "native (cpu): runs here" in shown
    assert "aarch64 (cpu): " in shown
    assert "grad_loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:], weight: tl.f64 = 1.0) -> tl.f64[:]" in shown
    assert "Logistic loss." in shown


def test_several_parameters_and_procedures() -> None:
    done("compile", "model.py:loss", "--grad", "--argnums", "0,weight", "-o", "two.tlk")
    assert len(tl.load("two.tlk")(W, X, Y)) == 2
    done("compile", "model.py:scaled", "--grad", "--loss", "total", "--argnums", "x", "-o", "scaled.tlk")
    assert tl.load("scaled.tlk")(0.0, 3.0) == 6.0


def test_types_are_given_where_the_source_has_none() -> None:
    assert "no annotation for 'x'" in refused("compile", "model.py:powers")
    done("compile", "model.py:powers", "--signature", "f64[:], tl.i64", "-o", "powers.tlk")
    np.savez("in.npz", np.array([1.0, 2.0]), 3)
    assert done("run", "powers.tlk", "--args", "in.npz") == "result0 = 9.0\nresult1_0 = [1. 2.]\nresult1_1 = 3\n"


def test_the_text_of_types() -> None:
    assert signature("f64[:, 3],tl.i64 , bool_, f32[2,:]") == (tl.f64[:, 3], tl.i64, tl.bool_, tl.f32[2, :])
    assert signature(" ") == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["model.py"], "'model.py' names no function; write FILE.py:FUNCTION"),
        (["none.py:f"], "there is no file 'none.py'"),
        (["model.txt:f"], "'model.txt' is not a Python file"),
        (["model.py:lss"], "model.py has no 'lss'; did you mean 'loss'?"),
        (["model.py:NUMBER"], "'NUMBER' of model.py is a int, not a function"),
        (["fails.py:f"], "fails.py:2: running the file raised ZeroDivisionError: division by zero"),
        (["wrong.py:f"], "running the file raised SyntaxError"),
        (["model.py:loss", "--grad", "--hessian"], "give one of --grad, --hessian"),
        (["model.py:loss", "--argnums", "0"], "--argnums needs a derivative; give --grad or another"),
        (["model.py:loss", "--loss", "w"], "--loss needs a derivative"),
        (["model.py:loss", "--grad", "--argnums", "v"], "ArgumentError: "),
        (["model.py:loss", "--grad", "--method", "magic"], "'magic' is not one of"),
        (["model.py:loss", "--target", "x86_64-avx"], "unknown target 'x86_64-avx' to save for; did you mean"),
        (["model.py:loss", "--threads", "0"], "0 is not in the range"),
        (["model.py:loss", "--symbol", "a b"], "symbol='a b' is no name of a function in C"),
        (["model.py:loss", "-o", "none/f.tlk"], "none/f.tlk: No such file or directory"),
        (["model.py:powers", "--signature", "f65[:]"], "there is no type 'f65'; did you mean"),
        (["model.py:powers", "--signature", "f64[x], i64"], "'x' is no size of an array"),
        (["model.py:powers", "--signature", "f64[:"], "is no type; write f64"),
        (["model.py:powers", "--signature", "f64[:]"], "ArgumentError: "),
        (["model.py:broken"], "FrontendError: "),
        (["model.py:broken", "--grad"], f"model.py:{MODEL[: MODEL.index('return x.nonsense')].count(chr(10)) + 1}"),
    ],
)
def test_what_cannot_be_compiled_is_explained(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "fails.py").write_text("x = 1\nf = x / 0\n")
    (folder / "wrong.py").write_text("def f(:\n")
    (folder / "model.txt").write_text(MODEL)
    found = refused("compile", *arguments)
    assert message in found
    assert "Traceback" not in found


@pytest.fixture
def bundle() -> str:
    done("compile", "model.py:loss", "-o", "loss.tlk")
    return "loss.tlk"


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"w": W, "x": X}, "in.npz has nothing for y; give them with --args"),
        ({"w": W, "x": X, "y": Y, "wieght": 1.0}, "'wieght', which is no parameter; did you mean 'weight'?"),
        ({"w": W, "x": X, "y": Y, "arr_0": W}, "has 'w' by its name and by position"),
        ({"arr_7": W}, "has more arrays than the 4 parameters w, x, y, weight"),
        ({"w": W.astype(np.float32), "x": X, "y": Y}, "TypeMismatch: argument 'w'"),
        ({"w": W, "x": X, "y": Y[:2]}, "ShapeMismatch: "),
    ],
)
def test_arguments_that_do_not_fit_are_explained(bundle: str, arrays: dict[str, Any], message: str) -> None:
    np.savez("in.npz", **arrays)
    assert message in refused("run", bundle, "--args", "in.npz")


def test_files_that_cannot_be_read_are_explained(bundle: str, folder: Path) -> None:
    assert "none.tlk: No such file or directory" in refused("run", "none.tlk")
    assert "none.npz: No such file or directory" in refused("run", bundle, "--args", "none.npz")
    assert "there are no values for w, x, y; give them with --args FILE.npz" in refused("run", bundle)
    (folder / "text.npz").write_text("text")
    assert "text.npz is not a file of numpy.savez" in refused("run", bundle, "--args", "text.npz")
    np.savez("whole.npz", W)
    (folder / "cut.npz").write_bytes((folder / "whole.npz").read_bytes()[:60])
    assert "cut.npz is damaged" in refused("run", bundle, "--args", "cut.npz")
    np.savez("objects.npz", np.array([{}], dtype=object))
    assert "objects.npz is not a file of numpy.savez" in refused("run", bundle, "--args", "objects.npz")
    (folder / "cut.tlk").write_bytes((folder / bundle).read_bytes()[:-1])
    for verb in ("run", "inspect", "extract"):
        assert "BundleError: cut.tlk is damaged" in refused(verb, "cut.tlk")


def test_a_target_that_is_not_there_is_explained(bundle: str) -> None:
    for verb in ("run", "inspect", "extract"):
        assert "has no target 'cuda'; it has" in refused(verb, bundle, "--target", "cuda")


def test_parts_are_shown_and_written(bundle: str, folder: Path) -> None:
    assert "int32_t tapeless_loss(const double *w" in done("inspect", bundle, "--header")
    assert "has no kernels.ptx; its parts are kernel.h, kernel.image" in refused("inspect", bundle, "--ptx")
    names = {"tapeless_loss.o", "libtapeless_loss.so", "tapeless_loss.h", "tapeless_runtime.h", library_path().name}
    assert {Path(line).name for line in done("extract", bundle, "-o", "parts/for_c").splitlines()} == names
    assert {path.name for path in (folder / "parts/for_c").iterdir()} == names


def saved_for_gpu(details: dict[str, Any], parts: dict[str, bytes]) -> Path:
    """A bundle of a kind that needs no compiler to be looked at."""
    interface = tl.compile(tl.function(lambda x: x), (tl.f64,)).interface
    target = SavedTarget("other", "other:sm_90", details, parts)
    Path("other.tlk").write_bytes(Bundle(interface, "f(x: tl.f64) -> tl.f64", (target,), "0.1.0").to_bytes())
    return Path("other.tlk")


def test_plan_and_ptx_are_shown(folder: Path) -> None:
    plan = {"steps": [["launch", "f"]]}
    saved_for_gpu({}, {"kernels.ptx": b".version 8.0\n", "plan.json": json.dumps(plan).encode()})
    assert json.loads(done("inspect", "other.tlk", "--plan")) == plan
    assert done("inspect", "other.tlk", "--ptx") == ".version 8.0\n"
    assert "other:sm_90 (other): does not run here: is for 'other'" in done("inspect", "other.tlk")
    done("extract", "other.tlk", "--target", "other:sm_90", "-o", "parts")
    assert {path.name for path in (folder / "parts").iterdir()} == {"kernels.ptx", "plan.json"}
    assert "has no code for this machine" in refused("extract", "other.tlk")


def test_a_gpu_beside_a_processor() -> None:
    done("compile", "model.py:squares", "--grad", "--target", "cuda:sm_90", "--target", "native", "-o", "both.tlk")
    shown = done("inspect", "both.tlk")
    assert shown.index("cuda:sm_90 (cuda): ") < shown.index("native (cpu): runs here")
    assert ".target sm_90" in done("inspect", "both.tlk", "--ptx")
    assert json.loads(done("inspect", "both.tlk", "--plan"))["kernels"]
    np.savez("in.npz", X[1])
    assert done("run", "both.tlk", "--args", "in.npz", "--target", "cpu") == "result = [4. 6.]\n"


def test_nothing_is_written_outside_of_the_folder() -> None:
    saved_for_gpu({}, {"../evil": b"x"})
    assert "would be written to '../evil'" in refused("extract", "other.tlk", "--target", "other:sm_90", "-o", "parts")
    saved_for_gpu({"symbol": "../evil"}, {"kernel.o": b"x"})
    assert "would be written to '../evil.o'" in refused("extract", "other.tlk", "--target", "other:sm_90")
    saved_for_gpu({}, {"kernel.image": b"x"})
    assert "has no parts for other programs" in refused("extract", "other.tlk", "--target", "other:sm_90")


@pytest.mark.parametrize("verb", ["compile", "run", "inspect", "extract"])
def test_every_command_has_help(verb: str) -> None:
    assert verb in done("--help")
    assert "Usage: " in done(verb, "--help")
