"""Errors for users end at the user's own line; an environment variable shows the rest."""

# The annotations are types of the language.
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.ones(3)


@tl.function
def misspelt(x: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.sinn(x))


@tl.function
def picked(x: tl.f64[:], i: tl.i64) -> tl.f64:
    return x[i]


@tl.function
def added(x: tl.f64[:], y: tl.f64[:]) -> tl.f64[:]:
    return x + y


@tl.function
def several(x: tl.f64[:]):
    return x, tl.sum(x)


@tl.reversible
def unbalanced(y):
    with tl.ancilla(0.0) as z:
        z += 1.0
        y += z


@tl.reversible
def moved(y: tl.f64[:], x: tl.In[tl.f64[:]]):
    y += tl.sinn(x)


@tl.custom_vjp
def custom(x):
    return x


def unread(x: tl.f64[:]) -> tl.f64:
    del x
    return 0.0


CASES: dict[str, tuple[type[Exception], Callable[[], Any]]] = {
    "decoration": (tl.FrontendError, lambda: tl.function(unread)),
    "decorated object": (tl.ArgumentError, lambda: tl.function(3)),
    "registered object": (tl.ArgumentError, lambda: tl.register(3, len, len)),
    "decorated procedure": (tl.NotReversible, lambda: tl.reversible(unused)),
    "first call of a procedure": (tl.FrontendError, lambda: moved(X, X)),
    "run of a procedure": (tl.InvertibilityError, lambda: unbalanced(1.0)),
    "in place": (tl.FrontendError, lambda: moved(np.ones(3), X, inplace=True)),
    "grad of a procedure": (tl.ArgumentError, lambda: tl.grad(unbalanced)(1.0)),
    "first call": (tl.FrontendError, lambda: misspelt(X)),
    "call of jit": (tl.FrontendError, lambda: tl.jit(misspelt)(X)),
    "options": (tl.ArgumentError, lambda: tl.jit(picked, thread=2)),
    "compile": (tl.FrontendError, lambda: tl.compile(misspelt)),
    "lower": (tl.FrontendError, lambda: misspelt.lower()),
    "number of arguments": (tl.ArgumentError, lambda: picked(X)),
    "dtype": (tl.TypeMismatch, lambda: picked(X.astype(np.float32), 0)),
    "run": (tl.IndexOutOfRange, lambda: picked(X, 7)),
    "run of a kernel": (tl.IndexOutOfRange, lambda: tl.compile(picked)(X, 7)),
    "arguments of a kernel": (tl.ArgumentError, lambda: tl.compile(picked)(X)),
    "stage of a kernel": (tl.ArgumentError, lambda: tl.compile(picked).ir("none")),
    "sizes": (tl.ShapeMismatch, lambda: added(X, np.ones(4))),
    "general path": (tl.IndexOutOfRange, lambda: picked(np.ones(6)[::2], 7)),
    "memory": (MemoryError, lambda: tl.function(filled)(2**60)),
    "grad": (tl.FrontendError, lambda: tl.grad(misspelt)(X)),
    "run of grad": (tl.IndexOutOfRange, lambda: tl.grad(picked)(X, 7)),
    "argument of grad": (tl.ArgumentError, lambda: tl.grad(3)),
    "value_and_grad": (tl.ArgumentError, lambda: tl.value_and_grad(picked, argnums=5)),
    "loss": (tl.ArgumentError, lambda: tl.grad(added)(X, X)),
    "jacfwd": (tl.FrontendError, lambda: tl.jacfwd(misspelt)(X)),
    "jacrev": (tl.FrontendError, lambda: tl.jacrev(misspelt)(X)),
    "hessian": (tl.FrontendError, lambda: tl.hessian(misspelt)(X)),
    "checkpoint": (tl.FrontendError, lambda: tl.checkpoint(misspelt)(X)),
    "jvp": (tl.FrontendError, lambda: tl.jvp(misspelt, (X,), (X,))),
    "run of jvp": (tl.IndexOutOfRange, lambda: tl.jvp(picked, (X, 7), (X, 0))),
    "hvp": (tl.FrontendError, lambda: tl.hvp(misspelt, X, X)),
    "vjp": (tl.FrontendError, lambda: tl.vjp(misspelt, X)),
    "pullback": (tl.ArgumentError, lambda: tl.vjp(several, X)[1](1.0)),
    "vmap": (tl.ArgumentError, lambda: tl.vmap(picked, in_axes="x")),
    "call of vmap": (tl.FrontendError, lambda: tl.vmap(misspelt)(np.ones((2, 3)))),
    "check_grads": (tl.FrontendError, lambda: tl.check_grads(misspelt, (X,))),
    "sparse_jacobian": (tl.ArgumentError, lambda: tl.sparse_jacobian(picked, wrt=5)),
    "sparse_hessian": (tl.ArgumentError, lambda: tl.sparse_hessian(3)),
    "custom_vjp": (tl.ArgumentError, lambda: tl.custom_vjp(3)),
    "custom_jvp": (tl.ArgumentError, lambda: tl.custom_jvp(3)),
    "defvjp": (tl.ArgumentError, lambda: custom.defvjp(unused, unused)),
    "defjvp": (tl.ArgumentError, lambda: tl.custom_jvp(unused).defjvp(unused)),
    "from_mlir": (tl.ArgumentError, lambda: tl.from_mlir(3)),
    "from_jax": (tl.ArgumentError, lambda: tl.from_jax(3)),
    "from_torch": (tl.ArgumentError, lambda: tl.from_torch(3)),
    "to_jax": (tl.ArgumentError, lambda: tl.to_jax(3)),
    "to_torch": (tl.ArgumentError, lambda: tl.to_torch(3)),
    "load": (tl.BundleError, lambda: tl.load(__file__)),
    "operator": (tl.TypeMismatch, lambda: tl.exp("x")),
    "run by Python": (tl.IndexOutOfRange, lambda: by_python(tl.disable_jit())),
}


