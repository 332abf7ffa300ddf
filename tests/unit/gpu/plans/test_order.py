"""Recorded launches wait only for those that they meet in memory; what kernels say that they touch is all they do."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import GUARD, POISON, FakeGpu
from emulated_gpu.kernels import emulated_cuda
from tapeless.runtime.cuda.device import Device
from tapeless.runtime.cuda.expressions import MalformedPlan
from tapeless.runtime.cuda.recordings import order
from tapeless.runtime.cuda.recordings.nodes import CopyNode, FillNode, LaunchNode, Nodes
from tapeless.runtime.cuda.recordings.order import Regions, Touched, touched_by, waits
from tapeless.runtime.cuda.steps import check_touched

REGIONS = Regions([(100, 50), (200, 50), (300, 50), (400, 0)])


@pytest.fixture
def any_order() -> Iterator[None]:
    """Few launches are worth it, too."""
    with mock.patch.object(order, "FEWEST_ASIDE", 1):
        yield


@pytest.mark.parametrize(
    ("queued", "expected"),
    [
        ([([], [100]), ([100], [200]), ([100], [300]), ([200, 300], [100])], [[], [0], [0], [1, 2]]),
        ([([100], [200]), ([], [149]), ([150], [300])], [[], [0], []]),  # written after it was read
        ([([], [100]), ([], [120]), ([], [200])], [[], [0], []]),  # written twice
        ([([100], [100]), ([100], [100]), ([100], [100]), ([], [200])], [[], [0], [1], []]),  # no more than is needed
        ([([], [100]), ([], [999]), ([], [200]), ([100], [300])], [[], [0], [1], [1]]),  # who knows where 999 is
        ([([999], [100]), ([999], [200]), ([], [100, 101])], [[], [], [0]]),  # constants
        ([([], [100]), ([100], [200]), ([200], [100])], None),  # in line
        ([], None),
    ],
)
@pytest.mark.usefixtures("any_order")
def test_who_waits_for_whom(queued: list[tuple[list[int], list[int]]], expected: Any) -> None:
    assert waits([Touched(*each) for each in queued], REGIONS) == expected


def test_a_few_launches_stay_in_line() -> None:
    apart = [Touched([], [start]) for start in range(8, 80, 8)]
    regions = Regions([(start, 8) for start in range(8, 80, 8)])
    assert waits(apart, regions) == [[]] * 9
    assert waits(apart[1:], regions) is None
    with mock.patch.object(order, "MOST_ORDERED", 8):
        assert waits(apart, regions) is None


def test_stretches_that_overlap_are_one() -> None:
    regions = Regions([(100, 20), (110, 30), (140, 10), (105, 5)])
    assert [regions.at(address) for address in (99, 100, 125, 139, 140, 149, 150)] == [None, 0, 0, 0, 1, 1, None]


def test_kernels_that_do_not_tell_may_touch_everything() -> None:
    kernel: dict[str, Any] = {"parameters": ["ptr", "i64", "ptr", "f64", "ptr"]}
    assert touched_by(kernel, [10, 1, 20, 2.0, 30]) == Touched([10, 20, 30], [10, 20, 30])
    told = kernel | {"reads": [2], "writes": [4]}
    assert touched_by(told, [10, 1, 20, 2.0, 30]) == Touched([20], [30])
    check_touched(told)
    for wrong in ([1], [5], [-1], ["a0"]):
        with pytest.raises(MalformedPlan, match="touches what it has no address of"):
            check_touched(kernel | {"writes": wrong})


class Graph:
    """A graph of the driver: the nodes that were added, by numbers of their own, and which follows which."""

    def __init__(self, *handles: int) -> None:
        self.handles, self.edges, self.added = iter(handles), set[tuple[int, int]](), list[str]()

    def __getattr__(self, name: str) -> Any:
        def call(node: Any, *rest: Any) -> None:
            self.added.append(name)
            if name.endswith("Node"):
                node._obj.value = next(self.handles)

        return call

    def cuGraphAddDependencies(self, _: Any, first: Any, second: Any, count: Any) -> None:
        self.edges |= set(list(zip(first, second, strict=True))[: count.value])


@pytest.mark.parametrize(
    "waits, edges",
    [
        ([[], [0], [0], [1, 2]], {(70, 30), (70, 50), (30, 20), (50, 20)}),
        ([[], [], [], []], set()),
        (None, {(70, 30), (30, 50), (50, 20)}),
    ],
)
def test_graphs_of_the_driver(waits: Any, edges: set[tuple[int, int]]) -> None:
    graph = Graph(70, 30, 50, 20)
    nodes = Nodes(graph, ctypes.c_void_p(1))
    nodes.copy(8, 16, 4)
    nodes.fill(8, 0, 4)
    nodes.launch(ctypes.c_void_p(3), (1, 1, 1), (32, 1, 1), 0, (ctypes.c_void_p * 1)())
    nodes.copy(8, 16, 4)
    nodes.executable(waits)
    nodes.close()
    assert graph.edges == edges
    assert [name.removeprefix("cuGraph") for name in graph.added] == [
        *("Create", "AddMemcpyNode", "AddMemsetNode", "AddKernelNode", "AddMemcpyNode"),
        *("InstantiateWithFlags", "Destroy"),
    ]


@pytest.mark.parametrize("kind, size", [(LaunchNode, 56), (CopyNode, 200), (FillNode, 40)])
def test_nodes_are_laid_out_as_the_driver_has_them(kind: type[ctypes.Structure], size: int) -> None:
    assert ctypes.sizeof(kind) == size


def mixture(weights, centres, points):
    """Sums over points and over centres, which need not wait for each other."""

    def density(point):
        return tl.logsumexp(tl.map(lambda w, c: w - tl.sum((point - c) ** 2), weights, centres))

    return tl.sum(tl.map(density, points)) - tl.logsumexp(weights) + tl.sum(tl.exp(centres))


class Watched:
    """Launches during which memory that they do not say they touch holds no numbers, and must stay like that."""

    def __init__(self, gpu: FakeGpu) -> None:
        self.gpu, self.launch, self.count = gpu, Device.launch, 0

    def __call__(self, device: Device, number: int, grid: Any, block: Any, shared: int, arguments: Any) -> None:
        touched = device._loaded.functions.touched(number, arguments)
        buffers = self.gpu._buffers.items()
        regions = Regions([(address, len(memory) - 2 * GUARD) for address, memory in buffers])
        read, written = ({regions.at(address) for address in each} for each in (touched.reads, touched.writes))
        before = {address: bytes(memory) for address, memory in buffers if regions.at(address) not in written}
        hidden = [address for address in before if regions.at(address) not in read]
        for address in hidden:
            ctypes.memset(self.gpu._buffers[address], POISON, len(before[address]))
        self.launch(device, number, grid, block, shared, arguments)
        for address, content in before.items():
            memory = self.gpu._buffers[address]
            assert bytes(memory) == (bytes([POISON]) * len(content) if address in hidden else content)
            ctypes.memmove(memory, content, len(content))
        self.count += 1


@pytest.mark.one_in(7)
@pytest.mark.parametrize("seed", range(3))
def test_kernels_touch_what_they_tell(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arguments = rng.standard_normal(20), rng.standard_normal((20, 16)), rng.standard_normal((40, 16))
    gradient = tl.grad(mixture, argnums=(0, 1))
    expected = gradient(*arguments)
    with emulated_cuda(seed, keeps_kernels=True) as gpu:
        kernel = tl.compile(gradient, arguments, target="cuda", checks="off")
        watched = Watched(gpu)
        with mock.patch.object(Device, "launch", lambda *call: watched(*call)):
            first = kernel(*arguments)
        with mock.patch.object(order, "FEWEST_ASIDE", 1):
            for found in (first, kernel(*arguments), kernel(*arguments)):
                for one, other in zip(found, expected, strict=True):
                    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
        (graph,) = [each.graph for each in kernel.calls._loaded.graphs._recorded.values()]
    assert watched.count > 5
    assert any(others != [number] for number, others in enumerate(graph.waits[1:]))
