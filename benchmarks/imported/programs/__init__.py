"""All programs: those of `untuned` whose function of JAX is imported, and those that are written here."""

from __future__ import annotations

from dataclasses import replace

from untuned.program import FROM_JAX, Program
from untuned.programs import PROGRAMS as UNTUNED

from imported.programs import layers, pictures, series

FIELD = "imported from JAX"
IMPORTED, BY_HAND = "imported", "by hand"
# Programs of `untuned`, with the spelling that is nearest to the function of JAX.
SPELLINGS = {
    "attention head": "axis",
    "convolutional network": "im2col",
    "forward algorithm": "axis",
    "heat on a plane": "slices",
    "image warp": "arrays",
    "layer norm": "axis",
    "lstm": "axis",
    "message passing": "axis",
    "mixture of Gaussians": "axis",
    "multilayer perceptron": "axis",
    "neural differential equation": "arrays",
    "sinkhorn": "axis",
    "word embedding": "axis",
}


def _taken(name: str, spelling: str) -> Program:
    program = UNTUNED[name]
    spellings = {IMPORTED: FROM_JAX, BY_HAND: program.spellings[spelling]}
    return replace(program, field=FIELD, spellings=spellings, torch=None, numpy=None, refused={})


PROGRAMS: dict[str, Program] = {
    program.name: program
    for program in (
        *(_taken(name, spelling) for name, spelling in SPELLINGS.items()),
        *(replace(each, field=FIELD) for each in (*layers.PROGRAMS, *pictures.PROGRAMS, *series.PROGRAMS)),
    )
}
