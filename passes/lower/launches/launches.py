"""The pass `lower-launches`: loops become kernels, and the host function a plan of launches."""

from __future__ import annotations

import json
from typing import ClassVar

from tapeless._mlir import func, ir
from tapeless.abi import ATTRIBUTE, INTERFACE_ATTRIBUTE, PLAN_ATTRIBUTE
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.atomics import make_updates_relaxed
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.launches.kernels.failure import ENDING, TELLING, callee, forget_failures
from tapeless.passes.lower.launches.kernels.kernel_functions import add_functions, use_instructions
from tapeless.passes.lower.launches.kernels.touched import tell_touched
from tapeless.passes.lower.launches.kernels.work import tell_work
from tapeless.passes.lower.launches.memory.heap import check_allocations, is_in_loop
from tapeless.passes.lower.launches.memory.small_arrays import keep_small_arrays
from tapeless.passes.lower.launches.plan.values import Array, Known, all_sizes, dynamic_axes, is_memory
from tapeless.passes.lower.launches.walk import walk_function
from tapeless.passes.lower.math.library import PREFIX

KERNELS = "kernels"


@dataclass(frozen=True)
class Launches:
    """Outlines marked loops as GPU kernels, and turns the host function into a plan of launches.

    ```mlir
    func.func @f(%x: memref<?xf64>, %o: memref<?xf64>)      gpu.module @kernels {
      scf.for %i = %c0 to %n step %c1 {                       gpu.func @f_kernel0(%status: !llvm.ptr, ...) kernel {
        ...                                                     // the iteration of this thread
      } {tapeless.launch = "each thread"}                         }
      return                                                }
    ```
    The plan is JSON in the module attribute `tapeless.plan` (`docs/gpu_runtime.md`); of the function only its
    declaration with the calling contract is left.
    """

    name: ClassVar[str] = "lower-launches"
    after: ClassVar[dict[str, str]] = {
        "lower-tile-contractions": "kernels are cut out when their loops are final",
        "lower-math": "kernels call no function of the host",
    }

    def run(self, module: ir.Module) -> None:
        module.context.dialects["gpu"]
        hosts = [op for op in module.body if ATTRIBUTE in op.operation.attributes]
        if len(hosts) > 1:
            name = ir.StringAttr(hosts[0].operation.attributes["sym_name"]).value
            raise OpRefused(
                hosts[1],
                "is the second public function of its module, and launch plans are for one; keep one, as "
                f"--symbol-privatize=exclude={name} does",
            )
        with module.context, ir.Location.unknown():
            for host in hosts:
                make_plan(module, host.operation)


def make_plan(module: ir.Module, function: ir.Operation) -> None:
    """Replaces a host function by kernels and a plan."""
    name = ir.StringAttr(function.attributes["sym_name"]).value
    with ir.InsertionPoint.at_block_begin(module.body):
        kernels = ir.Operation.create("gpu.module", [], [], {"sym_name": ir.StringAttr.get(KERNELS)}, regions=1)
    block = kernels.regions[0].blocks.append()
    named = {ir.StringAttr(op.attributes["sym_name"]).value: op.operation for op in module.body}
    host = Host(function, block, name, can_fail=can_fail(function))
    bind_parameters(host, function)
    walk_function(host, function, {key: op for key, op in named.items() if op.name == "memref.global"})
    host.finish(list(returned(function)))
    made = [kernel.contents for kernel in host.made]
    added, wanted = add_functions(block, made, named)
    functions = [*made, *added.values()]
    for contents in made:
        keep_small_arrays(contents)
    wanted |= check_allocations(block, functions)
    if ENDING.isdisjoint(added) and not wanted:
        forget_failures(kernels)
    for contents in functions:
        use_instructions(contents)
        make_updates_relaxed(contents)
    tell_touched(kernels, host.plan.kernels)
    tell_work(made, host.plan.kernels)
    module.operation.attributes[PLAN_ATTRIBUTE] = ir.StringAttr.get(json.dumps(host.plan.to_data() | wanted))
    module.operation.attributes["gpu.container_module"] = ir.UnitAttr.get()
    declare(function)
    for key, op in named.items():
        if op != kernels and key != name:
            op.erase()


def can_fail(function: ir.Operation) -> bool:
    """Whether a check of the function may fail in a kernel: its own, or that of a function that calls itself."""
    contents = Contents.of(function)
    calls = [callee(call) for call in contents.calls if call.name == "func.call"]
    can_end = any(name in ENDING or not (name.startswith(PREFIX) or name in TELLING) for name in calls)
    return can_end or any(map(is_in_loop, contents.allocations))


def returned(function: ir.Operation) -> list[ir.Value]:
    operations = function.regions[0].blocks[0].operations
    return list(operations[len(operations) - 1].operation.operands)


def bind_parameters(host: Host, function: ir.Operation) -> None:
    """Names the parameters: `a0`, `a1`, ... for arguments, `o0`, ... for results, and `a0.1` for a size."""
    contract = json.loads(ir.StringAttr(function.attributes[ATTRIBUTE]).value)
    inputs = len(contract["parameters"])
    for number, argument in enumerate(function.regions[0].blocks[0].arguments):
        name = f"a{number}" if number < inputs else f"o{number - inputs}"
        if is_memory(argument.type):
            sizes = [f"{name}.{axis}" for axis in dynamic_axes(argument.type)]
            host.env[argument] = Array(name, all_sizes(argument.type, sizes))
        else:
            host.env[argument] = Known(name)


def declare(function: ir.Operation) -> None:
    """Leaves of a function its declaration, with the calling contract."""
    with ir.InsertionPoint(function):
        name, type_ = ir.StringAttr(function.attributes["sym_name"]).value, function.opview.type
        declaration = func.FuncOp(name, type_, visibility="private")
        for name in (ATTRIBUTE, INTERFACE_ATTRIBUTE):
            if name in function.attributes:
                declaration.attributes[name] = function.attributes[name]
    function.erase()
