"""`kernel.explain()`: what loops store, how many bytes for given sizes, what was fused, and the table of notebooks."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest

import tapeless as tl

N, STEPS = 100, 5


@tl.function
def repeated(x, n):
    state = x
    for _ in range(n):
        state = tl.sin(state) * 0.5
    doubled = state * 2.0
    shifted = tl.exp(doubled) + 1.0
    return tl.sum(shifted * shifted)


@tl.function
def fixed(x: tl.f64, k: tl.i64):
    for _ in range(8):
        x = x * x * 0.5
    return x


@tl.function
def plain(x):
    return x + 1.0


@pytest.fixture(scope="module")
def kernel() -> tl.Kernel:
    return tl.compile(tl.grad(repeated), (tl.f64[:], tl.i64))


def said(text: str, kind: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return [line.removeprefix(kind).strip() for line in lines if line.startswith(f"{kind} ")]


def line_of(text: str) -> int:
    return next(k for k, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


def test_what_loops_store(kernel: tl.Kernel) -> None:
    [stored] = said(kernel.explain(), "stores")
    loop = f"{__file__}:{line_of('for _ in range(n):')}"
    assert stored.startswith(f"{loop}: the state (f64[?]) and costly values (f64[?]) of each iteration")
    assert stored.endswith("as many bytes as explain() tells for example arguments")


@pytest.mark.parametrize("examples", [(np.ones(N), STEPS), (tl.f64[N], STEPS)], ids=["arguments", "types"])
def test_bytes_for_given_sizes(kernel: tl.Kernel, examples: tuple[object, ...]) -> None:
    text = kernel.explain(*examples)
    assert said(text, "stores")[0].endswith(f"of each iteration, at most {2 * 8 * N} bytes each")
    [memory] = said(text, "memory")
    taken = int(memory.split()[0])
    assert memory == f"{taken} bytes in 1 array beside arguments and results"
    assert 8 * N * STEPS <= taken <= 8 * N * (STEPS + 1)


def test_loops_of_known_length() -> None:
    [stored] = said(tl.compile(tl.grad(fixed)).explain(), "stores")
    assert stored.endswith(f"the state (f64) of each of 8 iterations, at most {8 * 8} bytes")


def test_what_was_fused(kernel: tl.Kernel) -> None:
    text = kernel.explain()
    [fused] = said(text, "fused")
    lines = [line_of(part) for part in ("doubled = ", "shifted = ", "return tl.sum(shifted")]
    assert fused == f"{__file__}: lines {', '.join(map(str, lines))} are one soac.map"
    before, after = map(
        int, re.fullmatch(r"(\d+) bulk operators before, (\d+) after", said(text, "fusion")[0]).groups()
    )
    assert before > after >= 3


def test_numbers_alone_have_nothing_to_fuse() -> None:
    text = tl.compile(plain, (tl.f64,)).explain()
    assert [said(text, kind) for kind in ("stores", "fusion", "fused", "memory")] == [[], [], [], []]


def test_notebooks_show_a_table(kernel: tl.Kernel) -> None:
    text = kernel.explain()
    table = text._repr_html_()
    assert table.startswith("<table><caption>grad_repeated: target cpu")
    assert table.count("<tr>") == len(text.splitlines()) - 1
    assert html.escape(said(text, "fused")[0]) in table
    assert isinstance(text, str)


def test_wrong_examples_are_refused(kernel: tl.Kernel) -> None:
    with pytest.raises(tl.ArgumentError, match="one for each of x, n; 1 were given"):
        kernel.explain(np.ones(3))
    with pytest.raises(tl.TypeMismatch, match=r"the example for 'x' is tl\.f32"):
        kernel.explain(np.ones(3, np.float32), 3)
    with pytest.raises(tl.BundleError, match="was loaded and has no sizes to explain"):
        tl.load(kernel.to_bytes()).explain(np.ones(3), 3)


@tl.function
def grown(x: tl.f64[:]):
    total = 0.1
    for i in range(len(x)):
        total *= 1.0 + 0.01 * x[i]
    return tl.sum(x) * total


def test_modules_with_guards_are_printed() -> None:
    """Printing verifies, without a context at hand."""
    assert "soac.guard" in tl.compile(tl.grad(grown), (np.ones(3),)).ir("ad")
