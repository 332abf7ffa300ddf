"""A tour in one file: the gradient of a time loop beside one derived by hand, what it holds, an error's line."""

from __future__ import annotations

import inspect
import time
import tracemalloc
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

import tapeless as tl
from tapeless.runtime.counters import peak_bytes, release_cached_memory, reset_peak

POINTS, STEPS = 2000, 1000
LONGER = (1_000, 10_000, 100_000)
LONGEST_STORED = 10_000  # more steps would store gigabytes
MEGABYTE = 1e6
BY_HAND = "numpy, by hand"

Arguments = tuple[np.ndarray, np.ndarray, np.ndarray, int]


@tl.function
def misfit(speed: tl.f64[:], start: tl.f64[:], seen: tl.f64[:], steps: tl.i64) -> tl.f64:
    """How far a wave on a string of uneven speed is, after some steps, from the one that was seen."""
    before = start
    now = start
    for _ in range(steps):
        after = now * 2.0 - before
        after[1:-1] += speed[1:-1] * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        before, now = now, after
    return 0.5 * tl.sum((now - seen) ** 2)


@tl.function
def element(x: tl.f64[:], i: tl.i64) -> tl.f64:
    return x[i]


def numpy_misfit(speed: np.ndarray, start: np.ndarray, seen: np.ndarray, steps: int) -> float:
    before = now = start
    for _ in range(steps):
        before, now = now, numpy_step(speed, before, now)
    return 0.5 * float(np.sum((now - seen) ** 2))


def numpy_step(speed: np.ndarray, before: np.ndarray, now: np.ndarray) -> np.ndarray:
    after: np.ndarray = 2.0 * now - before
    after[1:-1] += speed[1:-1] * (now[2:] - 2.0 * now[1:-1] + now[:-2])
    return after


def numpy_adjoint(speed: np.ndarray, start: np.ndarray, seen: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    """Value and gradient in the speed, derived by hand: all states are kept, then the steps are taken back."""
    states = [start, start]
    for _ in range(steps):
        states.append(numpy_step(speed, states[-2], states[-1]))
    difference = states[-1] - seen
    now_bar, before_bar, speed_bar = difference, np.zeros_like(start), np.zeros_like(speed)
    for now in reversed(states[1:-1]):
        flux_bar = speed[1:-1] * now_bar[1:-1]
        speed_bar[1:-1] += now_bar[1:-1] * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        earlier_bar = before_bar + 2.0 * now_bar
        earlier_bar[2:] += flux_bar
        earlier_bar[1:-1] -= 2.0 * flux_bar
        earlier_bar[:-2] += flux_bar
        now_bar, before_bar = earlier_bar, -now_bar
    return 0.5 * float(np.sum(difference**2)), speed_bar


def sample(steps: int) -> Arguments:
    place = np.linspace(0.0, 1.0, POINTS)
    start = np.exp(-(((place - 0.3) / 0.05) ** 2))
    return np.full(POINTS, 0.25) + 0.1 * (place > 0.5), start, np.zeros(POINTS), steps


def best_milliseconds(function: Callable[..., object], arguments: Arguments) -> float:
    """The least processor time of five calls."""

    def once() -> float:
        begun = time.process_time()
        function(*arguments)
        return time.process_time() - begun

    return 1e3 * min(once() for _ in range(5))


def show_speed(console: Console, gradients: Mapping[str, Callable[..., Any]]) -> None:
    arguments = sample(STEPS)
    value, slope = numpy_adjoint(*arguments)
    title = f"{POINTS:,} points, {STEPS:,} steps: milliseconds of one core, the best of five calls"
    table = Table("", "value", "and gradient", "numpy / this", "differs by", title=title)
    slowest = best_milliseconds(numpy_adjoint, arguments)
    table.add_row(BY_HAND, f"{best_milliseconds(numpy_misfit, arguments):.1f}", f"{slowest:.1f}", "1.0", "")
    forward = best_milliseconds(misfit, arguments)
    for name, function in gradients.items():
        taken, (same, gradient) = best_milliseconds(function, arguments), function(*arguments)
        difference = max(abs(same / value - 1.0), np.abs(gradient - slope).max() / np.abs(slope).max())
        table.add_row(name, f"{forward:.1f}", f"{taken:.1f}", f"{slowest / taken:.1f}", f"{difference:.0e}")
    console.print(table)


def show_memory(console: Console, gradients: Mapping[str, Callable[..., Any]]) -> None:
    table = Table("steps", BY_HAND, *gradients, title="the most megabytes held by one call of the gradient")
    for steps in LONGER:
        columns = [megabytes_of_numpy(steps)] + [
            megabytes(name, function, steps) for name, function in gradients.items()
        ]
        table.add_row(f"{steps:,}", *(f"{each:,.2f}" if each is not None else "not tried" for each in columns))
    console.print(table)


def megabytes_of_numpy(steps: int) -> float | None:
    if steps > LONGEST_STORED:
        return None
    tracemalloc.start()
    numpy_adjoint(*sample(steps))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / MEGABYTE


def megabytes(name: str, function: Callable[..., Any], steps: int) -> float | None:
    if "stored" in name and steps > LONGEST_STORED:
        return None
    release_cached_memory()
    reset_peak()
    function(*sample(steps))
    return peak_bytes() / MEGABYTE


def show_error(console: Console) -> None:
    console.rule("a mistake, found while the kernel runs", align="left")
    try:
        element(np.arange(3.0), 7)
    except tl.IndexOutOfRange as error:
        console.print(f"IndexOutOfRange: {error}", markup=False)


def main() -> None:
    console = Console()
    console.print(Syntax(inspect.getsource(misfit), "python", background_color="default"))
    gradients = {
        "tapeless, states stored": tl.value_and_grad(misfit),
        "tapeless, steps undone": tl.value_and_grad(misfit, method="reversible"),
    }
    show_speed(console, gradients)
    show_memory(console, gradients)
    show_error(console)


if __name__ == "__main__":
    main()
