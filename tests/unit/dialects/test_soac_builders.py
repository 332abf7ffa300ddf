"""The soac builders make operations that verify and print as expected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tapeless._mlir import arith, func, ir
from tapeless.dialects import soac
from tapeless.dialects.context import make_context


def add(a: ir.Value, b: ir.Value) -> list[ir.Value]:
    return [arith.addf(a, b)]


def build_map(n: ir.Value, xs: ir.Value, keys: ir.Value, c: ir.Value) -> soac.MapOp:
    return soac.map_(n, [xs], [xs.type], lambda i, x: [arith.mulf(x, c)])


def build_reduce(n: ir.Value, xs: ir.Value, keys: ir.Value, c: ir.Value) -> soac.ReduceOp:
    return soac.reduce(n, [xs], [c], add)


def build_scan(n: ir.Value, xs: ir.Value, keys: ir.Value, c: ir.Value) -> soac.ScanOp:
    return soac.scan(n, [xs], [c], add, reverse=True)


def build_hist(n: ir.Value, xs: ir.Value, keys: ir.Value, c: ir.Value) -> soac.HistOp:
    return soac.hist(n, keys, [xs], [xs], [c], add)


def build_with_acc(n: ir.Value, xs: ir.Value, keys: ir.Value, c: ir.Value) -> soac.WithAccOp:
    def update_everywhere(acc: ir.Value) -> list[ir.Value]:
        loop = soac.map_(n, [], [], lambda i, inner: [soac.UpdateOp(inner, [i], c, inner.type).out], accs=[acc])
        return [loop.outs[0], c]

    return soac.with_acc([xs], [c.type], update_everywhere)


BUILDERS = {
    "soac.map": build_map,
    "soac.reduce": build_reduce,
    "soac.scan": build_scan,
    "soac.hist": build_hist,
    "soac.with_acc": build_with_acc,
}


@pytest.mark.parametrize("name", BUILDERS)
def test_builder_makes_valid_operation(name: str) -> None:
    module = module_with(BUILDERS[name])
    assert module.operation.verify()
    assert module.body.operations[0].body.blocks[0].operations[0].operation.name == name
    reparsed = ir.Module.parse(str(module), module.context)
    assert str(reparsed) == str(module)


def module_with(build: Callable[..., ir.OpView]) -> ir.Module:
    with make_context(), ir.Location.file("user.py", 7, 3):
        module = ir.Module.create()
        types = [ir.Type.parse(text) for text in ("index", "tensor<?xf64>", "tensor<?xi64>", "f64")]
        with ir.InsertionPoint(module.body):
            function = func.FuncOp("f", (types, []))
            block = function.add_entry_block()
        with ir.InsertionPoint(block):
            build(*block.arguments)
            func.ReturnOp([])
    return module


def test_everything_built_carries_the_users_location() -> None:
    text = module_with(build_reduce).operation.get_asm(enable_debug_info=True)
    assert "loc(unknown)" not in text
    assert '"user.py":7:3' in text
