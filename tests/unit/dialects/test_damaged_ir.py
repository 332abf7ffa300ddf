"""Damaged IR gets a diagnostic, never an exception from inside a verifier: the doc examples with one thing changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tapeless._mlir import ext, ir
from tapeless.dialects.context import DIALECTS, make_context

from .doc_examples import examples_of, module_around

OPERATIONS = [operation for dialect in DIALECTS for operation in dialect.operations]
TYPES = re.compile(r"tensor<[^<>]*>|memref<[^<>]*>|!\w+\.\w+<[^<>]*(?:<[^<>]*>)?>|\b(?:f64|i64|i1|i8|index)\b")
ATTRIBUTE = re.compile(r"(\w+) = (#\w+\.\w+<[^<>]*>|\[[^\]]*\]|\"[^\"]*\"|@\w+|[\w.+-]+(?: : \w+)?)")
ATTRIBUTE_VALUES = ("7 : i64", "-1 : i64", '"x"', "[]", '["x"]', "[9]", "unit", "@nobody", "1.5 : f64")
OTHER_TYPES = ("f32", "tensor<?xi64>", "tensor<2x?xf64>", "memref<3xi64>", "!soac.acc<tensor<?xf64>>")


def replacements(pattern: re.Pattern[str], text: str, values: tuple[str, ...]) -> Iterator[str]:
    for found in pattern.finditer(text):
        for value in values:
            yield text[: found.start()] + found.expand(value) + text[found.end() :]


def damaged(text: str) -> Iterator[str]:
    """Versions of a text with another type, another or no attribute, fewer operands, or an emptied region."""
    yield from replacements(TYPES, text, OTHER_TYPES)
    yield from replacements(ATTRIBUTE, text, tuple(rf"\1 = {value}" for value in ATTRIBUTE_VALUES))
    yield from replacements(re.compile(ATTRIBUTE.pattern + ",? ?"), text, ("",))
    yield from replacements(re.compile(r"%\w+, (?=%)"), text, ("",))
    yield from replacements(re.compile(r"\{\n.*?\n *\}", re.DOTALL), text, ("{}",))
    yield from replacements(
        re.compile(r"array<i32: [^>]*>"),
        text,
        ("array<i32: 1>", "array<i32>", "array<i64: 1, 1>", "array<i32: -1, 3, 1>"),
    )


@pytest.fixture(scope="module")
def context() -> ir.Context:
    return make_context()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.OPERATION_NAME)
def test_damage_is_diagnosed(operation: type[ext.Operation], context: ir.Context) -> None:
    dialect = operation.OPERATION_NAME.split(".")[0]
    refused = 0
    for example in examples_of(operation.__doc__ or ""):
        for text in damaged(example):
            try:
                ir.Module.parse(module_around(text, dialect), context)
            except ir.MLIRError:
                refused += 1
    assert refused
