"""Core IR programs as text, lowered in every mode, compiled, and run on numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import generate
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.lower.llvm.to_llvm import ToLLVM
from tapeless.runtime.calling.binding import call
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind

MODES = {
    "plain": PassPipeline.named("loops", sequential=True),
    "fast": PassPipeline.named("loops"),
    "threads": PassPipeline.named("loops", threads=2),
}
PRELUDE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
"""
ADD = """({
  ^bb0(%a_: f64, %b_: f64):
    %c_ = arith.addf %a_, %b_ fastmath<contract> : f64
    "soac.yield"(%c_) : (f64) -> ()
  })"""


def function(signature: str, body: str) -> str:
    """A function `@f` with common constants in front of its body."""
    return f"func.func @f{signature} {{{PRELUDE}{body}}}\n"


def lower(text: str, mode: str = "fast") -> str:
    """The loops that a program becomes."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for each in MODES[mode].elements:
            each.run(module)
        module.operation.verify()
        return str(module)


def run(text: str, *arguments: Any, mode: str = "fast") -> tuple[Any, ...]:
    """The results of a program."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for each in MODES[mode].elements:
            each.run(module)
        module.operation.verify()
        ToLLVM().run(module)
        code = generate(module)
    names = [f"argument{k}" for k in range(len(arguments))]
    image = LoadedImage(code.image)
    invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))
    return tuple(call(code.abi, names, "f", invoke, arguments))


def check(text: str, arguments: tuple, *expected: Any, mode: str) -> None:
    """Runs a program and compares every result; arguments must come out unchanged."""
    before = [np.array(argument, copy=True) for argument in arguments]
    results = run(text, *arguments, mode=mode)
    for old, argument in zip(before, arguments, strict=True):
        np.testing.assert_array_equal(old, argument)
    for result, wanted in zip(results, expected, strict=True):
        wanted = np.asarray(wanted)
        assert np.shape(result) == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=1e-12, atol=1e-13)
