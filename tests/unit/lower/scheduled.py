"""Small functions with one operator of each kind, and what schedulers decide about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tapeless as tl
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Schedule
from tapeless.passes.lower.schedule.decisions import Scheduler, forms_of
from tapeless.passes.lower.schedule.kinds import Kind, kind_of
from tapeless.passes.lower.storage.aliases.analysis import make_plan


def squares(x: tl.f64[:]):
    return x * x


def few_squares(x: tl.f64[16384]):
    return x * x


def squares_in_steps(x: tl.f64[:]):
    for _ in range(1000):
        x = x * x
    return x


def sums_of_rows(m: tl.f64[:, :]):
    return tl.map(lambda row: tl.sum(row), m)


@tl.function
def loss(w: tl.f64[:], m: tl.f64[:, :]):
    return tl.sum(tl.map(lambda row: tl.exp(tl.sum(row * w)), m))


def gradient(w: tl.f64[:], m: tl.f64[:, :]):
    return tl.grad(loss)(w, m)


def descent(w: tl.f64[:], m: tl.f64[:, :]):
    for _ in range(1000):
        w = w - tl.grad(loss)(w, m)
    return w


def total(x: tl.f64[:]):
    return tl.sum(x)


def total_of_few(x: tl.f64[16384]):
    return tl.sum(x)


def total_of_more(x: tl.f64[16385]):
    return tl.sum(x)


def total_in_steps(x: tl.f64[:]):
    result = 0.0
    for _ in range(1000):
        result = tl.cos(result) + tl.sum(x - result)
    return result


def total_of_rows(m: tl.f64[:, :]):
    return tl.sum(m, axis=0)


def prefixes(x: tl.f64[:]):
    return tl.cumsum(x)


def few_prefixes(x: tl.f64[8032]):
    return tl.cumsum(x)


def costly_prefixes(x: tl.f64[:]):
    return tl.scan(lambda a, b: tl.log(tl.exp(a) + tl.exp(b)), -tl.inf, x)


def prefixes_of_rows(m: tl.f64[:, :]):
    return tl.map(lambda row: tl.cumsum(row), m)


def prefixes_of_squares(x: tl.f64[:]):
    return tl.cumsum(tl.exp(x)), tl.sum(tl.exp(x))


def counts(d: tl.f64[:], k: tl.i64[:], x: tl.f64[:]):
    return tl.hist(lambda a, b: a + b, 0.0, d, k, x)


def odd_counts(d: tl.f64[:], k: tl.i64[:], x: tl.f64[:]):
    return tl.hist(lambda a, b: a + b - a * b, 0.0, d, k, x)


def counts_of_rows(d: tl.f64[:, :], k: tl.i64[:], m: tl.f64[:, :]):
    return tl.hist(lambda a, b: a + b, tl.zeros(m.shape[1]), d, k, m)


def scattered(x: tl.f64[:], k: tl.i64[:], y: tl.f64[:]):
    return tl.scatter(x, k, y)


def decisions(function: Callable[..., Any], schedulers: Sequence[Scheduler]) -> list[tuple[Kind, list[Schedule]]]:
    """The kinds of a function's operators, outer ones first, as they come to be lowered, and what schedulers decide."""
    text = tl.compile(function).ir("soac-mark-fma")
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        plan = make_plan(module.body.operations[0], naive=False)
        forms = [forms_of(plan, scheduler) for scheduler in schedulers]
        return [(kind_of(node), [each[node] for each in forms]) for node in forms[0]]
