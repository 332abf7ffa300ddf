"""The table of structures agrees with the operations it describes."""

from __future__ import annotations

import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.dialects import ad, soac
from tapeless.passes.ir.regions.slots import Slot, argument_for, controls, slots_of
from tapeless.passes.ir.regions.structure import STRUCTURES, Structure, arguments_of, operands_of

CLASSES = {
    each.OPERATION_NAME: each
    for dialect in (soac, ad)
    for each in vars(dialect).values()
    if isinstance(each, type) and issubclass(each, dialect.Operation) and getattr(each, "OPERATION_NAME", None)
}
HISTOGRAM = """
func.func @f(%n: index, %keys: tensor<?xindex>, %xs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %h = "soac.fused_hist"(%n, %keys, %xs, %dest, %zero) ({
  ^bb0(%j: index, %key: index, %x: f64):
    "soac.yield"(%key, %x) : (index, f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 1, 1>}
    : (index, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %h : tensor<?xf64>
}
"""


def test_every_operation_with_regions_is_described() -> None:
    assert [name for name, each in CLASSES.items() if each.region_fields and name not in STRUCTURES] == []


@pytest.mark.parametrize("name", [name for name in STRUCTURES if name in CLASSES])
def test_groups_and_regions_are_those_of_the_class(name: str) -> None:
    described, declared = STRUCTURES[name], CLASSES[name]
    assert len(described.bodies) == len(declared.region_fields)
    assert tuple(not family.many for family in described.operands.families) == declared.operand_groups.singles


@pytest.mark.parametrize("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_sizes_follow_from_the_numbers_of_operands_and_results(structure: Structure) -> None:
    bodies = [layout for body in structure.bodies for layout in (body.arguments, body.yields)]
    assert {name for layout in bodies for name in layout.several} <= set(structure.families)
    assert sum(name not in structure.operands.several for name in structure.families) <= 1


def test_slots_of_a_histogram() -> None:
    with shared_context():
        module = ir.Module.parse(HISTOGRAM)
        op = module.body.operations[0].regions[0].blocks[0].operations[1]
        assert slots_of(op) == [
            Slot("inputs", (1,), ((0, 1),), (), ()),
            Slot("inputs", (2,), ((0, 2),), (), ()),
            Slot("values", (3, 4), ((1, 0), (1, 1)), ((0, 1), (1, 0)), (0,)),
        ]
        lift, combine = (region.blocks[0] for region in op.regions)
        assert controls(op, slots_of(op)) == [op.operands[0], lift.arguments[1]]
        assert operands_of(op, "inputs") == list(op.operands)[1:3]
        assert arguments_of(op, "inputs") == list(lift.arguments)[1:]
        assert arguments_of(op, "values", region=1) == list(combine.arguments)
        assert argument_for(op, 0) is None
        assert argument_for(op, 2) == lift.arguments[2]
        with pytest.raises(KeyError, match="no carried in the layout"):
            arguments_of(op, "carried")
