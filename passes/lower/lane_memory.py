"""Vectors of elements that successive steps of a scan read and write."""

from __future__ import annotations

from tapeless._mlir import ir

from .builder import Index
from .scan_steps import Scan
from .views import Along, Fixed, View, element_indices, load, store


def load_lanes(scan: Scan, view: View, step: Index, lanes: int) -> ir.Value:
    """The elements of as many steps as there are lanes, in the order of the steps."""
    builder = scan.emitter.builder
    type_ = ir.VectorType.get([lanes], ir.MemRefType(view.base.type).element_type)
    direction = _direction(scan, view)
    if direction is None:
        elements = [load(builder, view, [scan.position(builder.add(step, lane))]) for lane in range(lanes)]
        return builder.value("vector.from_elements", type_, elements)
    loaded = builder.value("vector.load", type_, [view.base, *_lowest(scan, view, step, lanes, direction)])
    return loaded if direction > 0 else _turned(scan, loaded, lanes)


def store_lanes(scan: Scan, value: ir.Value, view: View, step: Index, lanes: int) -> None:
    """Stores the lanes of a vector at successive steps."""
    builder = scan.emitter.builder
    direction = _direction(scan, view)
    if direction is not None:
        turned = value if direction > 0 else _turned(scan, value, lanes)
        builder.create("vector.store", [], [turned, view.base, *_lowest(scan, view, step, lanes, direction)])
        return
    type_ = ir.VectorType(value.type).element_type
    for lane in range(lanes):
        position = ir.DenseI64ArrayAttr.get([lane])
        element = builder.value("vector.extract", type_, [value], static_position=position)
        store(builder, element, view, [scan.position(builder.add(step, lane))])


def _direction(scan: Scan, view: View) -> int | None:
    """1 or -1 when successive steps lie beside each other in memory, upwards or downwards; bits are not addressable."""
    *outer, last = view.axes
    if not isinstance(last, Along) or last.stride not in (1, -1) or not all(isinstance(axis, Fixed) for axis in outer):
        return None
    if ir.MemRefType(view.base.type).element_type == ir.IntegerType.get_signless(1):
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
