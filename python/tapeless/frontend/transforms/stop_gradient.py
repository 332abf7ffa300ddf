"""`tl.stop_gradient`: values that differentiation takes as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless.frontend.elementwise.stopped import stopped
from tapeless.frontend.transforms.leaves import is_static
from tapeless.frontend.values.value import STRUCTURES, Value, structured

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def stop_gradient(t: Translator, x: Value) -> Value:
    """The value, opaque to differentiation, or a structure of such values."""
    if isinstance(x, STRUCTURES):
        return structured(x.node, [item if is_static(item) else stop_gradient(t, item) for item in x.items])
    return stopped(t, t.number(x))
