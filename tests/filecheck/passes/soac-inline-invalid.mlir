// RUN: tapeless-opt --soac-inline --split-input-file --verify-diagnostics %s

func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op makes the public function '@f' recursive; let it call a private one instead}}
  %y = func.call @f(%x) : (f64) -> f64
  return %y : f64
}

// -----

// expected-error @+1 {{'func.func' op is recursive and has several blocks; write it as one}}
func.func private @f(%x: f64) -> f64 {
  cf.br ^bb1
^bb1:
  %y = func.call @f(%x) : (f64) -> f64
  return %y : f64
}
func.func @g(%x: f64) -> f64 {
  %y = func.call @f(%x) : (f64) -> f64
  return %y : f64
}
