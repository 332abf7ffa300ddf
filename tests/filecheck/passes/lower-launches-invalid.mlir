// A plan of launches is for one public function.
// RUN: tapeless-opt --cuda --verify-diagnostics %s

func.func @first(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
// expected-error @+1 {{'func.func' op is the second public function of its module, and launch plans are for one; keep one, as --symbol-privatize=exclude=first does}}
func.func @second(%x: f64) -> f64 {
  return %x : f64
}
