"""Saved kernels take and give structures, in processes that have no compiler and find the classes by their names."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import tapeless as tl
from tapeless.cli.run import run_bundle
from tapeless.runtime.bundle.choose import read_bundle

from .forms import FORMS, B, S, W, X, check_leaves, gradient

MODULE = """
from dataclasses import dataclass
from typing import NamedTuple
import tapeless as tl

@dataclass
class Layer:
    w: object
    b: object

class Pair(NamedTuple):
    first: object
    second: object

class Box:
    def __init__(self, held, label):
        self.held, self.label = held, label

tl.register(Box, lambda box: ((box.held,), box.label), lambda label, parts: Box(*parts, label))
"""

SAVE = """
import numpy as np, tapeless as tl
from shapes import Box, Layer, Pair

@tl.function
def step(params, mode, x):
    layer = params["layers"][0]
    y = layer.w * x + layer.b if mode == "add" else layer.w * x
    return {"layer": layer, "pair": Pair(tl.sum(y), None), "y": [y, params["box"]]}

params = {"layers": (Layer(np.ones(3), 2.0),), "box": Box(1.5, ("a", 3))}
kernel = tl.compile(step, (params, "add", np.ones(3)))
kernel.save("step.tlk")
print(kernel.explain())
"""

LOAD = """
import sys
import numpy as np, tapeless as tl
from shapes import Box, Layer, Pair

kernel = tl.load("step.tlk")
params = {"layers": (Layer(np.arange(3.0), 2.0),), "box": Box(1.5, ("a", 3))}
found = kernel(params, "add", x=np.ones(3))
assert type(found["layer"]) is Layer and found["layer"].b == 2.0
assert found["pair"] == Pair(9.0, None), found["pair"]
assert found["y"][0].tolist() == [2.0, 3.0, 4.0] and found["y"][1].label == ("a", 3)
for mode, given in [("other", params), ("add", {**params, "box": Box(1.5, "b")}), ("add", {})]:
    try:
        kernel(given, mode, np.ones(3))
    except tl.TypeMismatch as error:
        print(error)
    else:
        raise AssertionError("taken")
assert not any(name.startswith(("tapeless.frontend", "tapeless._mlir", "tapeless.passes")) for name in sys.modules)
"""


def run(text: str, folder: Path) -> str:
    result = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_saved_kernel_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "shapes.py").write_text(MODULE)
    (tmp_path / "save.py").write_text(SAVE)
    saved = subprocess.run([sys.executable, "save.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert saved.returncode == 0, saved.stderr
    assert "takes   params['layers'][0].w: tl.f64[:]" in saved.stdout
    messages = run(LOAD, tmp_path).splitlines()
    assert messages == [
        "'mode' is the string 'other', and the string 'add' is needed; pass that",
        "'params['box']' has 'b' as what is no part, and ('a', 3) is needed; pass that",
        "'params' has no 'layers'; it is empty, and 'layers', 'box' are needed",
    ]
    without = LOAD.replace("from shapes import Box, Layer, Pair", "").partition("kernel = ")
    (tmp_path / "shapes.py").write_text("Layer = Pair = Box = 3\n")
    result = subprocess.run(
        [sys.executable, "-c", f"{without[0]}kernel = tl.load('step.tlk')"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "BundleError" in result.stderr and "Layer of module 'shapes' is no class" in result.stderr


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", FORMS)
def test_kernels_of_all_structures_pickle(name: str) -> None:
    form = FORMS[name]
    p = form.make(W, B, S)
    kernel = tl.compile(tl.grad(form.loss), (p, X))
    copy = pickle.loads(pickle.dumps(kernel))
    assert repr(copy) == repr(kernel)
    found = copy(p, X)
    assert type(found) is type(p)
    check_leaves(form.take(found), gradient())


def test_classes_that_no_other_process_finds_are_refused() -> None:
    class Local:
        pass

    tl.register(Local, lambda each: ((each.w,), None), lambda rest, parts: Local())
    local = Local()
    local.w = W
    kernel = tl.compile(lambda p: tl.sum(p.w) if False else 1.0, (local,))
    with pytest.raises(tl.ArgumentError, match=r"no other process could find the class .*Local.*top level"):
        kernel.to_bytes()
    with pytest.raises(tl.ArgumentError, match="cannot be kept in a file, only numbers, strings and tuples"):
        tl.compile(lambda f, x: f(x), (tl.sin, 1.0)).to_bytes()


def test_the_c_header_names_parts_by_their_paths() -> None:
    form = FORMS["nested"]
    kernel = tl.compile(form.loss, (form.make(W, B, S), X))
    assert kernel.interface.flat_names == ["p['layers'][0][7]", "p['layers'][1][0]", "p['layers'][1][1]", "x"]
    header = read_bundle(kernel.to_bytes(), "").targets[0].parts["kernel.h"].decode()
    assert "p_layers_0_7" in header and "p_layers_1_0_size0" in header
    assert "loss_of_nested(p: {'layers': [{7: tl.f64}, (tl.f64[:], tl.f64, None, 'x')]}, x: tl.f64[:])" in header


def test_the_command_takes_parts_by_their_paths(tmp_path: Path) -> None:
    form = FORMS["dict"]
    tl.compile(tl.value_and_grad(form.loss), (form.make(W, B, S), X)).save(tmp_path / "f.tlk")
    np.savez(tmp_path / "in.npz", p_w=W, p_b=B, p_s=S, x=X)
    result = CliRunner().invoke(
        run_bundle, [str(tmp_path / "f.tlk"), "--args", str(tmp_path / "in.npz"), "--out", str(tmp_path / "out.npz")]
    )
    assert result.exit_code == 0, result.output
    with np.load(tmp_path / "out.npz") as archive:
        found = dict(archive)
    check_leaves([found["result1_w"], found["result1_b"], found["result1_s"]], gradient())
    np.savez(tmp_path / "in.npz", p_w=W, x=X)
    result = CliRunner().invoke(run_bundle, [str(tmp_path / "f.tlk"), "--args", str(tmp_path / "in.npz")])
    assert result.exit_code == 1 and "in.npz has nothing for p_b, p_s" in result.output
