// RUN: tapeless-opt --soac-inline --split-input-file --verify-diagnostics %s

func.func private @f(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op calls '@f' recursively; write the recursion as a loop}}
  %y = func.call @f(%x) : (f64) -> f64
  return %y : f64
}

// -----

func.func private @even(%x: f64) -> f64 {
  %y = func.call @odd(%x) : (f64) -> f64
  return %y : f64
}
func.func private @odd(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op calls '@even' recursively; write the recursion as a loop}}
  %y = func.call @even(%x) : (f64) -> f64
  return %y : f64
}
