"""Programs of `benchmarks/untuned`: spellings and methods agree with each other, and with JAX where it is installed."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tapeless as tl

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))

from untuned.program import QUANTITIES, SIZES
from untuned.programs import PROGRAMS
from untuned.quantities import deviation, of_jax, of_tapeless

METHODS = ("redundant", "reversible", "coarsened")
# Of the largest element; orders of sums differ between spellings.
AT_MOST = 1e-8


@cache
def reference(name: str) -> Any:
    """The first spelling that is not refused, by the redundant method."""
    program = PROGRAMS[name]
    spelling = next(each for each in program.spellings if each not in program.refused)
    return result(name, spelling, "redundant")


@cache
def result(name: str, spelling: str, method: str) -> Any:
    program = PROGRAMS[name]
    arguments = program.arguments("tiny", program.dtypes[0])
    return tl.compile(of_tapeless(program, spelling, method), arguments, method=method)(*arguments)


@pytest.mark.one_in(300)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_spellings_agree(name, method):
    program = PROGRAMS[name]
    for spelling in program.spellings:
        if spelling in program.refused:
            with pytest.raises(tl.TapelessError) as error:
                result(name, spelling, method)
            assert program.refused[spelling] in str(error.value)
        else:
            assert deviation(result(name, spelling, method), reference(name)) < AT_MOST, spelling


@pytest.mark.one_in(30)
@pytest.mark.parametrize("name", PROGRAMS)
def test_jax_agrees(name):
    jax = pytest.importorskip("jax")
    program = PROGRAMS[name]
    if all(spelling in program.refused for spelling in program.spellings):
        pytest.skip("no spelling is accepted")
    arguments = program.arguments("tiny", program.dtypes[0])
    static = [place for place, each in enumerate(arguments) if isinstance(each, int)]
    with jax.enable_x64(True):
        found = jax.jit(of_jax(program), static_argnums=static)(*arguments)
        assert deviation(reference(name), found) < AT_MOST


@pytest.mark.one_in(30)
@pytest.mark.parametrize("name", PROGRAMS)
def test_torch_agrees(name):
    torch = pytest.importorskip("torch")
    from untuned.quantities import of_torch

    program = PROGRAMS[name]
    if program.torch is None or all(spelling in program.refused for spelling in program.spellings):
        pytest.skip("nothing to compare")
    given = program.arguments("tiny", program.dtypes[0])
    arguments = [torch.tensor(each) if hasattr(each, "shape") else each for each in given]
    assert deviation(reference(name), of_torch(program)(*arguments)) < AT_MOST


@pytest.mark.one_in(30)
@pytest.mark.parametrize("name", PROGRAMS)
def test_numpy_agrees(name):
    program = PROGRAMS[name]
    if program.numpy is None or all(spelling in program.refused for spelling in program.spellings):
        pytest.skip("nothing to compare")
    arguments = program.arguments("tiny", program.dtypes[0])
    assert deviation(reference(name), program.numpy(*arguments)) < AT_MOST


def test_programs_are_complete():
    for program in PROGRAMS.values():
        assert set(program.sizes) == set(SIZES), program.name
        assert program.quantity in QUANTITIES, program.name
        assert program.refused.keys() <= program.spellings.keys(), program.name
        assert len(program.spellings) >= 2, program.name
