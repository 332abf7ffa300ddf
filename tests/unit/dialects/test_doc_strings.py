"""Every operation has a doc string whose examples parse, verify and show the operation, and a round-trip test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapeless._mlir import ext, ir
from tapeless.dialects.context import DIALECTS, make_context

from .doc_examples import examples_of, module_around

OPERATIONS = [operation for dialect in DIALECTS for operation in dialect.operations]
ROUND_TRIPS = Path(__file__).parents[2] / "filecheck" / "dialects"


@pytest.fixture(scope="module")
def context() -> ir.Context:
    return make_context()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.OPERATION_NAME)
def test_doc_string_has_examples_that_verify(operation: type[ext.Operation], context: ir.Context) -> None:
    examples = examples_of(operation.__doc__ or "")
    assert examples, f"{operation.OPERATION_NAME} has no ```mlir example"
    for example in examples:
        assert f'"{operation.OPERATION_NAME}"' in example
        dialect = operation.OPERATION_NAME.split(".")[0]
        module = ir.Module.parse(module_around(example, dialect), context)
        assert str(ir.Module.parse(str(module), context)) == str(module)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.OPERATION_NAME)
def test_round_trip_file_has_the_operation(operation: type[ext.Operation]) -> None:
    name = operation.OPERATION_NAME
    text = (ROUND_TRIPS / f"{name.split('.')[0]}.mlir").read_text()
    checks = [line for line in text.splitlines() if line.startswith("// CHECK")]
    assert any(f'"{name}"(' in line for line in checks)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.DIALECT_NAMESPACE)
def test_dialect_types_and_attributes_are_documented(dialect: type[ext.Dialect]) -> None:
    for documented in (dialect, *dialect.types, *dialect.attributes):
        assert documented.__doc__
