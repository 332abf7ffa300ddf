"""The checker of the plan: it finds every way found so far to make a plan wrong, and nothing in right ones.

Right plans are checked whenever anything is compiled, so all other tests look for false alarms.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from fuzz import compiled
from fuzz.reference import run
from tapeless.passes.lower.storage.aliases import bulk, carrying, pointwise, replacing, slabs, slices
from tapeless.passes.lower.storage.aliasing import StoragePlan
from tapeless.passes.lower.storage.plan_check.affine import Affine, Distance, single
from tapeless.passes.lower.storage.plan_check.bounds import is_not_negative
from tapeless.passes.lower.storage.plan_check.check import PlanBroken
from tapeless.passes.lower.storage.plan_check.places import Range, Selection, Spot, are_disjoint
from tapeless.passes.lower.storage.storage import Storage, StorageMap
from tapeless.passes.lower.storage.tree import Node

from ..running import lower

CUBE, SQUARE, LINE = np.ones((3, 3, 3)), np.ones((4, 4)), np.ones(5)


def rows_added(p, acc):
    for b in range(2):
        e = p[b] * p[b]
        acc[b] += e + tl.sum(e, axis=1)[:, None]
    return acc


def columns_multiplied(p, acc):
    for b in range(2):
        e = p[b] * p[b]
        acc[:, b] *= e + tl.sum(e, axis=1)[:, None]
    return acc


def rows_subtracted_while(p, acc):
    b = 0
    while b < 2:
        e = p[b] * p[b]
        acc[b] -= e + tl.sum(e, axis=1)[:, None]
        b += 1
    return acc


def one_element(p):
    total = 0.0
    for b in range(p.shape[0]):
        m = p[b] * tl.sum(p[b], axis=1)[:, None]
        total += m[0, 0]
    return total


def summed_twice(x):
    return tl.cumsum(tl.cumsum(x)[::-1])


def read_in_the_next_iteration(x):
    y, total = tl.cumsum(x), 0.0
    for k in range(3):
        z = y
        z[k] = 0.0
        total += tl.sum(tl.cumsum(z))
    return total


def shifted(x):
    for _ in range(3):
        x[1:, :] = x[1:, :] + x[:-1, :]
    return x


def turned_around(x):
    for _ in range(3):
        x[1:, :] = x[1:, ::-1] * 2.0
    return x


def row_of_the_slice(x):
    for _ in range(3):
        x[1:, :] = x[1:, :] + x[2, :]
    return x


def sums_divided(x):
    y = tl.cumsum(x)
    return tl.map(lambda v: v / y[0], y)


def turned_sums(x):
    return tl.reduce(lambda a, b: a[::-1] * 0.5 + b, tl.zeros(4), x)


def looked_up_sums(x):
    return tl.reduce(lambda a, b: tl.map(lambda k, v: a[(k + 1) % 4] * 0.5 + v, tl.iota(4), b), tl.zeros(4), x)


def handed_on_twice(a, b, c, n):
    b, c = b + a, c + a
    for _ in range(n):
        a, b, c = c, c, b
    return a, b, c


def handed_on(a, b, c, n):
    for _ in range(n):
        a, b, c = b, 0.5 * c[::-1] + a, 0.5 * a[::-1] + b
    return a, b, c


@tl.function
def with_next_elements(a):
    return tl.map(lambda k, v: a[(k + 1) % len(a)] + v, tl.iota(len(a)), a)


@tl.function
def with_next_rows(a):
    return tl.map(lambda k, row: a[(k + 1) % len(a)] + row, tl.iota(len(a)), a)


def next_elements_added(a, b, n):
    b = b + a
    for _ in range(n):
        a, b = b, with_next_elements(a)
    return a, b


def next_rows_added(a, b, n):
    b = b + a
    for _ in range(n):
        a, b = b, with_next_rows(a)
    return a, b


Case = tuple[str, Callable[..., Any], tuple[np.ndarray, ...]]


def always(*_: Any) -> bool:
    return True


def never(*_: Any) -> bool:
    return False


def nothing(*_: Any) -> list[Any]:
    return []


def of_its_own(plan: Any, node: Node, *_: Any) -> bool:
    return node.name == "soac.map"


def to_all_who_ask(plan: StoragePlan, arguments: list, following: list, turning: list[int]) -> dict[int, int]:
    storages = plan.storages
    pairs = [(k, j) for k in turning for j in turning if storages.of(following[k]) is storages.of(arguments[j])]
    return dict(pairs)


def to_the_next(plan: StoragePlan, arguments: list, following: list, turning: list[int]) -> dict[int, int]:
    return dict(pairwise(turning))


def at_once(self: StorageMap, storage: Storage) -> Node:
    return storage.home


# What is taken out of the analysis, and the programs for which that matters.
MISTAKES: dict[str, tuple[Any, str, Callable[..., Any], list[tuple[Callable[..., Any], tuple[Any, ...]]]]] = {
    "rows that begin early": (
        pointwise,
        "early_rows",
        nothing,
        [
            (rows_added, (CUBE, CUBE)),
            (columns_multiplied, (CUBE, CUBE)),
            (rows_subtracted_while, (CUBE, CUBE)),
            (tl.grad(one_element), (CUBE,)),
        ],
    ),
    "later reads": (StorageMap, "_reads_later", never, [(sums_divided, (LINE,))]),
    "loops": (StorageMap, "_loop_between", lambda *_: None, [(read_in_the_next_iteration, (LINE,))]),
    "looks meanwhile": (StorageMap, "is_untouched", always, [(shifted, (SQUARE,)), (row_of_the_slice, (SQUARE,))]),
    "places beside": (slices, "lies_beside", always, [(shifted, (SQUARE,))]),
    "the same slice": (slices, "is_same_slice", always, [(shifted, (SQUARE,))]),
    "elements in order": (bulk, "reads_pointwise", of_its_own, [(looked_up_sums, (SQUARE,))]),
    "running values turned around": (bulk, "takes_part", never, [(turned_sums, (SQUARE,))]),
    "one buffer for two": (carrying, "buffers_handed_on", to_all_who_ask, [(handed_on_twice, (LINE, LINE, LINE, 3))]),
    "buffers of others": (carrying, "buffers_handed_on", to_the_next, [(handed_on, (LINE, LINE, LINE, 3))]),
    "elements that give way": (
        replacing,
        "gives_way",
        always,
        [(next_elements_added, (LINE, LINE, 3)), (next_rows_added, (SQUARE, SQUARE, 3))],
    ),
    "the last use": (StorageMap, "_last_use", at_once, [(summed_twice, (LINE,))]),
}
CASES = [
    pytest.param(*mistake[:3], program, arguments, id=f"{name}-{getattr(program, '__name__', 'grad')}")
    for name, mistake in MISTAKES.items()
    for program, arguments in mistake[3]
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("owner", "name", "wrong", "program", "arguments"), CASES)
def test_mistakes_are_found(
    owner: Any, name: str, wrong: Any, program: Any, arguments: tuple, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tl.compile(program, arguments).ir("soac-factor")
    lower(text)
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(PlanBroken, match=r"would read|would hand|takes an array to be"):
        lower(text)


LOOKED_AT_BETWEEN_SLABS = """
func.func @f(%x: tensor<2x?xf64>) -> (tensor<2x?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf64>
  %less = arith.subi %n, %c1 : index
  %a = tensor.extract_slice %x[0, 0] [1, %less] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %b = tensor.extract_slice %x[1, 0] [1, %less] [1, 1] : tensor<2x?xf64> to tensor<?xf64>
  %p:2 = "soac.map"(%less, %a, %b) ({
  ^bb0(%i: index, %u: f64, %v: f64):
    %s = arith.addf %u, %v : f64
    %t = arith.mulf %u, %v : f64
    "soac.yield"(%s, %t) : (f64, f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>}
    : (index, tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %y = tensor.insert_slice %p#0 into %x[0, 1] [1, %less] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  %e = tensor.extract %y[%c1, %c1] : tensor<2x?xf64>
  %z = tensor.insert_slice %p#1 into %y[1, 1] [1, %less] [1, 1] : tensor<?xf64> into tensor<2x?xf64>
  return %z, %e : tensor<2x?xf64>, f64
}
"""


def test_what_is_not_complete_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    lower(LOOKED_AT_BETWEEN_SLABS)

    def with_the_next(plan: StoragePlan, first: Node) -> list[Node]:
        return [first, plan.tree.reads(first.results[0])[-1]]

    monkeypatch.setattr(slabs, "chain_of_writes", with_the_next)
    with pytest.raises(PlanBroken, match="not complete"):
        lower(LOOKED_AT_BETWEEN_SLABS)


@tl.function
def overlapping_columns(x: tl.f64[3, 3]):
    x[:, -2:] += tl.sin(x[:, :2])
    return x


def test_adjoints_of_overlapping_columns_are_summed_in_place() -> None:
    x, weights = np.arange(9.0).reshape(3, 3) / 7, np.arange(1.0, 10.0).reshape(3, 3)
    (found,) = tl.vjp(overlapping_columns, x)[1](weights)
    wanted = weights.copy()
    wanted[:, :2] += weights[:, -2:] * np.cos(x[:, :2])
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


@tl.function
def told_with_its_line(p, acc):
    for b in range(2):
        e = p[b] * p[b] + 1.0
        acc[b] += e + tl.sum(e, axis=1)[:, None]
    return acc


def test_the_read_is_named_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pointwise, "early_rows", nothing)
    with pytest.raises(tl.TapelessError, match=r"soac.map.*test_plan_check.py.*would read what"):
        tl.compile(told_with_its_line, (CUBE, CUBE))


def selected(*ranges: tuple[Affine, Affine, int]) -> Spot:
    steps = tuple(Range(offset, size, Affine(stride)) for offset, size, stride in ranges)
    return Spot("memory").then(Selection(steps, tuple(range(len(steps)))))


ZERO, ONE, TWO, ROW, N = Affine(0), Affine(1), Affine(2), single("row"), single("n")
APART = {
    "one after the other": (selected((ZERO, TWO, 1)), selected((TWO, N, 1))),
    "even and odd": (selected((ZERO, N, 2)), selected((ONE, N, 2))),
    "another row": (selected((ROW, ONE, 1), (ZERO, N, 1)), selected((ROW.moved(1), ONE, 1), (ZERO, N, 1))),
    "an earlier row": (Spot("memory").at(ROW), Spot("memory").at(ROW.plus(single(Distance()), -1))),
}
COLUMNS, COLUMN = (ZERO, N, 1), (ZERO, ONE, 1)
NEXT = ROW.moved(1)
APART["rows of a column of columns"] = (
    selected(COLUMNS, (ZERO, TWO, 1)).then(selected(COLUMNS, COLUMN).steps[0]).at(ROW),
    selected(COLUMNS, COLUMN).at(NEXT),
)
APART["columns of columns"] = (
    selected(COLUMNS, (TWO, N, 1)).at(ROW).at(ZERO),
    selected(COLUMNS, (ONE, N, 1)).at(ROW).at(ZERO),
)
TOGETHER = {
    "one column of different columns": (
        selected(COLUMNS, (TWO, N, 1)).at(ROW).at(ZERO),
        selected(COLUMNS, (ONE, N, 1)).at(ROW).at(ONE),
    ),
    "the same": (selected((ROW, N, 1)), selected((ROW, N, 1))),
    "unknown places": (selected((ROW, ONE, 1)), selected((N, ONE, 1))),
    "one in the other": (Spot("memory"), Spot("memory").at(ROW)),
    "overlapping": (selected((ZERO, TWO, 1)), selected((ONE, N, 1))),
}


@pytest.mark.parametrize(("left", "right"), APART.values(), ids=APART)
def test_places_apart(left: Spot, right: Spot) -> None:
    assert are_disjoint(left, right)
    assert are_disjoint(right, left)


@pytest.mark.parametrize(("left", "right"), TOGETHER.values(), ids=TOGETHER)
def test_places_that_may_share_elements(left: Spot, right: Spot) -> None:
    assert not are_disjoint(left, right)
    assert not are_disjoint(right, left)


def test_distances_are_positive() -> None:
    assert is_not_negative(single(Distance()).moved(-1))
    assert not is_not_negative(single(Distance()).moved(-2))
    assert not is_not_negative(single("unknown"))


@tl.function
def rows_lifted_and_combined(x, y):
    return tl.reduce(lambda a, b: a + b, tl.zeros(x.shape[1]), tl.map(lambda row: row + y, x))


def test_lifted_rows_live_until_they_are_combined() -> None:
    x, y = np.arange(20.0).reshape(4, 5), np.arange(5.0)
    np.testing.assert_allclose(rows_lifted_and_combined(x, y), (x + y).sum(axis=0))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("taken", ["m[:, :-1:2]", "m[:, ::3]", "m[:, 1::2]", "m[::6]", "m[3::4]"])
@pytest.mark.parametrize("written", ["m[:, 0]", "m[:, 1]", "m[0]", "m[3]"])
def test_one_element_has_no_stride(taken: str, written: str) -> None:
    """A slice that takes one row or column, whatever its stride, is read and written in one place."""
    body = f"    for i in tl.range(2, unroll=True):\n        {taken} -= 0.0\n        {written} *= 0.5\n    return m\n"
    text = f"import tapeless as tl\n\n@tl.function\ndef generated(m: tl.f64[6, 3]):\n{body}"
    given = np.arange(18.0).reshape(6, 3)
    [wanted] = run.results(text, (given,))
    np.testing.assert_array_equal(compiled.defined(text)["generated"](given), wanted)
