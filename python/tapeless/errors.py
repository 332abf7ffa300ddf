"""Every error a user can meet, one class per thing they can do about it.

Each doc string says when the error comes, what to do about it, and shows one.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np


class TapelessError(Exception):
    """Base of all errors of Tapeless; `diagnostics` holds the reports of a pass about places in the source.

    Catch it where any of them is to be handled; the message of each says what to do.

    >>> try:
    ...     tl.grad(lambda x: x * 2.0)(np.ones(3))
    ... except tl.TapelessError as error:
    ...     print(type(error).__name__)
    ArgumentError
    """

    diagnostics: Sequence[Any] = ()


class FrontendError(TapelessError):
    """The source uses something the language does not have; the message shows file, line, excerpt and caret.

    Write what the message suggests, or do that part outside of the function.

    >>> @tl.function
    ... def f(x):
    ...     return {x}
    Traceback (most recent call last):
    tapeless.errors.FrontendError: ...
    """


class NotReversible(FrontendError):
    """A statement of a reversible procedure has no inverse.

    Update the cell by `+=` or `-=`, or compute the value into a new one by `with tl.ancilla(...)`.

    >>> @tl.reversible
    ... def f(x: tl.f64):
    ...     x = 2.0
    >>> f(1.0)
    Traceback (most recent call last):
    tapeless.errors.NotReversible: ...
    """


class TypeMismatch(FrontendError, TypeError):
    """Types or ranks do not fit together.

    Convert the argument (`x.astype(np.float64)`), or annotate the parameter with the type that is passed.

    >>> @tl.function
    ... def f(x: tl.f64[:]):
    ...     return tl.sum(x)
    >>> f(np.ones(3, np.float32))
    Traceback (most recent call last):
    tapeless.errors.TypeMismatch: ...
    """


class ShapeMismatch(FrontendError, ValueError):
    """Sizes do not fit together.

    The message shows both shapes; `sizes` are the two that do not match, where a call found that. Functions broadcast
    axes that have size 1; kernels of `tl.compile` only where the size is known to be 1: give them types such as
    `tl.f64[:, 1]`, or index the axis.

    >>> tl.jit(lambda x, y: x + y)(np.ones(3), np.ones(4))
    Traceback (most recent call last):
    tapeless.errors.ShapeMismatch: ...
    """

    sizes: tuple[int, ...] = ()


class ArgumentError(TapelessError, ValueError):
    """A call has the wrong number of arguments, an unknown method or target, or a loss that is not a scalar.

    Also what `raise ValueError` in a function becomes. The message names what is expected.

    >>> tl.grad(lambda x: x * x, method="redundent")
    Traceback (most recent call last):
    tapeless.errors.ArgumentError: unknown method 'redundent'; did you mean 'redundant'?
    """


class ConversionError(ArgumentError):
    """A float that is no integer of 64 bits, such as NaN or an infinity, was converted to one.

    Test it before by `tl.isfinite`, or limit it by `tl.clamp`.

    >>> tl.jit(lambda x: int(x))(float("nan"))
    Traceback (most recent call last):
    tapeless.errors.ConversionError: ...
    """


class NotPicklable(ArgumentError, pickle.PicklingError):
    """A function cannot be found again in another process: it is a lambda, or defined inside another function.

    Define it with `def` at the top of a module; or send a kernel, which carries its code.

    >>> import pickle
    >>> pickle.dumps(tl.jit(lambda x: x))
    Traceback (most recent call last):
    tapeless.errors.NotPicklable: ...
    """


class NoRuleError(TapelessError):
    """An operation has no derivative rule where one is asked for.

    Give the function a rule (`tl.custom_vjp`), keep the value out by `tl.stop_gradient`, or do what the message says.

    >>> tl.grad(lambda a: tl.reduce(lambda p, q: p * q + tl.sin(p - q), a, tl.ones(3)))(2.0)
    Traceback (most recent call last):
    tapeless.errors.NoRuleError: ...
    """


class GradientMismatch(TapelessError, AssertionError):
    """A derivative disagrees with central differences in `tl.check_grads`.

    Look at rules of your own first; near kinks and for wild functions, move the point or give a `tolerance`.

    >>> @tl.custom_vjp
    ... def f(x):
    ...     return x * x
    >>> f.defvjp(lambda x: (x * x, x), lambda x, ct: (ct * x,))  # 2 is missing
    >>> tl.check_grads(f, 1.0, order=1, modes=("rev",))
    Traceback (most recent call last):
    tapeless.errors.GradientMismatch: ...
    """


class CheckFailed(TapelessError, AssertionError):
    """An `assert` of the program did not hold.

    The message has the text of the assertion, with its line. `checks="off"` takes all of them out.

    >>> @tl.function
    ... def root(x):
    ...     assert x >= 0.0, "a negative number"
    ...     return tl.sqrt(x)
    >>> root(-1.0)
    Traceback (most recent call last):
    tapeless.errors.CheckFailed: ...
    """


class LinAlgError(TapelessError, np.linalg.LinAlgError):
    """A matrix has no inverse, or is not positive definite; numpy's error of this name, too.

    >>> tl.linalg.inv(np.ones((2, 2)))
    Traceback (most recent call last):
    tapeless.errors.LinAlgError: ...
    """


class InvertibilityError(TapelessError):
    """A reversible procedure failed one of its run-time checks: something was left behind, or went astray.

    Uncompute what an ancilla holds before its block ends. Where only rounding is left, count in `tl.fixed43`; a kernel
    with `checks="status"` goes on and tells of it.

    >>> @tl.reversible
    ... def f(y: tl.f64, x: tl.In[tl.f64]):
    ...     with tl.ancilla(0.0) as z:
    ...         z += x
    ...         y += z
    >>> f(0.0, 2.0)
    Traceback (most recent call last):
    tapeless.errors.InvertibilityError: ...
    """


class RecursionTooDeep(InvertibilityError, RecursionError):
    """Calls of a recursive procedure are nested so deeply that the stack of the thread is full.

    Halve the problem instead of taking one off it, or use a loop.

    >>> @tl.reversible
    ... def count(y: tl.f64, n: tl.In[tl.i64]):
    ...     if n > 0:
    ...         with tl.ancilla(0.0) as z:
    ...             z += y
    ...             count(z, n - 1)
    ...             (~count)(z, n - 1)
    ...             z -= y
    ...     y += 1.0
    >>> count(0.0, 10**9)
    Traceback (most recent call last):
    tapeless.errors.RecursionTooDeep: ...
    """


class IndexOutOfRange(TapelessError, IndexError):
    """An element index lies outside its array.

    The message names index and size. Negative indices count from the end; bounds of slices are clamped and never raise.

    >>> tl.jit(lambda x, i: x[i])(np.ones(3), 7)
    Traceback (most recent call last):
    tapeless.errors.IndexOutOfRange: ...
    """


class PipelineError(TapelessError):
    """A pass pipeline is malformed, or a pass of it failed.

    `tapeless-opt --list-passes` lists the names.

    >>> from tapeless.passes.driver.pipeline import PassPipeline
    >>> PassPipeline.parse("builtin.module(soac-fuze)")
    Traceback (most recent call last):
    tapeless.errors.PipelineError: ...
    """


class TargetError(TapelessError):
    """The target is unknown or cannot run here.

    `tapeless doctor` says what works on this machine.

    >>> tl.compile(lambda x: x + 1.0, (tl.f64,)).ptx()
    Traceback (most recent call last):
    tapeless.errors.TargetError: ...
    """


class BundleError(TapelessError):
    """A saved kernel is damaged, of another version, or for another machine.

    Save it again, with `targets=` that name the machines on which it is to run.

    >>> tl.load(b"no kernel")
    Traceback (most recent call last):
    tapeless.errors.BundleError: ...
    """


class InternalError(TapelessError):
    """A fault of Tapeless itself, with the exception that showed it as its cause.

    `stage` is what was at work (a pass, the frontend, the code generator), and `reproducer` the file that
    `tapeless-opt --run-reproducer` takes, if one could be written: please report it.

    >>> try:
    ...     value = tl.grad(tl.sin)(0.0)
    ... except tl.InternalError as error:
    ...     print("please report", error.reproducer)
    >>> value
    1.0
    """

    stage: str = ""
    reproducer: Path | None = None
