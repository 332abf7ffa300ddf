"""`tl.from_torch`: modules of PyTorch."""

from __future__ import annotations

import inspect
from typing import Any

from tapeless.api.decorated import TapelessFunction
from tapeless.api.imports.functions import Origin, imported_function
from tapeless.api.imports.mlir import read_core
from tapeless.api.imports.places import parameters_for
from tapeless.errors import ArgumentError
from tapeless.frontend.syntax.imported import Imported
from tapeless.tracebacks import user_facing

REFUSAL = "tl.from_torch takes a torch.nn.Module, not {!r}; write tl.from_torch(m, *examples)"


@user_facing
def from_torch(module: Any, *examples: Any, buffers: bool = False) -> TapelessFunction[..., Any]:
    """A module of PyTorch as a function `f(parameters, *inputs)` of a dict of its parameters and of inputs.

    It is what `@tl.function` gives, with the types and sizes of the parameters and of the examples, which are tensors,
    arrays and structures of them. Parameters that are tied are one entry; buffers are constants, and with
    `buffers=True` further entries. `detach` and `torch.no_grad()` keep values out of derivatives. Modules that draw
    random numbers or change their buffers are refused: call `.eval()` before. Needs `pip install tapeless[torch]`.

    >>> import torch
    >>> layer = torch.nn.Linear(2, 1).double()
    >>> f = tl.from_torch(layer, torch.zeros(2, dtype=torch.float64))
    >>> tl.grad(lambda p, x: tl.sum(f(p, x)))({"weight": np.ones((1, 2)), "bias": np.ones(1)}, np.array([3.0, 4.0]))
    {'weight': array([[3., 4.]]), 'bias': array([1.])}
    """
    if not callable(module):
        raise ArgumentError(REFUSAL.format(module))
    try:
        import torch
    except ModuleNotFoundError:
        raise ImportError("tl.from_torch needs PyTorch; `pip install tapeless[torch]`") from None
    if not isinstance(module, torch.nn.Module):
        raise ArgumentError(REFUSAL.format(module))
    from tapeless.api.imports.torch_programs.reading import read_module

    program = read_module(module, examples, buffers)
    read = read_core(program.module, "main", cuts=program.cuts, is_trusted=True)
    names = ["parameters", *_input_names(module, len(examples))]
    imported = Imported(read.name, read.module, program.takes, program.gives)
    return imported_function(imported, parameters_for(names, program.takes), _origin(module))


def _input_names(module: Any, count: int) -> list[str]:
    """The names that `forward` gives the inputs, as far as it does."""
    found = [each for each in inspect.signature(module.forward).parameters.values() if each.kind < each.VAR_POSITIONAL]
    known = [each.name for each in found[:count] if each.name != "parameters"]
    return known + [f"input{position}" for position in range(len(known), count)]


def _origin(module: Any) -> Origin:
    """The name of the class, and the place of its `forward`."""
    code = getattr(type(module).forward, "__code__", None)
    name, doc = type(module).__name__, inspect.getdoc(type(module))
    return Origin(name, code.co_filename, code.co_firstlineno, doc=doc) if code else Origin(name, "<torch>", 1, doc=doc)
