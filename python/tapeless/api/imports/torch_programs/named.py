"""Functions that StableHLO has and torch-mlir does not translate: arguments that stand for results of that name."""

from __future__ import annotations

import torch

NAMED = {
    "asinh": "chlo.asinh",
    "digamma": "chlo.digamma",
    "erfc": "chlo.erfc",
    "erfinv": "chlo.erf_inv",
    "lgamma": "chlo.lgamma",
}


def cut_named(graph: torch.fx.Graph) -> list[str]:
    """Makes operands of such functions the last results of a graph, and what they give its last arguments."""
    arguments = [node for node in graph.nodes if node.op == "placeholder"]
    names: list[str] = []
    for node in [each for each in graph.nodes if isinstance(each.target, torch._ops.OpOverload)]:
        name = NAMED.get(node.target._schema.name.rpartition("::")[2])
        if name is None or len(node.args) != 1 or node.args[0].meta["val"].dtype != node.meta["val"].dtype:
            continue
        with graph.inserting_after(arguments[-1]):
            arguments.append(graph.placeholder(f"named_{len(names)}"))
        arguments[-1].meta["val"] = node.meta["val"]
        end = graph.output_node()
        end.args = ((*end.args[0], node.args[0]),)
        node.replace_all_uses_with(arguments[-1])
        graph.erase_node(node)
        names.append(name)
    return names
