"""The inverse of the inverse is the procedure, to the letter."""

from __future__ import annotations

import tapeless as tl
from reversible.checks.subject import Subject
from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.passes.rev.blocks import procedures
from tapeless.passes.rev.forms.normalise import Normalise
from tapeless.passes.rev.inversion.invert import Invert, inverse_name

PASSED = (Normalise(), Invert())
"""What brings a module into the form whose inverses are compared."""


def same_letters(subject: Subject) -> str:
    """Every procedure of the module, with nothing left but its inverse, is there again after the inverse of that."""
    text = tl.compile(subject.procedure, subject.arguments).ir("input")
    names = [op.procedure_name for op in procedures(normal(text))]
    for name in names:
        module = normal(text)
        before = _letters(module, name)
        Invert(procedures=(name,)).run(module)
        inverse = _letters(module, inverse_name(name))
        _procedure(module, name).operation.erase()
        Invert(procedures=(inverse_name(name),)).run(module)
        if _letters(module, name) != before:
            return f"inverse of the inverse differs; {name}\n{before}\n{inverse}\n{_letters(module, name)}"
    return ""


def normal(text: str) -> ir.Module:
    """The module before anything is inverted but what calls ask for."""
    module = ir.Module.parse(text, shared_context())
    for each in PASSED:
        each.run(module)
    return module


def _procedure(module: ir.Module, name: str) -> ir.OpView:
    return next(op for op in procedures(module) if op.procedure_name == name)


def _letters(module: ir.Module, name: str) -> str:
    return str(_procedure(module, name))
