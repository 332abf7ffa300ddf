"""Reversible programs whose values, gradients or failures are known from elsewhere."""

from __future__ import annotations

import tapeless as tl


@tl.reversible
def multiply_add(y, a, b):
    y += a * b


@tl.reversible
def norm(r, y, x: tl.In[tl.f64[:]]):
    for i in range(len(x)):
        y += x[i] * x[i]
    r += tl.sqrt(y)


@tl.reversible
def axpy_and_dot(o, a, x: tl.f64[:], y: tl.f64[:], z: tl.f64[:]):
    for i in range(len(x)):
        y[i] += a * x[i]
    for i in range(len(x)):
        o += z[i] * y[i]


@tl.reversible
def complex_log(log_re, log_im, re, im):
    """The logarithm of a complex number, through the modulus in ancillas."""
    with tl.ancilla(0.0) as squared, tl.ancilla(0.0) as modulus:
        with tl.routine() as r:
            squared += re * re
            squared += im * im
            modulus += tl.sqrt(squared)
        log_re += tl.log(modulus)
        log_im += tl.atan2(im, re)
        ~r


@tl.reversible
def fifth_power(y, x):
    with tl.ancilla(0.0) as second, tl.ancilla(0.0) as fourth:
        with tl.routine() as r:
            second += x * x
            fourth += second * second
        y += fourth * x
        ~r


@tl.reversible
def twelfth_power(y, x):
    """Scratch in an array: one slot per multiplication."""
    with tl.ancilla(tl.zeros(12)) as powers:
        with tl.routine() as r:
            powers[0] += x
            for i in range(1, 12):
                powers[i] += powers[i - 1] * x
        y += powers[11]
        ~r


@tl.reversible
def count_up(x):
    while tl.cond(x < 100, x > 0):
        x += 9


@tl.reversible
def count_up_from_below(x):
    while tl.cond(x < 100, x > -10):
        x += 9


@tl.reversible
def careless_branch(o, a, b):
    if tl.cond(o < 4, o < 4):
        o += a * b


@tl.reversible
def next_even(x: tl.i64):
    if tl.cond(x % 2 == 1, x % 2 == 0):
        x += 1
    else:
        x -= 1


@tl.reversible
def dirty_ancilla(y):
    with tl.ancilla(0) as z:
        z += 1
        z -= 10
        y += z


@tl.reversible
def square(y, x):
    y += x * x


@tl.reversible
def through_an_ancilla(y, x):
    """`y += x` by way of an ancilla that starts at zero."""
    with tl.ancilla(0.0) as z:
        z += x
        y += z
        z -= x


@tl.reversible
def rotations(x: tl.f64[:], angles: tl.In[tl.f64[:]]):
    """A product of rotations of every pair."""
    with tl.ancilla(0) as k:
        for i in range(len(x)):
            for j in range(i + 1, len(x)):
                tl.rot(x[i], x[j], angles[k])
                k += 1
        k -= len(x) * (len(x) - 1) // 2


@tl.reversible
def summed_rotations(loss, x: tl.f64[:], angles: tl.f64[:]):
    rotations(x, angles)
    for i in range(len(x)):
        loss += x[i]


@tl.reversible
def pyramid(y, v: tl.f64[:, :], x: tl.In[tl.f64[:]]):
    """Row j + 1 from neighbours in row j, each one shorter."""
    for j in range(len(x)):
        v[0, j] += x[j]
    for j in range(len(x) - 1):
        for i in range(len(x) - 1 - j):
            v[j + 1, i] += tl.cos(v[j, i]) * tl.sin(v[j, i + 1])
    y += v[len(x) - 1, 0]


@tl.reversible
def product(a, b, c):
    a += b * c


@tl.reversible
def mixture(a, b, c, d):
    a += b * c
    a += b**d
    c += b / d
    tl.rot(a, c, d)
    b += d**2.0
    a += c * d


@tl.reversible
def leapfrog(q: tl.f64[:, :], p: tl.f64[:, :], mass: tl.In[tl.f64[:]], dt: tl.In[tl.f64], steps: tl.In[tl.i64]):
    """Bodies that attract each other: kick, drift, kick."""
    for _ in range(steps):
        for i in range(q.shape[0]):
            for j in range(q.shape[0]):
                if i != j:
                    dx = q[j, 0] - q[i, 0]
                    dy = q[j, 1] - q[i, 1]
                    pull = dt * mass[i] * mass[j] / (dx * dx + dy * dy) ** 1.5
                    p[i, 0] += pull * dx
                    p[i, 1] += pull * dy
        for i in range(q.shape[0]):
            q[i, 0] += dt * p[i, 0] / mass[i]
            q[i, 1] += dt * p[i, 1] / mass[i]


@tl.reversible
def sparse_matvec(y: tl.f64[:], starts: tl.In[tl.i64[:]], rows: tl.In[tl.i64[:]], values: tl.f64[:], x: tl.f64[:]):
    """A matrix by compressed columns, times a vector."""
    for j in range(len(x)):
        for k in range(starts[j], starts[j + 1]):
            y[rows[k]] += values[k] * x[j]


@tl.reversible
def matmul(c: tl.f64[:, :], a: tl.f64[:, :], b: tl.f64[:, :]):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@tl.reversible
def coupling_layer(left: tl.f64[:], right: tl.f64[:], weights: tl.In[tl.f64[:, :]]):
    """A step of a normalising flow: each half is shifted by a function of the other."""
    right += tl.tanh(weights @ left)
    left, right = right, left


@tl.reversible
def axpy(y: tl.f64[:], alpha, x: tl.In[tl.f64[:]]):
    y += alpha * x


@tl.reversible
def visits(order: tl.i64[:], count: tl.i64, lo: tl.In[tl.i64], hi: tl.In[tl.i64], step: tl.In[tl.i64]):
    """Writes down which indices a loop visits, in order."""
    for i in range(lo, hi, step):
        order[count] += i
        count += 1


@tl.reversible
def butterfly(a, b):
    tl.hadamard(a, b)


@tl.reversible
def reciprocal(y, x):
    tl.recip(x)
    y += x


@tl.reversible
def reversed_by_a_stack(y: tl.f64[:], x: tl.f64[:]):
    """The numbers of x move to y in reverse order."""
    with tl.ancilla(tl.new_stack(tl.f64, len(x))) as moved:
        for i in range(len(x)):
            tl.push(moved, x[i])
        for i in range(len(x)):
            tl.pop(moved, y[i])
