"""Programs that share, update and carry arrays in every way give the values of the value semantics."""

from __future__ import annotations

from typing import Any

import pytest

from tapeless.passes.lower.blocks import cuts

from ..running import MODES, check
from .generated import NAMES, make_program, start_state


def seeds(first: int, more: int, end: int) -> list[Any]:
    """Some each time, more by `make thorough`."""
    return [*range(first, more), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(more, end))]


@pytest.mark.one_in(24)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", seeds(0, 12, 40))
def test_generated_program(seed: int, mode: str) -> None:
    text, play = make_program(seed)
    state = start_state(seed)
    expected = play(state)
    check(text, tuple(state.values()), *(expected[name] for name in NAMES), mode=mode)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("mode", ["fast", "threads"])
@pytest.mark.parametrize("seed", seeds(40, 54, 90))
def test_generated_program_in_small_blocks(seed: int, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that sum into arrays are cut even at these sizes."""
    for name, value in (("LANES", 1), ("LEAST_WORK", 1), ("WORK_PER_COPIED_ELEMENT", {True: 1})):
        monkeypatch.setattr(cuts, name, value)
    test_generated_program(seed, mode)
