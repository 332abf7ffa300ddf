"""Programs in which one value plays several roles: an array, element or result given, carried or returned twice."""

from __future__ import annotations

import numpy as np

import tapeless as tl

KEYS = np.array([0, 2, 1, 2, 5, 0])


@tl.function
def product_of(a, b):
    return a * tl.sin(b), b


@tl.custom_vjp
@tl.function
def with_vjp(a, b):
    return a * tl.sin(b)


@tl.function
def with_vjp_forward(a, b):
    return a * tl.sin(b), (a, b)


@tl.function
def with_vjp_backward(saved, bar):
    return bar * tl.sin(saved[1]), bar * saved[0] * tl.cos(saved[1])


with_vjp.defvjp(with_vjp_forward, with_vjp_backward)


@tl.custom_vjp
@tl.function
def same_twice(a):
    s = tl.sin(a)
    return s, s


@tl.function
def same_twice_forward(a):
    s = tl.sin(a)
    return (s, s), (a, a)


@tl.function
def same_twice_backward(saved, bars):
    return ((bars[0] + bars[1]) * tl.cos(saved[1]),)


same_twice.defvjp(same_twice_forward, same_twice_backward)


@tl.custom_jvp
@tl.function
def with_jvp(a, b):
    return a * tl.sin(b)


@tl.function
def with_jvp_rule(values, tangents):
    (a, b), (da, db) = values, tangents
    return a * tl.sin(b), da * tl.sin(b) + a * tl.cos(b) * db


with_jvp.defjvp(with_jvp_rule)


def maps(x):
    return tl.map(lambda a, b, c: (a * tl.sin(b) + c, b * x[0] + tl.sum(x)), x, x, x)


def map_that_yields_one_value_twice(x):
    def both(a):
        s = tl.exp(a)
        return s, s

    a, b = tl.map(both, x)
    return a * 2.0, b[0] * a


def maps_in_maps(x):
    return tl.map(lambda a: tl.map(lambda b, c: a * b + c * x[0], x, x), x)


def maps_of_rows(x):
    m = tl.outer(x, x)
    return tl.map(lambda r, s: tl.dot(r, s) + tl.sum(m), m, m)


def largest_of_maps(x):
    return tl.max(tl.map(lambda a, b: a * tl.sin(b) * x[0], x, x)) + tl.max(x)


def reductions(x):
    sums = tl.reduce(lambda a, b, c, d: (a + c, b * d), (0.0, 1.0), x, x)
    affine = tl.reduce(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, x)
    return sums, affine


def reductions_that_agree(x):
    a, b = tl.reduce(lambda a, b, c, d: (max(a, c), max(b, d)), (-9.0, -9.0), x, x)
    return a * a + 3.0 * b, tl.reduce(lambda a, b, c, d: (a * c, b * d), (1.0, 1.0), x, x)


def operator_that_yields_one_value_twice(x):
    def both(a, b, c, d):
        s = a * c
        return s, s

    return tl.reduce(both, (1.0, 1.0), x, x), tl.scan(both, (1.0, 1.0), x, x, reverse=True)


def scans(x):
    return tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, x)


def scans_from_the_right(x):
    return tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, x, reverse=True, exclusive=True)


def scans_component_by_component(x):
    return tl.scan(lambda a, b, c, d: (max(a, c), b * d), (-9.0, 1.0), x, x)


def histogram_sums(x):
    return tl.hist(lambda a, b: a + b, 0.0, x, KEYS, x)


def histogram_products(x):
    return tl.hist(lambda a, b: a * b, 1.0, x, KEYS, x)


def histogram_extremes(x):
    return tl.hist(tl.maximum, -9.0, x, KEYS, x), tl.hist(tl.minimum, 9.0, x, KEYS, x)


def histogram_of_any_operator(x):
    return tl.hist(lambda a, b: a + b + a * b, 0.0, x, KEYS, x)


def histogram_of_pairs(x):
    return tl.hist(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), (x, x), KEYS, (x, x))


def histogram_of_separate_components(x):
    return tl.hist(lambda a, b, c, d: (a * c, b + d), (1.0, 0.0), (x, x), KEYS, (x, x))


def histogram_of_rows(x):
    m = tl.outer(x, x)
    return tl.hist(lambda a, b: a * b, tl.ones(6), m, KEYS, m)


