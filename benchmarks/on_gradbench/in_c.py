"""Derivatives written by hand in C, compiled on the spot: a floor for what a tool can reach."""

from __future__ import annotations

import ctypes
import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SOURCES = Path(__file__).parent / "c"
COMMAND = ("cc", "-O3", "-march=native", "-shared", "-fPIC")
Contestant = Callable[[], Any]


def compiled(folder: Path) -> ctypes.CDLL:
    """All programs as one library."""
    library = folder / "gradbench.so"
    subprocess.run([*COMMAND, "-o", str(library), *map(str, sorted(SOURCES.glob("*.c"))), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def passed(value: Any) -> Any:
    """An argument as C takes it; arrays by address, None as no address."""
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    if value is None:
        return ctypes.c_void_p()
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)


def number(function: Any, *arguments: Any) -> Contestant:
    """A call that returns a number."""
    function.restype = ctypes.c_double
    given = [passed(each) for each in arguments]
    return lambda: function(*given)


def arrays(function: Any, *arguments: Any, shapes: tuple[Any, ...], dtypes: tuple[Any, ...] = ()) -> Contestant:
    """A call that fills fresh arrays, its last arguments."""
    given = [passed(each) for each in arguments]
    kinds = dtypes or (np.float64,) * len(shapes)

    def call() -> Any:
        made = tuple(np.empty(shape, dtype) for shape, dtype in zip(shapes, kinds, strict=True))
        function(*given, *map(passed, made))
        return made if len(made) > 1 else made[0]

    return call


def llsq(c: ctypes.CDLL, x: np.ndarray, n: int) -> dict[str, Contestant]:
    given = (x, len(x), n)
    return {"primal": number(c.llsq_primal, *given), "gradient": arrays(c.llsq_gradient, *given, shapes=(len(x),))}


def lse(c: ctypes.CDLL, x: np.ndarray) -> dict[str, Contestant]:
    given = (x, len(x))
    return {"primal": number(c.lse_primal, *given), "gradient": arrays(c.lse_gradient, *given, shapes=(len(x),))}


def det(c: ctypes.CDLL, a: np.ndarray, ell: int) -> dict[str, Contestant]:
    return {"primal": number(c.det_primal, a, ell), "gradient": arrays(c.det_gradient, a, ell, shapes=(len(a),))}


def gmm(c: ctypes.CDLL, *given: Any) -> dict[str, Contestant]:
    alpha, mu, q, below, x, m, gamma = given
    (k, d), n, nu = q.shape, len(x), q.shape[1] + m + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma((nu - j) / 2) for j in range(d))
    constant = k * (nu * d * math.log(gamma / math.sqrt(2)) - log_gamma) - n * d / 2 * math.log(2 * math.pi)
    value = number(c.gmm, *given, k, d, n, None, None, None, None)
    shapes = tuple(part.shape for part in (alpha, mu, q, below))
    return {"objective": lambda: value() + constant, "jacobian": arrays(c.gmm, *given, k, d, n, shapes=shapes)}


def ba(c: ctypes.CDLL, *given: Any) -> dict[str, Contestant]:
    n, m, p = (len(each) for each in given[:3])
    entries, kinds = (3 * p + 1, 31 * p, 31 * p), (np.int64, np.int64, np.float64)
    return {
        "objective": arrays(c.ba_objective, *given, n, m, p, shapes=((p, 2), p)),
        "jacobian": arrays(c.ba_jacobian, *given, n, m, p, shapes=entries, dtypes=kinds),
    }


def ht(c: ctypes.CDLL, theta: Any, us: Any, hand: Any, places: Any, points: Any) -> dict[str, Contestant]:
    bones, n = hand["bones"], len(points)
    given = (theta, us, *bones.values(), hand["triangles"], places, points, len(bones["positions"]), n)
    return {
        "objective": arrays(c.ht_objective, *given, shapes=(3 * n,)),
        "jacobian": arrays(c.ht_jacobian, *given, shapes=((3 * n, 28),)),
    }


def lstm(c: ctypes.CDLL, *given: Any) -> dict[str, Contestant]:
    main, extra, _, text = given
    layers, b, characters = len(main) // 2, *reversed(text.shape)
    sizes = (layers, b, characters)
    return {
        "objective": number(c.lstm, *given, *sizes, None, None),
        "jacobian": arrays(c.lstm, *given, *sizes, shapes=(main.shape, extra.shape)),
    }


def kmeans(c: ctypes.CDLL, points: np.ndarray, centroids: np.ndarray) -> dict[str, Contestant]:
    given = (points, centroids, len(points), *centroids.shape)
    return {"cost": number(c.kmeans_cost, *given), "dir": arrays(c.kmeans_dir, *given, shapes=(centroids.shape,))}


def ode(c: ctypes.CDLL, x: np.ndarray, s: int) -> dict[str, Contestant]:
    given = (x, len(x), s)
    functions = {"primal": c.ode_primal, "gradient": c.ode_gradient}
    return {name: arrays(function, *given, shapes=(len(x),)) for name, function in functions.items()}


def particle(c: ctypes.CDLL, w: float) -> dict[str, Contestant]:
    return dict.fromkeys(("rr", "ff", "fr", "rf"), number(c.particle, w))


def saddle(c: ctypes.CDLL, start: np.ndarray) -> dict[str, Contestant]:
    return dict.fromkeys(("rr", "ff", "fr", "rf"), arrays(c.saddle, start, shapes=(4,)))


PROBLEMS: dict[str, Callable[..., dict[str, Contestant]]] = {
    each.__name__: each for each in (llsq, lse, det, gmm, ba, ht, lstm, kmeans, ode, particle, saddle)
}
