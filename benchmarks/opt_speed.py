"""How long does `tapeless-opt` take on a large module? The whole program from start to exit, and each part of it.

`python benchmarks/opt_speed.py [--quick] [--only PATTERN] [--json FILE]`. The pipeline is canonicalize, cse and one
pass written in Python.
"""

import io
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import MIN_ROUNDS, Run

from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.driver.timing import Timer

OPS = 5_000
FLAGS = ("--canonicalize", "--cse", "--soac-simplify")
PIPELINE = "builtin.module(canonicalize,cse,soac-simplify)"
LIMIT_S = 2.0
KINDS = ("arith.addf {0}, {1}", "arith.mulf {0}, {1}", "math.sin {0}", "arith.subf {0}, {1}", "arith.addf {0}, {1}")


def module_text(ops: int, ops_per_function: int = 100) -> str:
    """A module of functions that each compute a chain of scalar operations, some of them twice."""
    text = io.StringIO()
    for function in range(ops // ops_per_function):
        text.write(f"func.func @f{function}(%x: f64) -> f64 {{\n")
        last = "%x"
        for i in range(ops_per_function - 1):
            text.write(f"  %v{i} = {KINDS[i % len(KINDS)].format(last, '%x')} : f64\n")
            last = last if i % 10 == 0 else f"%v{i}"
        text.write(f"  return {last} : f64\n}}\n")
    return text.getvalue()


def program_seconds(path: Path) -> list[float]:
    """Wall times of whole runs of the program."""
    command = [Path(sys.executable).with_name("tapeless-opt"), path, *FLAGS, "-o", "/dev/null"]
    samples = []
    for _ in range(MIN_ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, check=True)
        samples.append(time.perf_counter() - start)
    return samples


def part_seconds(text: str) -> dict[str, list[float]]:
    """Wall times of parsing, of each pass, and of printing, inside one process."""
    samples: dict[str, list[float]] = {}
    for _ in range(MIN_ROUNDS):
        timer = Timer()
        with make_context():
            with timer.measure("parse"):
                module = ir.Module.parse(text)
            PassPipeline.parse(PIPELINE).run(module, instruments=[timer])
            with timer.measure("print"):
                str(module)
        for entry in timer.entries:
            samples.setdefault(entry.name, []).append(entry.seconds)
    return samples


def main() -> None:
    """Measures and prints."""
    run = Run.from_command_line("opt_speed")
    ops = OPS // 10 if run.quick else OPS
    size, text = f"ops={ops}", module_text(ops)
    if run.wants("program"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "module.mlir"
            path.write_text(text)
            samples = program_seconds(path)
        median = statistics.median(samples)
        run.bar("program", size, "compile_s", median, at_most=LIMIT_S, unit="s", minimum=min(samples))
    if run.wants("parts"):
        for part, samples in part_seconds(text).items():
            run.record(part, size, "compile_s", statistics.median(samples), "s", minimum=min(samples))
    run.finish()


if __name__ == "__main__":
    main()
