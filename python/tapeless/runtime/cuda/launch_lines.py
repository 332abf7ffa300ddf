"""Lines of `kernel.explain()` on launches, and warnings: low occupancy, many launches, memory of threads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from tapeless.abi import Parameter
from tapeless.errors import ArgumentError
from tapeless.gpus import GpuModel, model_of
from tapeless.runtime.calling.results import result_shape
from tapeless.runtime.code import CompiledCode
from tapeless.runtime.cuda.image import DeviceImage, bound_names, returned_ranks
from tapeless.runtime.cuda.steps import program
from tapeless.runtime.cuda.survey import Launched, Survey, survey
from tapeless.types import ArrayType, ScalarType

# A call with more launches than this spends its time on launching: each takes some microseconds, however small.
MANY_LAUNCHES: Final = 1000
# A thread with less to do than this is done before the next launch could begin.
MUCH_WORK: Final = 1000
# A launch that fills less than this part of the room for threads is a small one.
SMALL_PART: Final = 1 / 16
MOST_LINES: Final = 12
WITHOUT_EXAMPLES = "gpu     give example arguments, or types with sizes, to see every launch"
WITHOUT_INTEGERS = "gpu     give integers as numbers to see every launch"


def launch_lines(code: CompiledCode, names: Sequence[str], origin: str, examples: Sequence[Any]) -> list[str]:
    """Lines on the launches of a call with arguments like the examples, flat ones; without any, how to get these."""
    if not examples and code.abi.parameters:
        return [WITHOUT_EXAMPLES]
    if any(isinstance(each, ScalarType) and not each.is_float for each in examples):
        return [WITHOUT_INTEGERS]
    done = surveyed(code, names, origin, examples)
    assert isinstance(code.image, DeviceImage)
    return [*_counts(done), *_warnings(done, model_of(code.image.architecture))]


def surveyed(code: CompiledCode, names: Sequence[str], origin: str, examples: Sequence[Any]) -> Survey:
    """The launches of a call with arguments like the examples, flat ones."""
    assert isinstance(code.image, DeviceImage)
    run = program(code.image.plan, bound_names(code.abi), returned_ranks(code.abi))
    return survey(run, json.loads(code.image.plan), _flat(code, names, origin, examples))


def _flat(code: CompiledCode, names: Sequence[str], origin: str, examples: Sequence[Any]) -> list[Any]:
    """The arguments of a plan: no addresses, but all sizes and integers."""
    given = zip(examples, code.abi.parameters, names, strict=True)
    values: list[Any] = [_shape(*each) if each[1].kind == "array" else _number(each[0]) for each in given]
    dims = [value if isinstance(value, tuple) else () for value in values]
    shapes = [result_shape(out, dims, values, origin) for out in code.abi.outs]
    flat: list[Any] = [0]
    for value in [*values, *shapes]:
        flat += [0, *value] if isinstance(value, tuple) else [value]
    return flat


def _shape(example: Any, parameter: Parameter, name: str) -> tuple[int, ...]:
    shape = example.shape if isinstance(example, ArrayType) or hasattr(example, "shape") else np.shape(example)
    if None in shape or len(shape) != len(parameter.dims):
        raise ArgumentError(
            f"the example for '{name}' is {example!r}, without all sizes; give an array, or a type with them"
        )
    return tuple(map(int, shape))


def _number(example: Any) -> int | float:
    return 0.0 if isinstance(example, ScalarType) else example


def _counts(done: Survey) -> Iterator[str]:
    kernels = done.by_work()
    copies = f", and {_times(done.copies, 'copy or fill', 'copies and fills')}" if done.copies else ""
    yield f"gpu     {_times(done.total, 'launch', 'launches')} of {_times(len(kernels), 'kernel')}{copies}"
    if done.end:
        yield f"gpu     {done.end}"
    yield from (f"grid    {_described(kernel)}" for kernel in kernels[:MOST_LINES])
    if len(kernels) > MOST_LINES:
        yield f"grid    and {_times(len(kernels) - MOST_LINES, 'kernel')} with less work for a thread"


def _described(kernel: Launched) -> str:
    grid = f"{_times(kernel.blocks, 'block')} of {_times(kernel.threads_each, 'thread')}"
    return f"{kernel.line}: {_times(kernel.launches, 'launch', 'launches')} of {grid}, {kernel.work:,} operations each"


def _warnings(done: Survey, gpu: GpuModel) -> Iterator[str]:
    if done.total > MANY_LAUNCHES:
        most = max(done.by_work(), key=lambda kernel: kernel.launches)
        yield (
            f"slow    {most.line}: {done.total:,} launches in sequence, {most.launches:,} of one kernel, are launch "
            "overhead; let maps and reductions have the loop inside, or work on several elements at once"
        )
    for kernel in done.by_work()[:MOST_LINES]:
        if kernel.work >= MUCH_WORK and kernel.threads < SMALL_PART * gpu.room:
            yield (
                f"slow    {kernel.line}: low occupancy, {_times(kernel.threads, 'thread')} of the {gpu.room:,} that a "
                f"GPU such as the {gpu.name} has room for, {kernel.work:,} operations each; "
                "let a map have more iterations"
            )
    if done.takes_from_heap:
        yield (
            "slow    threads allocate arrays of more than 512 bytes on the device heap, which serialises them; give "
            "arrays that are made for each iteration sizes that are known before"
        )


def _times(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"
