"""The programs in C, C++ and Fortran are built by their Makefiles, run, and agree with Python."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

EXAMPLES = Path(__file__).parents[3] / "examples"


def fitted() -> list[str]:
    """What both programs print, computed with the model as Python runs it."""
    loss = runpy.run_path(str(EXAMPLES / "c" / "model.py"))["loss"]
    state, numbers = 1, []
    for _ in range(600):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append((state >> 11) / 4503599627370496.0 - 1.0)
    x = np.array(numbers).reshape(200, 3)
    y = np.where(x @ np.array([2.0, -1.0, 0.5]) > 0.0, 1.0, -1.0)
    w, lines = np.zeros(3), []
    for step in range(301):
        value, gradient = tl.value_and_grad(loss)(w, x, y)
        if step % 100 == 0:
            lines.append(f"step {step:3}  loss {value:.9f}")
        w = w - gradient
    return [*lines, "weights " + " ".join(f"{each:.6f}" for each in w)]


@pytest.mark.skipif(not all(map(shutil.which, ("make", "cc", "c++"))), reason="make, cc and c++ are not all installed")
def test_both_programs_fit_the_same_weights(tmp_path: Path) -> None:
    assert printed_by("c", tmp_path) == [*fitted(), *fitted()]


@pytest.mark.skipif(not all(map(shutil.which, ("make", "gfortran"))), reason="make and gfortran are not both installed")
def test_the_fortran_program_fits_them_too(tmp_path: Path) -> None:
    assert printed_by("fortran", tmp_path) == fitted()


def printed_by(language: str, folder: Path) -> list[str]:
    """What the programs of a language print; they share the model of the C programs."""
    for each in {"c", language}:
        shutil.copytree(EXAMPLES / each, folder / each)
    tools, flags = str(Path(sys.executable).parent), "-O2 -Wall -Wextra -Werror"
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CFLAGS": flags, "FFLAGS": flags}
    done = subprocess.run(["make", "-s"], cwd=folder / language, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(("step", "weights"))]
