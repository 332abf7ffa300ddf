"""A tour in one file: a gradient and its speed beside numpy, the stages of its compilation, an error with its line."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

import tapeless as tl

ROWS, COLUMNS = 10_000, 16
# What each stage is, and a word that the lines shown of it have.
STAGES = {
    "input": ("the program, and one request for a derivative", '"ad.vjp"'),
    "ad": ("the derivative as ordinary code: no tape", "math.exp"),
    "loops": ("loss and derivative in one loop on memory", "math.exp"),
    "llvm": ("what LLVM turns into machine code", "llvm.fdiv"),
}
EXCERPT_LINES = 5

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


@tl.function
def logistic_loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.log1p(tl.exp(-y * (x @ w))))


@tl.function
def element(x: tl.f64[:], i: tl.i64) -> tl.f64:
    return x[i]


def numpy_loss(w: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    return float(np.log1p(np.exp(-y * (x @ w))).sum())


def numpy_loss_and_gradient(w: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """Differentiated by hand; what both need is computed once."""
    odds = np.exp(-y * (x @ w))
    return float(np.log1p(odds).sum()), (-y * odds / (1.0 + odds)) @ x


def sample() -> Arrays:
    random = np.random.default_rng(0)
    return random.normal(size=COLUMNS), random.normal(size=(ROWS, COLUMNS)), random.choice([-1.0, 1.0], size=ROWS)


def best_milliseconds(function: Callable[..., object], arguments: Arrays) -> float:
    def once() -> float:
        start = time.perf_counter()
        function(*arguments)
        return time.perf_counter() - start

    return 1e3 * min(once() for _ in range(50))


def show_gradient(console: Console, arguments: Arrays) -> None:
    console.print(Syntax(inspect.getsource(logistic_loss), "python", background_color="default"))
    by_hand = numpy_loss_and_gradient(*arguments)[1]
    gradient = tl.grad(logistic_loss)(*arguments)
    console.print("tl.grad(logistic_loss)(w, x, y) =")
    console.print(np.array2string(gradient, precision=3), markup=False, highlight=False)
    console.print(f"farthest from the gradient derived by hand: {np.abs(gradient - by_hand).max():.1e}\n")


def show_speed(console: Console, arguments: Arrays) -> None:
    contestants: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
        "loss": (numpy_loss, logistic_loss),
        "loss and gradient": (numpy_loss_and_gradient, tl.value_and_grad(logistic_loss)),
    }
    title = f"x is {ROWS:,} x {COLUMNS}; best of 50 calls, ms; tapeless on one thread, numpy as installed"
    table = Table("computed", "numpy, by hand", "tapeless", "numpy / tapeless", title=title)
    for name, functions in contestants.items():
        numpys, ours = (best_milliseconds(function, arguments) for function in functions)
        table.add_row(name, f"{numpys:.3f}", f"{ours:.3f}", f"{numpys / ours:.1f}")
    console.print(table)


def excerpt(text: str, word: str) -> str:
    """A few lines from the last that has the word."""
    lines = text.splitlines()
    start = max((number for number, line in enumerate(lines) if word in line), default=0)
    return inspect.cleandoc("\n" + "\n".join(lines[start : start + EXCERPT_LINES]))


def show_stages(console: Console, arguments: Arrays) -> None:
    kernel = tl.compile(tl.value_and_grad(logistic_loss), arguments)
    for stage, (meaning, word) in STAGES.items():
        text = kernel.ir(stage)
        console.rule(f"kernel.ir({stage!r}), {len(text.splitlines())} lines: {meaning}", align="left")
        console.print(excerpt(text, word), markup=False, highlight=False, no_wrap=True, overflow="ellipsis")


def show_error(console: Console) -> None:
    console.rule("a mistake, found while the kernel runs", align="left")
    try:
        element(np.arange(3.0), 7)
    except tl.IndexOutOfRange as error:
        console.print(f"IndexOutOfRange: {error}", markup=False)


def main() -> None:
    console = Console()
    arguments = sample()
    show_gradient(console, arguments)
    show_speed(console, arguments)
    show_stages(console, arguments)
    show_error(console)


if __name__ == "__main__":
    main()
