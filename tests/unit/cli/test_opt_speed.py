"""A large module goes through `tapeless-opt` without much work, start-up included."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

OPS = 5_000
# Of a processor, some four times what an ordinary one needs.
LIMIT_SECONDS = 8.0


def test_five_thousand_operations(tmp_path: Path) -> None:
    lines = [f"  %v{i} = arith.addf %v{i - 1}, %x : f64" for i in range(1, OPS)]
    body = "\n".join(["  %v0 = arith.mulf %x, %x : f64", *lines])
    module = tmp_path / "large.mlir"
    module.write_text(f"func.func @f(%x: f64) -> f64 {{\n{body}\n  return %v{OPS - 1} : f64\n}}\n")
    command = [Path(sys.executable).with_name("tapeless-opt"), module, "--canonicalize", "--cse", "--soac-simplify"]
    before = seconds_of_children()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.count("arith.") == OPS
    assert seconds_of_children() - before < LIMIT_SECONDS


def seconds_of_children() -> float:
    """The processor time of the processes that this one started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
