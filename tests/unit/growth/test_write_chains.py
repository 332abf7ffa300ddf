"""Places of writes are found as often as there are statements, and each is compared with few of those before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from compile_work import compile_to_llvm, program_of

from tapeless.passes.ir.places.places import Place, are_disjoint, offsets_within
from tapeless.passes.soac.simplify import covered_fills, simplify, writes

CHAINS = ("slice updates", "updates of one slice", "row writes", "column updates", "element writes")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("form", ["value", "gradient"])
@pytest.mark.parametrize("family", CHAINS)
def test_places_are_found_and_compared_in_proportion(family: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()

    def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any) -> Any:
            counts[name] += 1
            return work(*arguments)

        return count

    monkeypatch.setattr(Place, "of", staticmethod(counted("found", Place.of)))
    for module in (writes, covered_fills):
        monkeypatch.setattr(module, "are_disjoint", counted("compared", are_disjoint))
    monkeypatch.setattr(writes, "offsets_within", counted("compared", offsets_within))
    numbers = []
    for n in (10, 40):
        counts.clear()
        compile_to_llvm(program_of(family, form, n))
        numbers.append(dict(counts))
    short, long = numbers
    assert long["found"] <= 4.4 * short["found"], numbers
    assert long.get("compared", 0) <= 4.6 * short.get("compared", 0), numbers


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
