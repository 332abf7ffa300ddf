"""References that times are divided by: C functions compiled on the spot, and fixed work of Python and of LLVM."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

Reference = Callable[[], Any]
SOURCE = Path(__file__).with_name("references.c")
# No vectors and no contraction: the code shall be much the same with every compiler.
COMMAND = ("cc", "-O2", "-fno-tree-vectorize", "-ffp-contract=off", "-shared", "-fPIC")
NUMBERS = 4000


def in_c(folder: Path) -> dict[str, Reference]:
    """The functions of `references.c` on data of their own, 5 to 50 microseconds each."""
    library = folder / "references.so"
    subprocess.run([*COMMAND, "-o", str(library), str(SOURCE)], check=True)
    loaded = ctypes.CDLL(str(library))
    rng = np.random.default_rng(0)
    x, keys = rng.random(NUMBERS), rng.integers(0, NUMBERS, NUMBERS)
    kept = np.zeros(NUMBERS)
    return {
        "arithmetic": _call(loaded.polynomials, x, NUMBERS),
        "memory": _call(loaded.stream, x, kept, NUMBERS),
        "latency": _call(loaded.recurrence, 0.3, NUMBERS),
        "places": _call(loaded.scatter, keys, x, kept, NUMBERS),
        "branches": _call(loaded.insertions, x, np.zeros(NUMBERS), NUMBERS // 10),
    }


def _call(function: Any, *arguments: Any) -> Reference:
    function.restype = ctypes.c_double
    function.kept = arguments  # their addresses are what is given
    return partial(function, *map(_argument, arguments))


def _argument(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_int64(value) if isinstance(value, int) else ctypes.c_double(value)


class Node:
    """A node of a tree that the interpreter builds and walks."""

    def __init__(self, name: str, children: tuple[Node, ...]) -> None:
        self.name = name
        self.children = children

    def names(self, counts: dict[str, int]) -> int:
        counts[self.name] = counts.get(self.name, 0) + 1
        return 1 + sum(child.names(counts) for child in self.children)


def interpreted(width: int, depth: int) -> int:
    """Work like that of passes written in Python: objects made and walked, names formatted and looked up."""
    counts: dict[str, int] = {}
    return _tree(width, depth).names(counts) + len(counts)


def _tree(width: int, depth: int) -> Node:
    children = tuple(_tree(width, depth - 1) for _ in range(width)) if depth else ()
    return Node(f"node {depth} of {len(children)}", children)


def small_calls() -> int:
    """The unit of calls of small kernels."""
    return interpreted(2, 3)


def module_text(functions: int) -> str:
    """Functions with a loop each, for LLVM to optimise."""
    return "\n".join(
        f"""define double @sum{k}(ptr %x, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %sum = phi double [0.0, %entry], [%more, %loop]
  %place = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %place
  %square = fmul double %value, %value
  %scaled = fmul double %square, {k}.5
  %more = fadd reassoc double %sum, %scaled
  %next = add i64 %i, 1
  %is_last = icmp eq i64 %next, %n
  br i1 %is_last, label %out, label %loop
out:
  ret double %more
}}"""
        for k in range(functions)
    )


def compiled_by_llvm(functions: int = 4) -> int:
    """The bytes of object code of a fixed module, optimised."""
    machine = llvm.Target.from_default_triple().create_target_machine(opt=3)
    module = llvm.parse_assembly(module_text(functions))
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return len(machine.emit_object(module))


def compiler_work() -> int:
    """The unit of compile times: mostly Python, and LLVM."""
    return interpreted(8, 4) + compiled_by_llvm()


def prepared(folder: Path) -> dict[str, Reference]:
    """All references by name."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return {**in_c(folder), "calls": small_calls, "compiler": compiler_work}
