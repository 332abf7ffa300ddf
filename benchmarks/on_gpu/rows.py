"""Rows of the table: one kernel on its arguments, the same by its peers, and how far each is from double precision."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np

from on_gpu import in_jax, peers
from on_gpu.cases import Problem, Row
from on_gpu.kernel_times import kernel_milliseconds
from on_gpu.measure import TooLong, busy_milliseconds, call_milliseconds, limited

Result = dict[str, Any]
COLUMNS = (
    ("gpu_ms", "GPU ms", 9, 3),
    ("call_ms", "call ms", 9, 3),
    ("bound_ms", "bound", 8, 3),
    ("ratio", "ratio", 7, 2),
    ("overhead", "/value", 8, 2),
    ("jax_ms", "JAX ms", 9, 3),
    ("torch_ms", "torch ms", 9, 3),
    ("megabytes", "MB", 8, 0),
    ("jax_megabytes", "JAX MB", 8, 0),
    ("torch_megabytes", "torch MB", 9, 0),
    ("load_s", "load s", 7, 2),
)
HEADER = f"{'':52}{''.join(f'{title:>{width}}' for _, title, width, _ in COLUMNS)}  error    JAX's"


@dataclass(frozen=True)
class Contest:
    """How kernels of a folder are measured: rounds, seconds for each contestant, and who does not take part."""

    folder: Path
    file_name: Callable[[str], str]
    rounds: int
    seconds: float
    without: tuple[str, ...] = ()
    kernels: bool = False

    def measured(self, problem: Problem, rows: Sequence[Row]) -> Iterator[Result]:
        """The rows of one problem, whose arguments are made once."""
        if not rows:
            return
        given = problem.arguments(np.random.default_rng(1))
        value: float | None = None
        for row in rows:
            result = self._row(problem, row, given[: row.takes])
            own = result.get("gpu_ms") or result.get("call_ms")
            if row is problem.rows[0]:
                value = own
            elif own and value:
                result["overhead"] = own / value
            result["ratio"] = own / row.bound if own and row.bound else None
            yield result

    def _row(self, problem: Problem, row: Row, given: tuple[Any, ...]) -> Result:
        """One contestant after the other."""
        result: Result = {"problem": problem.title, "row": row.title, "kernel": row.kernel, "bound_ms": row.bound}
        arguments = tuple(peers.in_jax(each) for each in given)
        jax.block_until_ready(arguments)
        found = self._attempt(result, "failed", lambda: self._ours(result, row, arguments))
        expected = self._attempt(result, "reference_failed", lambda: peers.reference(row.kernel, arguments))
        result["error"] = peers.difference(found, expected)
        del found
        if "jax" not in self.without:
            theirs = self._attempt(result, "jax_failed", lambda: self._jax(result, row, arguments))
            result["jax_error"] = peers.difference(theirs, expected)
            del theirs
        if "torch" not in self.without:
            self._attempt(result, "torch_failed", lambda: self._torch(result, row, arguments))
        return result

    def _attempt(self, result: Result, what: str, work: Callable[[], Any]) -> Any:
        """What a contestant returns; what it raises is noted."""
        try:
            with limited(self.seconds):
                return work()
        except (Exception, TooLong) as error:
            result[what] = f"{type(error).__name__}: {str(error)[:120]}"
            return None

    def _ours(self, result: Result, row: Row, arguments: tuple[Any, ...]) -> Any:
        import tapeless as tl
        from tapeless.runtime.cuda.driver import driver

        start = time.perf_counter()
        kernel = tl.load(self.folder / self.file_name(row.kernel))
        found = kernel(*arguments)
        result["load_s"] = time.perf_counter() - start
        pool = driver().pool
        pool.peak = before = pool.live
        kernel(*arguments)
        result["megabytes"] = (pool.peak - before) / 1e6
        result["call_ms"] = call_milliseconds(lambda: kernel(*arguments), self.rounds)
        result["gpu_ms"] = busy_milliseconds(kernel, arguments, self.rounds)
        if self.kernels:
            result["kernels"] = kernel_milliseconds(kernel, arguments, self.rounds)
        return found

    def _jax(self, result: Result, row: Row, arguments: tuple[Any, ...]) -> Any:
        if row.kernel not in in_jax.FUNCTIONS:
            return None
        call, result["jax_megabytes"] = peers.compiled(in_jax.FUNCTIONS[row.kernel], arguments)
        result["jax_ms"] = call_milliseconds(lambda: jax.block_until_ready(call()), self.rounds)
        return call()

    def _torch(self, result: Result, row: Row, arguments: tuple[Any, ...]) -> None:
        import torch

        from on_gpu import in_torch

        if row.kernel not in in_torch.FUNCTIONS:
            return
        given = tuple(peers.in_torch(each) for each in arguments)

        def work() -> None:
            in_torch.FUNCTIONS[row.kernel](*given)
            torch.cuda.synchronize()

        try:
            work()
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            work()
            result["torch_megabytes"] = (torch.cuda.max_memory_allocated() - before) / 1e6
            result["torch_ms"] = call_milliseconds(work, self.rounds)
        finally:
            torch.cuda.empty_cache()


def text_of(result: Result) -> str:
    """A line of the table, and one more for each contestant that failed."""
    numbers = "".join(_text(result.get(key), width, digits) for key, _, width, digits in COLUMNS)
    errors = "".join(
        "  -" if (error := result.get(key)) is None else f"  {error:.1e}" for key in ("error", "jax_error")
    )
    notes = [f"    {name:40} {count:6} x {taken:9.3f} ms" for name, count, taken in result.get("kernels", ())]
    notes += [f"    {key}: {text}" for key, text in result.items() if key.endswith("failed")]
    return "\n".join([f"{result['problem']:31} {result['row']:20}{numbers}{errors}", *notes])


def _text(number: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if number is None else f"{number:{width}.{digits}f}"
