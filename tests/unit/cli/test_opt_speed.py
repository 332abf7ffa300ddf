"""A large module goes through `tapeless-opt` quickly, start-up included."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

OPS = 5_000
LIMIT_S = 2.0
SLOW_MACHINE_FACTOR = 4


def test_five_thousand_operations(tmp_path):
    lines = [f"  %v{i} = arith.addf %v{i - 1}, %x : f64" for i in range(1, OPS)]
    body = "\n".join(["  %v0 = arith.mulf %x, %x : f64", *lines])
    module = tmp_path / "large.mlir"
    module.write_text(f"func.func @f(%x: f64) -> f64 {{\n{body}\n  return %v{OPS - 1} : f64\n}}\n")
    command = [Path(sys.executable).with_name("tapeless-opt"), module, "--canonicalize", "--cse", "--soac-simplify"]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.count("arith.") == OPS
    assert time.perf_counter() - start < LIMIT_S * SLOW_MACHINE_FACTOR
