// Plans that say too little, or what cannot be.
// RUN: tapeless-opt --lower-check-storage --split-input-file --verify-diagnostics %s

// expected-error @+1 {{'func.func' op has no plan of memory; run lower-plan-storage before}}
func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
  return %x : tensor<?xf64>
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  // expected-error @+1 {{'soac.map' op has no plan of memory; run lower-plan-storage before}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xf64>) -> tensor<?xf64>
  return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y : tensor<?xf64>
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  // expected-error @+1 {{'soac.map' op has tapeless.memory = {makes = array<i64: 1>, results = array<i64: 2>}; run lower-plan-storage to write it anew}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = {makes = array<i64: 1>, results = array<i64: 2>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y : tensor<?xf64>
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  // expected-error @+1 {{'soac.map' op has tapeless.memory = {makes = array<i64: 1>, results = array<i64: 1, 1>}; run lower-plan-storage to write it anew}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = {makes = array<i64: 1>, results = array<i64: 1, 1>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y : tensor<?xf64>
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  // expected-error @+1 {{'soac.map' op has tapeless.memory = {lives = array<i64: 1>}; run lower-plan-storage to write it anew}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = {lives = array<i64: 1>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y : tensor<?xf64>
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  // expected-error @+1 {{'soac.map' op has tapeless.memory = 1 : i64; run lower-plan-storage to write it anew}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = 1} : (index, tensor<?xf64>) -> tensor<?xf64>
  return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y : tensor<?xf64>
}

// -----

func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> attributes {tapeless.memory = {arguments = array<i64: -1, 0>, constant = array<i64: 0>, makes = array<i64: 0>}} {
  // expected-error @+1 {{'soac.map' op has tapeless.memory = {frees = array<i64: 7>, makes = array<i64: 1>, results = array<i64: 1>}; run lower-plan-storage to write it anew}}
  %y = "soac.map"(%n, %x) ({
  ^bb0(%i: index, %e: f64):
    "soac.yield"(%e) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>, tapeless.memory = {frees = array<i64: 7>, makes = array<i64: 1>, results = array<i64: 1>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  return {tapeless.memory = {ends = {out = array<i64: 0, 1>}}} %y : tensor<?xf64>
}
