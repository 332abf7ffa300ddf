"""Modules of StableHLO run by its own reference interpreter, which shares no code with Tapeless."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapeless._mlir import ir, stablehlo
from tapeless.dialects.foreign import load_stablehlo

DTYPES = {
    **{"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_},
    **{"ui32": np.uint32, "ui64": np.uint64},
}


def _type_of(dtype: np.dtype) -> ir.Type:
    name = next(name for name, each in DTYPES.items() if dtype == each)
    return ir.Type.parse(name)


def _dense(array: np.ndarray) -> ir.Attribute:
    element = _type_of(array.dtype)
    if array.dtype == np.bool_:
        numbers = [ir.IntegerAttr.get(element, int(each)) for each in array.ravel()]
        return ir.DenseElementsAttr.get(numbers, ir.RankedTensorType.get(array.shape, element))
    return ir.DenseElementsAttr.get(np.ascontiguousarray(array), type=element, shape=list(array.shape))


def evaluate(text: str, arguments: Sequence[Any]) -> list[np.ndarray]:
    """The results of `@main`."""
    context = ir.Context()
    context.enable_multithreading(False)
    load_stablehlo(context)
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        results = stablehlo().eval_module(module, [_dense(np.asarray(each)) for each in arguments])
        return [_array(each) for each in results]


def _array(elements: ir.DenseElementsAttr) -> np.ndarray:
    type_ = elements.type
    return np.array(elements).reshape(type_.shape).astype(DTYPES[str(type_.element_type)], copy=True)
