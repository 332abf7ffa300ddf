"""The translation of every operation of a host function: a step of the plan, an expression, or part of a kernel."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

import numpy as np

from tapeless._mlir import ir
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.lower.launches.grids.launch import launch, launch_side_by_side
from tapeless.passes.lower.launches.grids.side_by_side import Waiting
from tapeless.passes.lower.launches.host import host_control
from tapeless.passes.lower.launches.host.host import Host, slot_address
from tapeless.passes.lower.launches.host.placement import Where, is_control
from tapeless.passes.lower.launches.kernels.failure import failed_site
from tapeless.passes.lower.launches.plan.integers import constant, expression
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import (
    Array,
    Known,
    Repeated,
    Slot,
    all_sizes,
    bytes_of,
    is_integer,
    is_memory,
)
from tapeless.passes.marks import LAUNCH, RESULT

Rule = Callable[[Host, ir.Operation], None]
DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_, "index": np.int64}


def walk_function(host: Host, function: ir.Operation, globals_: Mapping[str, ir.Operation]) -> None:
    """Visits all operations of a function, whose parameters are bound."""
    rules: dict[str, Rule] = {**RULES, "memref.get_global": lambda host, op: _constant_array(host, op, globals_)}

    def walk(block: ir.Block) -> None:
        waiting = Waiting(lambda loops: launch_side_by_side(host, loops), lambda op: visit(host, op, rules))
        for view in list(block.operations)[:-1]:
            waiting.take(view.operation)
        waiting.finish()

    host.walk = walk
    walk(function.regions[0].blocks[0])


def visit(host: Host, op: ir.Operation, rules: Mapping[str, Rule]) -> None:
    """One operation of the host function."""
    if LAUNCH in op.attributes:
        launch(host, op)
    elif is_control(op):
        host.flush()
        host_control.RULES[op.name](host, op)
    elif op.name in rules:
        rules[op.name](host, op)
    else:
        scalars(host, op)
    for result in op.results:
        if result in host.placement.read:
            host.known(result)


def scalars(host: Host, op: ir.Operation) -> None:
    """An operation on numbers, or on memory of the device."""
    results = list(op.results)
    if any(is_memory(result.type) for result in results):
        raise OpRefused(op.opview, "makes memory in a way that launches cannot follow; report the program")
    where = host.placement.computed(results[0]) if results else Where.DEVICE
    if where is Where.HOST:
        host.env[results[0]] = Known(host.plan.let(expression(op, [host.known(value) for value in op.operands])))
    elif where is Where.AGAIN:
        host.env[results[0]] = Repeated(op)
    else:
        host.wait(op)


def _number(host: Host, op: ir.Operation) -> None:
    result = op.results[0]
    host.env[result] = Known(constant(op)) if is_integer(result.type) else Repeated(op)


def _allocate(host: Host, op: ir.Operation) -> None:
    type_ = ir.MemRefType(op.results[0].type)
    if RESULT in op.attributes:
        slot = host.slot_of_any([use.owner.operation.results[0] for use in op.results[0].uses if _loads(use.owner)])
        host.env[op.results[0]] = Array(slot_address(slot), tuple(type_.shape), slot)
        return
    sizes = all_sizes(type_, [host.known(size) for size in op.operands])
    name = host.plan.name()
    host.plan.add("allocate", name=name, bytes=bytes_of(type_, sizes))
    host.env[op.results[0]] = Array(name, sizes)


def _loads(user: ir.Operation | ir.OpView) -> bool:
    return user.operation.name == "memref.load"


def _free(host: Host, op: ir.Operation) -> None:
    host.free(host.array(op.operands[0]).address)


def _copy(host: Host, op: ir.Operation) -> None:
    host.flush()
    source, target = (host.array(value) for value in op.operands)
    count = bytes_of(ir.MemRefType(op.operands[0].type), source.sizes)
    host.plan.add("copy", to=target.address, **{"from": source.address}, bytes=count)


def _cast(host: Host, op: ir.Operation) -> None:
    host.env[op.results[0]] = host.array(op.operands[0])


def _reinterpret(host: Host, op: ir.Operation) -> None:
    """The same elements under other sizes."""
    source, type_ = host.array(op.operands[0]), ir.MemRefType(op.results[0].type)
    sizes = [host.known(value) for value in list(op.operands)[1:]]
    host.env[op.results[0]] = Array(source.address, all_sizes(type_, sizes))


def _size(host: Host, op: ir.Operation) -> None:
    axis = host.known(op.operands[1])
    assert isinstance(axis, int)
    host.env[op.results[0]] = Known(host.array(op.operands[0]).sizes[axis])


def _select(host: Host, op: ir.Operation) -> None:
    if not is_memory(op.results[0].type):
        scalars(host, op)
        return
    chosen = host.known(op.operands[0])
    one, other = (host.array(value) for value in list(op.operands)[1:])
    address: Expr = host.plan.let(["select", "i64", chosen, one.address, other.address])
    sizes = tuple(
        left if left == right else host.plan.let(["select", "index", chosen, left, right])
        for left, right in zip(one.sizes, other.sizes, strict=True)
    )
    host.env[op.results[0]] = Array(address, sizes)


def _load(host: Host, op: ir.Operation) -> None:
    """A number that a launch has left is read where it is needed; other memory may change until then."""
    slot = host.array(op.operands[0]).slot
    if slot is None:
        host.wait(op)
    else:
        host.env[op.results[0]] = Slot(slot)


def _branch(host: Host, op: ir.Operation) -> None:
    """A check of known values is a step of the plan; others, and small branches, wait for a kernel."""
    failed = failed_site(op)
    if failed is None:
        host.wait(op)
        return
    site, values = failed
    sources = [_before_cast(value) for value in values]
    if not all(is_integer(value.type) for value in sources) or not host.placement.all_known([op.operands[0], *sources]):
        host.wait(op)
        return
    words = [host.known(value) for value in sources]
    condition = ["xori", "i1", host.known(op.operands[0]), 1]
    host.plan.add("check", condition=condition, site=site, values=words)


def _before_cast(value: ir.Value) -> ir.Value:
    """The size behind a word of a report."""
    if isinstance(value.owner, ir.Block) or value.owner.operation.name != "arith.index_cast":
        return value
    return value.owner.operation.operands[0]


def _constant_array(host: Host, op: ir.Operation, globals_: Mapping[str, ir.Operation]) -> None:
    name = ir.FlatSymbolRefAttr(op.attributes["name"]).value
    host.plan.constants.append(encoded(globals_[name]))
    bound = host.plan.name()
    host.plan.add("constant", name=bound, part=len(host.plan.constants) - 1)
    host.env[op.results[0]] = Array(bound, tuple(ir.MemRefType(op.results[0].type).shape))


RULES: dict[str, Rule] = {
    "arith.constant": _number,
    "memref.alloc": _allocate,
    "memref.alloca": _allocate,
    "memref.dealloc": _free,
    "memref.copy": _copy,
    "memref.cast": _cast,
    "memref.reinterpret_cast": _reinterpret,
    "memref.dim": _size,
    "memref.load": _load,
    "arith.select": _select,
    "scf.if": _branch,
}


def encoded(constant: ir.Operation) -> str:
    """The bytes of a `memref.global` as base64 text."""
    type_ = ir.MemRefType(ir.TypeAttr(constant.attributes["type"]).value)
    contents = constant.attributes["initial_value"]
    dtype = DTYPES[str(type_.element_type)]
    if ir.DenseElementsAttr(contents).is_splat:
        value = ir.DenseElementsAttr(contents).get_splat_value().value
        array = np.full(type_.shape, value, dtype)
    else:
        array = np.asarray(list(contents), dtype).reshape(type_.shape)
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
