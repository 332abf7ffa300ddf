// Loops whose derivative would have to store their states.
// RUN: not tapeless-opt --phi-differentiate %s 2>&1 | filecheck %s

// CHECK: a loop that does not have a closed form reads an array that is differentiated in; leave this loop out of segments, so that it is differentiated step by step
func.func @stored(%n: index, %p: f64, %xs: tensor<?xf64>) -> f64 {
  %r = "phi.segment"(%n, %p, %xs) ({
  ^bb0(%steps: index, %first: f64, %array: tensor<?xf64>):
    %d = "phi.iterate"(%steps, %first) ({
    ^bb0(%k: index, %x: f64):
      %e = "phi.elem"(%array, %k) : (tensor<?xf64>, index) -> f64
      %s = "phi.fn"(%x) {function = "sin"} : (f64) -> f64
      %y = "phi.mono"(%s, %e) {exps = [1, 1], coeff = 1 : i64} : (f64, f64) -> f64
      "phi.yield"(%y) : (f64) -> ()
    }) : (index, f64) -> f64
    "phi.yield"(%d) : (f64) -> ()
  }) {label = "s0", active_in = [false, true, true], active_out = [true], fm = #phi.fm<"contract">} : (index, f64, tensor<?xf64>) -> f64
  return %r : f64
}
