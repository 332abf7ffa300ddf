"""Negative indices, which PyTorch counts from the end, and ends behind that: torch-mlir takes both as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

aten = torch.ops.aten

INDEXED = (aten.index.Tensor, aten.index_put.default)
"""Operations that take indices of several axes, which may be negative."""


def count_from_the_end(graph: torch.fx.Graph) -> None:
    """Adds the size of its axis to each index below 0, and ends slices that are written at the end of theirs."""
    for node in list(graph.nodes):
        if node.target is aten.slice_scatter.default:
            _end_at_the_end(node)
        if node.target in INDEXED:
            sizes = node.args[0].meta["val"].shape
            with graph.inserting_before(node):
                node.args = (node.args[0], _counted(graph, node.args[1], sizes), *node.args[2:])


def _end_at_the_end(node: torch.fx.Node) -> None:
    given = dict(zip(("dim", "start", "end", "step"), node.args[2:], strict=False)) | node.kwargs
    axis, step = given.get("dim", 0), given.get("step", 1)
    size, bounds = node.args[0].meta["val"].shape[axis], (given.get("start"), given.get("end"))
    if isinstance(size, int) and not any(isinstance(each, torch.fx.Node) for each in (*bounds, step)):
        start, end, step = slice(*bounds, step).indices(size)
        node.args, node.kwargs = (*node.args[:2], axis, start, max(start, end), step), {}


def _counted(graph: torch.fx.Graph, indices: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
    found = []
    for index, size in zip(indices, sizes, strict=False):
        is_number = index is not None and index.meta["val"].dtype in (torch.int64, torch.int32)
        found.append(_inside(graph, index, size) if is_number else index)
    return found


def _inside(graph: torch.fx.Graph, index: torch.fx.Node, size: int) -> torch.fx.Node:
    below = _called(graph, aten.lt.Scalar, index, 0)
    return _called(graph, aten.where.self, below, _called(graph, aten.add.Tensor, index, size), index)


def _called(graph: torch.fx.Graph, target: Any, *arguments: Any) -> torch.fx.Node:
    """A node with the shape and dtype of its result, which torch-mlir reads."""
    node = graph.call_function(target, arguments)
    values = [each.meta["val"] if isinstance(each, torch.fx.Node) else each for each in arguments]
    node.meta["val"] = target(*values)
    return node
