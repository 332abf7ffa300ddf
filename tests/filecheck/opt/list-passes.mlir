// The program describes its passes; a flag of a pass followed by --help explains that pass.
// RUN: tapeless-opt --list-passes | filecheck %s
// RUN: tapeless-opt --soac-simplify --cse --help | filecheck %s --check-prefix=EXPLAIN

// CHECK: kind{{ +}}name{{ +}}options{{ +}}summary
// CHECK-DAG: {{^}}pass{{ +}}soac-inline
// CHECK-DAG: {{^}}pipeline{{ +}}core {{.*}}rev-lower, soac-core-only,
// CHECK-DAG: {{^}}upstream pass{{ +}}cse {{.*}}Eliminate common subexpressions

// EXPLAIN: --soac-simplify
// EXPLAIN: --cse
// EXPLAIN: Eliminate common subexpressions
