"""`make fuzz METHOD=...` and `TARGET=...`: every function has its gradient by one method, or runs on a GPU."""

import pytest

from fuzz.checks import CHECKS
from fuzz.families import METHODS, TARGETS, family


@pytest.mark.parametrize("check", [*METHODS.values(), *TARGETS.values()])
def test_every_program_has_the_check(check):
    assert check in CHECKS
    by_method, plain = family(f"functions:{check}"), family("functions")
    for seed in range(5):
        program = by_method.draft(seed, 0)
        assert program.checks == ("value", check)
        assert program.text == plain.draft(seed, 0).text
