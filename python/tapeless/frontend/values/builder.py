"""Building operations: the current position and location, cached constants, regions and their scopes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import count
from typing import Any

import numpy as np

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.frontend.values.affine import Affine, Symbol
from tapeless.types import ScalarType, bf16, bool_, f16, f32, f64, i32, i64, u32

_scope_serials = count(1)


@dataclass(slots=True)
class Scope:
    """The facts inside one region: values already computed there, and affine inequalities (each `>= 0`)."""

    serial: int = field(default_factory=lambda: next(_scope_serials))
    values: dict[Any, ir.Value] = field(default_factory=dict)
    facts: list[Affine] = field(default_factory=list)


# What arrays of half floats hold at entry points; no value of a program has this type.
HALF_BITS = ScalarType("i16", "int", 16)


class Types:
    """The MLIR types and attributes that one context needs again and again."""

    def __init__(self, fastmath: str) -> None:
        self.index = ir.IndexType.get()
        self.i1 = ir.IntegerType.get_signless(1)
        self.i64 = ir.IntegerType.get_signless(64)
        self.scalars: dict[ScalarType, ir.Type] = {
            f64: ir.F64Type.get(),
            f32: (single := ir.F32Type.get()),
            f16: single,
            bf16: single,
            i64: self.i64,
            i32: (word := ir.IntegerType.get_signless(32)),
            u32: word,
            bool_: self.i1,
        }
        self.bits_of_half = ir.IntegerType.get_signless(16)
        self.scalars[HALF_BITS] = self.bits_of_half
        self.fastmath = ir.Attribute.parse(f"#arith.fastmath<{fastmath}>")
        self.dynamic = DYNAMIC
        self.unknown = ir.Location.unknown()

    def tensor(self, dtype: ScalarType, dims: Sequence[Affine]) -> ir.Type:
        sizes = [size.constant if size.is_constant else self.dynamic for size in dims]
        return ir.RankedTensorType.get(sizes, self.scalars[dtype], loc=self.unknown)


class Builder:
    """Makes operations at the current position of one function."""

    def __init__(self, types: Types, entry: ir.Block, location: ir.Location) -> None:
        self.types = types
        self.entry = entry
        self.location = location
        self.position = ir.InsertionPoint(entry)
        self.scopes = [Scope()]
        self.recipes: dict[tuple[Any, ...], Symbol] = {}
        self.loose: list[ir.Block] = []
        self.literals: dict[ir.Value, int | float | bool] = {}
        self._constants: dict[Any, ir.Value] = {}
        self._arrays: dict[int, tuple[np.ndarray, ir.Value]] = {}

    def operation(
        self,
        name: str,
        results: Sequence[ir.Type],
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        return ir.Operation.create(
            name, results, operands, attributes, regions=regions, loc=self.location, ip=self.position
        )

    def value(
        self,
        name: str,
        result: ir.Type,
        operands: Sequence[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Value:
        """The result of a new operation that has one."""
        return self.operation(name, [result], operands, attributes).result

    def floating(self, name: str, result: ir.Type, operands: Sequence[ir.Value]) -> ir.Value:
        """A float operation with the fast-math flags of this translation."""
        return self.value(name, result, operands, {"fastmath": self.types.fastmath})

    def constant(self, value: int | float | bool, result: ir.Type) -> ir.Value:
        """A constant, made once at the start of the function; an infinite or NaN one too."""
        key = (repr(value), str(result))
        if key not in self._constants:
            is_float = isinstance(result, (ir.F64Type, ir.F32Type))
            attribute = (
                ir.FloatAttr.get(result, value, loc=self.location)
                if is_float
                else ir.IntegerAttr.get(result, _with_sign(int(value), result))
            )
            self._constants[key] = self._at_entry(result, attribute)
            self.literals[self._constants[key]] = value
        return self._constants[key]

    def index(self, value: int) -> ir.Value:
        return self.constant(value, self.types.index)

    def captured(self, array: np.ndarray, dtype: ScalarType) -> ir.Value:
        """A captured array as a constant; it is kept, so that no other one can have its identity."""
        if id(array) not in self._arrays:
            result = self.types.tensor(dtype, [Affine(size) for size in array.shape])
            self._arrays[id(array)] = array, self._at_entry(result, _dense(array, result))
        return self._arrays[id(array)][1]

    def _at_entry(self, result: ir.Type, attribute: ir.Attribute) -> ir.Value:
        begin = ir.InsertionPoint.at_block_begin(self.entry)
        return ir.Operation.create(
            "arith.constant", [result], [], {"value": attribute}, loc=self.location, ip=begin
        ).result

    @contextmanager
    def region(self, arguments: Sequence[ir.Type] = (), scope: Scope | None = None) -> Iterator[ir.Block]:
        """Builds a block apart; `attach` gives it to an operation once the types of its results are known."""
        carrier = ir.Operation.create("scf.execute_region", [], [], regions=1, loc=self.location, ip=False)
        block = carrier.regions[0].blocks.append(*arguments, arg_locs=[self.location] * len(arguments))
        self.loose.append(block)
        with self.inside(block, scope or Scope()):
            yield block

    @contextmanager
    def inside(self, block: ir.Block, scope: Scope) -> Iterator[None]:
        """Operations made inside go to the end of a block."""
        saved = self.position
        self.position = ir.InsertionPoint(block)
        self.scopes.append(scope)
        try:
            yield
        finally:
            self.scopes.pop()
            self.position = saved

    def splice(self, block: ir.Block) -> None:
        """Moves the operations of a block built apart to the current position."""
        anchor = self.operation("arith.constant", [self.types.i1], [], {"value": ir.BoolAttr.get(False)})
        for operation in list(block.operations):
            operation.operation.move_before(anchor)
        anchor.erase()
        self.loose.remove(block)

    def attach(self, operation: ir.Operation, *blocks: ir.Block) -> ir.Operation:
        for region, block in zip(operation.regions, blocks, strict=True):
            self.loose.remove(block)
            block.append_to(region)
        return operation

    def discard(self, block: ir.Block) -> None:
        """Erases a block built apart and those begun inside it: their operands must not outlive the module."""
        first = self.loose.index(block)
        for loose in reversed(self.loose[first:]):
            for operation in reversed(list(loose.operations)):
                operation.operation.erase()
        del self.loose[first:]

    def discard_all(self) -> None:
        """Erases every block that is still apart, as after an error."""
        if self.loose:
            self.discard(self.loose[0])

    @contextmanager
    def at(self, location: ir.Location) -> Iterator[None]:
        """Operations made inside carry this location."""
        saved, self.location = self.location, location
        try:
            yield
        finally:
            self.location = saved

    def check(self, condition: ir.Value, kind: str, message: str, *values: ir.Value) -> None:
        """A run-time check that raises the error class `kind`."""
        attributes = {"kind": ir.StringAttr.get(kind), "message": ir.StringAttr.get(message)}
        self.operation("soac.assert", [], [condition, *values], attributes)

    def remembered(self, key: Any) -> ir.Value | None:
        """A value computed earlier in this scope or an enclosing one."""
        for scope in reversed(self.scopes):
            if key in scope.values:
                return scope.values[key]
        return None

    def remember(self, key: Any, value: ir.Value) -> ir.Value:
        self.scopes[-1].values[key] = value
        return value


def _with_sign(value: int, type_: ir.Type) -> int:
    """A number of a type without a sign as attributes hold it: by its bits."""
    bits = type_.width if isinstance(type_, ir.IntegerType) else 64
    return value - (1 << bits) if bits > 1 and value >= 1 << bits - 1 else value


def _dense(array: np.ndarray, result: ir.Type) -> ir.Attribute:
    if array.dtype == np.bool_:
        i1 = ir.IntegerType.get_signless(1)
        return ir.DenseElementsAttr.get([ir.IntegerAttr.get(i1, int(each)) for each in array.ravel()], result)
    if array.dtype == np.uint32:
        array = array.view(np.int32)
    elif array.dtype.itemsize == 2:
        array = array.astype(np.float32)
    return ir.DenseElementsAttr.get(np.ascontiguousarray(array), type=result.element_type, shape=list(array.shape))
