"""From a module of PyTorch and examples of its inputs to a module of StableHLO, and trees of the language."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import torch

from tapeless.api.imports.torch_programs.constants import lift_constants
from tapeless.api.imports.torch_programs.cutting import Cut, cuts_of, has_marks
from tapeless.api.imports.torch_programs.decompositions import DECOMPOSED
from tapeless.api.imports.torch_programs.exporting import exported_form
from tapeless.api.imports.torch_programs.from_the_end import count_from_the_end
from tapeless.api.imports.torch_programs.in_place import check_changes
from tapeless.api.imports.torch_programs.kinks import CHOSEN
from tapeless.api.imports.torch_programs.lifting import Lifted, inputs_of, parameters_of, tree_of
from tapeless.api.imports.torch_programs.named import cut_named
from tapeless.api.imports.torch_programs.refusals import check_graph, check_rules, trial
from tapeless.api.imports.torch_programs.written import WRITTEN
from tapeless.backend.reading.torch_export import decompositions, stablehlo_of
from tapeless.dataclasses_on_use import dataclass
from tapeless.types import TypeTree

STOP = "tapeless.stop_gradient"
"""How values are kept out of derivatives: `backend/reading/cuts.py`."""


@dataclass(frozen=True)
class Program:
    """A module of PyTorch as bytecode of StableHLO; its last arguments stand for its last results, through `cuts`."""

    module: bytes
    cuts: tuple[str, ...]
    takes: tuple[TypeTree, ...]
    gives: TypeTree


def read_module(module: torch.nn.Module, examples: Sequence[Any], with_buffers: bool) -> Program:
    """Exports a module with its parameters, and with values that derivatives do not go through, as arguments."""
    parameters, inputs = parameters_of(module, with_buffers), inputs_of(examples)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of PyTorch, about itself
        result = trial(module, parameters, inputs)
        with torch.enable_grad():
            exported = exported_form(Lifted(module), (parameters, *inputs))
        check_graph(exported)
        check_changes(exported)
        check_rules(result)
        cuts = cuts_of(exported)
        if has_marks(exported):
            exported = torch.export.export(Cut(exported), (parameters, inputs, cuts), strict=False)
        program = exported.run_decompositions({**decompositions(), **DECOMPOSED, **CHOSEN, **WRITTEN})
        count_from_the_end(program.graph_module.graph)
        constants = {position: each.numpy() for position, each in lift_constants(program).items()}
        names = cut_named(program.graph_module.graph)
        written = stablehlo_of(program.graph_module.graph, constants)
    takes = (tree_of(parameters, "parameters"), *(tree_of(each, f"input {k}") for k, each in enumerate(inputs)))
    return Program(written, (*[STOP] * len(cuts), *names), takes, tree_of(result, "the result"))
