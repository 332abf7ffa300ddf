"""The elements of constants, of those too that are resources beside the module: the weights of PyTorch's modules."""

from __future__ import annotations

import re

import numpy as np

from tapeless._mlir import ir
from tapeless.passes.imports.stablehlo.translator import refuse
from tapeless.passes.imports.stablehlo.unsigned import core_element, is_unsigned

BLOB = re.compile(r'"0x([0-9A-Fa-f]+)"')
DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32}
HEADER = 4
"""The bytes before the elements, which hold their alignment."""


def elements_of(op: ir.Operation) -> ir.DenseElementsAttr:
    """The elements of a constant; the bindings show those of resources only as text of the smallest module."""
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr) and not is_unsigned(op.results[0].type):
        return attribute
    if isinstance(attribute, ir.DenseElementsAttr):
        return _with_sign(attribute)
    type_ = op.results[0].type
    module = ir.Module.create(op.location)
    op.clone(ip=ir.InsertionPoint(module.body))
    found = BLOB.search(str(module).partition("{-#")[2])
    dtype = DTYPES.get(str(type_.element_type))
    if found is None or dtype is None:
        refuse(op, f"has elements of type {type_.element_type} that cannot be read; write them as dense<...>")
    numbers = np.frombuffer(bytes.fromhex(found.group(1))[HEADER:], dtype).reshape(type_.shape)
    return ir.DenseElementsAttr.get(np.ascontiguousarray(numbers), type=type_.element_type, shape=list(type_.shape))


def _with_sign(attribute: ir.DenseElementsAttr) -> ir.DenseElementsAttr:
    """The same bits as integers of core IR."""
    element, shape = core_element(attribute.type), list(attribute.type.shape)
    bits = np.ascontiguousarray(np.array(attribute).reshape(shape)).view(DTYPES[str(element)])
    if attribute.is_splat:
        value = ir.IntegerAttr.get(element, int(bits.ravel()[0]))
        return ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get(shape, element), value)
    return ir.DenseElementsAttr.get(bits, type=element, shape=shape)
