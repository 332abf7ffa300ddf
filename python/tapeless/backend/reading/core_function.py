"""From a user's module to a function of core IR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless.backend.reading.core_form import bring_into_core
from tapeless.backend.reading.cuts import close_cuts
from tapeless.backend.reading.functions import CoreFunction, core_function, find
from tapeless.backend.reading.joining import join
from tapeless.backend.reading.modules import Content, put_at, read_module
from tapeless.deep_calls import deep_calls
from tapeless.dialects.core_context import make_core_context


def read_core_function(
    content: Content,
    name: str,
    rules: Mapping[str, bytes],
    cuts: Sequence[str] = (),
    place: tuple[str, int] | None = None,
    is_trusted: bool = False,
) -> CoreFunction:
    """The function of that name in a module, brought into core IR.

    `rules` are further modules whose functions `main` join the module under the names that it knows them by. The last
    arguments of the function, as many as there are `cuts`, stand for its last results, through what the cuts name.
    Operations that are at no line of a source are at the `place`, a file and a line. Bytecode that this process wrote
    `is_trusted`.
    """
    context = make_core_context()
    with deep_calls(), context:
        module = read_module(content, context, is_trusted=is_trusted)
        for known, other in rules.items():
            join(module, known, read_module(other, context, is_trusted=is_trusted))
        find(module, name)
        if cuts:
            close_cuts(module, name, cuts)
        bring_into_core(module)
        if place is not None:
            put_at(module, *place)
        return core_function(module, name)
