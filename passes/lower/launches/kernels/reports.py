"""Reports of kernels that do not end the call: drift of reversed loops, checks that are only noted.

It follows the failure in the status buffer: `[first + 1, values[8]]` of the first check that was noted, then a record
`[failures, largest]` for each site. All changes are single atomic steps. Errors are not negative, so that their bits
are in the order of their sizes, with what is no number last; one is added, and 0 is nothing.
"""

from __future__ import annotations

REPORT, NOTE = "tl_report", "tl_note"
# Words of the status buffer, eight bytes each.
FIRST, RECORDS = 12, 21

FUNCTIONS = {
    REPORT: f"""
func.func private @{REPORT}(%status: !llvm.ptr, %site: i64, %holds: i64, %error: f64) attributes {{llvm.no_inline}} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 0x7fffffffffffffff : i64
  %records = llvm.getelementptr %status[{RECORDS}] : (!llvm.ptr) -> !llvm.ptr, i64
  %double = arith.addi %site, %site : i64
  %failures = llvm.getelementptr %records[%double] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %largest = llvm.getelementptr %failures[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %fails = arith.cmpi eq, %holds, %zero : i64
  scf.if %fails {{
    %before = llvm.atomicrmw add %failures, %one syncscope("device") monotonic : !llvm.ptr, i64
  }}
  %bits = arith.bitcast %error : f64 to i64
  %absolute = arith.andi %bits, %size : i64
  %found = arith.addi %absolute, %one : i64
  %old = llvm.load volatile %largest : !llvm.ptr -> i64
  %larger = arith.cmpi ugt, %found, %old : i64
  scf.if %larger {{
    %before = llvm.atomicrmw umax %largest, %found syncscope("device") monotonic : !llvm.ptr, i64
  }}
  return
}}
""",
    NOTE: f"""
func.func private @{NOTE}(%status: !llvm.ptr, %site: i64, {", ".join(f"%v{k}: i64" for k in range(8))})
    attributes {{llvm.no_inline}} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %records = llvm.getelementptr %status[{RECORDS}] : (!llvm.ptr) -> !llvm.ptr, i64
  %double = arith.addi %site, %site : i64
  %failures = llvm.getelementptr %records[%double] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %before = llvm.atomicrmw add %failures, %one syncscope("device") monotonic : !llvm.ptr, i64
  %first = llvm.getelementptr %status[{FIRST}] : (!llvm.ptr) -> !llvm.ptr, i64
  %named = arith.addi %site, %one : i64
  %pair = llvm.cmpxchg %first, %zero, %named syncscope("device") monotonic monotonic : !llvm.ptr, i64
  %mine = llvm.extractvalue %pair[1] : !llvm.struct<(i64, i1)>
  scf.if %mine {{
{
        "".join(
            f'''    %to{k} = llvm.getelementptr %first[{k + 1}] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %v{k}, %to{k} : i64, !llvm.ptr
'''
            for k in range(8)
        )
    }  }}
  return
}}
""",
}
