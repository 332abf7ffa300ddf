"""Vectors of elements that successive steps of a scan read and write.

Note [Truth values in lanes]: an array of `i1` has a byte for each, a vector of `i1` in memory a bit. Lanes of truth
values are read and written as vectors of bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.llvm.descriptor import pointer_type
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.views import Along, Fixed, View, element_indices, load, store
from tapeless.passes.lower.scans.scan_steps import Scan


def load_lanes(scan: Scan, view: View, step: Index, lanes: int) -> ir.Value:
    """The elements of as many steps as there are lanes, in the order of the steps."""
    builder = scan.emitter.builder
    type_ = ir.VectorType.get([lanes], ir.MemRefType(view.base.type).element_type)
    direction = _direction(scan, view)
    if direction is None:
        elements = [load(builder, view, [scan.position(builder.add(step, lane))]) for lane in range(lanes)]
        return builder.value("vector.from_elements", type_, elements)
    place = _lowest(scan, view, step, lanes, direction)
    if _holds_truth(view):
        loaded = _load_truth(builder, view.base, place, type_)
    else:
        loaded = builder.value("vector.load", type_, [view.base, *place])
    return loaded if direction > 0 else _turned(scan, loaded, lanes)


def store_lanes(scan: Scan, value: ir.Value, view: View, step: Index, lanes: int) -> None:
    """Stores the lanes of a vector at successive steps."""
    builder = scan.emitter.builder
    direction = _direction(scan, view)
    if direction is not None:
        turned = value if direction > 0 else _turned(scan, value, lanes)
        place = _lowest(scan, view, step, lanes, direction)
        if _holds_truth(view):
            _store_truth(builder, turned, view.base, place)
        else:
            builder.create("vector.store", [], [turned, view.base, *place])
        return
    type_ = ir.VectorType(value.type).element_type
    for lane in range(lanes):
        position = ir.DenseI64ArrayAttr.get([lane])
        element = builder.value("vector.extract", type_, [value], static_position=position)
        store(builder, element, view, [scan.position(builder.add(step, lane))])


def _direction(scan: Scan, view: View) -> int | None:
    """1 or -1 when successive steps lie beside each other in memory, upwards or downwards."""
    *outer, last = view.axes
    if not isinstance(last, Along) or last.stride not in (1, -1) or not all(isinstance(axis, Fixed) for axis in outer):
        return None
    if outer and _holds_truth(view):
        return None
    return -last.stride if scan.backwards else last.stride


def _lowest(scan: Scan, view: View, step: Index, lanes: int, direction: int) -> list[ir.Value]:
    """Where the lowest address of a vector is: at its first or at its last step."""
    builder = scan.emitter.builder
    first = step if direction > 0 else builder.add(step, lanes - 1)
    return [builder.as_value(index) for index in element_indices(builder, view, [scan.position(first)])]


def _turned(scan: Scan, value: ir.Value, lanes: int) -> ir.Value:
    mask = ir.DenseI64ArrayAttr.get(list(range(lanes))[::-1])
    return scan.emitter.builder.value("vector.shuffle", value.type, [value, value], mask=mask)


def _holds_truth(view: View) -> bool:
    return ir.MemRefType(view.base.type).element_type == ir.IntegerType.get_signless(1)


def _load_truth(builder: Builder, base: ir.Value, place: Sequence[ir.Value], type_: ir.VectorType) -> ir.Value:
    """See Note [Truth values in lanes]."""
    loaded = builder.value("llvm.load", _bytes(type_), [_address(builder, base, place)], alignment=_word(1))
    return builder.value("arith.trunci", type_, [loaded])


def _store_truth(builder: Builder, value: ir.Value, base: ir.Value, place: Sequence[ir.Value]) -> None:
    """See Note [Truth values in lanes]."""
    widened = builder.value("arith.extui", _bytes(value.type), [value])
    builder.create("llvm.store", [], [widened, _address(builder, base, place)], {"alignment": _word(1)})


def _bytes(type_: ir.Type) -> ir.VectorType:
    return ir.VectorType.get(ir.VectorType(type_).shape, ir.IntegerType.get_signless(8))


def _address(builder: Builder, base: ir.Value, place: Sequence[ir.Value]) -> ir.Value:
    """The address of a byte of an array with one axis."""
    start = builder.value("memref.extract_aligned_pointer_as_index", builder.index, [base])
    index = builder.value("arith.addi", builder.index, [start, place[0]])
    word = builder.value("arith.index_cast", ir.IntegerType.get_signless(64), [index])
    return builder.value("llvm.inttoptr", pointer_type(), [word])


def _word(value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
