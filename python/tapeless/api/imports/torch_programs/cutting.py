"""Graphs of PyTorch run again with marks for information that StableHLO would lose.

A value that `detach` or `no_grad` keeps out of derivatives becomes a result of the graph, and an argument stands for it
where it is used; whoever reads the graph puts the one in place of the other, as a constant for differentiation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.fx.traceback import preserve_node_meta

from tapeless.api.imports.torch_programs.refusals import GRAD_MODE, nodes_of, operation_of

DETACHING = ("detach", "detach_")

Cutting = Callable[[torch.Tensor], torch.Tensor]
"""Keeps a value out of derivatives."""


def cuts_of(exported: torch.export.ExportedProgram) -> list[torch.Tensor]:
    """Examples of the values that the graph keeps out of derivatives, in the order in which it runs."""
    found: list[torch.Tensor] = []
    _Counting(exported.module(check_guards=False), found).run(*_examples(exported))
    return found


def _examples(exported: torch.export.ExportedProgram) -> tuple[Any, ...]:
    arguments, _ = exported.example_inputs
    return tuple(arguments)


class Cut(torch.nn.Module):
    """The module of an exported program with its cuts as further arguments and results."""

    def __init__(self, exported: torch.export.ExportedProgram) -> None:
        super().__init__()
        self.graph_module = exported.module(check_guards=False)

    def forward(self, parameters: Mapping[str, torch.Tensor], inputs: Any, cuts: list[torch.Tensor]) -> Any:
        """The result, and the values at the cuts."""
        run = _Cutting(self.graph_module, cuts)
        with preserve_node_meta():  # operations keep the lines of the user's files
            result = run.run(parameters, *inputs)
        return result, run.values


def _relu(cut: Cutting, x: torch.Tensor) -> torch.Tensor:
    """Of a maximum, the first would have the derivative on ties."""
    return torch.where(x > 0, x, torch.zeros_like(x))


def _angle(cut: Cutting, y: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The angle of a point, whose derivatives at the origin are 0."""
    is_origin = (x == 0) & (y == 0)
    ones = torch.ones_like(x)
    found = torch.atan2(torch.where(is_origin, ones, y), torch.where(is_origin, ones, x))
    return torch.where(is_origin, cut(torch.atan2(y, x)), found)


def _embedding(
    cut: Cutting,
    table: torch.Tensor,
    places: torch.Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> torch.Tensor:
    """Rows of a table, where that at `padding_idx` has no derivative."""
    rows = torch.ops.aten.embedding(table, places)
    if padding_idx < 0:
        return rows
    return torch.where((places == padding_idx).unsqueeze(-1), cut(rows), rows)


def _extreme(found: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    """The largest or smallest of some axes, whose derivative equal elements share."""

    def extreme(cut: Cutting, x: torch.Tensor, dim: Any = (), keepdim: bool = False) -> torch.Tensor:
        axes = [dim] if isinstance(dim, int) else list(dim) or list(range(x.dim()))
        if not x.is_floating_point() or not axes:
            return found(x, axes, keepdim)
        value = cut(found(x, axes, True))
        are_equal = x == value
        moving = torch.where(are_equal & torch.isfinite(x), x - cut(x), torch.zeros_like(x))
        value = value + moving.sum(axes, True) / are_equal.to(x.dtype).sum(axes, True)
        return value if keepdim else torch.squeeze(value, tuple(axes))

    return extreme


def _of_all(found: Callable[..., torch.Tensor], other: Callable[..., Any]) -> Callable[..., Any]:
    """The extreme of all elements; with further operands, those of an axis or of two tensors."""

    def extreme(cut: Cutting, x: torch.Tensor, *rest: Any, **named: Any) -> Any:
        return other(x, *rest, **named) if rest or named else _extreme(found)(cut, x)

    return extreme


RULED: dict[str, Callable[..., torch.Tensor]] = {
    "amax": _extreme(torch.amax),
    "amin": _extreme(torch.amin),
    "max": _of_all(torch.amax, torch.max),
    "min": _of_all(torch.amin, torch.min),
    "relu": _relu,
    "relu_": _relu,
    "atan2": _angle,
    "embedding": _embedding,
}
"""Operations whose derivative in PyTorch is not that of what they compute: equivalents, given how to cut."""


class _Marked(torch.fx.Interpreter):
    """Runs a graph; values that are kept out of derivatives go through `cut`."""

    def cut(self, value: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The operation, or its equivalent with the derivative."""
        name = str(getattr(getattr(target, "_schema", None), "name", getattr(target, "__name__", ""))).rpartition("::")[
            2
        ]
        if name in DETACHING:
            return self._kept_out(args[0])
        if name == GRAD_MODE:
            is_on, body, *given = args
            out = torch.fx.Interpreter(body).run(*given) if not is_on else self.inner(body).run(*given)
            return torch.utils._pytree.tree_map(self._kept_out, out) if not is_on else out
        if name in RULED:
            return RULED[name](self.cut, *args, **kwargs)
        return super().call_function(target, args, kwargs)

    def inner(self, body: torch.fx.GraphModule) -> _Marked:
        """The same for a graph inside."""
        raise NotImplementedError

    def _kept_out(self, value: Any) -> Any:
        return self.cut(value) if torch.is_tensor(value) and value.is_floating_point() else value


class _Counting(_Marked):
    """Finds the values at the cuts."""

    def __init__(self, module: torch.fx.GraphModule, found: list[torch.Tensor]) -> None:
        super().__init__(module)
        self.found = found

    def cut(self, value: torch.Tensor) -> torch.Tensor:
        self.found.append(value.detach().clone())
        return value

    def inner(self, body: torch.fx.GraphModule) -> _Counting:
        return _Counting(body, self.found)


class _Cutting(_Marked):
    """Takes arguments in place of the values at the cuts, which it keeps."""

    def __init__(self, module: torch.fx.GraphModule, cuts: list[torch.Tensor], values: list[Any] | None = None) -> None:
        super().__init__(module)
        self.cuts = cuts
        self.values: list[Any] = [] if values is None else values

    def cut(self, value: torch.Tensor) -> torch.Tensor:
        self.values.append(value)
        return self.cuts[len(self.values) - 1]

    def inner(self, body: torch.fx.GraphModule) -> _Cutting:
        return _Cutting(body, self.cuts, self.values)


def has_marks(exported: torch.export.ExportedProgram) -> bool:
    """Whether a graph has something to make visible."""
    marked = (*DETACHING, GRAD_MODE, *RULED)
    return any(operation_of(node) in marked for node in nodes_of(exported.graph_module))
