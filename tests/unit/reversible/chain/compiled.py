"""Programs given as IR, compiled by the whole pipeline and called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.backend.compile import generate
from tapeless.dialects.core_context import require_dialect
from tapeless.passes.driver.pipeline import PassPipeline
from tapeless.runtime.calling.binding import call
from tapeless.runtime.image import LoadedImage
from tapeless.runtime.invoke import bind


def compiled(text: str, name: str, arguments: int) -> Callable[..., tuple[Any, ...]]:
    """The public function of a module, taken through the pipeline of the method `reversible`."""
    with shared_context() as context, ir.Location.unknown():
        require_dialect(context, "rev")
        module = ir.Module.parse(text)
        PassPipeline.parse("builtin.module(cpu)").run(module)
        code = generate(module)
    names = [f"argument{k}" for k in range(arguments)]
    image = LoadedImage(code.image)

    def run(*given: Any) -> tuple[Any, ...]:
        # Bound here, so that the code stays in memory as long as the function.
        invoke = bind(image.address(code.entry), dict(enumerate(code.sites)))
        return tuple(call(code.abi, names, name, invoke, given))

    return run
