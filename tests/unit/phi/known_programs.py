"""Small programs whose derivatives are known, with how many operations these take at most."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tests.unit.phi.rules.rule_cases import fn, less, sqrt, to, when

from tapeless.passes.phi.differentiate.symbolic import Symbolic

Expected = Callable[..., tuple[float, ...]]


@dataclass(frozen=True)
class Program:
    """A program of some inputs, all of which it is differentiated in as far as `gradient` says."""

    inputs: str
    build: Callable[..., Symbolic]
    gradient: Expected
    coarse: int
    flags: frozenset[str] = frozenset()
    points: tuple[tuple[float, ...], ...] = ()


def _exp(x):
    return fn("exp", x)


def _log(x):
    return fn("log", x)


def _logistic(x):
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))


def _gauss(x, m, s):
    d = x - m
    return _log(_exp(-(d * d) / (s * s * 2.0)) / (s * math.sqrt(2 * math.pi)))


def _figure(a, c, e):
    """Two nested branches whose merge is multiplied by what the third arm's derivative divides by."""
    d = a * a * 0.25
    q = _exp(d) + 1.0
    z = when(less(c, 0.0), when(less(e, 0.0), sqrt(d) * 0.5, d * fn("sin", a), a), _log(q), a)
    return z * q


def _figure_gradient(a, c, e):
    d = a * a / 4
    q = 1 + math.exp(d)
    if c < 0:
        z, slope = (
            (math.sqrt(d) / 2, 0.25 * math.copysign(1, a))
            if e < 0
            else (d * math.sin(a), a / 2 * math.sin(a) + d * math.cos(a))
        )
    else:
        z, slope = math.log(q), math.exp(d) / q * a / 2
    return (math.exp(d) * a / 2 * z + q * slope,)


def _nll(w, x, b, y):
    p = fn("sigmoid", w * x + b)
    return -(y * _log(p) + (1.0 - y) * _log(1.0 - p))


def _nll_gradient(w, x, b, y):
    p = _logistic(w * x + b)
    return (p - y) * x, p - y


def _softmax(*xs):
    return [math.exp(each - max(xs)) / sum(math.exp(other - max(xs)) for other in xs) for each in xs]


def _cross_entropy(a, b, c, d):
    return -_log(_exp(a) / (_exp(a) + _exp(b) + _exp(c) + _exp(d)))


def _shifted_cross_entropy(*xs):
    largest = xs[0]
    for each in xs[1:]:
        largest = fn("max", largest, each)
    total = _exp(xs[0] - largest)
    for each in xs[1:]:
        total = total + _exp(each - largest)
    return -(xs[0] - largest) + _log(total)


def _softmax_gradient(*xs):
    p = _softmax(*xs)
    return (p[0] - 1, *p[1:])


def _spring(a, b, c, d, k, rest):
    p, q = a - c, b - d
    stretch = sqrt(p * p + q * q) - rest
    return stretch * stretch * k * 0.5


def _spring_gradient(a, b, c, d, k, rest):
    p, q = a - c, b - d
    length = math.hypot(p, q)
    pull = k * (1 - rest / length)
    return pull * p, pull * q, -pull * p, -pull * q


def _fall(x, y, z, h):
    """Time on two straight pieces of a slide, by the depth in the middle."""

    def piece(top, bottom):
        return sqrt(h * h + (top - bottom) * (top - bottom)) * 2.0 / (sqrt(top) + sqrt(bottom))

    return piece(x, y) + piece(y, z)


def _differences(build, *at):
    step = 1e-6
    return (build(*at, step) - build(*at, -step)) / (2 * step)


def _fall_value(x, y, z, h, step):
    def piece(top, bottom):
        return 2 * math.hypot(h, top - bottom) / (math.sqrt(top) + math.sqrt(bottom))

    return piece(x, y + step) + piece(y + step, z)


def _rosenbrock(x, y):
    return (1.0 - x) * (1.0 - x) + (y - x * x) * (y - x * x) * 100.0


def _powers(x, *others):
    result = x
    for each in others:
        result = result * each
    return result


def _powers_gradient(*xs):
    return tuple(math.prod(xs[:place] + xs[place + 1 :]) for place in range(len(xs)))


def _lennard_jones(x, y, z):
    r = sqrt(x * x + y * y + z * z)
    s = 1.0 / (r * r * r * r * r * r)
    return (s * s - s) * 4.0


def _lennard_jones_gradient(x, y, z):
    r2 = x * x + y * y + z * z
    s = r2**-3
    slope = 4 * (-6) * (2 * s * s - s) / r2
    return slope * x, slope * y, slope * z


MASS, LENGTH, TOTAL, STEP = 0.1, 0.5, 1.1, 0.02


