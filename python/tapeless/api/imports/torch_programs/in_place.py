"""Changes of tensors in place that derivatives go past: the graph tells of values only, so they are refused.

PyTorch differentiates a tensor that `no_grad` or `detach` let change as if it were unchanged, with its new value. A
function of values has neither. Arguments stay what they are, in the language, too.
"""

from __future__ import annotations

import torch

from tapeless.api.imports.torch_programs.refusals import GRAD_MODE, nodes_of, operation_of, place_of
from tapeless.errors import ArgumentError

DETACHED = ("detach", "alias")


def check_changes(exported: torch.export.ExportedProgram) -> None:
    """Refuses operations that change arguments, values under `no_grad`, or what `detach` and `data` give."""
    outermost = exported.graph_module.graph
    for node in nodes_of(exported.graph_module):
        for changed in _changed(node):
            names, source = _views(changed)
            if not names.isdisjoint(DETACHED) or operation_of(source) == GRAD_MODE:
                what = "a tensor in place that was taken out of derivatives, which go past the change"
            elif source.op == "placeholder" and node.graph is not outermost:
                what = "a tensor in place under torch.no_grad(), where derivatives go past the change"
            elif source.op in ("placeholder", "get_attr"):
                what = "an argument or a parameter in place, which callers would see"
            else:
                continue
            raise ArgumentError(
                f"{place_of(node)}the module changes {what} ({operation_of(node)}); compute a new tensor, with "
                ".detach() for what is a constant for derivatives"
            )


def _changed(node: torch.fx.Node) -> list[torch.fx.Node]:
    """The arguments that an operation changes."""
    schema = getattr(node.target, "_schema", None)
    if schema is None or not schema.is_mutable:
        return []
    given = {each.name: value for each, value in zip(schema.arguments, node.args, strict=False)} | node.kwargs
    written = [each.name for each in schema.arguments if each.alias_info is not None and each.alias_info.is_write]
    return [given[name] for name in written if isinstance(given.get(name), torch.fx.Node)]


def _views(node: torch.fx.Node) -> tuple[set[str | None], torch.fx.Node]:
    """The operations through which a tensor looks at the memory of another one, or has changed it, and that one."""
    names: set[str | None] = set()
    while node.op == "call_function" and node.args and isinstance(node.args[0], torch.fx.Node):
        schema = getattr(node.target, "_schema", None)
        if schema is None:
            break
        first = schema.arguments[0].alias_info if schema.arguments else None
        if first is None or not any(each.alias_info is not None for each in schema.returns):
            break
        names.add(operation_of(node))
        node = node.args[0]
    return names, node
