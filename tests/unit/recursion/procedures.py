"""Recursive procedures in Python, and what they compute."""

from __future__ import annotations

from functools import reduce

import numpy as np

import tapeless as tl


@tl.reversible
def fibonacci(out: tl.i64, n: tl.i64):
    """Adds the n-th Fibonacci number; how often it calls itself is the number itself."""
    with tl.ancilla(0) as first, tl.ancilla(0) as second:
        first += n - 1
        second += n - 2
        if n <= 1:
            out += 1
        else:
            fibonacci(out, first)
            fibonacci(out, second)
        second -= n - 2
        first -= n - 1


@tl.reversible
def sum_of_sines(total: tl.f64, x: tl.In[tl.f64[:]], low: tl.In[tl.i64], high: tl.In[tl.i64]):
    """The sum of sin(x[k]) for k from low to high - 1, by halves."""
    if high - low == 1:
        total += tl.sin(x[low])
    else:
        with tl.ancilla(0) as middle:
            middle += (low + high) // 2
            sum_of_sines(total, x, low, middle)
            sum_of_sines(total, x, middle, high)
            middle -= (low + high) // 2


@tl.reversible
def hadamard_transform(x: tl.f64[:], low: tl.In[tl.i64], high: tl.In[tl.i64]):
    """The Walsh-Hadamard transform of x[low:high], whose size is a power of two."""
    if high - low > 1:
        with tl.ancilla(0) as half, tl.ancilla(0) as middle:
            half += (high - low) // 2
            middle += low + half
            for i in range(low, middle):
                tl.hadamard(x[i], x[i + half])
            hadamard_transform(x, low, middle)
            hadamard_transform(x, middle, high)
            middle -= low + half
            half -= (high - low) // 2


@tl.reversible
def even_steps(y: tl.f64, x: tl.f64, n: tl.In[tl.i64]):
    if n > 0:
        y += 0.25 * tl.sin(x)
        with tl.ancilla(0) as m:
            m += n - 1
            odd_steps(y, x, m)
            m -= n - 1


@tl.reversible
def odd_steps(y: tl.f64, x: tl.f64, n: tl.In[tl.i64]):
    if n > 0:
        x -= 0.5 * y * y
        with tl.ancilla(0) as m:
            m += n - 1
            even_steps(y, x, m)
            m -= n - 1


@tl.reversible
def nested(out: tl.f64[:], n: tl.In[tl.i64]):
    """Counts calls, and has something left to do after each."""
    if n > 0:
        out[0] += 1.0
        with tl.ancilla(0) as m:
            m += n - 1
            nested(out, m)
            m -= n - 1
        out[1] += out[0] * n


@tl.reversible
def forth_and_back(y: tl.f64, x: tl.In[tl.f64[:]], n: tl.In[tl.i64]):
    """Calls the inverse of a recursive procedure, and of itself: what is left is sin(x[0])."""
    sum_of_sines(y, x, 0, n)
    if n > 1:
        with tl.ancilla(0) as m:
            m += n - 1
            with tl.ancilla(0.0) as z:
                forth_and_back(z, x, m)
                (~forth_and_back)(z, x, m)
            m -= n - 1
        (~sum_of_sines)(y, x, 1, n)


def numbers_of_fibonacci(n: int) -> int:
    """The n-th number, beginning with 1 and 1."""
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def hadamard_matrix(size: int) -> np.ndarray:
    """The matrix of the transform."""
    rotation = np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2)
    return reduce(np.kron, [rotation] * int(np.log2(size)), np.ones((1, 1)))


def steps(y: float, x: float, n: int) -> tuple[float, float]:
    """What `even_steps` does, by a loop."""
    for k in range(n):
        if k % 2 == 0:
            y = y + 0.25 * np.sin(x)
        else:
            x = x - 0.5 * y * y
    return y, x
