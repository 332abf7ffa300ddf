"""The context factory: many contexts in one process, each with every dialect, and operation classes that fit all."""

from __future__ import annotations

import gc
import time

import pytest

from tapeless._mlir import ir
from tapeless.dialects import phi, soac
from tapeless.dialects.context import DIALECTS, make_context

REVERSE = """
func.func @f(%xs: tensor<?xf64>, %acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
  %r = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
"""


def first_operation(module: ir.Module) -> ir.OpView:
    return module.body.operations[0].body.blocks[0].operations[0]


def test_every_dialect_is_loaded_and_threads_are_off() -> None:
    context = make_context()
    assert all(context.is_dialect_loaded(dialect.DIALECT_NAMESPACE) for dialect in DIALECTS)
    assert context.get_num_threads() == 1


def test_classes_work_in_all_contexts_alive() -> None:
    contexts = [make_context() for _ in range(4)]
    modules = [ir.Module.parse(REVERSE, context) for context in contexts]
    for module in modules:
        op = first_operation(module)
        assert isinstance(op, soac.ReverseOp)
        assert op.axis.value == 0
        acc = module.body.operations[0].body.blocks[0].arguments[1].type
        assert isinstance(acc, soac.AccType)
        assert str(acc.tensor) == "tensor<?xf64>"
        with module.context, op.location, ir.InsertionPoint(op):
            soac.ReverseOp(op.operand, op.out.type, op.axis)
        assert module.operation.verify()


def test_contexts_come_and_go() -> None:
    survivor = ir.Module.parse(REVERSE, make_context())
    for _ in range(10):
        ir.Module.parse(REVERSE, make_context())
        gc.collect()
    assert isinstance(first_operation(survivor), soac.ReverseOp)
    assert survivor.operation.verify()


def test_attributes_have_their_classes() -> None:
    attribute = ir.Attribute.parse("#phi.rat<1 : i64, 3 : i64>", make_context())
    assert isinstance(attribute, phi.RatAttr)
    assert ir.IntegerAttr(attribute.denominator).value == 3


def test_making_one_is_cheap() -> None:
    make_context()
    started = time.process_time()
    for _ in range(5):
        make_context()
    assert (time.process_time() - started) / 5 < 0.1


def test_error_names_the_users_location() -> None:
    wrong = REVERSE.replace("axis = 0", "axis = 3").replace("tensor<?xf64>\n  return", "tensor<?xf64> LOC\n  return")
    with pytest.raises(ir.MLIRError, match=r'"user.py":12:5: \'soac.reverse\' op has axis = 3'):
        ir.Module.parse(wrong.replace("LOC", 'loc("user.py":12:5)'), make_context())
