"""Procedures of the literature on reversible computing: there, back, and their gradients, against numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import tapeless as tl

RNG = np.random.default_rng(1)
MATRIX = RNG.normal(size=(4, 4)) + 4.0 * np.eye(4)
VECTOR = np.array([0.3, -0.7, 1.1, 0.4])
WEIGHTS = np.array([1 / (2 - 2 ** (1 / 3)), 1 - 2 / (2 - 2 ** (1 / 3)), 1 / (2 - 2 ** (1 / 3))])


class Case(NamedTuple):
    """A procedure, its arguments, what numpy makes of them, and by which argument which result is differentiated."""

    procedure: Any
    arguments: tuple[Any, ...]
    wanted: Callable[..., tuple[Any, ...]]
    by: int | None = None
    of: int = 0


@tl.reversible
def eliminate(factors: tl.f64[:, :], a: tl.f64[:, :]):
    """Gaussian elimination: the factors are kept beside the rows they were subtracted from."""
    for k in range(a.shape[0]):
        for i in range(k + 1, a.shape[0]):
            factors[i, k] += a[i, k] / a[k, k]
            a[i, k:] -= factors[i, k] * a[k, k:]


def eliminated(factors, a):
    factors, a = factors.copy(), a.copy()
    for k in range(len(a)):
        for i in range(k + 1, len(a)):
            factors[i, k] += a[i, k] / a[k, k]
            a[i, k:] -= factors[i, k] * a[k, k:]
    return factors, a


@tl.reversible
def sort(x: tl.f64[:], exchanged: tl.bool_[:, :]):
    """A network of comparisons that remembers what it exchanged."""
    for p in range(len(x)):
        for i in range(p % 2, len(x) - 1, 2):
            exchanged[p, i] ^= x[i] > x[i + 1]
            if exchanged[p, i]:
                x[i], x[i + 1] = x[i + 1], x[i]


def sorted_(x, exchanged):
    x, exchanged = x.copy(), exchanged.copy()
    for p in range(len(x)):
        for i in range(p % 2, len(x) - 1, 2):
            if x[i] > x[i + 1]:
                exchanged[p, i] = True
                x[[i, i + 1]] = x[[i + 1, i]]
    return x, exchanged


@tl.reversible
def encrypt(left: tl.i64, right: tl.i64, key: tl.i64[:]):
    """Feistel's scheme: any function of one half is mixed into the other."""
    for i in range(len(key)):
        left ^= (right * key[i] + 12345) % 65536
        left, right = right, left


def encrypted(left, right, key):
    for k in key:
        left, right = right, left ^ int((right * k + 12345) % 65536)
    return left, right, key


@tl.reversible
def greatest_divisor(a: tl.i64, b: tl.i64, quotients: tl.i64[:], n: tl.i64):
    """Euclid's algorithm; what it divided out says how to go back."""
    while tl.cond(b != 0, n > 0):
        quotients[n] += a // b
        a -= quotients[n] * b
        a, b = b, a
        n += 1


def divided(a, b, quotients, n):
    quotients = quotients.copy()
    while b:
        quotients[n] = a // b
        a, b, n = b, a % b, n + 1
    return a, b, quotients, n


@tl.reversible
def automaton(now: tl.i64[:], before: tl.i64[:], steps):
    """Fredkin's second-order automaton: any rule, xored with the generation before."""
    for _ in range(steps):
        for i in range(len(now)):
            before[i] ^= 1 if now[i] == 1 or now[(i + 1) % len(now)] != now[(i - 1) % len(now)] else 0
        now, before = before, now


def generations(now, before, steps):
    for _ in range(steps):
        now, before = before ^ (now | (np.roll(now, 1) ^ np.roll(now, -1))), now
    return now, before, steps


@tl.reversible
def stack_machine(stack: tl.i64[:], top: tl.i64, code: tl.i64[:], trash: tl.i64[:]):
    """Positive numbers are pushed, 0 adds the two on top; what is no longer needed is moved to the trash."""
    for i in range(len(code)):
        if code[i] > 0:
            stack[top] += code[i]
            top += 1
        else:
            top -= 1
            stack[top - 1] += stack[top]
            stack[top], trash[i] = trash[i], stack[top]


