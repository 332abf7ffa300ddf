// The pipeline is printed with every option of the Python passes, named pipelines expanded.
// RUN: tapeless-opt %s --dump-pass-pipeline --pass-pipeline='builtin.module(core,func.func(cse),canonicalize{top-down=false})' 2>&1 | filecheck %s

// CHECK: Pass Manager with 17 passes:
// CHECK-NEXT: builtin.module(rev-lower,soac-core-only,soac-unchecked{checks=true},soac-note-failures{status=false},ad-promises,soac-inline,ad-ties,soac-simplify{{.*}},soac-parallelise{{.*}},ad-ties,soac-simplify{{.*}},soac-map-before-gather{products=true},ad-expand{{.*}},soac-arg-histograms{joined=false},func.func(cse),canonicalize{top-down=false})
module {}
