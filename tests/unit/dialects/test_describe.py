"""The dialect reference and the IRDL text cover every operation."""

from __future__ import annotations

from tapeless._mlir import ir, irdl
from tapeless.dialects.context import DIALECTS
from tapeless.dialects.describe import describe, irdl_text


def test_reference_has_every_operation_type_and_attribute() -> None:
    text = describe()
    for dialect in DIALECTS:
        assert f"# {dialect.DIALECT_NAMESPACE}\n" in text
        for operation in dialect.operations:
            assert f"## {operation.OPERATION_NAME}\n" in text
    for name in ("!soac.acc", "!rev.stack", "#phi.rat", "ad.stripmine"):
        assert name in text


def test_irdl_defines_every_operation() -> None:
    context = ir.Context()
    module = ir.Module.parse(irdl_text(), context)
    with context:
        irdl.load_dialects(module)
    for dialect in DIALECTS:
        for operation in dialect.operations:
            assert context.is_registered_operation(operation.OPERATION_NAME)
