"""What is compiled: a function, the types of its arguments, and options that not all kernels have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Kernel:
    function: Any
    signature: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)


# Sums of what many threads add to one element may be in any order, which atomic additions make fast.
ANY_ORDER = {"deterministic": False}
