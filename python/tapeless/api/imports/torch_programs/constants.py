"""Constants of exported graphs as arguments, which whoever translates the graph puts back.

torch-mlir folds operations on arrays of one number, and not always to what PyTorch computes (comparisons of floats with
integers, quotients that are rounded down); what it does not see it does not fold. PyTorch computes such values here.
"""

from __future__ import annotations

import torch
from torch.fx import Node

LIKE = {
    *("empty_like", "full_like", "ones_like", "zeros_like"),
    *("new_empty", "new_empty_strided", "new_full", "new_ones", "new_zeros"),
}
"""Operations that take nothing but the form of their operand."""
EMPTY = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted"}
"""Operations whose elements may be anything."""


def lift_constants(program: torch.export.ExportedProgram) -> dict[int, torch.Tensor]:
    """Makes constants of the functional graph of a program arguments; their values by position."""
    graph, signature = program.graph_module.graph, program.graph_signature
    stored = {**program.state_dict, **program.constants}
    named = {**signature.inputs_to_buffers, **signature.inputs_to_lifted_tensor_constants}
    known: dict[Node, torch.Tensor] = {}
    for node in graph.nodes:
        value = stored[named[node.name]] if node.name in named else _folded(node, known)
        if value is not None:
            known[node] = value.detach()
    _as_placeholders(graph, known)
    arguments = [node for node in graph.nodes if node.op == "placeholder"]
    return {position: known[node] for position, node in enumerate(arguments) if node in known}


def _folded(node: Node, known: dict[Node, torch.Tensor]) -> torch.Tensor | None:
    """The value of an operation on constants, if all its elements are one number."""
    if not isinstance(node.target, torch._ops.OpOverload) or torch.Tag.nondeterministic_seeded in node.target.tags:
        return None
    form, name = node.meta.get("val"), node.target._schema.name.rpartition("::")[2]
    if not isinstance(form, torch.Tensor) or not (name in LIKE or all(each in known for each in node.all_input_nodes)):
        return None
    if name in EMPTY:
        return torch.zeros(form.shape, dtype=form.dtype)

    def value_of(given: Node) -> torch.Tensor:
        form = given.meta["val"]
        return known[given] if given in known else torch.zeros(form.shape, dtype=form.dtype)

    arguments, named = torch.fx.map_arg((node.args, dict(node.kwargs)), value_of)
    value = node.target(*arguments, **named)
    return value if not value.numel() or bool((value == value.flatten()[0]).all()) else None


def _as_placeholders(graph: torch.fx.Graph, known: dict[Node, torch.Tensor]) -> None:
    """Arguments in place of the constants that other operations read."""
    first = next(iter(graph.nodes))
    for node in [each for each in known if each.op == "call_function"]:
        if all(user in known for user in node.users):
            continue
        with graph.inserting_before(first):
            argument = graph.placeholder(f"constant_{node.name}")
        argument.meta["val"] = node.meta["val"]
        node.replace_all_uses_with(argument, delete_user_cb=lambda user: user not in known)
        known[argument] = known[node]
    for node in reversed(graph.nodes):
        if node in known and not node.users:
            graph.erase_node(node)