def _pole(f, q, w, x, v):
    """Where a cart with a pole on it is after two steps, by the force of the first."""
    s, c = fn("sin", q), fn("cos", q)
    push = (f + w * w * s * (MASS * LENGTH)) / TOTAL
    turn = (s * 9.8 - c * push) / ((4.0 / 3.0 - c * c * MASS / TOTAL) * LENGTH)
    speed = v + (push - turn * c * (MASS * LENGTH / TOTAL)) * STEP
    return x + v * STEP + speed * STEP


def _pole_gradient(f, q, w, x, v):
    c = math.cos(q)
    turn = -c / TOTAL / (LENGTH * (4 / 3 - MASS * c * c / TOTAL))
    return (STEP * STEP * (1 / TOTAL - MASS * LENGTH / TOTAL * c * turn),)


WIDE = (1000.0, -1000.0, 40.0, -40.0, 0.5, 0.0)
PROGRAMS: dict[str, Program] = {
    # One operation more than s - s * s, which loses all digits for large x.
    "sigmoid": Program(
        "x",
        lambda x: 1.0 / (1.0 + _exp(-x)),
        lambda x: (_logistic(x) * _logistic(-x),),
        7,
        points=tuple((x,) for x in WIDE),
    ),
    "softplus": Program(
        "x", lambda x: _log(1.0 + _exp(x)), lambda x: (_logistic(x),), 4, points=tuple((x,) for x in WIDE)
    ),
    "tanh of exponentials": Program(
        "x", lambda x: (_exp(x) - _exp(-x)) / (_exp(x) + _exp(-x)), lambda x: (1 - math.tanh(x) ** 2,), 10
    ),
    "logarithm of a density": Program(
        "xms",
        _gauss,
        lambda x, m, s: (-(x - m) / s**2, (x - m) / s**2, ((x - m) ** 2 / s**2 - 1) / s),
        8,
        points=((100.0, 0.0, 1.0), (-100.0, 0.5, 0.9), (1.2, 0.3, 0.7)),
    ),
    "sine and cosine squared": Program(
        "x",
        lambda x: (fn("sin", x) * fn("sin", x) + fn("cos", x) * fn("cos", x)) * x * x * x,
        lambda x: (3 * x * x,),
        2,
        frozenset({"afn"}),
    ),
    "quotient with a common factor": Program(
        "x", lambda x: (x * x - 1.0) / (x - 1.0), lambda x: (1.0,), 0, frozenset({"cancel"})
    ),
    # Nine of them are comparisons, connectives and merges.
    "branches under a product": Program(
        "ace", _figure, _figure_gradient, 32, points=((0.8, -1.0, -1.0), (0.8, -1.0, 1.0), (0.8, 1.0, 1.0))
    ),
    "equal derivatives in both arms": Program(
        "xc", lambda x, c: when(less(c, 0.0), x * x + x, x * x + x - 3.0, x) * 2.0, lambda x, c: (4 * x + 2, 0.0), 2
    ),
    "logistic regression": Program(
        "wxby", _nll, _nll_gradient, 8, points=((2.0, 400.0, 0.1, 1.0), (-2.0, 400.0, 0.1, 1.0), (0.3, 0.7, 0.1, 0.0))
    ),
    "cross entropy": Program("abcd", _cross_entropy, _softmax_gradient, 13),
    "shifted cross entropy": Program(
        "abcd",
        _shifted_cross_entropy,
        _softmax_gradient,
        20,
        points=((1000.0, 999.0, 3.0, -5.0), (0.1, 0.2, 0.3, 0.25)),
    ),
    "spring": Program("abcdkl", _spring, _spring_gradient, 13),
    "fall": Program(
        "xyzh",
        _fall,
        lambda x, y, z, h: (_differences(lambda step: _fall_value(x, y, z, h, step)),),
        30,
        points=((0.5, 0.9, 1.4, 0.3), (1.0, 1.1, 2.0, 0.2)),
    ),
    "cart and pole": Program("fqwxv", _pole, _pole_gradient, 7),
    "rosenbrock": Program("xy", _rosenbrock, lambda x, y: (2 * (x - 1) - 400 * x * (y - x * x), 200 * (y - x * x)), 8),
    "share": Program("xy", lambda x, y: x / (x + y), lambda x, y: (y / (x + y) ** 2, -x / (x + y) ** 2), 6),
    "product": Program("abcdefgh", _powers, _powers_gradient, 18, points=((1.0, 2.0, 0.0, 4.0, 5.0, 6.0, 7.0, 8.0),)),
    "two-body potential": Program("xyz", _lennard_jones, _lennard_jones_gradient, 17),
    "power": Program("x", lambda x: to(x, 4.0), lambda x: (4 * x**3,), 3),
}
