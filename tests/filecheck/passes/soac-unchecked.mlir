// soac-unchecked removes the checks of element indices, of conversions and of matrices, and no others.
// RUN: tapeless-opt --soac-unchecked %s | filecheck %s
// RUN: tapeless-opt --soac-unchecked=checks=true %s | filecheck %s --check-prefix=ON

// CHECK-LABEL: func.func @checked
// CHECK-NOT: IndexOutOfRange
// CHECK-NOT: ConversionError
// CHECK-NOT: LinAlgError
// CHECK: kind = "ShapeMismatch"
// ON: kind = "IndexOutOfRange"
// ON: kind = "ConversionError"
// ON: kind = "LinAlgError"
func.func @checked(%inside: i1, %same: i1, %n: index) {
  "soac.map"(%n) ({
  ^bb0(%i: index):
    "soac.assert"(%inside, %i, %n) {kind = "IndexOutOfRange", message = "index {} of {}"} : (i1, index, index) -> ()
    "soac.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> ()
  "soac.assert"(%inside) {kind = "ConversionError", message = "no integer"} : (i1) -> ()
  "soac.assert"(%inside) {kind = "LinAlgError", message = "singular"} : (i1) -> ()
  "soac.assert"(%same) {kind = "ShapeMismatch", message = "other sizes"} : (i1) -> ()
  return
}
