"""Functions in pickles: by name, by how they were made of others, or refused; and in copies."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)

X = np.array([0.3, -1.2, 2.0])
POINTS = [X, 2.0 * X, X - 1.0, X * X]


@tl.function
def energy(x: tl.f64[:], power: tl.i64 = 2):
    return tl.sum(x**power)


def plain(x):
    return tl.sum(tl.sin(x))


@tl.grad
def slope(x: tl.f64[:]):
    return tl.sum(x * x * x)


def clipped(x):
    return tl.where(x > 1.0, 1.0, x)


def clipped_forward(x):
    return tl.minimum(x, 1.0), x


def straight_through(x, ct):
    return (3.0 * ct,)


three = tl.custom_vjp(clipped)
three.defvjp(clipped_forward, straight_through)


@tl.reversible
def turn(x: tl.f64, y: tl.f64):
    x += 0.5 * y
    y -= 0.25 * x


@tl.reversible
def add_fixed(x: tl.fixed43, y: tl.fixed43):
    x += y


class Models:
    """A place for functions that are not at the top level."""

    @staticmethod
    @tl.function
    def cubes(x: tl.f64[:]):
        return tl.sum(x**3)


shadowed = tl.function(lambda x: x)


def _shadowed() -> Any:
    def shadowed(x):
        return tl.sum(x)

    shadowed.__qualname__ = "shadowed"
    return tl.grad(shadowed)


# Each with what it gives at X, by numpy.
MADE: dict[str, tuple[Any, Any]] = {
    "grad": (tl.grad(energy), 2.0 * X),
    "value_and_grad": (tl.value_and_grad(energy), (np.sum(X * X), 2.0 * X)),
    "jit": (tl.jit(energy, threads=2, checks="off"), np.sum(X * X)),
    "jit of grad": (tl.jit(tl.grad(energy), fastmath=("reassoc",)), 2.0 * X),
    "grad of jit": (tl.grad(tl.jit(energy, threads=2)), 2.0 * X),
    "options of the derivative": (tl.grad(energy, method="coarsened", argnums="x"), 2.0 * X),
    "hessian": (tl.hessian(energy), 2.0 * np.eye(3)),
    "jacfwd of grad": (tl.jacfwd(tl.grad(Models.cubes)), np.diag(6.0 * X)),
    "checkpoint": (tl.grad(tl.checkpoint(energy)), 2.0 * X),
    "vmap": (tl.vmap(tl.grad(tl.function(clipped)), in_axes=(0,)), np.where(X > 1.0, 0.0, 1.0)),
    "plain": (tl.jit(plain), np.sum(np.sin(X))),
    "grad of plain": (tl.grad(plain), np.cos(X)),
    "operator": (tl.vmap(tl.grad(tl.sin)), np.cos(X)),
    "operator of numpy": (tl.vmap(np.exp), np.exp(X)),
    "decorated by grad": (slope, 3.0 * X * X),
    "grad of what grad decorates": (tl.jacrev(slope), np.diag(6.0 * X)),
    "rules": (tl.vmap(tl.grad(three)), np.full(3, 3.0)),
}


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("protocol", [0, pickle.HIGHEST_PROTOCOL])
def test_transformed_functions_pickle(name: str, protocol: int) -> None:
    f, expected = MADE[name]
    once = pickle.loads(pickle.dumps(f, protocol))
    again = pickle.loads(pickle.dumps(once, protocol))
    assert repr(again) == repr(f) and again.options == f.options
    assert [each.name for each in again.source.parameters] == [each.name for each in f.source.parameters]
    for found, wanted in zip(_parts(again(X)), _parts(expected), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_derivatives_of_named_functions_stay_the_same_object() -> None:
    for f in (tl.grad(energy), tl.vmap(tl.jacfwd(energy), in_axes=(0, None)), ~turn, slope, Models.cubes, tl.sin):
        assert pickle.loads(pickle.dumps(f)) is f
    data = pickle.dumps(tl.jit(energy, threads=2))
    assert pickle.loads(data) is pickle.loads(data)


def test_procedures_pickle_with_their_inverses_and_options() -> None:
    before = (0.7, -0.4)
    assert pickle.loads(pickle.dumps(turn)) is turn
    for f in (turn, tl.jit(turn, checks="off"), ~tl.jit(~turn, threads=2)):
        again = pickle.loads(pickle.dumps(f))
        assert again.options == f.options and again(*before) == turn(*before)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(~turn))(*turn(*before)), before, rtol=1e-15)
    inverse = pickle.loads(pickle.dumps(tl.jit(~add_fixed, checks="status")))
    assert inverse(0.75, 0.5) == (~add_fixed)(0.75, 0.5) == (0.25, 0.5)


def test_a_pullback_pickles_with_its_primals() -> None:
    _, pullback = tl.vjp(plain, X)
    again = pickle.loads(pickle.dumps(pullback))
    assert not np.shares_memory(again.primals[0], pullback.primals[0])
    np.testing.assert_allclose(again(2.0)[0], 2.0 * np.cos(X), rtol=1e-14)


def test_copies_are_the_function_itself() -> None:
    functions = [f for f, _ in MADE.values()] + [~turn, tl.sin, tl.grad(lambda x: x * x)]
    for f in functions:
        assert copy.copy(f) is f
        assert copy.deepcopy({"model": [f]})["model"][0] is f


def _inside() -> Any:
    def inner(x):
        return tl.sum(x)

    return tl.jit(inner, threads=2)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: tl.grad(lambda x: x * x), "<tl.function lambda> cannot be pickled: a lambda has no name"),
        (_inside, r"<tl.function inner> cannot be pickled: .*test_pickling has no '_inside.<locals>.inner'"),
        (_shadowed, r"'shadowed' of .*test_pickling is another object, <tl.function lambda>"),
        (lambda: tl.TapelessFunction(energy.source), "<tl.function energy> cannot be pickled by itself"),
    ],
)
@pytest.mark.parametrize("dump", [pickle.dumps, lambda f: pickle._dumps(f)])  # type: ignore[attr-defined]
def test_what_no_process_can_find_is_refused(make: Callable[[], Any], reason: str, dump: Callable[[Any], Any]) -> None:
    instead = "write it as a def at the top level of a module, use cloudpickle, or pickle the kernel that tl.compile"
    with pytest.raises(tl.NotPicklable, match=f"{reason}.*; {instead}") as caught:
        dump(make())
    assert isinstance(caught.value, pickle.PicklingError)


def test_rules_that_no_process_can_find_are_refused() -> None:
    f = tl.custom_jvp(clipped)
    f.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
    with pytest.raises(tl.NotPicklable, match="a lambda has no name"):
        pickle.dumps(f)


# From Python 3.12 on, a fork of a process with threads is warned of.
@pytest.mark.one_in(4)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("start", ["spawn", "fork"])
def test_transformed_functions_go_to_other_processes(start: str) -> None:
    with multiprocessing.get_context(start).Pool(2) as pool:
        for f, expected in (
            (tl.grad(energy), [2.0 * x for x in POINTS]),
            (tl.jit(plain), [np.sum(np.sin(x)) for x in POINTS]),
        ):
            for found, wanted in zip(pool.map(f, POINTS), expected, strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-14)


SCRIPT = """
import multiprocessing
import sys
import numpy as np
import tapeless as tl

def loss(x):
    return tl.sum(x * x)

if __name__ == "__main__":
    gradient = tl.jit(tl.grad(loss), threads=2)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(gradient, [np.arange(3.0)])[0].tolist())
        try:
            pool.map(tl.grad(lambda x: x * x), [1.0])
        except tl.NotPicklable as error:
            print("refused:", error)
"""


def test_functions_of_a_script_go_to_its_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=os.environ, check=True)
    first, second = done.stdout.splitlines()
    assert first == "[0.0, 2.0, 4.0]"
    assert second.startswith("refused: <tl.function lambda> cannot be pickled: a lambda has no name")


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
