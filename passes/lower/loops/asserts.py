"""Run-time checks and reports: calls of the runtime that name their site; a failed check ends the call."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.abi import DRIFT, Site
from tapeless.passes.diagnostics import places_of
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.runtime_calls import as_i64, call_runtime, pointer, word, word_type
from tapeless.passes.lower.storage.buffers import operand_groups
from tapeless.passes.lower.storage.tree import Node


def emit_assert(emitter: Emitter, node: Node) -> None:
    """`if not condition: tl_fail(site, values)`."""
    op, builder = node.op, emitter.builder
    kind = ir.StringAttr(op.kind).value
    true = ir.IntegerType.get_signless(1)
    holds = emitter.scalar(op.condition)
    values = [emitter.scalar(value) for value in op.values]
    fails = builder.value("arith.xori", true, [holds, builder.constant(true, ir.IntegerAttr.get(true, 1))])
    types = tuple("f64" if isinstance(value.type, ir.F64Type) else "i64" for value in values)
    site = add_site(emitter, node, kind, types, ends=True)
    branch = builder.create("scf.if", [], [fails], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    type_ = ir.MemRefType.get([max(len(values), 1)], word_type())
    slots = builder.create("memref.alloca", [type_], [], operand_groups(type_)).results[0]
    for position, value in enumerate(values):
        builder.store(as_i64(builder, value), slots, [position])
    call_runtime(emitter, "tl_fail", [word(builder, site), word(builder, len(values)), pointer(builder, slots)])
    builder.yield_values()
    builder.pop()


def emit_report(emitter: Emitter, node: Node) -> None:
    """`tl_report(site, condition, error)`, but not on devices; the result is the condition."""
    op, builder = node.op, emitter.builder
    holds = emitter.env[op.out] = emitter.scalar(op.condition)
    if emitter.options.has_launches:
        return
    error = emitter.scalar(op.error)
    site = add_site(emitter, node, DRIFT, ("f64", "i64"), ends=False)
    flag = builder.value("arith.extui", word_type(), [holds])
    call_runtime(emitter, "tl_report", [word(builder, site), flag, error])


def add_site(emitter: Emitter, node: Node, kind: str, types: tuple[str, ...], *, ends: bool) -> int:
    """Notes where and why the check fails; returns the number of the site."""
    file, line = source_line(node.op.location)
    emitter.sites.append(Site(kind, ir.StringAttr(node.op.message).value, file, line, types, ends))
    return emitter.first_site + len(emitter.sites) - 1


def source_line(location: ir.Location) -> tuple[str, int]:
    """File and line of the source a location came from."""
    place = next(iter(places_of(location)), None)
    return (place.file, place.line) if place is not None else ("", 0)


RULES = {"soac.assert": emit_assert, "soac.report": emit_report}
