"""The measured programs in PyTorch, not compiled; `FUNCTIONS` has them under the names of the kernels."""

from collections.abc import Callable
from typing import Any

from on_gpu.in_torch import bundles, flow, learning, operators, products, tables, waves

FUNCTIONS: dict[str, Callable[..., Any]] = {
    **operators.FUNCTIONS,
    **products.FUNCTIONS,
    **learning.FUNCTIONS,
    **flow.FUNCTIONS,
    **tables.FUNCTIONS,
    **bundles.FUNCTIONS,
    **waves.FUNCTIONS,
}
