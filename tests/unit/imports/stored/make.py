"""Writes the stored programs: modules as text, with arguments, value and gradients as JAX or PyTorch gives them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import torch

from tapeless._mlir import ir
from tapeless.api.imports.jax_programs.reading import read_program
from tapeless.api.imports.torch_programs.reading import read_module as read_torch
from tapeless.backend.reading.cuts import close_cuts
from tapeless.backend.reading.joining import join
from tapeless.backend.reading.modules import read_module
from tapeless.dialects.core_context import make_core_context
from unit.imports import open_programs
from unit.imports.jax_programs import networks, sciences, sequences
from unit.imports.torch_modules import modules

FOLDER = Path(__file__).parent
NAMES = (
    "clipped_gradients",
    "convolution",
    "decay_until",
    "hidden_markov",
    "implicit",
    "lstm",
    "messages",
    "mixture",
    "perceptron",
    "pendulum",
    "ranked",
    "stopped",
    "switched",
)
OPEN = ("open_attention", "open_picked", "open_recurrent", "open_ruled", "open_running")
OF_TORCH = ("attention", "embedded", "masked", "momentum", "temporal_difference")
PROGRAMS = networks.PROGRAMS | sequences.PROGRAMS | sciences.PROGRAMS


def text_of(name: str) -> str:
    """The module of a program as text, with the functions of its rules in it."""
    program = PROGRAMS[name]
    return _text(program.loss, (program.parameters, *program.data))


def _text(loss: Callable[..., Any], examples: Sequence[Any]) -> str:
    read = read_program(loss, examples)
    context = make_core_context()
    with context:
        module: ir.Module = read_module(read.artifact, context)
        for known, rule in read.rules.items():
            join(module, known, read_module(rule, context))
        return str(module)


def numbers_of(name: str) -> dict[str, object]:
    """Flat arguments, the value, and the gradients in the first ones, which are the parameters."""
    loss, parameters, data, _ = PROGRAMS[name]
    gradient = (jax.jacfwd if name == "decay_until" else jax.grad)(loss)(parameters, *data)
    flat = [np.asarray(each) for each in jax.tree.leaves((parameters, *data))]
    return {
        "arguments": [[each.dtype.name, each.tolist()] for each in flat],
        "value": float(loss(parameters, *data)),
        "gradients": [np.asarray(each).tolist() for each in jax.tree.leaves(gradient)],
    }


def numbers_of_open(program: open_programs.Open) -> list[dict[str, object]]:
    """Arguments of several sizes, the values, and the gradients in the arguments that are floats."""
    found = []
    wanted = tuple(place for place, shape in enumerate(program.shapes) if " " not in shape)
    for number in program.at:
        arguments = program.arguments(number)
        arrays = [jax.numpy.asarray(each) for each in arguments]
        gradients = jax.grad(program.loss, argnums=wanted)(*arrays)
        found.append(
            {
                "arguments": [[each.dtype.name, each.tolist()] for each in arguments],
                "value": float(program.loss(*arrays)),
                "gradients": [np.asarray(each).tolist() for each in gradients],
            }
        )
    return found


def text_of_torch(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> str:
    """The module of StableHLO as text, with what derivatives do not go through marked in it."""
    read = read_torch(module, inputs, with_buffers=False)
    context = make_core_context()
    with context:
        made: ir.Module = read_module(read.module, context)
        if read.cuts:
            close_cuts(made, "main", read.cuts)
        return str(made)


def numbers_of_torch(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> dict[str, object]:
    """Flat arguments, the value, and the gradients in the first ones, which are the parameters."""
    loss = module(*inputs)
    loss.backward()
    flat = [each.detach().numpy() for each in (*module.parameters(), *inputs)]
    zeros = [torch.zeros_like(each) if each.grad is None else each.grad for each in module.parameters()]
    return {
        "arguments": [[each.dtype.name, each.tolist()] for each in flat],
        "value": loss.item(),
        "gradients": [each.numpy().tolist() for each in zeros],
    }


def main() -> None:
    """Writes all of them."""
    with jax.enable_x64(True):
        for name in NAMES:
            (FOLDER / f"{name}.mlir").write_text(text_of(name))
            (FOLDER / f"{name}.json").write_text(json.dumps(numbers_of(name)) + "\n")
        for name in OPEN:
            program = open_programs.PROGRAMS[name.removeprefix("open_")]
            (FOLDER / f"{name}.mlir").write_text(_text(program.loss, program.examples()))
            (FOLDER / f"{name}.json").write_text(json.dumps(numbers_of_open(program)) + "\n")
    made = modules()
    for name in OF_TORCH:
        (FOLDER / f"torch_{name}.mlir").write_text(text_of_torch(*made[name]))
        (FOLDER / f"torch_{name}.json").write_text(json.dumps(numbers_of_torch(*made[name])) + "\n")


if __name__ == "__main__":
    main()
