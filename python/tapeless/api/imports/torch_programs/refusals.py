"""Refusals of modules that do more than their exported graph, or StableHLO, tells: by name, with a remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from tapeless.errors import ArgumentError, NoRuleError

GRAD_MODE = "wrap_with_set_grad_enabled"
"""The operation that `torch.no_grad()` becomes."""

EVAL = "call .eval() on the module first"

RANDOM = (
    *("alpha_dropout", "bernoulli", "dropout", "feature_alpha_dropout", "feature_dropout", "multinomial", "normal"),
    *("rand", "randint", "randn", "randperm", "rrelu", "uniform"),
)
"""How the names of operations begin that draw random numbers."""


FACTORISATIONS = {
    *("linalg_cholesky", "linalg_det", "linalg_eigh", "linalg_inv", "linalg_lstsq", "linalg_pinv", "linalg_qr"),
    *("linalg_slogdet", "linalg_solve", "linalg_solve_triangular", "linalg_svd", "linalg_svdvals", "linalg_matrix_exp"),
}
"""Functions of LAPACK, for which StableHLO has calls of a library."""


def check_graph(exported: torch.export.ExportedProgram) -> None:
    """Refuses branches and loops of PyTorch, and random numbers."""
    for node in nodes_of(exported.graph_module):
        name = operation_of(node)
        if name is None:
            continue
        if _is_higher_order(node) and name != GRAD_MODE:
            raise ArgumentError(
                f"{place_of(node)}the module calls torch.{name}, which tl.from_torch does not take; write the branch "
                "or loop in the language around parts of the module, or in JAX for tl.from_jax"
            )
        if name in FACTORISATIONS:
            raise ArgumentError(
                f"{place_of(node)}the module calls torch.{name.replace('_', '.', 1)}, which tl.from_torch does not "
                "take; compute it outside of the module, or write this part in JAX for tl.from_jax, which reads "
                "jax.numpy.linalg.{cholesky, solve, inv, det}"
            )
        if _argument(node, "scale_grad_by_freq"):
            raise NoRuleError(
                f"{place_of(node)}the module calls torch.{name} with scale_grad_by_freq=True, by which the derivative "
                "is not that of its values; leave the option out, and scale the gradient outside of the module"
            )
        if (name.startswith(RANDOM) or _argument(node, "dropout", "dropout_p")) and not _is_without_effect(node):
            raise ArgumentError(
                f"{place_of(node)}the module draws random numbers ({name}), which calls of a function would not draw "
                f"anew; {EVAL}, or pass the random numbers as an argument"
            )


def nodes_of(module: torch.fx.GraphModule) -> Iterator[torch.fx.Node]:
    """The nodes of a graph, and of those in it."""
    for node in module.graph.nodes:
        yield node
        if node.op == "get_attr" and isinstance(inner := getattr(module, node.target, None), torch.fx.GraphModule):
            yield from nodes_of(inner)


def operation_of(node: torch.fx.Node) -> str | None:
    """The name of the operation that a node calls, without its package and variant."""
    if node.op != "call_function":
        return None
    schema = getattr(node.target, "_schema", None)
    name = schema.name if schema is not None else getattr(node.target, "__name__", str(node.target))
    return str(name).rpartition("::")[2]


def _is_higher_order(node: torch.fx.Node) -> bool:
    return isinstance(node.target, torch._ops.HigherOrderOperator)


def _is_without_effect(node: torch.fx.Node) -> bool:
    """Whether a dropout is one of a module that does not train, or of nothing."""
    return _argument(node, "train", "training") is False or _argument(node, "p") == 0.0


def _argument(node: torch.fx.Node, *names: str) -> Any:
    """What an operation is given for the first of some names that it has."""
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return None
    given = {each.name: value for each, value in zip(schema.arguments, node.args, strict=False)} | node.kwargs
    known = {each.name: each.default_value for each in schema.arguments if each.has_default_value()} | given
    return next((known[name] for name in names if name in known), None)


def place_of(node: torch.fx.Node) -> str:
    """The line of the user's file that a node comes from, as messages begin."""
    lines = [line.strip() for line in (node.meta.get("stack_trace") or "").splitlines()]
    found = [line for line in lines if line.startswith('File "') and not line.startswith('File "<')]
    if not found:
        return ""
    file, line = found[-1].split('"')[1], found[-1].partition("line ")[2].partition(",")[0]
    return f"{file}:{line}: "


def trial(module: torch.nn.Module, parameters: Mapping[str, torch.Tensor], inputs: Sequence[Any]) -> Any:
    """The result of a module, run once on copies of all that it could change; refuses those that
    change their buffers.
    """
    copies = {name: each.clone() for name, each in module.named_buffers()}
    leaves = {name: each.clone().requires_grad_(each.is_floating_point()) for name, each in parameters.items()}
    given = torch.utils._pytree.tree_map(_differentiated, tuple(inputs))
    with torch.enable_grad(), torch.random.fork_rng():
        out = torch.func.functional_call(module, {**copies, **leaves}, given)
    changed = [name for name, each in module.named_buffers() if not torch.equal(each, copies[name])]
    if changed:
        raise ArgumentError(
            f"the module changes its buffers {', '.join(map(repr, changed))} when it is called, as normalisation by "
            f"batches does while training; {EVAL}"
        )
    return out


def check_rules(out: Any) -> None:
    """Refuses functions with rules of their own, which no graph tells of, but the results of a trial do."""
    results = [each for each in torch.utils._pytree.tree_leaves(out) if torch.is_tensor(each)]
    waiting, seen = [each.grad_fn for each in results if each.grad_fn is not None], set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        if isinstance(function, torch.autograd.function.BackwardCFunction):
            name = type(function).__name__.removesuffix("Backward")
            raise NoRuleError(
                f"the module calls {name}, a torch.autograd.Function, whose derivative its exported graph has lost; "
                "write it with operations of PyTorch, or give the rule by tl.custom_vjp"
            )
        waiting += [inner for inner, _ in function.next_functions if inner is not None]


def _differentiated(value: Any) -> Any:
    is_float = torch.is_tensor(value) and value.is_floating_point()
    return value.clone().requires_grad_().clone() if is_float else value  # PyTorch changes no leaf in place
