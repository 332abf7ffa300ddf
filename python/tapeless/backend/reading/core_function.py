"""From what a user hands over to a function of core IR."""

from __future__ import annotations

from tapeless.backend.reading.core_form import bring_into_core
from tapeless.backend.reading.functions import CoreFunction, core_function, find
from tapeless.backend.reading.modules import Content, read_module
from tapeless.deep_calls import deep_calls
from tapeless.dialects.core_context import make_core_context


def read_core_function(content: Content, name: str) -> CoreFunction:
    """The function of that name in a module, brought into core IR."""
    context = make_core_context()
    with deep_calls(), context:
        module = read_module(content, context)
        find(module, name)
        bring_into_core(module)
        return core_function(module, name)
