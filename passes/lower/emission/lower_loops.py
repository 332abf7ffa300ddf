"""The pass `lower-loops`: core IR becomes loops on memrefs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.abi import ATTRIBUTE, INTERFACE_ATTRIBUTE, SITES_ATTRIBUTE, Site, sites_to_json
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.ir.calls import argument_names
from tapeless.passes.lower.loops.builder import Builder
from tapeless.passes.lower.loops.control.handover import own_copy
from tapeless.passes.lower.loops.emitter import Allocation, Emitter, OwnAllocation, PartRule, Rule, memref_type
from tapeless.passes.lower.loops.memory.destinations import deliver
from tapeless.passes.lower.loops.views import View, whole_view
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.storage.aliasing import StoragePlan, is_array
from tapeless.passes.lower.storage.prepare import functions_to_lower, is_core
from tapeless.passes.lower.storage.read_plan import read_plans
from tapeless.passes.lower.storage.signature import Place, describe
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import CONVENTION, MEMORY, SCHEDULED

KEPT_OUT = ("function_type", "sym_name", "arg_attrs", "res_attrs", SCHEDULED, MEMORY, CONVENTION)


RULES: ImportTable[str, Rule] = ImportTable(
    "lower",
    {
        "arith.constant": "loops.arrays.arrays.emit_constant",
        "tensor.dim": "loops.arrays.arrays.emit_dim",
        "tensor.extract": "loops.arrays.arrays.emit_extract",
        "tensor.insert": "loops.arrays.arrays.emit_insert",
        "tensor.splat": "loops.arrays.arrays.emit_splat",
        "tensor.empty": "loops.arrays.arrays.emit_empty",
        "tensor.from_elements": "loops.arrays.arrays.emit_from_elements",
        "tensor.reshape": "loops.arrays.arrays.emit_reshape",
        "tensor.cast": "loops.arrays.arrays.emit_cast",
        "soac.widen": "loops.arrays.arrays.emit_cast",
        "soac.transpose": "loops.arrays.arrays.emit_transpose",
        "soac.reverse": "loops.arrays.arrays.emit_reverse",
        "tensor.extract_slice": "loops.arrays.slices.emit_extract_slice",
        "tensor.insert_slice": "loops.arrays.slices.emit_insert_slice",
        "tensor.concat": "loops.arrays.slices.emit_concat",
        "soac.map": "emission.forms.emit_operator",
        "soac.reduce": "emission.forms.emit_operator",
        "soac.fused": "emission.forms.emit_operator",
        "soac.scan": "emission.forms.emit_operator",
        "soac.hist": "emission.forms.emit_operator",
        "soac.fused_hist": "emission.forms.emit_operator",
        "soac.scatter": "emission.forms.emit_operator",
        "soac.argsort": "grid.sorting.emit_argsort",
        "soac.with_acc": "loops.updates.emit_with_acc",
        "soac.update": "loops.updates.emit_update",
        "scf.for": "loops.control.sequential.emit_for",
        "scf.while": "loops.control.sequential.emit_while",
        "scf.if": "loops.control.branches.emit_if",
        "soac.assert": "loops.calls.asserts.emit_assert",
        "soac.report": "loops.calls.asserts.emit_report",
        "func.call": "loops.calls.calls.emit_call",
    },
)

# Where an operand of an operation lies inside of its result.
PART_RULES: ImportTable[str, PartRule] = ImportTable(
    "lower",
    {
        "tensor.insert_slice": "loops.arrays.slices.part_of_slice",
        "tensor.concat": "loops.arrays.slices.part_of_concat",
    },
)


@dataclass(frozen=True)
class Loops:
    """Bufferises functions of core IR and lowers operators to loops on memrefs.

    ```mlir
    func.func @f(%x: tensor<?xf64>) -> tensor<?xf64>      func.func @f(%x: memref<?xf64>, %out: memref<?xf64>) {
      %y = "soac.map"(%n, %x) ({                            scf.for %i = %c0 to %n step %c1 {
      ^bb0(%i: index, %e: f64):                               %e = memref.load %x[%i]
        %s = arith.mulf %e, %e : f64                          %s = arith.mulf %e, %e : f64
        "soac.yield"(%s) : (f64) -> ()                        memref.store %s, %out[%i]
      })                                                    } {tapeless.parallel}
      return %y                                             return
    ```
    Arrays live where their plan says, and operators run in the form that `lower-schedule` wrote on them, for the target
    and the threads that it wrote on the function; nothing is decided here. Large loops of a GPU stay where they are and
    are marked `tapeless.launch`: `lower-launches` makes kernels of them.
    """

    name: ClassVar[str] = "lower-loops"
    after: ClassVar[dict[str, str]] = {
        "lower-plan-storage": "it says where every array lives",
        "lower-schedule": "it says in which form every operator runs",
    }

    def run(self, module: ir.Module) -> None:
        sites: list[Site] = []
        before, functions = [op for op in module.body.operations if is_core(op)], functions_to_lower(module)
        for plan in sorted(read_plans(functions), key=lambda plan: plan.own is None):
            lower_function(module, plan, sites)
        for function in before:
            function.operation.erase()
        module.operation.attributes[SITES_ATTRIBUTE] = ir.StringAttr.get(sites_to_json(sites), module.context)


def lower_function(module: ir.Module, plan: StoragePlan, sites: list[Site]) -> None:
    """Builds the lowered form of a function in front of it; that of a public one has the contract with its caller."""
    root = plan.tree.root
    function, options = root.op, Options.of(root.op)
    with function.operation.context, function.location:
        if plan.own is not None:
            add_symbols(module, emit_function(function, plan, plan.own.places, options, sites))
            return
        abi = describe(function, root.arguments(), root.terminator.operands)
        emitter = emit_function(function, plan, [result.place for result in abi.results], options, sites)
        add_symbols(module, emitter)
        attributes = emitter.function.operation.attributes
        attributes[ATTRIBUTE] = ir.StringAttr.get(abi.to_json())
        attributes[INTERFACE_ATTRIBUTE] = interface(argument_names(function.operation), options.threads)


def interface(names: Sequence[str], threads: int) -> ir.Attribute:
    """How callers know a function."""
    of_names = ir.ArrayAttr.get([ir.StringAttr.get(each) for each in names])
    return ir.DictAttr.get({"names": of_names, "threads": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), threads)})


def emit_function(
    function: func.FuncOp, plan: StoragePlan, places: Sequence[Place], options: Options, sites: list[Site]
) -> Emitter:
    """Builds the lowered form of a function in front of it, with its results in the given places."""
    emitter = start_function(function, plan, places, options, len(sites))
    if plan.own is not None:
        from tapeless.passes.lower.loops.calls.calls import check_stack

        check_stack(emitter, function)
    emitter.emit_block(plan.tree.root.regions[0])
    finish(emitter, plan.tree.root.terminator, places)
    unwrap(emitter.run_once)
    sites += emitter.sites
    return emitter


def start_function(
    function: func.FuncOp, plan: StoragePlan, places: Sequence[Place], options: Options, first_site: int
) -> Emitter:
    """Creates the new function and binds its arguments and the places of its results."""
    arguments, returned = plan.tree.root.arguments(), plan.tree.root.terminator.operands
    inputs = [lowered_type(argument) for argument in arguments]
    outs = [lowered_type(value) for value, place in zip(returned, places, strict=True) if place == "out"]
    returns = ("value", "allocated")
    rest = [lowered_type(value) for value, place in zip(returned, places, strict=True) if place in returns]
    name = ir.StringAttr(function.attributes["sym_name"]).value
    function.attributes["sym_name"] = ir.StringAttr.get(f"{name}__core")
    lowered = func.FuncOp(name, ir.FunctionType.get([*inputs, *outs], rest), ip=ir.InsertionPoint(function))
    for kept in function.attributes:
        if kept not in KEPT_OUT:
            lowered.attributes[kept] = function.attributes[kept]
    block = lowered.add_entry_block([function.location] * len([*inputs, *outs]))
    emitter = Emitter(lowered, plan, Builder(block), RULES, PART_RULES, options, first_site)
    parameters = list(block.arguments)
    for argument, parameter in zip(arguments, parameters, strict=False):
        emitter.env[argument] = input_view(emitter, parameter) if is_array(argument) else parameter
    for _, number in plan.own.in_place() if plan.own is not None else ():
        emitter.allocations[plan.storages.of(arguments[number])] = Allocation(emitter.view(arguments[number]))
    bind_outs(emitter, plan.tree.root.terminator, places, parameters[len(inputs) :])
    return emitter


def lowered_type(value: ir.Value) -> ir.Type:
    return memref_type(value) if is_array(value) else value.type


def input_view(emitter: Emitter, buffer: ir.Value) -> View:
    """An array argument; its sizes are read once at the entry."""
    builder, type_ = emitter.builder, ir.MemRefType(buffer.type)
    sizes = [
        builder.value("memref.dim", builder.index, [buffer, builder.as_value(axis)])
        if type_.is_dynamic_dim(axis)
        else type_.shape[axis]
        for axis in range(type_.rank)
    ]
    return whole_view(buffer, sizes)


def bind_outs(emitter: Emitter, terminator: Node, places: Sequence[Place], outs: list[ir.Value]) -> None:
    """Makes the places of array results known before anything is emitted."""
    remaining = iter(outs)
    for number, place in enumerate(places):
        sink = Sink("out", terminator, number)
        if place == "out":
            emitter.sinks[sink] = input_view(emitter, next(remaining))
        elif place == "allocated":
            emitter.sinks[sink] = OwnAllocation()


def finish(emitter: Emitter, terminator: Node, places: Sequence[Place]) -> None:
    """Copies the results that were not built in place, frees what is left and returns."""
    values: list[ir.Value] = []
    emitter.builder.location = terminator.op.location
    for number, (value, place) in enumerate(zip(terminator.operands, places, strict=True)):
        sink = Sink("out", terminator, number)
        if place == "out":
            deliver(emitter, value, sink)
        elif place == "allocated":
            values.append(own_copy(emitter, value, sink, value))
        elif place == "value":
            values.append(emitter.scalar(value))
    emitter.release_after(terminator)
    emitter.pool.close()
    emitter.builder.create("func.return", [], values)


def unwrap(loops: Sequence[ir.Operation]) -> None:
    """Puts the bodies of loops that run once, inner ones first, in their places.

    Only at the end: while code is emitted, what is known of values would be taken for that of others made later.
    """
    for loop in loops:
        block = loop.regions[0].blocks[0]
        low, _, _, *starts = loop.operands
        *body, end = [view.operation for view in block.operations]
        for argument, value in zip(block.arguments, [low, *starts], strict=True):
            argument.replace_all_uses_with(value)
        for inner in body:
            inner.move_before(loop)
        for result, value in zip(loop.results, list(end.operands), strict=True):
            result.replace_all_uses_with(value)
        loop.erase()


def add_symbols(module: ir.Module, emitter: Emitter) -> None:
    """Declares the runtime functions that were called and defines the constant arrays."""
    known = {ir.StringAttr(op.attributes["sym_name"]).value for op in module.body if "sym_name" in op.attributes}
    with ir.InsertionPoint.at_block_begin(module.body):
        for name, type_ in emitter.runtime_calls.items():
            if name not in known:
                func.FuncOp(name, type_, visibility="private")
        for name, type_, contents in emitter.globals:
            attributes = {
                "sym_name": ir.StringAttr.get(name),
                "sym_visibility": ir.StringAttr.get("private"),
                "type": ir.TypeAttr.get(type_),
                "initial_value": contents,
                "constant": ir.UnitAttr.get(),
                "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
            }
            ir.Operation.create("memref.global", attributes=attributes)
