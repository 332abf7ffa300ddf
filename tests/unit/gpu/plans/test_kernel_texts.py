"""Kernels are compiled by the driver when they are needed: parts of their text, side by side."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import pytest

import tapeless as tl
from tapeless.errors import TargetError
from tapeless.runtime.cuda.in_threads import in_threads
from tapeless.runtime.cuda.kernel_source import Ptx
from tapeless.runtime.cuda.kernel_table import KernelTable
from tapeless.runtime.cuda.kernel_texts import PART_BYTES, KernelTexts
from waiting import HANG_SECONDS

HEADER = b".version 7.8\n.target sm_90\n.address_size 64\n\n.global .align 4 .b8 table[4] = {1, 2, 3, 4};\n"
HELPER = b".func  (.param .b64 out) twice(\n\t.param .b64 in\n)\n{\n\tret;\n}\n"
LONG = 2 * PART_BYTES


def entry(name: str, size: int) -> bytes:
    """The text of a kernel with a block in its body."""
    call = "\t{ // callseq 0, 0\n\tcall.uni (retval0), twice, (param0);\n\t} // callseq 0\n"
    body = call + "\tadd.f32 \t%f1, %f2, %f3;\n" * (size // 25)
    return f".visible .entry {name}(\n\t.param .u64 {name}_param_0\n)\n.maxntid 256\n{{\n{body}\tret;\n}}\n\n".encode()


class Recorder:
    """Keeps what is loaded, and of which part functions are; `arrived` is called in every load."""

    def __init__(self, arrived: Callable[[bytes], Any] = lambda text: None) -> None:
        self.loaded: list[bytes] = []
        self.entered: set[int] = set()
        self.arrived = arrived

    def enter(self) -> None:
        self.entered.add(threading.get_ident())

    def leave(self, entered: None) -> None:
        """Who has been here is kept."""

    def unload(self, module: bytes) -> None:
        self.loaded.remove(module)

    def load(self, ptx: bytes) -> bytes:
        assert threading.get_ident() in self.entered
        self.arrived(ptx)
        self.loaded.append(ptx)
        return ptx

    def function(self, module: bytes, name: str) -> tuple[bytes, str]:
        assert f".entry {name}(".encode() in module
        return module, name

    @property
    def names(self) -> list[list[str]]:
        return sorted(map(names_in, self.loaded))


def names_in(text: bytes) -> list[str]:
    return [name.decode() for name in re.findall(rb"\.entry (\w+)\(", text)]


def table_of(gpu: Recorder, sizes: dict[str, int]) -> KernelTable:
    kernels = {name: {"parameters": ["ptr", *["i64"] * number]} for number, name in enumerate(sizes)}
    text = HEADER + b"".join(entry(name, size) for name, size in sizes.items())
    return KernelTable(gpu, Ptx(text), {"kernels": kernels, "steps": []})


@pytest.fixture
def two_processors() -> Iterator[None]:
    with mock.patch("os.sched_getaffinity", lambda process: {0, 1}):
        yield


def test_long_kernels_are_parts_of_their_own() -> None:
    sizes = {"a": 100, "b": LONG, "c": 100, "d": 2 * LONG, "e": PART_BYTES - 500, "f": 100, "unused": LONG}
    text = HEADER + HELPER + b"".join(entry(name, size) for name, size in sizes.items())
    texts = KernelTexts(text, list(sizes))
    parts = texts.parts("abcdef")
    assert [names for names, _ in parts] == [["d"], ["b"], ["e", "f"], ["a"], ["c"]]
    for names, part in parts:
        assert names_in(part) == names
        assert part.startswith(HEADER)
        assert HELPER in part
    assert entry("b", LONG).strip() in parts[1][1]
    assert [names for names, _ in texts.parts("acf")] == [["a", "c", "f"]]


@pytest.mark.parametrize(
    "text",
    [
        HEADER + b".global .align 8 .b8 shared[8];\n" + entry("a", LONG) + entry("b", LONG),
        b"; ModuleID = 'kernels'\ndefine void @a() { ret void }\n",
        HEADER + entry("a", LONG),
        (HEADER + entry("a", LONG) + entry("b", LONG)).rstrip(b"}\n"),
    ],
    ids=["with memory of its own", "no PTX", "without one of the kernels", "cut"],
)
def test_other_texts_stay_whole(text: bytes) -> None:
    assert KernelTexts(text, ["a", "b"]).parts(["a"]) == [(["a", "b"], text)]


def test_kernels_are_loaded_with_those_that_a_call_needs() -> None:
    gpu = Recorder()
    table = table_of(gpu, {"a": 100, "b": LONG, "c": 100, "d": 100})
    assert not gpu.loaded
    function, types = table.get(0, lambda: [0, 2, 1])
    assert (function[1], types) == ("a", ["ptr"])
    assert gpu.names == [["a", "c"], ["b"]]
    assert table.get(1, pytest.fail)[0][1] == "b"
    assert table.get(2, pytest.fail)[0] == (function[0], "c")
    assert len(gpu.loaded) == 2
    # What nobody foresaw, and what is there already.
    assert table.get(3, lambda: [0, 1])[0][1] == "d"
    assert gpu.names[2:] == [["d"]]


@pytest.mark.usefixtures("two_processors")
def test_parts_are_compiled_side_by_side() -> None:
    """Two loads wait for each other, and the third is done by whoever is free."""
    both = threading.Barrier(2, timeout=HANG_SECONDS)
    gpu = Recorder(lambda text: both.wait() if len(text) > LONG else None)
    before = threading.active_count()
    table = table_of(gpu, {"a": LONG, "b": LONG, "c": 100})
    table.get(0, lambda: [1, 2])
    assert gpu.names == [["a"], ["b"], ["c"]]
    assert len(gpu.entered) == 2
    assert threading.active_count() == before


@pytest.mark.usefixtures("two_processors")
def test_what_the_driver_says_of_a_part_reaches_the_caller() -> None:
    def refuse(text: bytes) -> None:
        if set(names_in(text)) & refused:
            raise TargetError(f"loading kernels failed: {names_in(text)}")

    refused = {"b", "c"}
    gpu = Recorder(refuse)
    table = table_of(gpu, {"a": 4 * LONG, "b": 3 * LONG, "c": 2 * LONG, "d": LONG})
    before = threading.active_count()
    for _ in range(5):
        with pytest.raises(TargetError, match=r"^loading kernels failed: \['b'\]$"):
            table.get(0, lambda: [3, 2, 1])
    assert threading.active_count() == before
    refused.clear()
    gpu.loaded.clear()
    assert table.get(0, lambda: [3, 2, 1])[0][1] == "a"
    assert gpu.names == [["a"], ["b"], ["c"], ["d"]]


def test_results_are_in_order_whoever_makes_them() -> None:
    assert in_threads(lambda number: number * number, range(50), most=4) == [number * number for number in range(50)]
    assert in_threads(abs, [], most=4) == []


def test_without_more_threads_the_caller_does_all() -> None:
    with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("can't start new thread")):
        assert in_threads(lambda number: (number, threading.get_ident()), range(3), most=4) == [
            (number, threading.get_ident()) for number in range(3)
        ]


@pytest.mark.thorough
def test_products_have_a_part_for_each_variant() -> None:
    product = tl.compile(lambda a, b: a @ b, (tl.f32[:, :], tl.f32[:, :]), target="cuda:sm_90")
    text = product.ptx().encode()
    parts = KernelTexts(text, names_in(text)).parts(names_in(text))
    assert len(parts) >= 3
    assert sorted(name for names, _ in parts for name in names) == sorted(names_in(text))
    assert all(names_in(part) == names for names, part in parts)
