"""Generated programs give the same by Python as compiled, in types, shapes and values."""

from __future__ import annotations

from typing import Any

import pytest

import tapeless as tl
from fuzz.arguments import arguments
from fuzz.compare import difference
from fuzz.compiled import defined
from fuzz.make import draft_program

SEEDS = 60
LARGEST = 2000


def as_tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def outcome(function: Any, given: tuple[Any, ...]) -> tuple[Any, ...] | type[Exception]:
    """The results, or the class of the error."""
    try:
        return as_tuple(function(*given))
    except tl.TapelessError as error:
        return type(error)


@pytest.mark.one_in(87)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_by_python_as_compiled(seed: int) -> None:
    program = draft_program(seed, 0)
    if any(size[0] > LARGEST for parameter in program.parameters for size in parameter.type.sizes):
        pytest.skip("too long for Python")
    function = defined(program.text)["generated"]
    given = arguments(program, 0)
    compiled = outcome(function, given)
    with tl.disable_jit():
        by_python = outcome(function, given)
    if isinstance(compiled, type) or isinstance(by_python, type):
        assert by_python == compiled
    else:
        assert difference(by_python, compiled, 1e-4 if program.is_single else 1e-8) == ""
