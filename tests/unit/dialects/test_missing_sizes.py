"""Segment sizes that are taken out of the examples of all operations are found again, or refused; never others."""

from __future__ import annotations

import pytest

from tapeless._mlir import ext, ir
from tapeless.dialects.context import DIALECTS, make_context
from tapeless.dialects.groups import SEGMENTS
from tapeless.dialects.missing_sizes import MOST_SPLITS, splits

from .doc_examples import examples_of, module_around

WITH_SIZES = [each for dialect in DIALECTS for each in dialect.operations if each.operand_groups.needs_sizes]
# Operations whose examples leave more than one split: nothing in them tells the groups apart.
AMBIGUOUS = {"phi.adjoint"}


@pytest.mark.parametrize("operation", WITH_SIZES, ids=lambda operation: operation.OPERATION_NAME)
def test_sizes_are_found_again(operation: type[ext.Operation]) -> None:
    name = operation.OPERATION_NAME
    for example in examples_of(operation.__doc__):
        with make_context() as context:
            module = ir.Module.parse(module_around(example, name.split(".")[0]), context)
            before = sizes_in(module)
            taken_out(module)
            if name in AMBIGUOUS:
                with pytest.raises(ir.MLIRError, match="more than one split fits"):
                    module.operation.verify()
            else:
                assert module.operation.verify()
                assert sizes_in(module) == before


def sizes_in(module: ir.Module) -> list[str]:
    return [str(op.attributes[SEGMENTS]) for op in with_sizes(module)]


def taken_out(module: ir.Module) -> None:
    for op in with_sizes(module):
        del op.attributes[SEGMENTS]


def with_sizes(module: ir.Module) -> list[ir.OpView]:
    found: list[ir.OpView] = []

    def look(op: ir.Operation) -> ir.WalkResult:
        if isinstance(op.opview, tuple(WITH_SIZES)) and SEGMENTS in op.attributes:
            found.append(op.opview)
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    return found


def test_splits_are_all_ways_to_share_values() -> None:
    groups = next(each for each in WITH_SIZES if each.OPERATION_NAME == "soac.reduce").operand_groups
    assert list(splits(groups, 3)) == [[1, 0, 2], [1, 1, 1], [1, 2, 0]]
    assert list(splits(groups, 0)) == []


def test_long_groups_have_to_be_said() -> None:
    count = MOST_SPLITS
    values = ", ".join(["%n", *(["%xs"] * count)])
    elements = ", ".join(["%i: index", *(f"%e{k}: f64" for k in range(count))])
    types = ", ".join(["index", *(["tensor<?xf64>"] * count)])
    text = f"""func.func @f(%n: index, %xs: tensor<?xf64>) {{
      "soac.map"({values}) ({{
      ^bb0({elements}):
        "soac.yield"() : () -> ()
      }}) : ({types}) -> ()
      return
    }}"""
    with pytest.raises(ir.MLIRError, match="lacks operandSegmentSizes; add"):
        ir.Module.parse(text, make_context())