def executed(stack, top, code, trash):
    stack, trash = stack.copy(), trash.copy()
    for i, each in enumerate(code):
        if each > 0:
            stack[top], top = each, top + 1
        else:
            top -= 1
            stack[top - 1] += stack[top]
            stack[top], trash[i] = 0, stack[top]
    return stack, top, code, trash


@tl.reversible
def cat_map(x: tl.i64, y: tl.i64, n):
    """Arnold's cat map on a grid: the remainder's branch is known afterwards."""
    for _ in range(n):
        x += y
        if tl.cond(x >= 101, x < y):
            x -= 101
        y += x
        if tl.cond(y >= 101, y < x):
            y -= 101


def cat_mapped(x, y, n):
    for _ in range(n):
        x = (x + y) % 101
        y = (x + y) % 101
    return x, y, n


@tl.reversible
def reflect(x: tl.f64[:], v):
    """Householder's reflection: what it was made of is found again, with the other sign."""
    with tl.ancilla(0.0) as d:
        d += tl.sum(v * x)
        x -= 2.0 * d * v
        d += tl.sum(v * x)


@tl.reversible
def solve_tridiagonal(x: tl.f64[:], lower, middle, upper, right):
    """Thomas's algorithm; what it eliminates with is a routine."""
    with tl.ancilla(tl.zeros(len(right))) as c, tl.ancilla(tl.zeros(len(right))) as d:
        with tl.routine() as r:
            c[0] += upper[0] / middle[0]
            d[0] += right[0] / middle[0]
            for i in range(1, len(right)):
                c[i] += upper[i] / (middle[i] - lower[i] * c[i - 1])
                d[i] += (right[i] - lower[i] * d[i - 1]) / (middle[i] - lower[i] * c[i - 1])
        x[len(right) - 1] += d[len(right) - 1]
        for i in range(len(right) - 2, -1, -1):
            x[i] += d[i] - c[i] * x[i + 1]
        ~r


def solved(x, lower, middle, upper, right):
    matrix = np.diag(middle) + np.diag(lower[1:], -1) + np.diag(upper[:-1], 1)
    return x + np.linalg.solve(matrix, right), lower, middle, upper, right


@tl.reversible
def integrate(q, p, n, dt):
    """Yoshida's integrator of the fourth order."""
    for _ in range(n):
        for k in range(3):
            q += 0.5 * WEIGHTS[k] * dt * p
            p -= WEIGHTS[k] * dt * tl.sin(q)
            q += 0.5 * WEIGHTS[k] * dt * p


def integrated(q, p, n, dt):
    for weight in np.tile(WEIGHTS, n):
        q = q + 0.5 * weight * dt * p
        p = p - weight * dt * np.sin(q)
        q = q + 0.5 * weight * dt * p
    return q, p, n, dt


@tl.reversible
def shear(x, y, angles):
    """Rotations as three shears each, which lifting schemes are made of."""
    for i in range(len(angles)):
        x -= tl.tan(0.5 * angles[i]) * y
        y += tl.sin(angles[i]) * x
        x -= tl.tan(0.5 * angles[i]) * y


def rotated(x, y, angles):
    turned = (x + 1j * y) * np.exp(1j * angles.sum())
    return turned.real, turned.imag, angles


@tl.reversible
def lift(x: tl.f64[:]):
    """Haar's wavelets by lifting."""
    x[1::2] -= x[::2]
    x[::2] += 0.5 * x[1::2]


def lifted(x):
    x = x.copy()
    x[1::2] -= x[::2]
    x[::2] += 0.5 * x[1::2]
    return (x,)


