// The program describes its dialects, and writes them as IRDL that it can read itself.
// RUN: tapeless-opt --show-dialects | filecheck %s
// RUN: tapeless-opt --emit-irdl -o %t && tapeless-opt %t | filecheck %s --check-prefix=IRDL

// CHECK: # soac
// CHECK: ## soac.map

// IRDL: irdl.dialect @soac
// IRDL: irdl.operation @map
