"""Functions cut into sections compute the same bits as whole ones: every program with its derivatives."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from programs_as_ir import values_and_adjoints

from programs import PROGRAMS
from programs.axes import methods_in_turn
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import CompileOptions, generate
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.lower.sections.sections import Sections
from tapeless.runtime.calling.binding import call
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind

# Programs that take seconds to compile.
LONG = ("forms_of_matrices", "borders_and_repetitions")
WHOLE, CUT = Sections(most=10**6), Sections(most=0, length=2)
# Products of matrices of one row and one column, outside of parts: LLVM orders their sums by what is around them, and
# sections change that although the sums stay where they are.
ORDERED_BY_LLVM = frozenset({"forms_of_matrices"})


def run(text: str, arguments: list[Any], sections: Sections) -> list[bytes]:
    """The bits of all results of a program that is cut as `sections` says."""
    elements = CompileOptions().pipeline.elements
    pipeline = PassPipeline(tuple(sections if isinstance(each, Sections) else each for each in elements))
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        pipeline.run(module, verify_each=False)
        assert module.operation.verify()
        code = generate(module)
    image = LoadedImage(code.image)
    invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))
    names = [f"argument{k}" for k in range(len(arguments))]
    return [np.asarray(result).tobytes() for result in call(code.abi, names, "f", invoke, copy.deepcopy(arguments))]


@pytest.mark.one_in(137)
@pytest.mark.parametrize(
    ("name", "method"),
    [
        pytest.param(*each.values, marks=[pytest.mark.thorough] if each.values[0] in LONG else each.marks)
        for each in methods_in_turn(PROGRAMS)
    ],
)
def test_sections_compute_the_same_bits(name: str, method: str) -> None:
    text, arguments = values_and_adjoints(PROGRAMS[name], method)
    cut, whole = run(text, arguments, CUT), run(text, arguments, WHOLE)
    if name in ORDERED_BY_LLVM:
        for one, other in zip(cut, whole, strict=True):
            np.testing.assert_array_max_ulp(np.frombuffer(one), np.frombuffer(other), 2)
    else:
        assert cut == whole
