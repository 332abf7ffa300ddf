"""Small inputs for every problem, each with what the tool must answer; made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from . import descents, geometry, reference
from .reference import complex_step


@dataclass(frozen=True)
class Case:
    """An input of a problem, and the results of its functions."""

    given: Any
    expected: dict[str, Any]


def message(module: str, function: str, given: Any, runs: int = 1) -> dict[str, Any]:
    """What asks for a function of an input; times do not matter."""
    limits = {"min_runs": runs, "min_seconds": 0}
    names = {"id": 0, "kind": "evaluate", "module": module, "function": function}
    return names | {"input": given | limits if isinstance(given, dict) else given}


@cache
def cases(module: str) -> list[Case]:
    """All cases of a problem."""
    return list(PROBLEMS[module](np.random.default_rng(7)))


def hello(random: np.random.Generator) -> Iterator[Case]:
    for x in (3.0, -0.5, 0):
        yield Case(x, {"square": x * x, "double": 2 * x})


def llsq(random: np.random.Generator) -> Iterator[Case]:
    for m, n in ((3, 5), (7, 16), (1, 2)):
        x = random.normal(size=m)
        slope = complex_step(lambda x, n=n: reference.least_squares(x, n), x)
        yield Case({"x": x.tolist(), "n": n}, {"primal": reference.least_squares(x, n), "gradient": slope})


def lse(random: np.random.Generator) -> Iterator[Case]:
    for x in (random.normal(size=9), np.array([1000.0, 1001.0, 1001.0, 998.0]), np.array([2.5])):
        value = reference.log_sum_exp(x)
        yield Case({"x": x.tolist()}, {"primal": value, "gradient": np.exp(x - value)})


def det(random: np.random.Generator) -> Iterator[Case]:
    for ell in (1, 2, 3, 4, 5, 6):
        a = random.random(ell * ell)
        expected = {"primal": reference.determinant(a, ell), "gradient": reference.cofactors(a, ell)}
        yield Case({"A": a.tolist(), "ell": ell}, expected)


def gmm(random: np.random.Generator) -> Iterator[Case]:
    for d, k, n, m, gamma in ((3, 2, 4, 2, 1.3), (5, 4, 3, 0, 1.0), (1, 3, 5, 1, 0.7)):
        x, alpha, mu = random.normal(size=(n, d)), random.normal(size=k), random.random((k, d))
        q, below = random.normal(size=(k, d)), random.normal(size=(k, d * (d - 1) // 2))
        parts = {"alpha": alpha, "mu": mu, "q": q, "l": below}
        rest = (x, m, gamma)
        slopes = {name: by_part(parts, name, *rest) for name in parts}
        numbers = {"d": d, "k": k, "n": n, "m": m, "gamma": gamma, "x": x.tolist()}
        lists = {name: part.tolist() for name, part in parts.items()}
        yield Case(
            numbers | lists, {"objective": np.real(reference.mixture(*parts.values(), *rest)), "jacobian": slopes}
        )


def by_part(parts: dict[str, np.ndarray], name: str, *rest: Any) -> np.ndarray:
    """The derivative of the mixture by one of its parameters."""
    return complex_step(lambda part: reference.mixture(*(parts | {name: part}).values(), *rest), parts[name])


def ba(random: np.random.Generator) -> Iterator[Case]:
    for rotation in ([0.1, -0.2, 0.3], [0.0, 0.0, 0.0]):
        camera = np.array([*rotation, 1, -1, 2, 90, 5, -5, 0.01, 0.001])
        point, weight, feature, (n, m, p) = np.array([3.0, 2, 10]), 0.6, np.array([20.0, 30]), (2, 3, 12)
        at = np.concatenate((camera, point, [weight]))
        first = geometry.seen_error(at, feature)
        rows = [*range(0, 30 * p, 15), *range(30 * p, 31 * p + 1)]
        columns = [*range(11), *range(11 * n, 11 * n + 3), 11 * n + 3 * m]
        block = complex_step(lambda at, feature=feature: geometry.seen_error(at, feature), at)
        errors = {
            "reproj_error": {"elements": first, "repeated": p},
            "w_err": {"element": 1 - weight**2, "repeated": p},
        }
        entries = {
            "rows": [*rows[:30], rows[-1]],
            "cols": [*columns, *columns, 11 * n + 3 * m + p - 1],
            "vals": [*block.ravel(), -2 * weight],
        }
        sizes = {"n": n, "m": m, "p": p, "w": weight}
        given = sizes | {"cam": camera.tolist(), "x": point.tolist(), "feat": feature.tolist()}
        yield Case(given, {"objective": errors, "jacobian": entries})


def ht(random: np.random.Generator) -> Iterator[Case]:
    for with_places, is_mirrored, turn in ((True, False, 0.5), (True, True, 0.0), (False, False, 0.5)):
        fingers = [parent for finger in range(5) for parent in (0, *range(4 * finger + 1, 4 * finger + 4))]
        model = {
            "bone_count": 22,
            "bone_names": [f"bone{k}" for k in range(22)],
            "parents": [-1, *fingers, 0],
            "base_relatives": affine(random, 22),
            "inverse_base_absolutes": affine(random, 22),
            "base_positions": np.append(random.normal(size=(6, 3)), np.ones((6, 1)), axis=1).tolist(),
            "weights": random.random((6, 22)).tolist(),
            "triangles": [[0, 1, 2], [3, 4, 5], [1, 3, 5]],
            "is_mirrored": is_mirrored,
        }
        data = {"model": model, "correspondences": [2, 0, 1, 0], "points": random.normal(size=(4, 3)).tolist()}
        theta = random.normal(size=26)
        theta[:3] *= turn
        us = random.random((4, 2)) if with_places else None
        slopes = [complex_step(lambda theta, us=us, data=data: geometry.hand_residuals(theta, us, data), theta)]
        for direction in np.eye(2) if with_places else ():
            moved = geometry.hand_residuals(theta, us + 1j * reference.STEP * direction, data)
            slopes.insert(-1, (moved.imag / reference.STEP)[:, None])
        value = np.real(geometry.hand_residuals(theta, us, data))
        given = {"theta": theta.tolist(), "us": [] if us is None else us.tolist(), "data": data}
        yield Case(given, {"objective": value, "jacobian": np.concatenate(slopes, axis=1)})


def affine(random: np.random.Generator, count: int) -> list[list[list[float]]]:
    """Matrices that leave the last coordinate alone."""
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3] += 0.3 * random.normal(size=(count, 3, 4))
    return matrices.tolist()


def lstm(random: np.random.Generator) -> Iterator[Case]:
    for layers, b, c in ((1, 2, 4), (2, 3, 6)):
        main, extra = random.random((2 * layers, 4 * b)), random.random((3, b))
        state, sequence = random.random((2 * layers, b)), np.round(random.random((c, b)))
        rest = (state, sequence)
        by_main = complex_step(lambda main, rest=(extra, *rest): reference.recurrent_loss(main, *rest), main)
        by_extra = complex_step(lambda extra, main=main, rest=rest: reference.recurrent_loss(main, extra, *rest), extra)
        parts = {"main_params": main, "extra_params": extra, "state": state, "sequence": sequence}
        slopes = np.concatenate((by_main.ravel(), by_extra.ravel()))
        given = {name: part.tolist() for name, part in parts.items()}
        yield Case(given, {"objective": np.real(reference.recurrent_loss(main, extra, *rest)), "jacobian": slopes})


def kmeans(random: np.random.Generator) -> Iterator[Case]:
    for n, k, d in ((12, 3, 2), (5, 5, 4)):
        points = random.random((n, d))
        # As the suite has it: some distances are zero.
        centroids = points[-k:]
        cost = np.sum(np.min(reference.distances(points, centroids), axis=1))
        given = {"points": points.tolist(), "centroids": centroids.tolist()}
        yield Case(given, {"cost": cost, "dir": reference.newton_direction(points, centroids)})


def ode(random: np.random.Generator) -> Iterator[Case]:
    for n, s in ((5, 3), (8, 20), (1, 2)):
        x = random.random(n) + 0.5
        slope = complex_step(lambda x, s=s: reference.chain_of_equations(x, s)[-1], x)
        given = {"x": x.tolist(), "s": s}
        yield Case(given, {"primal": reference.chain_of_equations(x, s), "gradient": slope})


def particle(random: np.random.Generator) -> Iterator[Case]:
    for w in (0.0, 0.35):
        yield Case({"w": w}, dict.fromkeys(("rr", "ff", "fr", "rf"), descents.steered(w)))


def saddle(random: np.random.Generator) -> Iterator[Case]:
    for start in ([1.0, 1.0], [0.4, -0.7]):
        expected = descents.saddle_point(np.array(start))
        yield Case({"start": start}, dict.fromkeys(("rr", "ff", "fr", "rf"), expected))


PROBLEMS: dict[str, Callable[[np.random.Generator], Iterator[Case]]] = {
    each.__name__: each for each in (hello, llsq, lse, det, gmm, ba, ht, lstm, kmeans, ode, particle, saddle)
}
