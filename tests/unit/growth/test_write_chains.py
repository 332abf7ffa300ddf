"""Places of writes are found as often as there are statements, although each is compared with all writes before it."""

from __future__ import annotations

import pytest
from compile_work import compile_to_llvm, program_of

from tapeless.passes.ir.places.places import Place
from tapeless.passes.soac.simplify import simplify

CHAINS = ("slice updates", "updates of one slice", "row writes", "column updates", "element writes")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("form", ["value", "gradient"])
@pytest.mark.parametrize("family", CHAINS)
def test_places_are_found_in_proportion(family: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, of = 0, Place.of

    def count(op):
        nonlocal found
        found += 1
        return of(op)

    monkeypatch.setattr(Place, "of", staticmethod(count))
    numbers = []
    for n in (10, 40):
        found = 0
        compile_to_llvm(program_of(family, form, n))
        numbers.append(found)
    assert numbers[1] <= 4.4 * numbers[0], numbers


@pytest.mark.parametrize("family", ["row writes", "column updates"])
def test_adjoints_of_a_chain_are_simplified_in_a_few_rounds(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each link of the chain is a fill once the one before it is known to be one: a sweep follows them all."""
    rounds, once = 0, simplify.simplify_once

    def count(root):
        nonlocal rounds
        rounds += 1
        return once(root)

    monkeypatch.setattr(simplify, "simplify_once", count)
    compile_to_llvm(program_of(family, "gradient", 12))
    assert rounds <= 5
