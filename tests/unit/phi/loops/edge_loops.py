"""Loops of numbers by what a step does, and the places they stand in: at the top, in operators, in another loop."""

from __future__ import annotations

import random

import numpy as np

import tapeless as tl
from function_from_text import function_from_text

STEPS = {
    "affine": "x = y * x + z",
    "affine quotient": "x = x / y + z",
    "power": "x = x * y",
    "quotients": "x = x / y / z",
    "sum": "x = x + y * z",
    "polynomial": "x = x + y * k * z",
    "drawn together": "x = x + y / (x * x + z * z)",
    "fraction": "x = (y * x + z) / (x + 2.0)",
    "squares": "x = y * x * x",
    "exponential": "x = tl.exp(-x * y) + z",
    "growth": "x = x * tl.exp(y) * z",
    "logarithm": "x = tl.log(1.0 + x * x) * y",
    "root": "x = tl.sqrt(x * x + y * y)",
    "largest": "x = tl.maximum(x * y, z)",
    "choice": "x = tl.where(x < z, x * y, x / y)",
    "branch": "x = x * y if x > z else x / z + y",
    "turning": "x, w = y * x - z * w, z * x + y * w",
    "two values": "x, w = x + w * y, w * z",
    "sum over a range": "x = x + tl.exp(-y * k) * z",
    "product over a range": "x = x * (y + z * k)",
    "newton": "x = x - (x * x - y) / (2.0 * x) * z",
}
PROGRAM = """
@tl.function
def loop(x: tl.{kind}, y: tl.{kind}, z: tl.{kind}, scale: tl.{kind}, n: tl.i64):
    w = z
    for k in range(n):
        {step}
    return scale * x

slopes = tl.grad(loop, argnums=(0, 1, 2, 3), method="{method}")
curvatures = tl.grad(tl.grad(loop, method="{method}"), argnums=(0, 1, 2), method="{method}")

@tl.function
def elements(v: tl.{kind}[4], n: tl.i64):
    return loop(v[0], v[1], v[2], v[3], n)

@tl.function
def mapped(v: tl.{kind}[:, 4], n: tl.i64):
    return tl.sum(tl.map(lambda x, y, z, s: loop(x, y, z, s, n), v[:, 0], v[:, 1], v[:, 2], v[:, 3]))

@tl.function
def in_a_loop(v: tl.{kind}[:, 4], n: tl.i64):
    total = v[0, 0]
    for i in range(len(v)):
        total = total * v[i, 3] + loop(v[i, 0], v[i, 1], v[i, 2], v[i, 3], n)
    return total

@tl.function
def in_an_operator(xs: tl.{kind}[2], v: tl.{kind}[4], n: tl.i64):
    return tl.reduce(lambda a, b: loop(a, v[1], v[2], v[3], n) * b, 1.0, xs)

@tl.function
def asked_in_a_body(v: tl.{kind}[:, 4], n: tl.i64):
    return tl.map(lambda x, y, z, s: slopes(x, y, z, s, n), v[:, 0], v[:, 1], v[:, 2], v[:, 3])

@tl.function
def twice_in_a_body(v: tl.{kind}[:, 4], n: tl.i64):
    return tl.map(lambda x, y, z, s: curvatures(x, y, z, s, n), v[:, 0], v[:, 1], v[:, 2], v[:, 3])

@tl.function
def slopes_of_elements(v: tl.{kind}[4], n: tl.i64):
    return tl.sum(tl.grad(elements, method="{method}")(v, n))

@tl.function
def slopes_of_mapped(v: tl.{kind}[:, 4], n: tl.i64):
    return tl.sum(tl.grad(mapped, method="{method}")(v, n))

@tl.function
def slopes_of_loops(v: tl.{kind}[:, 4], n: tl.i64):
    return tl.sum(tl.grad(in_a_loop, method="{method}")(v, n))

@tl.function
def tangents(v: tl.{kind}[:, 4], n: tl.i64):
    def along(x, y, z, s):
        return tl.jvp(lambda a, b, c: loop(a, b, c, s, n), (x, y, z), (1.0, 1.0, 0.5), method="{method}")[1]

    return tl.map(along, v[:, 0], v[:, 1], v[:, 2], v[:, 3])
"""
PLACES = {
    "numbers": lambda of: lambda v, n: [of("slopes")(*row, n) for row in v],
    "elements": lambda of: lambda v, n: [of("gradient of elements")(row, n) for row in v],
    "a map": lambda of: of("gradient of mapped"),
    "a loop": lambda of: lambda v, n: [of("gradient of in_a_loop")(v[k : k + 3], n) for k in range(0, len(v), 3)],
    "an operator": lambda of: (
        lambda v, n: [np.concatenate(of("gradient of in_an_operator")(row[:2], row, n)) for row in v]
    ),
    "a body": lambda of: of("asked_in_a_body"),
    "a body, twice": lambda of: of("twice_in_a_body"),
    "elements, twice": lambda of: lambda v, n: [of("gradient of slopes_of_elements")(row, n) for row in v],
    "a map, twice": lambda of: of("gradient of slopes_of_mapped"),
    "a loop, twice": lambda of: (
        lambda v, n: [of("gradient of slopes_of_loops")(v[k : k + 3], n) for k in range(0, len(v), 3)]
    ),
    "tangents": lambda of: of("tangents"),
}


def program(name, step, method, kind):
    """A function of the programs with loops, or what `gradient of ` it names."""
    *asked, name_of_function = name.split()
    function = function_from_text(PROGRAM.format(step=STEPS[step], method=method, kind=kind), name_of_function)
    places = (0, 1) if name_of_function == "in_an_operator" else 0
    return tl.grad(function, argnums=places, method=method) if asked else function


def derivatives(step, place, method, kind, compiled=lambda function: function):
    """A function of points and a number of steps; `compiled` makes something to be called of a function."""
    made = {}

    def of(name):
        if name not in made:
            made[name] = compiled(program(name, step, method, kind))
        return made[name]

    run = PLACES[place](of)
    return lambda points, count: np.array(run(points, count), np.float64)


def edge_points(kind, count):
    """Points of which more than half of the numbers are at edges; values may be rounded another way, also upwards."""
    limits = np.finfo(np.dtype(kind))
    largest = float(limits.max)
    powers = (-0.97, -0.52, 0.52, 0.97, 0.999)
    sizes = [0.0, float(limits.smallest_subnormal), *(largest**power for power in powers)]
    edges, mild = [sign * size for size in sizes for sign in (1.0, -1.0)], [1.0, 1.7, 0.6, -0.6, 1e-5, 1e5]
    rng = random.Random(3)
    drawn = [[rng.choice(edges if rng.random() < 0.55 else mild) for _ in range(4)] for _ in range(count)]
    return np.array(drawn, kind)
