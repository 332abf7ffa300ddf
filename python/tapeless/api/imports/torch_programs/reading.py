"""From a module of PyTorch and examples of its inputs to a module of StableHLO, and trees of the language."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from tapeless.api.imports.torch_programs.cutting import Cut, cuts_of, has_marks
from tapeless.api.imports.torch_programs.lifting import Lifted, inputs_of, parameters_of, tree_of
from tapeless.api.imports.torch_programs.refusals import check_graph, check_rules, trial
from tapeless.backend.reading.torch_export import stablehlo_of
from tapeless.types import TypeTree


@dataclass(frozen=True)
class Program:
    """A module of PyTorch as bytecode of StableHLO; its last arguments stand for its last results, `cuts` of them."""

    module: bytes
    cuts: int
    takes: tuple[TypeTree, ...]
    gives: TypeTree


def read_module(module: torch.nn.Module, examples: Sequence[Any], with_buffers: bool) -> Program:
    """Exports a module with its parameters, and with what derivatives do not go through, as arguments."""
    parameters, inputs = parameters_of(module, with_buffers), inputs_of(examples)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of PyTorch, about itself
        result = trial(module, parameters, inputs)
        with torch.enable_grad():
            exported = torch.export.export(Lifted(module), (parameters, *inputs), strict=False)
        check_graph(exported)
        check_rules(result)
        cuts = cuts_of(exported)
        if has_marks(exported):
            exported = torch.export.export(Cut(exported), (parameters, inputs, cuts), strict=False)
        written = stablehlo_of(exported)
    takes = (tree_of(parameters, "parameters"), *(tree_of(each, f"input {k}") for k, each in enumerate(inputs)))
    return Program(written, len(cuts), takes, tree_of(result, "the result"))
