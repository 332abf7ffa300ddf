"""What LLVM makes of a scalar loop around each function: vectors, on every processor."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from map_kernel import compiled, kernel_text, llvm_text

from tapeless.backend.codegen.llvm import Machine, optimise
from tapeless.passes.lower.math.functions import GUARDED, INLINED
from tapeless.passes.lower.math.math import Math

sys.path.append(str(Path(__file__).parents[1]))

from foreign.machines import AARCH64, WIDE, X86_64

FROM_THE_C_LIBRARY = {"lgamma"}
NOT_IN_MATH = {"sigmoid", "softplus", "sign", "digamma", "trigamma", "erfinv", "hypot", "round_f16", "round_bf16"}
TWO_OPERANDS = {"pow", "atan2", "hypot"}

MACHINES = (AARCH64.machine, X86_64.machine, WIDE)


def optimised_loop(name: str, dtype: str, machine: Machine) -> str:
    op = name if name in NOT_IN_MATH else f"math.{'powf' if name == 'pow' else name}"
    text = llvm_text(kernel_text(op, 1 + (name in TWO_OPERANDS), dtype, lanes=1), Math())
    return str(optimise(text, machine))


@pytest.mark.one_in(15)
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.cpu)
@pytest.mark.parametrize("dtype, element", [("f64", "double"), ("f32", "float")])
@pytest.mark.parametrize("name", sorted(INLINED.keys() - FROM_THE_C_LIBRARY))
def test_straight_code_is_inlined_and_vectorised(name: str, dtype: str, element: str, machine: Machine) -> None:
    text = optimised_loop(name, dtype, machine)
    assert f"@tl.{name}" not in text
    assert re.search(rf"store <\d+ x {element}>", text)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.cpu)
@pytest.mark.parametrize("name", sorted(GUARDED))
def test_code_with_a_rare_branch_is_called_on_vectors(name: str, machine: Machine) -> None:
    text = optimised_loop(name, "f64", machine)
    assert re.search(rf"call <\d+ x double> @tl\.{name}_v\d+f64\(<\d+ x double>", text)


def test_one_huge_argument_takes_the_slow_path_for_its_vector_only() -> None:
    x = np.linspace(-3.0, 3.0, 64)
    x[13] = 1e300
    for lanes in (1, 8):
        assert np.abs(compiled("math.sin", lanes=lanes)(x) - np.sin(x)).max() < 3e-16


def test_vectors_of_rank_two() -> None:
    flat = kernel_text("math.sin", 1, "f64", lanes=8)
    nested = flat.replace(
        '%y = "math.sin"(%x0) : (vector<8xf64>) -> vector<8xf64>',
        """%wide = vector.shape_cast %x0 : vector<8xf64> to vector<2x4xf64>
    %sine = math.sin %wide : vector<2x4xf64>
    %y = vector.shape_cast %sine : vector<2x4xf64> to vector<8xf64>""",
    )
    assert nested != flat
    assert "call <8 x double> @tl.sin_v8f64" in llvm_text(nested, Math())
