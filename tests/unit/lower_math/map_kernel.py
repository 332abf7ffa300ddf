"""Compiles `ys[i] = f(xs[i])` around one op, as a scalar loop or over vectors, for measuring `lower-math`."""

import ctypes
from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm_binding
import numpy as np

from tapeless._mlir import ir, llvm, passmanager
from tapeless.backend.codegen.llvm import host, optimise, target_machine
from tapeless.passes.driver.base import Pass
from tapeless.passes.lower.math.math import Math

DTYPES = {"f64": np.float64, "f32": np.float32}
TO_LLVM = (
    "builtin.module(convert-vector-to-scf,convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,convert-arith-to-llvm,"
    "expand-strided-metadata,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
KERNEL = """
func.func @kernel({parameters}, %out: memref<?x{dtype}>, %n: index) attributes {{llvm.emit_c_interface}} {{
  %zero = arith.constant 0 : index
  %step = arith.constant {step} : index
  scf.for %i = %zero to %n step %step {{
{loads}
    %y = {op}
    {store}
  }}
  return
}}"""


def kernel_text(function: str, arity: int, dtype: str, lanes: int) -> str:
    """The loop; `function` is an op name such as `math.exp` or the name of a `soac.fn`."""
    kind = dtype if lanes == 1 else f"vector<{lanes}x{dtype}>"
    names = [f"%x{k}" for k in range(arity)]
    operands, types = ", ".join(names), ", ".join([kind] * arity)
    array = f"memref<?x{dtype}>"
    access = array if lanes == 1 else f"{array}, {kind}"
    dialect = "memref" if lanes == 1 else "vector"
    attribute = "" if "." in function else f' {{function = "{function}"}}'
    name = function if "." in function else "soac.fn"
    return KERNEL.format(
        parameters=", ".join(f"%a{k}: {array}" for k in range(arity)),
        dtype=dtype,
        step=lanes,
        loads="\n".join(f"    {x} = {dialect}.load %a{k}[%i] : {access}" for k, x in enumerate(names)),
        op=f'"{name}"({operands}){attribute} : ({types}) -> {kind}',
        store=f"{dialect}.store %y, %out[%i] : {access}",
    )


def llvm_text(text: str, *passes: Pass) -> str:
    """LLVM IR of a module, after some passes."""
    with ir.Context() as context, ir.Location.unknown():
        context.enable_multithreading(False)
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(text)
        for each in passes:
            each.run(module)
            module.operation.verify()
        passmanager.PassManager.parse(TO_LLVM).run(module.operation)
        return llvm.translate_module_to_llvmir(module.operation)


@cache
def compiled(
    function: str, arity: int = 1, dtype: str = "f64", lanes: int = 1, *passes: Pass
) -> Callable[..., np.ndarray]:
    """A Python function from arrays to an array, by `lower-math` unless it is given other passes.

    Sizes are rounded up to whole vectors inside.
    """
    module = optimise(llvm_text(kernel_text(function, arity, dtype, lanes), *(passes or (Math(),))), host())
    engine = llvm_binding.create_mcjit_compiler(module, target_machine(host()))
    engine.finalize_object()
    pointer, size = ctypes.c_void_p, ctypes.c_int64
    signature = [pointer, pointer, size, size, size] * (arity + 1) + [size]
    native = ctypes.CFUNCTYPE(None, *signature)(engine.get_function_address("kernel"))

    def call(*arrays: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        count = arrays[0].size
        whole = -(-count // lanes) * lanes
        padded = [np.pad(np.asarray(a, DTYPES[dtype]), (0, whole - count)) if whole > count else a for a in arrays]
        result = np.empty(whole, DTYPES[dtype]) if out is None else out
        slots = [slot for a in (*padded, result) for slot in (a.ctypes.data, a.ctypes.data, 0, whole, 1)]
        native(*slots, whole)
        return result[:count]

    call.engine = engine
    return call
