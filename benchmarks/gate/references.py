"""References that times are divided by: C functions compiled on the spot, and fixed work of Python and of LLVM."""

from __future__ import annotations

import ctypes
import platform
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from gate.places import Places
from tapeless.backend.codegen.llvm import host

Reference = Callable[[], Any]
HERE = Path(__file__).parent
# No vectors and no contraction: the code shall be much the same with every compiler.
PLAIN = ("-fno-tree-vectorize", "-ffp-contract=off")
# Vectors are written out, as wide as the machine has them; loops beside these are left alone.
NATIVE = "-mcpu=native" if platform.machine() == "aarch64" else "-march=native"
WIDE = (NATIVE, "-fno-tree-vectorize", "-ffp-contract=fast")
# Registers up to this width are no wider than those that C without vectors is compared with well.
NARROW_BITS = 128
NUMBERS = 4000
# What takes a small part of the first cache, which a neighbour may use, too, and what the second cache holds.
NEAR, FAR = 512, 30_016
# The states of a loop over time: how many numbers in each, and how many states.
STATE, STATES = 576, 41


def has_wide_vectors() -> bool:
    """Whether code for this machine has vectors that a clock of their own, or a busy neighbour, slows down."""
    return host().vector_bits > NARROW_BITS


def compiled(source: str, folder: Path, options: Sequence[str]) -> ctypes.CDLL:
    """A file of C functions beside this one as a library."""
    library = folder / f"{source}.so"
    command = ["cc", "-O2", *options, "-shared", "-fPIC", "-o", str(library), str(HERE / source)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def without_vectors(folder: Path) -> dict[str, Reference]:
    """The functions of `references.c` on data of their own, 5 to 50 microseconds each."""
    loaded = compiled("references.c", folder, PLAIN)
    rng = np.random.default_rng(0)
    put = Places()
    x, keys = put(rng.random(NUMBERS)), put(rng.integers(0, NUMBERS, NUMBERS))
    kept = put(np.zeros(NUMBERS))
    return {
        "arithmetic": _call(loaded.polynomials, x, NUMBERS),
        "memory": _call(loaded.stream, x, kept, NUMBERS),
        "latency": _call(loaded.recurrence, 0.3, NUMBERS),
        "places": _call(loaded.scatter, keys, x, kept, NUMBERS),
        "branches": _call(loaded.insertions, x, put(np.zeros(NUMBERS)), NUMBERS // 10),
    }


def with_vectors(folder: Path) -> dict[str, Reference]:
    """The functions of `vectors.c`, 10 to 20 microseconds each where vectors have 512 bits."""
    loaded = compiled("vectors.c", folder, (*WIDE, f"-DVECTOR_BYTES={host().vector_bits // 8}"))
    rng = np.random.default_rng(0)
    put = Places()
    near, near_result = put(rng.random(2 * NEAR)), put(np.zeros(2 * NEAR))
    states = put(np.full(STATE * STATES, 0.01))
    far, other, far_result = put(rng.random(FAR)), put(rng.random(FAR)), put(np.zeros(FAR))
    return {
        "vector arithmetic": _call(loaded.vector_polynomials, near, 2 * NEAR, 20),
        "vector functions": _call(loaded.vector_powers, near, near_result, 2 * NEAR, 16),
        "vector neighbours": _call(loaded.vector_differences, near, near_result, NEAR, 80),
        "vector memory": _call(loaded.vector_stream, near, near_result, put(np.zeros(NEAR)), NEAR, 120),
        "vector cache": _call(loaded.vector_stream, far, other, far_result, FAR, 1),
        "vector reading": _call(loaded.vector_sum, far, FAR, 3),
        "vector steps": _call(loaded.vector_steps, states, near_result, STATE, STATES - 1, 1),
    }


def _call(function: Any, *arguments: Any) -> Reference:
    function.restype = ctypes.c_double
    call = partial(function, *map(_argument, arguments))
    call.kept = arguments  # their addresses are what is given
    return call


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
    in_c = without_vectors(folder) | with_vectors(folder)
    return {**in_c, "calls": small_calls, "compiler": compiler_work}
