"""Writes the stored programs: the module with its rules as text, arguments, value and gradients as JAX gives them."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import numpy as np

from tapeless._mlir import ir
from tapeless.api.imports.jax_programs.reading import read_program
from tapeless.backend.reading.joining import join
from tapeless.backend.reading.modules import read_module
from tapeless.dialects.core_context import make_core_context
from unit.imports.jax_programs import networks, sciences, sequences

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
PROGRAMS = networks.PROGRAMS | sequences.PROGRAMS | sciences.PROGRAMS


def text_of(name: str) -> str:
    """The module of a program as text, with the functions of its rules in it."""
    program = PROGRAMS[name]
    read = read_program(program.loss, (program.parameters, *program.data))
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


def main() -> None:
    """Writes all of them."""
    with jax.enable_x64(True):
        for name in NAMES:
            (FOLDER / f"{name}.mlir").write_text(text_of(name))
            (FOLDER / f"{name}.json").write_text(json.dumps(numbers_of(name)) + "\n")


if __name__ == "__main__":
    main()
