// Expected diagnostics are compared line by line, in every piece of a split file.
// RUN: tapeless-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --one-shot-bufferize
// RUN: tapeless-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect -one-shot-bufferize

func.func @result_count() -> f64 {
  // expected-error @+1 {{'func.return' op has 0 operands, but enclosing function (@result_count) returns 1}}
  return
}

// -----

// expected-error-re @below {{custom op 'unheard{{.*}}' is unknown}}
unheard_of

// -----

func.func @from_a_pass() {
  %0 = "test.source"() : () -> tensor<4xf32>
  // expected-error @above {{op was not bufferized}}
  return
}

// -----

func.func @another_file() {
  // expected-error @unknown {{op was not bufferized}}
  %0 = "test.source"() : () -> tensor<4xf32> loc(unknown)
  return
}
