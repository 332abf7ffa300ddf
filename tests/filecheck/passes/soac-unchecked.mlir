// soac-unchecked removes the checks of element indices and no others.
// RUN: tapeless-opt --soac-unchecked %s | filecheck %s
// RUN: tapeless-opt --soac-unchecked=checks=true %s | filecheck %s --check-prefix=ON

// CHECK-LABEL: func.func @checked
// CHECK-NOT: IndexOutOfRange
// CHECK: kind = "ShapeMismatch"
// ON: kind = "IndexOutOfRange"
func.func @checked(%inside: i1, %same: i1, %n: index) {
  "soac.map"(%n) ({
  ^bb0(%i: index):
    "soac.assert"(%inside, %i, %n) {kind = "IndexOutOfRange", message = "index {} of {}"} : (i1, index, index) -> ()
    "soac.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> ()
  "soac.assert"(%same) {kind = "ShapeMismatch", message = "other sizes"} : (i1) -> ()
  return
}
