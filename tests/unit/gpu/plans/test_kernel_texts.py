"""Kernels that take long to compile are loaded when they are first launched."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tapeless as tl
from tapeless.runtime.cuda.kernel_table import KernelTable
from tapeless.runtime.cuda.kernel_texts import LARGE_BYTES, branches_of, parts_of

HEADER = b".version 7.8\n.target sm_90\n.address_size 64\n\n.global .align 4 .b8 table[4] = {1, 2, 3, 4};\n"
HELPER = b".func  (.param .b64 out) twice(\n\t.param .b64 in\n)\n{\n\tret;\n}\n"


def entry(name: str, size: int) -> bytes:
    """The text of a kernel with a block in its body."""
    call = "\t{ // callseq 0, 0\n\tcall.uni (retval0), twice, (param0);\n\t} // callseq 0\n"
    body = call + "\tadd.f32 \t%f1, %f2, %f3;\n" * (size // 25)
    return f".visible .entry {name}(\n\t.param .u64 {name}_param_0\n)\n.maxntid 256\n{{\n{body}\tret;\n}}\n\n".encode()


class Recorder:
    """Keeps what is loaded, and of which part functions are."""

    def __init__(self) -> None:
        self.loaded: list[bytes] = []

    def load(self, ptx: bytes) -> int:
        self.loaded.append(ptx)
        return len(self.loaded) - 1

    def function(self, module: int, name: str) -> tuple[int, str]:
        assert f".entry {name}(".encode() in self.loaded[module]
        return module, name


def names_in(text: bytes) -> list[str]:
    return [name.decode() for name in re.findall(rb"\.entry (\w+)\(", text)]


def test_long_kernels_are_parts_of_their_own() -> None:
    text = HEADER + HELPER + entry("a", 100) + entry("b", 2 * LARGE_BYTES) + entry("c", 100) + entry("d", LARGE_BYTES)
    parts = parts_of(text)
    assert [names for names, _ in parts] == [["a", "c"], ["b"], ["d"]]
    for names, part in parts:
        assert names_in(part) == names
        assert part.startswith(HEADER)
        assert HELPER in part
    assert entry("b", 2 * LARGE_BYTES).strip() in parts[1][1]


@pytest.mark.parametrize(
    "text",
    [
        HEADER + entry("a", 100) + entry("b", 200),
        HEADER + b".global .align 8 .b8 shared[8];\n" + entry("a", 2 * LARGE_BYTES),
        b"; ModuleID = 'kernels'\ndefine void @a() { ret void }\n",
    ],
    ids=["short", "with memory of its own", "no PTX"],
)
def test_other_texts_stay_whole(text: bytes) -> None:
    assert [part for _, part in parts_of(text)] == [text]


def test_parts_are_loaded_when_they_are_launched() -> None:
    text = HEADER + entry("a", 100) + entry("b", 2 * LARGE_BYTES) + entry("c", 100)
    kernels: dict[str, Any] = {
        name: {"parameters": ["ptr", *types]} for name, types in (("a", ["i64"]), ("b", []), ("c", []))
    }
    gpu = Recorder()
    table = KernelTable(gpu, text, {"kernels": kernels, "steps": []})
    assert not gpu.loaded
    assert table[0] == ((0, "a"), ["ptr", "i64"])
    assert table[2] == ((0, "c"), ["ptr"])
    assert len(gpu.loaded) == 1
    assert table[1] == ((1, "b"), ["ptr"])
    assert table[1] == ((1, "b"), ["ptr"])
    assert len(gpu.loaded) == 2


def test_a_branch_of_the_plan_is_a_part() -> None:
    def launch(name: str) -> dict[str, Any]:
        return {"do": "launch", "kernel": name}

    chosen = {"do": "if", "then": [launch("b"), launch("c")], "else": [{"do": "for", "body": [launch("d")]}]}
    steps = [launch("a"), {"do": "for", "body": [launch("e"), chosen]}, chosen | {"else": [launch("f")]}]
    branches = branches_of(steps)
    assert list(branches) and not branches["a"] and not branches["e"]
    assert branches["b"] == branches["c"] == (1, "body", 1, "then")
    assert branches["d"] == (1, "body", 1, "else")
    assert branches["f"] == (2, "else")
    names = ["a", "b", "c", "d", "e", "f"]
    text = HEADER + b"".join(entry(name, 2 * LARGE_BYTES if name in "ce" else 100) for name in names)
    parts = parts_of(text, branches)
    assert [each for each, _ in parts] == [["a"], ["b", "c"], ["d"], ["e"], ["f"]]
    assert all(names_in(part) == each for each, part in parts)


@pytest.mark.thorough
def test_products_have_a_part_for_each_variant() -> None:
    product = tl.compile(lambda a, b: a @ b, (tl.f32[:, :], tl.f32[:, :]), target="cuda:sm_90")
    text = product.ptx().encode()
    parts = parts_of(text)
    assert len(parts) >= 3
    assert sorted(name for names, _ in parts for name in names) == sorted(names_in(text))
    assert all(names_in(part) == names for names, part in parts)
