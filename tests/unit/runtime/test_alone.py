"""The runtime works where no compiler is: in a process that cannot import any part of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl
import tapeless.runtime
from waiting import HANG_SECONDS

COMPILER = (
    "mlir",
    "torch_mlir",
    "llvmlite",
    "tapeless._mlir",
    "tapeless.api",
    "tapeless.backend",
    "tapeless.cli",
    "tapeless.dialects",
    "tapeless.frontend",
    "tapeless.optimizer",
    "tapeless.passes",
)

BLOCKED = f"""
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in {COMPILER!r}):
            raise ImportError(f"the runtime imports {{name}}")

sys.meta_path.insert(0, Refuse())
"""

IMPORT_ALL = """
import importlib
for name in sys.argv[1:]:
    importlib.import_module(name)
"""

CALL = """
import json
import numpy as np
import tapeless as tl

def refusal(work):
    try:
        work()
    except tl.TapelessError as error:
        return [type(error).__name__, str(error)]

everything, picked = tl.load(sys.argv[1]), tl.load(sys.argv[2])
x, k = np.linspace(0.0, 1.0, 6), 4
results = everything(x, k)
strided = everything(np.repeat(x, 2)[::2], np.int64(k))
print(json.dumps({
    "kinds": [type(each).__name__ for each in (*results[:5], *results[5])],
    "values": [np.asarray(each).tolist() for each in (*results[:5], *results[5])],
    "strided": [np.asarray(each).tolist() for each in (*strided[:5], *strided[5])],
    "index": refusal(lambda: picked(x, 7)),
    "type": refusal(lambda: picked(x.astype(np.float32), 1)),
    "count": refusal(lambda: picked(x)),
}))
"""


@tl.function
def everything(x: tl.f64[:], k: tl.i64):
    """Scalars of every type, arrays the caller and arrays the kernel allocates, a tuple inside."""
    kept = 0
    for value in x:
        if value > 0.5:
            kept += 1
    return tl.sum(x), tl.astype(x[0], tl.f32), kept, x[1] > 0.0, x * k, (tl.sort(x)[:kept], tl.ones((k, 2)))


@tl.function
def picked(x: tl.f64[:], i: tl.i64) -> tl.f64:
    return x[i]


def alone(program: str, *arguments: Path | str) -> str:
    """What a program prints that runs without the compiler."""
    command = [sys.executable, "-W", "error", "-c", BLOCKED + program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_of_the_runtime_is_imported() -> None:
    folder = Path(tapeless.runtime.__file__).parent
    files = [file.relative_to(folder).with_suffix("") for file in folder.rglob("*.py")]
    alone(IMPORT_ALL, *(".".join(("tapeless.runtime", *file.parts)).removesuffix(".__init__") for file in files))


def test_the_compiler_is_out_of_reach() -> None:
    with pytest.raises(AssertionError, match="the runtime imports tapeless"):
        alone("import tapeless as tl; tl.function")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("saved")
    tl.compile(everything).save(folder / "everything.tlk")
    tl.compile(picked).save(folder / "picked.tlk")
    return json.loads(alone(CALL, folder / "everything.tlk", folder / "picked.tlk"))


def test_results_of_every_kind_come_back(outcome: dict[str, Any]) -> None:
    total, single, kept, is_positive, product, (largest, ones) = everything(np.linspace(0.0, 1.0, 6), 4)
    expected = [total, single, kept, is_positive, product, largest, ones]
    assert {result.place for result in tl.compile(everything).abi.results} == {"value", "out", "allocated"}
    assert outcome["kinds"] == ["float", "float32", "int", "bool", "ndarray", "ndarray", "ndarray"]
    assert outcome["values"] == outcome["strided"] == [np.asarray(each).tolist() for each in expected]


def test_a_failed_check_names_the_users_line(outcome: dict[str, Any]) -> None:
    kind, message = outcome["index"]
    assert kind == "IndexOutOfRange"
    assert message.startswith(f"{__file__}:{picked.source.line + 1}: ")
    assert "return x[i]" in message


def test_wrong_arguments_are_explained(outcome: dict[str, Any]) -> None:
    assert outcome["type"][0] == "TypeMismatch"
    assert "convert it with x.astype(np.float64)" in outcome["type"][1]
    assert outcome["count"] == ["ArgumentError", "picked() needs a value for 'i'; pass it by position or by name"]
