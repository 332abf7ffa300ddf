"""Failed checks: on the host steps of the plan, in kernels a report in the status buffer, after which the thread ends.

Status buffer: `[kind, site, count, values[8], thread]`, eight bytes each. While a thread writes its report, the kind is
2, which keeps others out; of several threads the one with the lowest number stays. Kernels do nothing once a check
failed.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, llvm
from tapeless.passes.lower.launches.kernels import reports
from tapeless.passes.lower.launches.kernels.contents import Contents

FAIL, NO_MEMORY, END_IF_FAILED = "tl_fail", "tl_no_memory", "tl_end_if_failed"
# What the status buffer says: a check failed, a thread writes its report, the heap of the device has no more memory.
FAILED, BUSY, EXHAUSTED = 1, 2, 5


def _ending(name: str, parameters: str, kind: int, report: str) -> str:
    """A function that writes a report, unless a thread with a lower number has written one, and ends the thread."""
    return f"""
func.func private @{name}(%status: !llvm.ptr, {parameters}) attributes {{llvm.no_inline}} {{
  %zero = arith.constant 0 : i64
  %kind = arith.constant {kind} : i64
  %busy = arith.constant {BUSY} : i64
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %dx = gpu.block_dim x
  %first = arith.muli %bx, %dx : index
  %number = arith.addi %first, %tx : index
  %thread = arith.index_cast %number : index to i64
  %owner = llvm.getelementptr %status[11] : (!llvm.ptr) -> !llvm.ptr, i64
  scf.while (%old = %busy) : (i64) -> () {{
    %again = arith.cmpi eq, %old, %busy : i64
    scf.condition(%again)
  }} do {{
    %old = llvm.atomicrmw xchg %status, %busy syncscope("device") acq_rel : !llvm.ptr, i64
    %mine = arith.cmpi ne, %old, %busy : i64
    scf.if %mine {{
      %none = arith.cmpi eq, %old, %zero : i64
      %other = llvm.load volatile %owner : !llvm.ptr -> i64
      %lower = arith.cmpi slt, %thread, %other : i64
      %write = arith.ori %none, %lower : i1
      %stays = arith.select %write, %kind, %old : i64
      scf.if %write {{
        llvm.store volatile %thread, %owner : i64, !llvm.ptr
        %at_site = llvm.getelementptr %status[1] : (!llvm.ptr) -> !llvm.ptr, i64
        {report}
      }}
      %released = llvm.atomicrmw xchg %status, %stays syncscope("device") acq_rel : !llvm.ptr, i64
    }}
    scf.yield %old : i64
  }}
  llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
  return
}}
"""


FUNCTIONS = {
    FAIL: _ending(
        FAIL,
        "%site: i64, %count: i64, %values: !llvm.ptr",
        FAILED,
        """llvm.store volatile %site, %at_site : i64, !llvm.ptr
        %at_count = llvm.getelementptr %status[2] : (!llvm.ptr) -> !llvm.ptr, i64
        llvm.store volatile %count, %at_count : i64, !llvm.ptr
        %at_values = llvm.getelementptr %status[3] : (!llvm.ptr) -> !llvm.ptr, i64
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = arith.index_cast %count : i64 to index
        scf.for %k = %c0 to %n step %c1 {
          %offset = arith.index_cast %k : index to i64
          %from = llvm.getelementptr %values[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %to = llvm.getelementptr %at_values[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i64
          %value = llvm.load %from : !llvm.ptr -> i64
          llvm.store volatile %value, %to : i64, !llvm.ptr
        }""",
    ),
    END_IF_FAILED: f"""
func.func private @{END_IF_FAILED}(%status: !llvm.ptr) {{
  %zero = arith.constant 0 : i64
  %kind = llvm.load volatile %status : !llvm.ptr -> i64
  %failed = arith.cmpi ne, %kind, %zero : i64
  scf.if %failed {{
    llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
  }}
  return
}}
""",
    NO_MEMORY: _ending(NO_MEMORY, "%bytes: i64", EXHAUSTED, "llvm.store volatile %bytes, %at_site : i64, !llvm.ptr"),
}
ENDING = frozenset(FUNCTIONS)
TELLING = ENDING | set(reports.FUNCTIONS)


def has_failed(status: ir.Value) -> ir.Value:
    """Whether a check has failed in a kernel before this one: reports of others meanwhile need not be seen."""
    i64 = ir.IntegerType.get_signless(64)
    kind = llvm.load(i64, status)
    return arith.cmpi(arith.CmpIPredicate.ne, kind, arith.constant(i64, 0))


def forget_failures(kernels: ir.Operation) -> None:
    """Takes the tests out of kernels none of which can fail: checks of the host end a call by themselves."""
    for kernel in kernels.regions[0].blocks[0].operations:
        if kernel.operation.name == "gpu.func":
            status = kernel.operation.regions[0].blocks[0].arguments[0]
            loads = [use.owner.operation for use in status.uses if use.owner.operation.name == "llvm.load"]
            for test in [use.owner.operation for load in loads for use in load.results[0].uses]:
                with ir.InsertionPoint(test), test.location:
                    test.results[0].replace_all_uses_with(arith.constant(test.results[0].type, 0))


def tell_status(contents: Contents, status: ir.Value) -> None:
    """Hands the status buffer to the calls that write to it in a function."""
    for place, call in enumerate(contents.calls):
        if callee(call) in TELLING:
            with ir.InsertionPoint(call), call.location:
                operands = [status, *call.operands]
                made = ir.Operation.create("func.call", [], operands, {"callee": call.attributes["callee"]})
            contents.calls[place] = made
            call.erase()


def callee(call: ir.Operation) -> str:
    """The name of the function that is called, or of the array that is asked for."""
    name = "callee" if call.name == "func.call" else "name"
    return ir.FlatSymbolRefAttr(call.attributes[name]).value


def failed_site(op: ir.Operation) -> tuple[int, list[ir.Value]] | None:
    """The site and the values, as words, of a branch that does nothing but fail."""
    if op.name != "scf.if" or len(op.results):
        return None
    inner = [view.operation for view in op.regions[0].blocks[0].operations]
    calls = [each for each in inner if each.name == "func.call"]
    if len(calls) != 1 or ir.FlatSymbolRefAttr(calls[0].attributes["callee"]).value != FAIL:
        return None
    site = ir.IntegerAttr(calls[0].operands[0].owner.operation.attributes["value"]).value
    return site, [each.operands[0] for each in inner if each.name == "memref.store"]
