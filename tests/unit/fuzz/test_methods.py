"""`make fuzz METHOD=...`: every function has its gradient by one method."""

import pytest

from fuzz.checks import CHECKS
from fuzz.families import METHODS, family


@pytest.mark.parametrize("method", METHODS)
def test_every_program_is_differentiated_by_the_method(method):
    check = METHODS[method]
    assert check in CHECKS
    by_method, plain = family(f"functions:{check}"), family("functions")
    for seed in range(5):
        program = by_method.draft(seed, 0)
        assert program.checks == ("value", check)
        assert program.text == plain.draft(seed, 0).text
