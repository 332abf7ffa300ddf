"""A tour in one file: compile a small program, run it, look at its stages, and see an error with its source line."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

import tapeless as tl

STAGES = ("input", "loops", "llvm")
EXCERPT_LINES = 16


@tl.function
def logistic_loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.log1p(tl.exp(-y * (x @ w))))


@tl.function
def element(x: tl.f64[:], i: tl.i64) -> tl.f64:
    return x[i]


def numpy_loss(w: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    return float(np.log1p(np.exp(-y * (x @ w))).sum())


def best_milliseconds(function: Callable[..., object], *arguments: object) -> float:
    def once() -> float:
        start = time.perf_counter()
        function(*arguments)
        return time.perf_counter() - start

    return 1e3 * min(once() for _ in range(7))


def sample(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    return random.normal(size=columns), random.normal(size=(rows, columns)), random.choice([-1.0, 1.0], size=rows)


def excerpt(text: str) -> str:
    """The beginning of the function, after whatever the module declares before it."""
    start = text.index("@logistic_loss(")
    lines = text[text.rindex("\n", 0, start) + 1 :].splitlines()
    return "\n".join(lines[:EXCERPT_LINES])


def show_stages(console: Console, arguments: tuple[np.ndarray, ...]) -> None:
    kernel = tl.compile(logistic_loss, arguments)
    for stage in STAGES:
        text = kernel.ir(stage)
        console.rule(f"stage {stage!r}, {len(text.splitlines())} lines")
        console.print(Syntax(excerpt(text), "llvm", background_color="default"))


def show_results(console: Console, arguments: tuple[np.ndarray, ...]) -> None:
    table = Table("contestant", "value", "best of 7, ms", title="logistic loss, 10,000 x 16")
    for name, function in (("numpy", numpy_loss), ("tapeless", logistic_loss)):
        table.add_row(name, f"{function(*arguments):.9f}", f"{best_milliseconds(function, *arguments):.3f}")
    console.print(table)


def show_error(console: Console) -> None:
    console.rule("a mistake, found while the kernel runs")
    try:
        element(np.arange(3.0), 7)
    except tl.IndexOutOfRange as error:
        console.print(f"IndexOutOfRange: {error}", markup=False)


def main() -> None:
    console = Console()
    arguments = sample(10_000, 16)
    console.rule("source")
    console.print(Syntax(inspect.getsource(logistic_loss), "python", background_color="default"))
    show_stages(console, arguments)
    show_results(console, arguments)
    show_error(console)


if __name__ == "__main__":
    main()
