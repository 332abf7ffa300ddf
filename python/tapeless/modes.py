"""Annotations on how a parameter is used: `tl.In[tl.f64[:]]` is only read."""

from __future__ import annotations

from typing import Any

from tapeless.dataclasses_on_use import dataclass


@dataclass(frozen=True, slots=True)
class In:
    """Marks a parameter of a procedure that is read and never changed; `tl.In` alone leaves its type to the call.

    >>> tl.In[tl.f64[:]]
    tl.In[tl.f64[:]]
    """

    type: Any = None

    def __class_getitem__(cls, type_: Any) -> In:
        return cls(type_)

    def __repr__(self) -> str:
        return f"tl.In[{self.type!r}]"


def without_mode(annotation: Any) -> tuple[Any, bool]:
    """The type of an annotation, and whether it marks a parameter that is only read."""
    if annotation is In:
        return None, True
    return (annotation.type, True) if isinstance(annotation, In) else (annotation, False)