@tl.reversible
def root(y, x):
    """Newton's iteration, all of whose steps are kept until the result is copied."""
    with tl.ancilla(tl.zeros(8)) as z:
        with tl.routine() as r:
            z[0] += x
            for i in range(7):
                z[i + 1] += 0.5 * (z[i] + x / z[i])
        y += z[7]
        ~r


@tl.reversible
def log_of_sum(y, x):
    """The logarithm of a sum of exponentials, by the largest of them."""
    with tl.ancilla(0.0) as largest, tl.ancilla(0.0) as s:
        with tl.routine() as r:
            largest += tl.max(x)
            for i in range(len(x)):
                s += tl.exp(x[i] - largest)
        y += tl.log(s) + largest
        ~r


UNIT = VECTOR / np.linalg.norm(VECTOR)
BANDS = [RNG.normal(size=5), 5.0 + RNG.normal(size=5), RNG.normal(size=5), RNG.normal(size=5)]
NONE = np.zeros(5, int)
CASES = [
    Case(eliminate, (np.zeros((4, 4)), MATRIX), eliminated, by=1, of=1),
    Case(sort, (np.array([3.0, 1.0, 2.0, 0.5]), np.zeros((4, 4), bool)), sorted_, by=0),
    Case(encrypt, (1234, 4321, np.array([3, 5, 7, 11])), encrypted),
    Case(greatest_divisor, (1071, 462, np.zeros(9, int), 0), divided),
    Case(automaton, (np.array([0, 0, 1, 0, 0, 0]), np.zeros(6, int), 5), generations),
    Case(stack_machine, (NONE, 0, np.array([2, 3, 0, 5, 0]), NONE), executed),
    Case(cat_map, (3, 7, 25), cat_mapped),
    Case(reflect, (np.arange(1.0, 5.0), UNIT), lambda x, v: (x - 2 * v * (v @ x), v), by=0),
    Case(solve_tridiagonal, (np.zeros(5), *BANDS), solved, by=2),
    Case(integrate, (0.5, 0.1, 10, 0.1), integrated, by=0),
    Case(shear, (1.0, 2.0, VECTOR), rotated, by=2),
    Case(lift, (np.arange(8.0) ** 1.5,), lifted, by=0),
    Case(root, (0.0, 2.5), lambda y, x: (y + np.sqrt(x), x), by=1),
    Case(log_of_sum, (0.0, VECTOR), lambda y, x: (y + np.log(np.exp(x).sum()), x), by=1),
]


def check_close(found, wanted, tolerance):
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=tolerance, atol=tolerance)


def slope(case: Case, weights: np.ndarray) -> np.ndarray:
    """The derivative of a weighted sum of the result, by central differences of what numpy makes."""
    x, step = np.asarray(case.arguments[case.by], float), 1e-6
    found = np.zeros_like(x)
    for at in np.ndindex(*x.shape):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[at] += sign * step
            arguments = list(case.arguments)
            arguments[case.by] = moved if x.ndim else float(moved)
            ends.append(np.sum(weights * case.wanted(*arguments)[case.of]))
        found[at] = (ends[0] - ends[1]) / (2 * step)
    return found


@pytest.mark.one_in(8)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.procedure.procedure.source.name)
def test_there_and_back(case):
    left = case.procedure(*case.arguments)
    check_close(left, case.wanted(*case.arguments), 1e-12)
    check_close((~case.procedure)(*left), case.arguments, 1e-12)


@pytest.mark.one_in(11)
@pytest.mark.parametrize(
    "case", [each for each in CASES if each.by is not None], ids=lambda case: case.procedure.procedure.source.name
)
def test_gradients(case):
    left, pullback = tl.vjp(case.procedure, *case.arguments)
    weights = np.cos(np.arange(np.size(left[case.of]), dtype=float)).reshape(np.shape(left[case.of]))
    bars = [np.zeros_like(each) if np.ndim(each) else type(each)(0) for each in left]
    bars[case.of] = weights if weights.ndim else float(weights)
    np.testing.assert_allclose(pullback(tuple(bars))[case.by], slope(case, weights), rtol=1e-7, atol=1e-7)
