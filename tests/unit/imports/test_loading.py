"""`import tapeless` and `tl.from_mlir` load neither JAX nor PyTorch."""

from __future__ import annotations

import subprocess
import sys

LOADED = """
import sys
import tapeless as tl
{do}
print(sorted({{name.partition(".")[0] for name in sys.modules}} & {{"jax", "jaxlib", "torch"}}))
print("tapeless.api.decorated" in sys.modules, any(name.endswith("_stablehlo") for name in sys.modules))
"""
READ = 'tl.from_mlir("func.func @main(%x: f64) -> f64 { return %x : f64 }")'


def loaded(do):
    done = subprocess.run([sys.executable, "-c", LOADED.format(do=do)], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_import_loads_no_producer():
    assert loaded("") == ["[]", "False False"]


def test_reading_core_ir_loads_no_producer():
    assert loaded(READ) == ["[]", "True False"]
