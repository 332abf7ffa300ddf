// soac-note-failures lets calls go on after failed checks of reversibility, but not after others.
// RUN: tapeless-opt --soac-note-failures %s | filecheck %s
// RUN: tapeless-opt --soac-note-failures=status=false %s | filecheck %s --check-prefix=OFF

// CHECK-LABEL: func.func @checked
// CHECK: kind = "InvertibilityError", message = "not 0", tapeless.noted
// CHECK: kind = "InvertibilityError", message = "no step", tapeless.needed}
// CHECK: kind = "IndexOutOfRange", message = "outside"}
// CHECK: kind = "RecursionTooDeep", message = "too deep"}
// OFF-NOT: tapeless.noted
func.func @checked(%ok: i1, %n: index) {
  "soac.map"(%n) ({
  ^bb0(%i: index):
    "soac.assert"(%ok) {kind = "InvertibilityError", message = "not 0"} : (i1) -> ()
    "soac.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> ()
  "soac.assert"(%ok) {kind = "InvertibilityError", message = "no step", tapeless.needed} : (i1) -> ()
  "soac.assert"(%ok) {kind = "IndexOutOfRange", message = "outside"} : (i1) -> ()
  "soac.assert"(%ok) {kind = "RecursionTooDeep", message = "too deep"} : (i1) -> ()
  return
}