def histogram_keyed_by_its_values(x):
    keys = tl.astype(x * 4.1, tl.i64)
    return tl.hist(lambda a, b: a * b, 1.0, x, keys, x), x[tl.hist(lambda a, b: a + b, 0, keys, keys, keys) % 6]


def scattered(x):
    return tl.scatter(x, tl.iota(6) - 2, x), x[tl.scatter(KEYS, KEYS, KEYS)], x[KEYS[KEYS]]


def joined(x):
    s = x[0] * x[1]
    return tl.concat((x, x, x * x, x)), tl.stack((x, x, x), axis=1), tl.stack((s, s, s * s, s))


def carried_twice(x):
    a = x
    b = x
    for _i in range(3):
        a = a * b
        b = tl.sin(a)
    return a, b


def exchanged(x):
    a = x
    b = x * 2.0
    for _i in range(3):
        a, b = b, a * b
    return a, b


def carried_to_one_value(x):
    a = x
    b = x * 2.0
    c = x * 3.0
    for _i in range(2):
        a = b * c
        b = a
        c = a
    return a, b, c


def carried_scalars(x):
    a = x[0]
    b = x[0]
    for i in range(3):
        t = a * x[i]
        a = b * t
        b = t
    return a, b


def carried_and_read(x):
    a = x
    for i in range(3):
        a = a * x + x[i]
    return a


def carried_by_while(x):
    a = x
    b = x
    i = 0
    while i < 3:
        a, b = b * x, a + x
        i += 1
    return a, b


def carried_in_a_nest(x):
    a = x
    b = x
    for _i in tl.range(5, stripmine=2):
        a, b = b, a * x
    return a, b


def promised(x):
    a = x * 1.0
    for i in tl.range(1, 6, true_dep=("a",)):
        a[i] = a[i - 1] * x[i]
    return a, x


def branches(x):
    if x[0] > 0.0:
        a = x
        b = x
    else:
        a = x * x
        b = x
    return a * b, a, a


def returned_twice(x):
    y = tl.sin(x)
    return x, x, y, y, y[0], y[0]


def passed_twice(x):
    a, b = product_of(x, x)
    return product_of(a, a), b, tl.checkpoint(product_of)(x, x), tl.vmap(product_of)(x, x)


def own_rules(x):
    a, b = same_twice(x)
    return with_vjp(x, x), with_vjp(x[0], x[0]), with_jvp(x, x), a * b


def products(x):
    m = tl.outer(x, tl.sin(x))
    return tl.dot(x, x), m @ m, m @ m.T


def written_into_itself(x):
    y = x
    y[0] = x[1]
    y[1:3] = x[0:2]
    y[2] = y[2] * y[3]
    return y, x


def rows_written_into_others(x):
    m = tl.outer(x, x)
    m[0] = m[1]
    m[:, 2] = m[3]
    m[4] = m[:, 4]
    return m


def gathered_by_its_order(x):
    return x[tl.argsort(x)] * x[KEYS], x[tl.argmin(x)] * tl.min(x), tl.max(x) * x[tl.argmax(x)]


def elementary(x):
    return x**x, tl.atan2(x, x), tl.hypot(x, x), x / x, x - x, tl.fma(x, x, x), tl.where(x > 1.0, x, x * x)


def kinks(x):
    return tl.minimum(x, x), tl.maximum(x, x) * x, tl.where(x > 1.0, x, x)


def derivatives_inside(x):
    both = tl.grad(lambda a, b: tl.sum(a * a * b), argnums=(0, 1))(x, x)
    return both, tl.jvp(lambda a, b: a * a * b, (x, x), (x, x))


PROGRAMS = [
    maps,
    map_that_yields_one_value_twice,
    maps_in_maps,
    maps_of_rows,
    largest_of_maps,
    reductions,
    reductions_that_agree,
    operator_that_yields_one_value_twice,
    scans,
    scans_from_the_right,
    scans_component_by_component,
    histogram_sums,
    histogram_products,
    histogram_extremes,
    histogram_of_any_operator,
    histogram_of_pairs,
    histogram_of_separate_components,
    histogram_of_rows,
    histogram_keyed_by_its_values,
    scattered,
    joined,
    carried_twice,
    exchanged,
    carried_to_one_value,
    carried_scalars,
    carried_and_read,
    carried_by_while,
    carried_in_a_nest,
    promised,
    branches,
    returned_twice,
    passed_twice,
    own_rules,
    products,
    written_into_itself,
    rows_written_into_others,
    gathered_by_its_order,
    elementary,
    kinks,
    derivatives_inside,
]
