"""The distribution `tapeless-runtime`: installed with numpy alone, it runs what was saved here."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl
from waiting import HANG_SECONDS

pytestmark = pytest.mark.thorough  # builds a wheel and installs it

ROOT = Path(__file__).parents[3]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
# What pip says where nothing can be fetched; the build needs scikit-build-core, and the environment numpy.
NOTHING_TO_FETCH = ("No matching distribution found for scikit-build-core", "No matching distribution found for numpy")
X = np.linspace(0.0, 1.0, 7)

CALL = """
import json, pickle, sys
import numpy as np
import tapeless as tl

kernel = tl.load(sys.argv[1])
x = np.linspace(0.0, 1.0, 7)
value, adjoint = pickle.loads(pickle.dumps(kernel))(x, power=3)
messages = []
for work in (lambda: tl.function, lambda: kernel(x.astype(np.float32)), lambda: kernel.ir()):
    try:
        work()
    except (ImportError, tl.TapelessError) as error:
        messages.append(str(error))
print(json.dumps([value, adjoint.tolist(), *messages]))
"""


@tl.function
def energy(x: tl.f64[:], power: tl.i64 = 2):
    return tl.sum(tl.exp(x) ** power)


def pip(*arguments: str | Path) -> str:
    done = subprocess.run([*PIP, *arguments], capture_output=True, text=True, timeout=HANG_SECONDS)
    if any(text in done.stderr for text in NOTHING_TO_FETCH):
        pytest.skip("pip can fetch nothing here")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the runtime and what it depends on."""
    folder = tmp_path_factory.mktemp("alone")
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT / "runtime" / "distribution")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    pip("--python", python, "install", "--quiet", *folder.glob("*.whl"))
    return python


def test_only_numpy_comes_with_it(python: Path) -> None:
    installed = json.loads(pip("--python", python, "list", "--format", "json"))
    assert {each["name"] for each in installed} == {"numpy", "tapeless-runtime"}


def test_a_bundle_runs(python: Path, tmp_path: Path) -> None:
    kernel = tl.compile(tl.value_and_grad(energy))
    kernel.save(tmp_path / "energy.tlk", targets=("native", "x86_64", "aarch64"))
    command = [python, "-W", "error", "-c", CALL, tmp_path / "energy.tlk"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    value, adjoint, no_compiler, wrong_type, no_stages = json.loads(done.stdout)
    np.testing.assert_allclose(value, np.sum(np.exp(X) ** 3), rtol=1e-14)
    np.testing.assert_allclose(adjoint, 3.0 * np.exp(X) ** 3, rtol=1e-14)
    assert (
        no_compiler == "tl.function needs the compiler, and only the runtime is installed here; `pip install tapeless`"
    )
    assert "convert it with x.astype(np.float64)" in wrong_type
    assert "was loaded and has no IR" in no_stages
