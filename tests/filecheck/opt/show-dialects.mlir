// The program describes its dialects, and writes them as IRDL that it can read itself.
// RUN: tapeless-opt --show-dialects | filecheck %s
// RUN: tapeless-opt --show-dialects ad | filecheck %s --check-prefix=ONE
// RUN: tapeless-opt --show-dialects=soac.map | filecheck %s --check-prefix=OPERATION
// RUN: tapeless-opt --emit-irdl -o %t && tapeless-opt %t | filecheck %s --check-prefix=IRDL

// CHECK: # soac
// CHECK: ## soac.map

// ONE-NOT: # soac
// ONE: # ad
// ONE: ## ad.vjp
// ONE: ## Attributes on loops

// OPERATION-NOT: ## soac.reduce
// OPERATION: ## soac.map

// IRDL: irdl.dialect @soac
// IRDL: irdl.operation @map
