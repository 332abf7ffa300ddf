"""What type checkers make of functions and of what transformations give; read by `test_checkers.py`, never run.

A comment behind `reveal_type` is what mypy reveals, without the names of modules; one that begins with `error:` is the
code of the error that mypy reports for the line.
"""

from __future__ import annotations

from typing import reveal_type

import numpy as np

import tapeless as tl


@tl.function
def scaled(x: float, n: int = 3) -> float:
    return x * n


@tl.function()
def element(x: tl.f64[:, 3], k: tl.i64) -> tl.f64:
    reveal_type(x[k, 1])  # Any
    return x[k, 1]


@tl.jit(threads=2)
def pair(x: float) -> tuple[float, int]:
    return x, 1


@tl.reversible
def accumulate(y: tl.f64, x: tl.In[tl.f64[:]]) -> None:
    with tl.ancilla(0.0) as z:
        z += x[0]
        y += z
        z -= x[0]


@tl.custom_vjp
@tl.function
def customised(x: float) -> float:
    return x


reveal_type(scaled)  # TapelessFunction[[x: float, n: int =], float]
reveal_type(scaled(1.0))  # float
reveal_type(scaled(1.0, n=2))  # float
reveal_type(element)  # TapelessFunction[[x: Any, k: Any], Any]
reveal_type(element(np.ones((2, 3)), 1))  # Any
reveal_type(pair)  # TapelessFunction[[x: float], tuple[float, int]]
reveal_type(accumulate)  # Reversible[[y: Any, x: Any]]
reveal_type(~accumulate)  # Reversible[[y: Any, x: Any]]
reveal_type(accumulate(1.0, np.ones(3)))  # tuple[Any, ...]
reveal_type(accumulate(np.ones(1), np.ones(3), inplace=True))  # tuple[Any, ...]
reveal_type(customised)  # CustomFunction[[x: float], float]
reveal_type(tl.grad(scaled))  # TapelessFunction[[x: float, n: int =], Any]
reveal_type(tl.grad(tl.grad(scaled, "x"), argnums=(0, 1)))  # TapelessFunction[[x: float, n: int =], Any]
reveal_type(tl.value_and_grad(scaled))  # TapelessFunction[[x: float, n: int =], tuple[Any, Any]]
reveal_type(tl.jacfwd(scaled))  # TapelessFunction[[x: float, n: int =], Any]
reveal_type(tl.jacrev(scaled))  # TapelessFunction[[x: float, n: int =], Any]
reveal_type(tl.hessian(scaled))  # TapelessFunction[[x: float, n: int =], Any]
reveal_type(tl.checkpoint(scaled))  # TapelessFunction[[x: float, n: int =], float]
reveal_type(tl.jit(scaled, threads=2))  # TapelessFunction[[x: float, n: int =], float]
reveal_type(tl.vmap(scaled))  # TapelessFunction[..., Any]
reveal_type(tl.jvp(pair, 1.0, 1.0))  # tuple[tuple[float, int], tuple[float, int]]
reveal_type(tl.vjp(pair, 1.0))  # tuple[tuple[float, int], Pullback]
reveal_type(tl.hvp(scaled, 1.0, 1.0))  # Any
reveal_type(tl.compile(tl.grad(scaled)))  # Kernel
reveal_type(tl.load("scaled.tlk"))  # Kernel
reveal_type(tl.check_grads(scaled, 1.0))  # None
reveal_type(tl.pi)  # float

scaled("one")  # error: arg-type
scaled()  # error: call-arg
tl.grad(scaled)(1.0, 2, 3)  # error: call-arg
tl.value_and_grad(scaled)(y=1.0)  # error: call-arg
accumulate(1.0)  # error: call-overload
tl.sum(1.0, axes=2)  # error: call-arg
tl.gard(scaled)  # error: attr-defined
