"""What `explain` says of launches: how many there are for given sizes, how large, and which of it is slow."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.errors import ArgumentError
from tapeless.gpus import MODELS, model_of
from tapeless.runtime.cuda import survey as surveys
from tapeless.runtime.cuda.steps import program
from tapeless.runtime.cuda.survey import Survey, survey
from tapeless.targets import GENERATIONS


def launch(number: int, blocks: Any, threads: Any, *arguments: Any) -> dict[str, Any]:
    return {"do": "launch", "kernel": f"k{number}", "grid": [blocks], "block": [threads], "arguments": [*arguments]}


def loop(high: Any, *body: dict[str, Any]) -> dict[str, Any]:
    none: dict[str, Any] = {"carried": [], "yields": [], "results": []}
    return {"do": "for", "index": "i", "low": 0, "high": high, "step": 1, "body": [*body], **none}


def surveyed(steps: list[dict[str, Any]], n: int) -> Survey:
    work = ["muli", "index", ["ceildivsi", "index", "p1", ["muli", "index", "blocks", "threads"]], 10]
    kernels = {"k0": {"parameters": ["ptr", "i64"], "work": work, "line": "a.py:3"}, "k1": {"parameters": ["ptr"]}}
    plan = {"version": 1, "kernels": kernels, "steps": [*steps, {"do": "return", "values": []}]}
    return survey(program(json.dumps(plan), ["status", "a0", "a0.0"], []), plan, [0, 0, n])


def test_launches_are_counted_with_their_largest_grid_and_work() -> None:
    fill = {"do": "fill", "to": "a0", "bytes": "a0.0", "byte": 0}
    done = surveyed([fill, loop("a0.0", launch(0, "i", 4, 1000)), launch(1, 1, 1)], 6)
    assert (done.total, done.copies, done.end) == (6, 1, "")
    first, second = done.by_work()
    assert (first.name, first.line, first.launches, first.blocks, first.threads) == ("k0", "a.py:3", 5, 5, 20)
    assert (first.work, first.total_work) == (2500, sum(-(-1000 // (4 * i)) * 10 for i in range(1, 6)))
    assert (second.name, second.launches, second.work) == ("k1", 1, 0)


def test_it_says_why_the_rest_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    read = {"do": "read", "name": "r", "type": "i64", "from": "a0"}
    done = surveyed([launch(1, 1, 1), read, launch(1, 1, 1)], 5)
    assert done.total == 1 and "a number that the host reads from the GPU" in done.end
    check = {"do": "check", "condition": ["cmpi.slt", "i64", "a0.0", 10], "site": 0, "values": []}
    assert "check" in surveyed([check, launch(1, 1, 1)], 50).end
    monkeypatch.setattr(surveys, "MOST_LAUNCHES", 100)
    done = surveyed([loop("a0.0", launch(1, 1, 1))], 10**12)
    assert done.total == 100 and "after the first 100 are not counted" in done.end


def test_every_generation_has_a_record() -> None:
    assert set(MODELS) == set(GENERATIONS)
    assert model_of("sm_90").multiprocessors == 132 and model_of("sm_90").room == 270_336
    assert model_of("sm_103") == MODELS["sm_100"]


def rows(x: tl.f64[:, :], factor: tl.f64):
    return tl.map(lambda row: tl.cumsum(row * factor)[-1] ** 2, x)


def steps(x: tl.f64[:], count: tl.i64):
    for _ in range(count):
        x = x - 0.1 * tl.cumsum(x)
    return x


def explained(kernel: Any, *examples: Any) -> dict[str, list[str]]:
    """What lines of an explanation say, by their kind."""
    found: dict[str, list[str]] = {}
    for line in kernel.explain(*examples).splitlines()[1:]:
        kind, _, said = line.strip().partition(" ")
        found.setdefault(kind, []).append(said.strip())
    return found


def test_a_map_with_few_iterations_and_long_rows_is_slow_at_its_line() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(rows, target="cuda")
        lines = explained(kernel, tl.f64[64, 5000], tl.f64)
        line = f"{__file__.rpartition('/')[2]}:{rows.__code__.co_firstlineno + 1}"
        assert lines["gpu"] == ["1 launch of 1 kernel"]
        assert len(lines["grid"]) == 1 and lines["grid"][0].startswith(f"{line}: 1 launch of 1 block of 64 threads, ")
        assert lines["slow"][0].startswith(
            f"{line}: low occupancy, 64 threads of the 270,336 that a GPU such as the H200 has room for"
        )
        operations = int(lines["grid"][0].split()[-3].replace(",", ""))
        assert 3 * 5000 < operations < 30 * 5000
        assert "slow" not in explained(kernel, np.zeros((64, 10)), 2.0), "short rows"
        assert "slow" not in explained(kernel, tl.f64[100_000, 5000], 2.0), "many rows"
        assert explained(kernel)["gpu"][0].startswith("give example arguments")


def test_loops_of_the_host_are_counted_for_given_integers() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(steps, target="cuda")
        few, many = explained(kernel, tl.f64[100_000], 10), explained(kernel, tl.f64[100_000], 1000)
        assert "slow" not in few
        assert "launches in sequence" in many["slow"][0]
        count, other = (int(each["gpu"][0].split()[0].replace(",", "")) for each in (few, many))
        assert other - count == 990 * (count // 10)
        assert explained(kernel, tl.f64[100], tl.i64)["gpu"][0].startswith("give integers as numbers")
        with pytest.raises(ArgumentError, match=r"'x' is .*, without all sizes; give an array"):
            kernel.explain(tl.f64[:], 3)


def grown(sizes: tl.i64[:]):
    """Threads that change arrays of a size of their own."""

    def one(n):
        x = tl.zeros(n)
        for i in range(n):
            x[i] = 1.0 * ((7 * i) % n)
        return x[n // 2] if n > 0 else 0.0

    return tl.map(one, sizes)


def test_memory_from_the_heap_is_slow_where_it_is_used() -> None:
    with emulated_cuda(keeps_kernels=True):
        lines = explained(tl.compile(grown, target="cuda"), tl.i64[64])
    assert [
        line
        for line in lines["slow"]
        if line.startswith("threads allocate arrays of more than 512 bytes on the device heap")
    ]


def test_a_kernel_for_the_cpu_says_nothing_of_launches() -> None:
    assert "gpu" not in explained(tl.compile(steps), tl.f64[100], 3)
