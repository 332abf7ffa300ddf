// A carried array that is cast to a size it does not have is refused; one that has it is not.
// RUN: tapeless-opt %s --lower-loops --split-input-file --verify-diagnostics

func.func @grows(%x: tensor<1xf64>, %n: index) -> tensor<1xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op carries an array that starts with a constant size and changes it; start it with a size that is not a constant}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<1xf64> {
    %b = tensor.concat dim(0) %a, %a : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %c = tensor.cast %b : tensor<2xf64> to tensor<?xf64>
    %d = tensor.cast %c : tensor<?xf64> to tensor<1xf64>
    scf.yield %d : tensor<1xf64>
  }
  return %r : tensor<1xf64>
}

// -----

func.func @keeps(%x: tensor<2xf64>, %n: index) -> tensor<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2xf64> {
    %c = tensor.cast %a : tensor<2xf64> to tensor<?xf64>
    %d = tensor.cast %c : tensor<?xf64> to tensor<2xf64>
    scf.yield %d : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}
