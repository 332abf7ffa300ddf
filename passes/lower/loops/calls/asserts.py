"""Run-time checks and reports: calls of the runtime that name their site; a failed check ends the call."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.abi import DRIFT, Site
from tapeless.passes.diagnostics import places_of
from tapeless.passes.lower.loops.calls.runtime_calls import as_i64, call_runtime, pointer, word, word_type
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.buffers import operand_groups
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import NOTED

# As many as the runtime keeps of a failure.
NOTED_VALUES = 8


def emit_assert(emitter: Emitter, node: Node) -> None:
    """`if not condition: tl_fail(site, values)`, or `tl_note` where the call goes on."""
    op, builder = node.op, emitter.builder
    kind = ir.StringAttr(op.kind).value
    true = ir.IntegerType.get_signless(1)
    holds = emitter.scalar(op.condition)
    values = [emitter.scalar(value) for value in op.values]
    fails = builder.value("arith.xori", true, [holds, builder.constant(true, ir.IntegerAttr.get(true, 1))])
    types = tuple("f64" if isinstance(value.type, ir.F64Type) else "i64" for value in values)
    is_noted = NOTED in op.attributes
    site = word(builder, add_site(emitter, node, kind, types, ends=not is_noted))
    branch = builder.create("scf.if", [], [fails], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    (call_note if is_noted else call_fail)(emitter, site, [as_i64(builder, value) for value in values])
    builder.yield_values()
    builder.pop()


def call_fail(emitter: Emitter, site: ir.Value, words: list[ir.Value]) -> None:
    """Hands over the values in a buffer on the stack."""
    builder = emitter.builder
    type_ = ir.MemRefType.get([max(len(words), 1)], word_type())
    slots = builder.create("memref.alloca", [type_], [], operand_groups(type_)).results[0]
    for position, value in enumerate(words):
        builder.store(value, slots, [position])
    call_runtime(emitter, "tl_fail", [site, word(builder, len(words)), pointer(builder, slots)])


def call_note(emitter: Emitter, site: ir.Value, words: list[ir.Value]) -> None:
    """Hands over the values one by one, because the stack does not shrink before the function ends."""
    zero = word(emitter.builder, 0)
    given = [*words, *[zero] * NOTED_VALUES][:NOTED_VALUES]
    call_runtime(emitter, "tl_note", [site, *given])


def emit_report(emitter: Emitter, node: Node) -> None:
    """`tl_report(site, condition, error)`; the result is the condition."""
    op, builder = node.op, emitter.builder
    holds = emitter.env[op.out] = emitter.scalar(op.condition)
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
