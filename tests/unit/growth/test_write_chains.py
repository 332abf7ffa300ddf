"""Places of writes are found as often as there are statements, although each is compared with all writes before it."""

from __future__ import annotations

import pytest
from compile_work import compile_to_llvm, program_of

from tapeless.passes.ir.places.places import Place

CHAINS = ("slice updates", "updates of one slice", "row writes", "column updates", "element writes")


@pytest.mark.parametrize("family", CHAINS)
def test_places_are_found_in_proportion(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, of = 0, Place.of

    def count(op):
        nonlocal found
        found += 1
        return of(op)

    monkeypatch.setattr(Place, "of", staticmethod(count))
    numbers = []
    for n in (10, 40):
        found = 0
        compile_to_llvm(program_of(family, "value", n))
        numbers.append(found)
    assert numbers[1] <= 4.4 * numbers[0], numbers
