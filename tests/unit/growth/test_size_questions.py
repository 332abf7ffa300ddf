"""Sizes of arrays are found once each: neither what came before a loop nor the checks within it are followed again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from compile_work import compile_to_llvm, function_of, program_of

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.api.decorated import TapelessFunction
from tapeless.passes.ir.sizes import shapes
from tapeless.passes.ir.sizes.checked_sizes import CheckedBlocks
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.size_classes import SizeClasses
from tapeless.passes.ir.sizes.size_search import Question, Step
from tapeless.passes.soac.simplify.simplify import apply_rules


def questions(function: TapelessFunction, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many questions about sizes a compilation takes."""
    return questions_of(lambda: compile_to_llvm(function), monkeypatch)


def questions_of(work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many questions about sizes some work takes."""
    asked: list[Question] = []
    answer = shapes._answer

    def counted(blocks: CheckedBlocks, question: Question) -> Step:
        asked.append(question)
        return answer(blocks, question)

    with monkeypatch.context() as counting:
        counting.setattr(shapes, "_answer", counted)
        work()
    return len(asked)


def rows_in_a_loop(n: int) -> TapelessFunction:
    """The gradient of one loop over the rows of n arrays, each of which is checked to be as long as a vector."""
    parameters = ", ".join(["x: tl.f64[:]", *(f"a{k}: tl.f64[:, :]" for k in range(n))])
    body = "".join(f"        s = s + a{k}[i] * x\n" for k in range(n))
    heading = f"@tl.function\ndef f({parameters}):\n    s = x * 1.0\n    for i in range(x.shape[0]):\n"
    return function_of(f"{heading}{body}    return tl.sum(s)\ng = tl.grad(f)\n", f"<rows of {n} arrays>")


def test_twice_the_loops_take_about_twice_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = (program_of("loops over arrays", "gradient", n) for n in (12, 24))
    assert questions(long, monkeypatch) < 2.3 * questions(short, monkeypatch)


def test_sizes_of_a_chain_of_writes_are_found_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of each is that of the one before it, and is not followed to the first again and again."""
    short, long = (program_of("slice updates", "gradient", n) for n in (10, 40))
    assert questions(long, monkeypatch) < 4.5 * questions(short, monkeypatch)


def test_checks_that_say_the_same_are_followed_in_proportion() -> None:
    """Each size leads to the next one at first, and to the last one at once when it was asked for."""
    followed = 0

    class Counted(dict[Size, Size]):
        def get(self, size: Size, default: Any = None) -> Any:
            nonlocal followed
            followed += 1
            return super().get(size, default)

    for n in (100, 400):
        classes, followed = SizeClasses(Counted()), 0
        for size in range(n):
            classes.join(size, size + 1)
        assert all(classes.are_equal(0, size) for size in range(n))
        assert followed < 12 * n


def test_twice_the_checks_in_a_loop_take_about_twice_the_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = (rows_in_a_loop(n) for n in (8, 16))
    assert questions(long, monkeypatch) < 2.4 * questions(short, monkeypatch)


def levels_that_trade_places(n: int, steps: str) -> TapelessFunction:
    """The gradient of a loop over n arrays that trade places, none of whose sizes is known to be that of the next."""
    names = [f"a{k}" for k in range(n)]
    parameters = ", ".join(f"{name}: tl.f64[:, :]" for name in names)
    updates = "".join(
        f"        {name}[2:, :-2] = 0.3 * {other}[:-2, 2:] - 0.9 * {name}[2:, :-2]\n" for name, other in pairwise(names)
    )
    turned = ", ".join([*names[1:], names[0]])
    loop = f"    for i in {steps}:\n{updates}        {', '.join(names)} = {turned}\n"
    return function_of(
        f"@tl.function\ndef f({parameters}, steps: tl.i64):\n{loop}    return tl.sum(a0)\ng = tl.grad(f)\n",
        f"<{n} levels that trade places in {steps}>",
    )


# A budget makes loops in loops of one, each with a premise of its own.
STEPS = ["range(steps)", pytest.param("tl.range(steps, budget=40)", marks=pytest.mark.thorough)]


@pytest.mark.parametrize("steps", STEPS)
def test_sizes_that_a_loop_may_change_are_supposed_together(steps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One premise per loop: with one per axis, each asked under those of the others, growth is exponential."""
    short, long = (levels_that_trade_places(n, steps) for n in (2, 3))
    assert questions(long, monkeypatch) < 2.6 * questions(short, monkeypatch)


def loops_that_double(n: int) -> str:
    """Loops each of which goes on with the array that the one before it leaves, whose size is asked for."""
    lines = ["%d0 = arith.constant 0 : index"]
    for k in range(n):
        lines += [
            f"%x{k + 1} = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x{k}) -> (tensor<?xf64>) {{",
            "  %b = tensor.concat dim(0) %a, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>",
            "  scf.yield %b : tensor<?xf64>",
            "}",
            f"%s{k + 1} = tensor.dim %x{k + 1}, %c0 : tensor<?xf64>",
            f"%d{k + 1} = arith.addi %d{k}, %s{k + 1} : index",
        ]
    constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    body = constants + "\n".join(lines)
    return f"func.func @f(%x0: tensor<?xf64>, %n: index) -> index {{\n{body}\nreturn %d{n} : index\n}}"


def test_a_sweep_of_rules_that_changes_nothing_finds_each_size_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def swept(n: int) -> int:
        with shared_context():
            module = ir.Module.parse(loops_that_double(n))
            before = str(module)
            asked = questions_of(lambda: apply_rules(module.operation.opview), monkeypatch)
            assert str(module) == before
        return asked

    assert swept(16) < 2.3 * swept(8)
