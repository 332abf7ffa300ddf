"""How much work simplification and fusion do: rounds do not grow with a program, visits of operations grow like it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.passes.soac.fuse import fuse, merge_duplicates
from tapeless.passes.soac.simplify import simplify


def copied_by_nested_maps(depth: int) -> str:
    """Maps around each other, one per axis, the innermost of which gives back its element."""
    types = ["f64", *(f"tensor<{'4x' * rank}f64>" for rank in range(1, depth + 1))]
    text = f'"soac.yield"(%x0) : ({types[0]}) -> ()'
    for rank in range(1, depth + 1):
        body = f"({{\n^bb0(%i{rank}: index, %x{rank - 1}: {types[rank - 1]}):\n{text}\n}})"
        signature = f"(index, {types[rank]}) -> {types[rank]}"
        made = f'%y{rank} = "soac.map"(%n, %x{rank}) {body} {{operandSegmentSizes = array<i32: 1, 1, 0>}} : {signature}'
        text = f'{made}\n"soac.yield"(%y{rank}) : ({types[rank]}) -> ()'
    return f"""
    func.func @f(%x{depth}: {types[depth]}) -> {types[depth]} {{
      %n = arith.constant 4 : index
      {made}
      return %y{depth} : {types[depth]}
    }}"""


def chain_of_maps(length: int) -> str:
    """Maps one after the other, each of which adds something to the elements of the one before."""
    maps = "\n".join(
        f"""%x{k + 1} = "soac.map"(%n, %x{k}) ({{
        ^bb0(%i: index, %e: f64):
          %s = arith.addf %e, %a : f64
          "soac.yield"(%s) : (f64) -> ()
        }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, tensor<?xf64>) -> tensor<?xf64>"""
        for k in range(length)
    )
    return f"""
    func.func @f(%x0: tensor<?xf64>, %n: index, %a: f64) -> tensor<?xf64> {{
      {maps}
      return %x{length} : tensor<?xf64>
    }}"""


def counted(monkeypatch: pytest.MonkeyPatch, module: object, *names: str) -> Counter[str]:
    """Counts the calls of functions of a module from now on."""
    calls: Counter[str] = Counter()

    def counting(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            calls[name] += 1
            return function(*arguments)

        return call

    for name in names:
        monkeypatch.setattr(module, name, counting(name, getattr(module, name)))
    return calls


def run(text: str, *passes: str) -> str:
    with shared_context():
        module = ir.Module.parse(text)
        PassPipeline.parse(f"builtin.module({','.join(passes)})").run(module)
        return str(module)


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_results_leave_all_loops_of_a_nest_in_one_round(monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    calls = counted(monkeypatch, simplify, "simplify_once")
    assert "soac.map" not in run(copied_by_nested_maps(depth), "soac-simplify")
    assert calls["simplify_once"] <= 2


def test_simplification_visits_operations_a_fixed_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, simplify, "_rewritten", "clean_up")
    visits = []
    for length in (20, 40):
        calls.clear()
        run(chain_of_maps(length), "soac-simplify")
        visits.append(calls["_rewritten"])
        assert calls["clean_up"] <= 1
    assert visits[1] <= 2 * visits[0]


def test_fusion_takes_as_many_rounds_for_a_longer_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge_duplicates, "clean_up", lambda module: fuse.clean_up(module))
    calls = counted(monkeypatch, fuse, "clean_up")
    rounds = []
    for length in (10, 20):
        calls.clear()
        assert run(chain_of_maps(length), "fuse").count("soac.map") == 1
        rounds.append(calls["clean_up"])
    assert rounds[0] == rounds[1]
