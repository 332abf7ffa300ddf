"""Groups of values of several types survive the verifier, which allows one type per group."""

from __future__ import annotations

import pytest

from tapeless._mlir import ir
from tapeless.dialects import phi
from tapeless.dialects.context import make_context
from tapeless.dialects.groups import SOME_RUNS, run_lengths

HEADER = "func.func @f(%n: index, %c: f64, %k: i64, %xs: tensor<?xf64>, %ks: tensor<?xi64>)"


def map_over(types: list[str]) -> str:
    names = {"f64": "%xs", "i64": "%ks"}
    inputs = ", ".join(["%n", *(names[type_] for type_ in types)])
    elements = ", ".join(["%i: index", *(f"%e{position}: {type_}" for position, type_ in enumerate(types))])
    signature = ", ".join(["index", *(f"tensor<?x{type_}>" for type_ in types)])
    return f"""{HEADER} {{
      "soac.map"({inputs}) ({{
      ^bb0({elements}):
        "soac.yield"() : () -> ()
      }}) {{operandSegmentSizes = array<i32: 1, {len(types)}, 0>}} : ({signature}) -> ()
      return
    }}"""


def parse(types: list[str]) -> ir.Module:
    return ir.Module.parse(map_over(types), make_context())


def map_in(module: ir.Module) -> ir.OpView:
    return module.body.operations[0].body.blocks[0].operations[0]


def test_sizes_per_field_are_what_stays() -> None:
    module = parse(["f64", "i64", "i64", "f64"])
    op = map_in(module)
    assert op.operation.verify()
    assert list(op.attributes["operandSegmentSizes"]) == [1, 4, 0]
    assert [str(value.type) for value in op.inputs] == [f"tensor<?x{type_}>" for type_ in ("f64", "i64", "i64", "f64")]


def test_single_variadic_group_needs_no_attribute() -> None:
    module = parse(["f64"])
    op = map_in(module).body.blocks[0].operations[0]
    assert op.operation.verify()
    assert "operandSegmentSizes" not in op.attributes
    assert op.values == []


def test_builder_takes_groups_without_values() -> None:
    with make_context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            op = phi.WhileOp([], [], ir.IndexType.get())
        assert op.inits == [] and op.outs == []
        assert [str(result.type) for result in op.operation.results] == ["index"]


def test_operation_stays_readable_when_something_inside_is_invalid() -> None:
    module = parse(["f64", "i64"])
    op = map_in(module)
    block = op.body.blocks[0]
    with op.location, ir.InsertionPoint.at_block_begin(block):
        ir.Operation.create("soac.reverse", operands=[op.inputs[0]], results=[op.inputs[0].type])
    with pytest.raises(ir.MLIRError, match="lacks the attribute axis"):
        op.operation.verify()
    assert len(op.inputs) == 2
    assert op.accs == []
    block.operations[0].erase()
    assert op.operation.verify()
    assert list(op.attributes["operandSegmentSizes"]) == [1, 2, 0]


def test_types_may_change_only_so_often() -> None:
    parse(["f64", "i64"] * (SOME_RUNS // 2))
    with pytest.raises(
        ir.MLIRError, match=rf"changes type more than {SOME_RUNS - 1} times within inputs; group the values"
    ):
        parse([*(["f64", "i64"] * (SOME_RUNS // 2)), "f64"])


def test_run_lengths() -> None:
    with make_context():
        a, b = ir.F64Type.get(), ir.IndexType.get()
        assert run_lengths([a, a, b, a]) == [2, 1, 1]
        assert run_lengths([]) == []
