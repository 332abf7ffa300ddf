"""The context factory: many contexts in one process, each with every dialect, and operation classes that fit all."""

from __future__ import annotations

import gc
import subprocess
import sys
import time

import pytest

from tapeless._mlir import ir
from tapeless.dialects import phi, rev, soac
from tapeless.dialects.context import DIALECTS, make_context
from tapeless.dialects.core_context import ON_DEMAND, make_core_context, require_dialect

REVERSE = """
func.func @f(%xs: tensor<?xf64>, %acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
  %r = "soac.reverse"(%xs) {axis = 0 : i64} : (tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
"""

NEGATE = """
func.func @f(%y: memref<f64>) {
  "rev.neg"(%y) : (memref<f64>) -> ()
  return
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
    for _ in range(4):
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


def test_core_contexts_get_other_dialects_when_asked() -> None:
    context, other = make_core_context(), make_core_context()
    for name in ON_DEMAND:
        assert not context.is_dialect_loaded(name)
        require_dialect(context, name)
        require_dialect(context, name)
        assert context.is_dialect_loaded(name)
        assert not other.is_dialect_loaded(name)


def test_dialects_loaded_on_demand_work_beside_those_before() -> None:
    context = make_core_context()
    before = ir.Module.parse(REVERSE, context)
    require_dialect(context, "phi")
    require_dialect(context, "rev")
    assert isinstance(first_operation(ir.Module.parse(NEGATE, context)), rev.NegOp)
    assert isinstance(ir.Attribute.parse("#phi.rat<1 : i64, 3 : i64>", context), phi.RatAttr)
    assert isinstance(first_operation(before), soac.ReverseOp)
    assert before.operation.verify()
    with pytest.raises(ir.MLIRError, match=r"'rev\.neg' op"):
        ir.Module.parse(NEGATE.replace("memref<f64>", "f64"), context)


def test_every_dialect_loaded_already_is_left_as_it_is() -> None:
    context = make_context()
    for name in ON_DEMAND:
        require_dialect(context, name)
    assert isinstance(first_operation(ir.Module.parse(NEGATE, context)), rev.NegOp)


def test_core_contexts_do_not_import_what_nobody_asked_for() -> None:
    code = (
        "import sys\n"
        "from tapeless.dialects.core_context import ON_DEMAND, make_core_context, require_dialect\n"
        "context = make_core_context()\n"
        "assert not any(f'tapeless.dialects.{name}' in sys.modules for name in ON_DEMAND)\n"
        "require_dialect(context, 'rev')\n"
        "assert 'tapeless.dialects.phi' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