def by_python(block):
    with block:
        picked(X, 7)


def filled(n: tl.i64) -> tl.f64[:]:
    return tl.ones(n)


def unused(x):
    return x


def caught(work: Callable[[], Any], kind: type[Exception]) -> Exception:
    with pytest.raises(kind) as found:
        work()
    return found.value


def own_frames(error: BaseException) -> list[str]:
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [name for name in frames if name.startswith("tapeless") or not name]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", CASES)
def test_no_frame_of_the_package_is_shown(case: str) -> None:
    kind, work = CASES[case]
    error = caught(work, kind)
    assert own_frames(error) == []
    assert "tapeless/" not in "".join(traceback.format_exception(error)).replace(__file__, "")
    assert error.__cause__ is None


def test_every_public_function_is_in_the_table() -> None:
    """A new entry to the package must hide its frames, too."""
    public = {name for name in tl.__all__ if callable(getattr(tl, name)) and hasattr(getattr(tl, name), "__code__")}
    covered = {name for _, work in CASES.values() for name in work.__code__.co_names}
    assert public - covered == set()


def test_the_environment_shows_all_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPELESS_TRACEBACK", "full")
    assert len(own_frames(caught(lambda: misspelt(X), tl.FrontendError))) > 5


def test_what_the_user_was_handling_stays_in_sight() -> None:
    def work() -> None:
        try:
            raise ValueError("mine")
        except ValueError:
            misspelt(X)

    text = "".join(traceback.format_exception(caught(work, tl.FrontendError)))
    assert "ValueError: mine" in text and "During handling" in text


SCRIPT = """
import numpy as np
import tapeless as tl

@tl.function
def f(x: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.sinn(x))

{call}
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("call", ["f(np.ones(3))", "tl.grad(f)(np.ones(3))"])
def test_a_misspelt_name_prints_ten_lines(tmp_path: Path, call: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(call=call))
    environment = {key: value for key, value in os.environ.items() if key != "TAPELESS_TRACEBACK"}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)
    lines = done.stderr.splitlines()
    assert done.returncode == 1
    assert len(lines) <= 10, done.stderr
    assert lines[1] == f'  File "{script}", line 9, in <module>'
    assert lines[3] == f"tapeless.errors.FrontendError: {script}:7:19: 'tl.sinn' is not defined"
