"""Loops in a row: what came before a loop is not followed again for every loop after it to find the sizes of arrays."""

from __future__ import annotations

import pytest
from compile_work import compile_to_llvm, program_of

from tapeless.passes.ir import shapes
from tapeless.passes.ir.checked_sizes import CheckedBlocks
from tapeless.passes.ir.size_search import Question, Step


def questions(n: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many questions about sizes the gradient of n loops over arrays takes."""
    asked: list[Question] = []
    answer = shapes._answer

    def counted(blocks: CheckedBlocks, question: Question) -> Step:
        asked.append(question)
        return answer(blocks, question)

    with monkeypatch.context() as counting:
        counting.setattr(shapes, "_answer", counted)
        compile_to_llvm(program_of("loops over arrays", "gradient", n))
    return len(asked)


def test_twice_the_loops_take_about_twice_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    assert questions(24, monkeypatch) < 2.3 * questions(12, monkeypatch)
