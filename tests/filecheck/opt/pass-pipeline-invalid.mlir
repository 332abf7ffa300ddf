// Errors in a pipeline show the text with a caret and the nearest name.
// RUN: not tapeless-opt %s --pass-pipeline='builtin.module(canonicalise)' 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not tapeless-opt %s --soac-simplfy 2>&1 | filecheck %s --check-prefix=FLAG
// RUN: not tapeless-opt %s --canonicalize=max-iteration=2 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not tapeless-opt %s --canonicalize=region-simplify=no 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not tapeless-opt %s --pass-pipeline='builtin.module(cse' 2>&1 | filecheck %s --check-prefix=OPEN

// PASS: pass pipeline:1:16: error: unknown pass 'canonicalise'; did you mean 'canonicalize'?
// PASS-NEXT: builtin.module(canonicalise)
// PASS-NEXT: ^

// FLAG: tapeless-opt: error: unknown command line argument '--soac-simplfy'; did you mean '--soac-simplify'?

// OPTION: error: pass 'canonicalize' has no option 'max-iteration'; did you mean 'max-iterations'?
// OPTION-NEXT: canonicalize{max-iteration=2}

// VALUE: error: option 'region-simplify' of pass 'canonicalize' expects one of 'disabled', 'normal', 'aggressive', not 'no'

// OPEN: pass pipeline:1:1: error: the pipeline of this anchor is never closed; add ')'
module {}
