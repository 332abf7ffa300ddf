"""Constant arrays as text of the plan."""

from __future__ import annotations

import base64

import numpy as np

from tapeless._mlir import ir

DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_, "index": np.int64}


def encoded(constant: ir.Operation) -> str:
    """The bytes of a `memref.global` as base64 text."""
    type_ = ir.MemRefType(ir.TypeAttr(constant.attributes["type"]).value)
    contents = constant.attributes["initial_value"]
    dtype = DTYPES[str(type_.element_type)]
    if ir.DenseElementsAttr(contents).is_splat:
        value = ir.DenseElementsAttr(contents).get_splat_value().value
        array = np.full(type_.shape, value, dtype)
    else:
        array = np.asarray(list(contents), dtype).reshape(type_.shape)
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
