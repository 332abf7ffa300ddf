"""The index of a chain of writes leaves nothing out: what it lists is compared with a look at every write."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.ir.places.places import are_disjoint, offsets_within
from tapeless.passes.soac.simplify.known_writes import known_write, leave_out, remembered_writes
from tapeless.passes.soac.simplify.write_chains import KnownWrite

MOST = 20


def text_of(writes: list[str]) -> str:
    """A function that writes one after the other into `%0`, numbers (%e), rows (%r) and squares (%s)."""
    lines = [f"%{number + 1} = {write.format(number)}" for number, write in enumerate(writes)]
    constants = "\n".join(f"%c{value} = arith.constant {value} : index" for value in range(6))
    return f"""
    func.func @f(%0: tensor<6x6xf64>, %e: f64, %r: tensor<6xf64>, %s: tensor<2x2xf64>, %k: index) -> tensor<6x6xf64> {{
      {constants}
      {chr(10).join(lines)}
      return %{len(writes)} : tensor<6x6xf64>
    }}"""


def drawn_write(rng: random.Random) -> str:
    """A write at known or unknown indices of an element, a row, a column, or a square."""
    row, column = (rng.choice([*map(str, range(6)), "k"]) for _ in range(2))
    low, across = (rng.choice([*map(str, range(5)), "%k"]) for _ in range(2))
    at = f"[%{'k' if row == 'k' else 'c' + row}, %{'k' if column == 'k' else 'c' + column}]"
    place = "%k" if row == "k" else row
    return rng.choice(
        [
            f"tensor.insert %e into %{{}}{at} : tensor<6x6xf64>",
            f"tensor.insert_slice %r into %{{}}[{place}, 0] [1, 6] [1, 1] : tensor<6xf64> into tensor<6x6xf64>",
            f"tensor.insert_slice %r into %{{}}[0, {place}] [6, 1] [1, 1] : tensor<6xf64> into tensor<6x6xf64>",
            f"tensor.insert_slice %s into %{{}}[{low}, {across}] [2, 2] [1, 1] : tensor<2x2xf64> into tensor<6x6xf64>",
        ]
    )


@pytest.fixture
def last(request: pytest.FixtureRequest) -> Iterator[KnownWrite]:
    """The last write of a drawn chain, while a sweep remembers it."""
    rng = random.Random(request.param)
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text_of([drawn_write(rng) for _ in range(30)]))
        returned = module.body.operations[0].regions[0].blocks[0].operations[-1]
        with remembered_writes():
            found = known_write(returned.operands[0])
            assert found is not None
            yield found


@pytest.mark.parametrize("last", range(8), indirect=True)
def test_nothing_is_left_out(last: KnownWrite) -> None:
    chain = last.chain
    for left in (3, 11, 12):
        write = chain.writes[left]
        assert write is not None
        leave_out(write.op)
    for own in chain.between(1, last.position):
        back = [*reversed(range(max(0, own.position - MOST), own.position))]
        before = [(at, write) for at in back if (write := chain.writes[at]) is not None]
        meeting, within = (list(way(own.place, own.position - 1, MOST)) for way in (chain.meeting, chain.within))
        for listed in (meeting, within):
            assert [each for each in before if each in listed] == listed
        assert all(each in meeting for each in before if not are_disjoint(own.place, each[1].place))
        assert all(each in within for each in before if offsets_within(each[1].place, own.place) is not None)


@pytest.mark.parametrize("last", [0], indirect=True)
def test_a_second_write_into_an_array_begins_a_chain(last: KnownWrite) -> None:
    middle = last.chain.writes[9]
    assert middle is not None
    with ir.InsertionPoint.after(last.op):
        again = last.op.operation.clone().opview
    again.operation.operands[1] = middle.op.results[0]
    other = known_write(again.results[0])
    assert other is not None and other.chain is not last.chain
    assert other.chain.between(0, other.position) == [other, *last.chain.between(0, 9)]
    leave_out(middle.op)
    again_found = known_write(again.results[0])
    assert again_found is not None and again_found.position == 9
