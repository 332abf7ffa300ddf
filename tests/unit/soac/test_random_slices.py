"""Random chains of reads and writes of slices compute the same after `soac-simplify` and `fuse`."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import pytest

import core_interpreter
from tapeless._mlir import ir
from tapeless.dialects.core_context import make_core_context
from tapeless.passes.driver.pipeline import PassPipeline

SHAPE = (4, 7)
INDICES = {"%i0": 0, "%i1": 1, "%i2": 2, "%i3": 3}
TEXT = """func.func @f(%x: tensor<{array}>, {parts}, {indices}) -> ({types}) {{
{body}
  return {results} : {types}
}}"""


@dataclass
class Chain:
    """A function made of random reads and writes of one array; all that is read is returned."""

    choose: random.Random
    static: bool
    lines: list[str] = field(default_factory=list)
    results: list[tuple[str, str]] = field(default_factory=list)
    parts: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    current: str = "%x"

    @property
    def array(self) -> str:
        return "x".join([*(str(size) if self.static else "?" for size in SHAPE), "f64"])

    def extend(self) -> None:
        """One more read or write."""
        self.choose.choice([self.read, self.read, self.write, self.write, self.write_element, self.read_element])()

    def read(self) -> None:
        place, sizes = self.place()
        kind = f"tensor<{'x'.join(map(str, sizes))}xf64>"
        name = self.name("r")
        self.lines.append(f"  {name} = tensor.extract_slice {self.current}{place} : tensor<{self.array}> to {kind}")
        self.results.append((name, kind))

    def write(self) -> None:
        place, sizes = self.place()
        name, kind = self.name("w"), f"tensor<{'x'.join(map(str, sizes))}xf64>"
        part = self.part(sizes, kind)
        line = f"  {name} = tensor.insert_slice {part} into {self.current}{place} : {kind} into tensor<{self.array}>"
        self.replace(name, line)

    def write_element(self) -> None:
        name, number = self.name("w"), self.name("c")
        self.lines.append(f"  {number} = arith.constant {self.choose.randrange(9)}.5 : f64")
        at = ", ".join(self.element(size) for size in SHAPE)
        self.replace(name, f"  {name} = tensor.insert {number} into {self.current}[{at}] : tensor<{self.array}>")

    def read_element(self) -> None:
        name = self.name("e")
        at = ", ".join(self.element(size) for size in SHAPE)
        self.lines.append(f"  {name} = tensor.extract {self.current}[{at}] : tensor<{self.array}>")
        self.results.append((name, "f64"))

    def replace(self, name: str, line: str) -> None:
        self.lines.append(line)
        self.current = name
        if self.choose.random() < 0.2:
            self.results.append((name, f"tensor<{self.array}>"))

    def part(self, sizes: list[int], kind: str) -> str:
        if self.choose.random() < 0.3:
            zero, fill = self.name("z"), self.name("f")
            self.lines += [f"  {zero} = arith.constant 0.0 : f64", f"  {fill} = tensor.splat {zero} : {kind}"]
            return fill
        self.parts.append((f"%p{len(self.parts)}", tuple(sizes)))
        return self.parts[-1][0]

    def place(self) -> tuple[str, list[int]]:
        """Offsets, sizes and strides within the array, and the sizes of the part; unit axes are dropped at times."""
        drop = self.choose.random() < 0.5
        offsets, sizes, strides = [], [], []
        for axis, extent in enumerate(SHAPE):
            size = 1 if drop and axis == 0 else self.choose.choice([1, 2, 3, extent])
            stride = 2 if size > 1 and 2 * (size - 1) < extent and self.choose.random() < 0.3 else 1
            room = extent - 1 - stride * (size - 1)
            offsets.append(self.offset(room))
            sizes.append(size)
            strides.append(stride)
        return f"[{', '.join(offsets)}] {sizes} {strides}", sizes[1:] if drop else sizes

    def offset(self, room: int) -> str:
        known = self.choose.randint(0, room)
        dynamic = [name for name, value in INDICES.items() if value <= room]
        return self.choose.choice(dynamic) if self.choose.random() < 0.3 else str(known)

    def element(self, extent: int) -> str:
        """An index as a value: an argument, a constant, or an argument plus one."""
        base = self.choose.choice([name for name, value in INDICES.items() if value + 1 < extent])
        one, moved = self.name("k"), self.name("m")
        self.lines.append(f"  {one} = arith.constant {self.choose.randint(0, 1)} : index")
        self.lines.append(f"  {moved} = arith.addi {base}, {one} : index")
        return self.choose.choice([base, one, moved])

    def name(self, prefix: str) -> str:
        return f"%{prefix}_{len(self.lines)}"

    def text(self) -> str:
        results = [*self.results, (self.current, f"tensor<{self.array}>")]
        parts = [f"{name}: tensor<{'x'.join(map(str, sizes))}xf64>" for name, sizes in self.parts]
        text = TEXT.format(
            array=self.array,
            parts=", ".join(parts),
            indices=", ".join(f"{name}: index" for name in INDICES),
            types=", ".join(kind for _, kind in results),
            body="\n".join(self.lines),
            results=", ".join(name for name, _ in results),
        )
        return text.replace(">, , ", ">, ")

    def arguments(self) -> list[object]:
        numbers = np.random.default_rng(self.choose.randrange(1000))
        arrays = [numbers.normal(size=sizes) for sizes in (SHAPE, *(sizes for _, sizes in self.parts))]
        return [*arrays, *INDICES.values()]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("passes", ["soac-simplify", "fuse", "soac-simplify,fuse"])
@pytest.mark.parametrize("seed", range(25))
def test_random_slices(seed: int, passes: str) -> None:
    chain = Chain(random.Random(seed), static=seed % 2 == 0)
    for _ in range(4 + seed % 9):
        chain.extend()
    arguments = chain.arguments()
    with make_core_context():
        module = ir.Module.parse(chain.text())
        wanted = core_interpreter.run(module, "f", *arguments)
        PassPipeline.parse(f"builtin.module({passes})").run(module)
        found = core_interpreter.run(module, "f", *arguments)
    for value, reference in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(value, reference, err_msg=chain.text())
