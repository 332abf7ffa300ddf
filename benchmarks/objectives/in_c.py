"""The derivatives by hand, in C, compiled on the spot; every call makes its results anew, as other contestants do."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).with_name("derivatives.c")
COMMAND = ("cc", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fopenmp-simd", "-shared", "-fPIC")


def compiled(folder: Path) -> ctypes.CDLL:
    """The derivatives as a library."""
    library = folder / "derivatives.so"
    subprocess.run([*COMMAND, "-o", str(library), str(SOURCE), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _given(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _address(value)
    return ctypes.c_int64(value) if isinstance(value, int) else ctypes.c_double(value)


def _call(
    function: Any, inputs: list[Any], shapes: list[tuple[int, ...]], sizes: list[int], has_value: bool = False
) -> Callable[[], Any]:
    function.restype = ctypes.c_double if has_value else None
    held = [np.ascontiguousarray(each) if isinstance(each, np.ndarray) else each for each in inputs]
    before, behind = [_given(each) for each in held], [ctypes.c_int64(size) for size in sizes]

    def call() -> Any:
        assert held
        results = [np.empty(shape) for shape in shapes]
        value = function(*before, *map(_address, results), *behind)
        if has_value:
            return value, tuple(results)
        return results[0] if len(results) == 1 else tuple(results)

    return call


def _gmm(library: ctypes.CDLL, alphas: Any, means: Any, icf: Any, x: Any, gamma: float, m: int) -> Callable[[], Any]:
    shapes = [alphas.shape, means.shape, icf.shape]
    return _call(
        library.gmm_gradient, [alphas, means, icf, x, gamma, m], shapes, [*x.shape, len(alphas)], has_value=True
    )


def _ba(library: ctypes.CDLL, *arguments: Any) -> Callable[[], Any]:
    count = len(arguments[2])
    return _call(library.ba_blocks, [*arguments], [(count, 2, 15), (count,)], [count, len(arguments[0])])


def _compressed(shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The bones that vertices follow, and how much: a part of the model, made once."""
    rows, bones = np.nonzero(shares)
    return np.searchsorted(rows, np.arange(len(shares) + 1)), bones, shares[rows, bones]


def _hand(
    library: ctypes.CDLL,
    theta: Any,
    parents: Any,
    relatives: Any,
    inverses: Any,
    vertices: Any,
    shares: Any,
    seen: Any,
    vertex_of: Any,
) -> Callable[[], Any]:
    inputs = [theta, parents, relatives, inverses, vertices, *_compressed(shares), vertex_of]
    return _call(library.hand_jacobian, inputs, [(len(seen), 3, 26)], [len(seen), len(vertices)])


def _hand_in_triangles(
    library: ctypes.CDLL,
    theta: Any,
    places: Any,
    parents: Any,
    relatives: Any,
    inverses: Any,
    vertices: Any,
    shares: Any,
    seen: Any,
    triangles: Any,
    triangle_of: Any,
) -> Callable[[], Any]:
    bones = [parents, relatives, inverses, vertices, *_compressed(shares)]
    inputs = [theta, places, *bones, triangles, triangle_of]
    return _call(library.hand_in_triangles_jacobian, inputs, [(len(seen), 3, 28)], [len(seen), len(vertices)])


def _lstm(library: ctypes.CDLL, main: Any, extra: Any, state: Any, text: Any) -> Callable[[], Any]:
    sizes = [len(main), len(text)]
    return _call(library.lstm_gradient, [main, extra, state, text], [main.shape, extra.shape], sizes, has_value=True)


DERIVATIVES = {"gmm": _gmm, "ba": _ba, "hand": _hand, "hand_in_triangles": _hand_in_triangles, "lstm": _lstm}


def contestant(library: ctypes.CDLL, name: str, arguments: tuple[Any, ...]) -> Callable[[], Any]:
    """The derivative by hand on these arguments."""
    return DERIVATIVES[name](library, *arguments)
