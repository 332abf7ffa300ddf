"""The elements of constants, of those too that are resources beside the module: the weights of PyTorch's modules."""

from __future__ import annotations

import re

import numpy as np

from tapeless._mlir import ir
from tapeless.passes.imports.stablehlo.elements import core_element
from tapeless.passes.imports.stablehlo.halves import is_half
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.imports.stablehlo.unsigned import is_unsigned

BLOB = re.compile(r'"0x([0-9A-Fa-f]+)"')
DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "f16": np.float16, "bf16": np.uint16}
NOT_FINITE = re.compile(r"0x([0-9A-F]{4})\b")
HEADER = 4
"""The bytes before the elements, which hold their alignment."""


def elements_of(op: ir.Operation) -> ir.DenseElementsAttr:
    """The elements of a constant; the bindings show those of resources only as text of the smallest module."""
    attribute = op.attributes["value"]
    type_ = op.results[0].type
    if isinstance(attribute, ir.DenseElementsAttr) and is_half(type_):
        return _widened(_halves(attribute), type_)
    if isinstance(attribute, ir.DenseElementsAttr):
        return _with_sign(attribute) if is_unsigned(type_) else attribute
    module = ir.Module.create(op.location)
    op.clone(ip=ir.InsertionPoint(module.body))
    found = BLOB.search(str(module).partition("{-#")[2])
    dtype = DTYPES.get(str(type_.element_type))
    if found is None or dtype is None:
        refuse(op, f"has elements of type {type_.element_type} that cannot be read; write them as dense<...>")
    numbers = np.frombuffer(bytes.fromhex(found.group(1))[HEADER:], dtype).reshape(type_.shape)
    if is_half(type_):
        wide = numbers if dtype is np.float16 else _of_upper_bits(numbers)
        return _widened(wide, type_)
    return ir.DenseElementsAttr.get(np.ascontiguousarray(numbers), type=type_.element_type, shape=list(type_.shape))


def _halves(attribute: ir.DenseElementsAttr) -> np.ndarray:
    """The numbers of an attribute of 16-bit floats; the bindings show those of `bf16` only as text."""
    if attribute.is_splat:
        return np.full(attribute.type.shape, attribute.get_splat_value().value, np.float32)
    if isinstance(attribute.type.element_type, ir.F16Type):
        return np.array(attribute)
    shown = str(attribute)
    if blob := BLOB.search(shown):
        return _of_upper_bits(np.frombuffer(bytes.fromhex(blob.group(1)), np.uint16))
    return np.array(ir.Attribute.parse(NOT_FINITE.sub(r"0x\g<1>0000", shown).replace("bf16>", "f32>")))


def _of_upper_bits(bits: np.ndarray) -> np.ndarray:
    """The floats of which these are the upper halves."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _widened(numbers: np.ndarray, type_: ir.RankedTensorType) -> ir.DenseElementsAttr:
    """Numbers of 16 bits as floats of core IR."""
    shape, f32 = list(type_.shape), ir.F32Type.get()
    numbers = np.ascontiguousarray(numbers.astype(np.float32).reshape(-1))
    if numbers.size and np.all(numbers.view(np.int32) == numbers.view(np.int32)[0]):
        value = ir.FloatAttr.get(f32, float(numbers[0]))
        return ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get(shape, f32), value)
    return ir.DenseElementsAttr.get(numbers.reshape(shape), type=f32, shape=shape)


def _with_sign(attribute: ir.DenseElementsAttr) -> ir.DenseElementsAttr:
    """The same bits as integers of core IR."""
    element, shape = core_element(attribute.type), list(attribute.type.shape)
    bits = np.ascontiguousarray(np.array(attribute).reshape(shape)).view(DTYPES[str(element)])
    if attribute.is_splat:
        value = ir.IntegerAttr.get(element, int(bits.ravel()[0]))
        return ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get(shape, element), value)
    return ir.DenseElementsAttr.get(bits, type=element, shape=shape)
